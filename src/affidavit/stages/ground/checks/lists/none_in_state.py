"""None in a state: "there are no pending orders", "delivered orders: none", over the status of each row read.

That no row says so proves it only of the rows that were read: with the number of an order listed that
nobody looked at, it stays open.
"""

from __future__ import annotations

import re

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.words import content_stems, stem, words
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.checks.states.vocabulary import STATUS_FIELD, states_in
from affidavit.stages.ground.checks.values.outdated import own_identifier
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "none_in_state"

_STATE = r"(?P<states>[a-z]+(?:-[a-z]+)*(?:(?:,| or|, or| nor| and) (?:\w+ )?[a-z]+)*?)"
_NONE = re.compile(
    rf"\b(?:no|none of (?:your|the|these|those)|(?:see|seeing|find|finding|have|show|list|are|is|be) any) (?:(?:other|more|current|currently) )?{_STATE} (?P<things>[a-z]+s)\b|"
    rf"^\W*(?P<states2>[a-z]+(?: or [a-z]+)?) (?P<things2>[a-z]+s)\W+none\b|"
    r"\bnone of (?:your|the|these|those|his|her|their)(?: other)? (?P<things3>[a-z]+s) (?:is|are|has been|have been) (?:currently |still |yet )?(?P<states3>[a-z]+)\b",
    re.I,
)
_NOT_ANY = re.compile(r"\b(?:not|n['’]t|cannot|no|none|never|without)\b", re.I)
_ELSEWHERE = re.compile(
    r"\b(?:that|which|who|with|under|for|matching|containing|including|from|in|"
    r"can|cannot|could|(?-i:may)|will|must|should|eligible|allowed)\b",
    re.I,
)
"""What narrows the rows down, "no pending orders with a lamp", or makes a rule of it."""


def check_none_in_state(claim: Claim, context: GroundContext) -> Finding:
    """Look for a row in the state that none is said to be in."""
    said = _NONE.search(claim.text)
    if said is None or not _NOT_ANY.search(claim.text) or claim.is_datum:
        return Finding.skip(NAME, "does not say that none is in a state")
    if _ELSEWHERE.search(claim.text[said.end() :].split(",")[0]):
        return Finding.skip(NAME, "speaks of some of the rows only")
    things = next(v for k, v in said.groupdict().items() if k.startswith("things") and v)
    named = next(v for k, v in said.groupdict().items() if k.startswith("states") and v)
    rows = _latest(stem(things.lower()), context)
    kept = {stem(w) for _, cell in rows for w in words(cell.text)}
    states = [w for w in words(named) if w not in ("or", "and", "nor")]
    if not rows or not all(states_in(w) or stem(w) in kept or w in _DONE for w in states):
        return Finding.skip(NAME, "no rows of that kind, or no word for a state")
    for passage, cell in rows:
        held = {stem(w) for w in words(cell.text)}
        if any(stem(w) in held or states_in(w) & states_in(cell.text) for w in states):
            span = passage.span(cell)
            detail = f"there is {passage.text[:120]}"
            return Finding(
                NAME, "checked", "contradicts", 0.05, "false_absence", detail, spans=(span,)
            )
    missing = unread(stem(things.lower()), [p for p, _ in rows], context)
    if missing:
        return Finding.skip(NAME, f"{missing} was not looked at")
    detail = f"none of the {len(rows)} {things} read is {' or '.join(states)}"
    spans = tuple(passage.span(cell) for passage, cell in rows[:3])
    return Finding(NAME, "checked", "supports", 0.9, None, detail, spans=spans, settles="all")


_DONE = frozenset(
    "processed returned refunded exchanged delivered cancelled modified shipped".split()
)


def _latest(thing: str, context: GroundContext) -> list[tuple[Passage, Cell]]:
    """The status of each thing of that name, as it was last read."""
    found: dict[str, tuple[Passage, Cell]] = {}
    for passage in context.search.passages:
        own = own_identifier(passage) if is_result(passage) else None
        if own is None or passage.record is None:
            continue
        place = passage.record.header.rpartition("›")[2]
        label = content_stems(f"{passage.record.cells[0].key} {place}")
        for cell, _, _ in passage.cells if thing in label else ():
            if isinstance(cell.raw, str) and STATUS_FIELD.search(cell.key):
                before = found.get(own)
                if before is None or before[0].source.id <= passage.source.id:
                    found[own] = (passage, cell)
    return list(found.values())


def unread(thing: str, rows: list[Passage], context: GroundContext) -> str:
    """A number listed under the name of the things, of which no row was read."""
    known = {own_identifier(p) for p in rows}
    for passage in context.search.passages:
        for cell, _, _ in passage.cells:
            if content_stems(cell.key) == {thing} and isinstance(cell.raw, str):
                for code in re.split(r"[,;\s]+", cell.text):
                    if any(map(str.isdigit, code)) and code.casefold() not in known:
                        return code
    return ""
