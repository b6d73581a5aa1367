"""None in a state: "there are no pending orders", "delivered orders: none", over the status of each row read.

That no row says so proves it only of the rows that were read: with the number of an order listed that
nobody looked at, it stays open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.words import content_stems, is_negated, stem, words
from affidavit.stages.ground.checks.derived.derivation import is_result, tables
from affidavit.stages.ground.checks.states.states import (
    CHECKED,
    STATUS_FIELD,
    claimed_states,
    compare_states,
    listed_states,
    states_in,
)
from affidavit.stages.ground.checks.values.binding import own_identifier
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
    r"can|cannot|could|may|will|must|should|eligible|allowed)\b",
    re.I,
)
"""What narrows the rows down, "no pending orders with a lamp", or makes a rule of it."""


def check_none_in_state(claim: Claim, context: GroundContext) -> Finding:
    """Look for a row in the state that none is said to be in."""
    if _ALL.search(claim.text) and not _NOT_ANY.search(claim.text) and not claim.is_datum:
        return _check_all(claim, context)
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
    unread = _unread(stem(things.lower()), [p for p, _ in rows], context)
    if unread:
        return Finding.skip(NAME, f"{unread} was not looked at")
    detail = f"none of the {len(rows)} {things} read is {' or '.join(states)}"
    spans = tuple(passage.span(cell) for passage, cell in rows[:3])
    return Finding(NAME, "checked", "supports", 0.9, None, detail, spans=spans, settles="all")


_ALL = re.compile(r"\b(?:all|both|every|each|everything)\b", re.I)
_SOME = re.compile(
    r"\b(?:that|which|who|except|but|other than|apart from|besides|almost|nearly|not all|once|if|when|until|must|should|will|would|can|could|after|before)\b",
    re.I,
)
"""What leaves some of them out, or says what is to come."""


def _check_all(claim: Claim, context: GroundContext) -> Finding:
    """ "All checks passed", where a row of that list, or a part of a listing, is in a state that excludes it."""
    if (flag := _not_all_flagged(claim, context)) is not None:
        passage, cell = flag
        detail = f"not all are: {passage.text[:160]}"
        return Finding(
            NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail,
            spans=(passage.span(cell),),
        )  # fmt: skip
    claimed = claimed_states(claim) if not _SOME.search(claim.text) else frozenset()
    held = list(_states_of_all(claim, context)) if claimed else []
    verdicts = [(compare_states(claimed, cell), passage, cell) for passage, cell in held]
    for same, passage, cell in verdicts:
        if same is False:
            span = passage.span(None if cell.pointer == passage.pointer else cell)
            detail = f"not all are: {passage.text[:160]}"
            return Finding(
                NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=(span,)
            )
    if len(verdicts) > 1 and all(same for same, _, _ in verdicts):
        spans = tuple(passage.span() for _, passage, _ in verdicts[:3])
        detail = f"all {len(verdicts)} are"
        return Finding(
            NAME, "checked", "supports", 0.9, None, detail, spans=spans, settles="values"
        )
    return Finding.skip(NAME, "no list that could tell whether all are in that state")


def _not_all_flagged(claim: Claim, context: GroundContext) -> tuple[Passage, Cell] | None:
    """The row that is not, of the one list whose rows say yes or no of it: ``in_stock: false`` for "both are in
    stock"."""
    if _SOME.search(claim.text) or is_negated(claim.text) or _BUT_OUT.search(claim.text):
        return None
    said = content_stems(claim.statement)
    flagged: list[list[tuple[Passage, Cell]]] = []
    for table in tables(context):
        cells = [
            (passage, cell)
            for passage in table.passages
            for cell, _, _ in passage.cells
            if isinstance(cell.raw, bool) and (key := content_stems(cell.key)) and key <= said
        ]
        if len(cells) == len(table.rows) > 1:
            flagged.append(cells)
    if len(flagged) != 1:
        return None
    return next(((p, c) for p, c in flagged[0] if c.raw is False), None)


def _is_state_alone(cell: Cell) -> bool:
    """Whether a field holds a state and at most a remark on it: "e2e: failure (2 of 40)"."""
    return (
        isinstance(cell.raw, str)
        and bool(states_in(cell.text.split("(")[0]))
        and len(cell.text.split("(")[0].split()) <= 2
    )


_BUT_OUT = re.compile(r"\b(?:out of|sold out|off|un\w+)\b", re.I)
"""What turns the flag into its opposite."""


def _states_of_all(claim: Claim, context: GroundContext) -> Iterator[tuple[Passage, Cell]]:
    """The states of the rows of a list that the claim names, and of the parts of a field it names."""
    said = content_stems(claim.statement)
    for passage in context.fitting:
        if not is_result(passage):
            continue
        for cell, _, _ in passage.cells:
            if content_stems(cell.key) & said:
                yield from ((passage, state) for _, state in listed_states(cell))
        if CHECKED.search(claim.statement):
            states = [c for c, _, _ in passage.cells if _is_state_alone(c)]
            yield from ((passage, cell) for cell in states if len(states) > 1)
    for table in tables(context):
        if content_stems(table.name.split(" ")[-1] if table.name else "") & said:
            # That a row is in that state makes it look like the one that is spoken of.
            spoken_of = any(passage in context.fitting for passage in table.passages)
            for passage in table.passages if spoken_of else ():
                states = [c for c, _, _ in passage.cells if STATUS_FIELD.search(c.key)]
                if len(states) == 1 and isinstance(states[0].raw, str):
                    yield passage, states[0]


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


def _unread(thing: str, rows: list[Passage], context: GroundContext) -> str:
    """A number listed under the name of the things, of which no row was read."""
    known = {own_identifier(p) for p in rows}
    for passage in context.search.passages:
        for cell, _, _ in passage.cells:
            if content_stems(cell.key) == {thing} and isinstance(cell.raw, str):
                for code in re.split(r"[,;\s]+", cell.text):
                    if any(map(str.isdigit, code)) and code.casefold() not in known:
                        return code
    return ""
