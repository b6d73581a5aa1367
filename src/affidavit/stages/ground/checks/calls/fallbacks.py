"""Second choices that were not needed: "the PayPal fallback was not used", held against what the calls passed.

A call that changed something and passed another value where the second choice would stand shows it; one that
passed the second choice shows the opposite.
"""

from __future__ import annotations

import re

from affidavit.ledger.ledger import CallEntry
from affidavit.ledger.records import records_of
from affidavit.ledger.values import fold
from affidavit.stages.ground.checks.calls.deeds import writes
from affidavit.stages.ground.checks.calls.outcomes import span_of
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "fallbacks"

_SECOND = r"(?:fall-?back|back-?up|reserve|substitute|alternative|alternate|second(?:ary)?(?: choice| option)?|plan b|spare|stand-?by)"
_NOT_NEEDED = r"(?:(?:was|is|were|are|has been|had to be)(?:n['’]t| not)|not) (?:needed|used|required|necessary|charged|touched|called on|drawn on|triggered)"
_UNUSED = re.compile(
    rf"(?P<what>[^.;:(\n]*\b{_SECOND}\b(?: [\w-]+)?)(?: \([^()]*\))? {_NOT_NEEDED}\b"
    rf"|\bno need (?:for|to use) (?P<what2>[^.;:(\n]*\b{_SECOND}\b[^.;:()\n]*)"
    rf"|(?:did not|didn['’]t) (?:need|use|have to use) (?P<what3>[^.;:(\n]*\b{_SECOND}\b[^.;:()\n]*)",
    re.I,
)
_USED = re.compile(
    rf"(?P<what>[^.;:(\n]*\b{_SECOND}\b(?: [\w-]+)?)(?: \([^()]*\))? (?:was|were|had to be|has been|have been) (?:needed|used|required|charged|called on|drawn on|triggered)\b",
    re.I,
)
_NAME = re.compile(
    rf"\b(?:the|your|my|our|a|an|any|and|but|so|{_SECOND}|method|option|card|account)\b", re.I
)


def check_fallbacks(claim: Claim, context: GroundContext) -> Finding:
    """Look for a call that passed the second choice, or another thing in its place."""
    unused, used = _UNUSED.search(claim.text), _USED.search(claim.text)
    said = unused or used
    if claim.is_datum or said is None:
        return Finding.skip(NAME, "does not say whether a second choice was needed")
    codes = _codes(next(filter(None, said.groups()), ""), context)
    done = [e for e in context.ledger.calls if writes(e) and e.outcome in ("ok", "empty")]
    if not codes or not done:
        return Finding.skip(NAME, "no call was made, or the second choice is known by no name")
    by_it = [e for e in done if not codes.isdisjoint(_passed(e))]
    if by_it:
        return _finding(unused is None, by_it[-1], "it")
    instead = next((e for e in reversed(done) if _in_its_place(e, codes, context)), None)
    if instead is None:
        return Finding.skip(NAME, "no call shows what was used instead")
    return _finding(unused is not None, instead, "another")


def _finding(holds: bool, entry: CallEntry, given: str) -> Finding:
    detail, spans = f"{entry.call.name} was given {given}", (span_of(entry),)
    if holds:
        return Finding(
            NAME, "checked", "supports", 0.9, None, detail, spans=spans, settles="values"
        )
    return Finding(
        NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=spans
    )


def _codes(what: str, context: GroundContext) -> set[str]:
    """What the results call the second choice: "paypal_91" for the PayPal fallback."""
    named = set(fold(_NAME.sub(" ", what)).split())
    texts = {
        cell.text
        for passage in context.search.passages
        if passage.source.kind == "tool_result"
        for cell, _, _ in passage.cells
        if isinstance(cell.raw, str)
    }
    return {fold(t) for t in texts if named and named <= set(fold(t.replace("_", " ")).split())}


def _passed(entry: CallEntry) -> set[str]:
    return {fold(cell.text) for record in records_of(entry.call.arguments) for cell in record.cells}


def _in_its_place(entry: CallEntry, codes: set[str], context: GroundContext) -> bool:
    """Whether a call passed something of the second choice's sort: what one result has beside it, or under a
    field of the same name."""
    passed = _passed(entry) - codes
    seconds, others = set(), set()
    for passage in context.search.passages:
        if passage.source.kind != "tool_result":
            continue
        for cell, _, _ in passage.cells:
            for place in ((passage.id, ""), (passage.source.id, cell.key.split(" ")[-1])):
                if fold(cell.text) in codes:
                    seconds.add(place)
                elif fold(cell.text) in passed:
                    others.add(place)
    return bool(seconds & others)
