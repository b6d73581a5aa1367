"""Empty lists: "you have one hold ready" beside ``holds: []``.

An empty list leaves no row behind that a claim could be held against, so that the rows of another list, which go by
the same words, bear it out. Nothing is held against a list that another result fills, or a field that counts it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.ledger import CallEntry, Ledger
from affidavit.ledger.records import words_of
from affidavit.ledger.words import content_stems, is_negated, stem
from affidavit.stages.ground.checks.calls.outcomes import span_of
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "empty_lists"

_EMPTY = re.compile(r"[\"']?(?P<key>[A-Za-z][\w-]*)[\"']?\s*:\s*\[\s*\]")
_THERE_ARE = re.compile(
    r"\b(?:you|we|they|he|she|it|that|there)(?:['’](?:ve|s|re)| have| has| had| is| are| was| were| still| also| currently| now){1,3} (?:got )?"
    r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+|some|several|a few|a couple of) (?P<what>(?:[\w-]+ ){0,2}?[\w-]+?)\b(?=\W*(?:$|[,;.]|\b(?:that|which|ready|waiting|open|due|on|in|at|for|from|to|with|left|listed|set|booked|attached|recorded|under|of|and|by|coming|scheduled|planned|found)\b))",
    re.I,
)
"""What is said to be there, as far as the end of its noun."""
_SUPPOSED = re.compile(
    r"\b(?:if|unless|whether|until|can|could|(?-i:may)|might|would|should|will)\b|['’]ll\b", re.I
)


def check_empty_lists(claim: Claim, context: GroundContext) -> Finding:
    """Hold what is said to be there against the list of that name, where it is empty."""
    if (
        claim.is_datum
        or claim.kind != "fact"
        or is_negated(claim.text)
        or _SUPPOSED.search(claim.text)
    ):
        return Finding.skip(NAME, "says of nothing that there is some")
    found = _THERE_ARE.search(claim.text)
    noun = stem(found["what"].split()[-1]) if found else ""
    empty = context.ledger.once("empty lists", lambda: dict(_empty(context.ledger)))
    entry = empty.get(noun)
    if entry is None or _is_told_of(noun, context):
        return Finding.skip(NAME, "no list of that name is empty")
    detail = f"the list of {noun} that {entry.call.name} gave is empty"
    return Finding(
        NAME,
        "checked",
        "contradicts",
        0.05,
        "contradicts_evidence",
        detail,
        spans=(span_of(entry),),
    )


def _empty(ledger: Ledger) -> Iterator[tuple[str, CallEntry]]:
    """The empty lists of results, by the stem of their names' last words."""
    for entry in ledger.calls:
        if entry.outcome in ("ok", "empty") and entry.result is not None:
            for match in _EMPTY.finditer(entry.result.text):
                yield stem(words_of(match["key"]).split()[-1]), entry


def _is_told_of(noun: str, context: GroundContext) -> bool:
    """Whether a list or a field of that name has something."""
    for passage in filter(is_result, context.search.passages):
        place = passage.record.place.rpartition("›")[2] if passage.record else ""
        if passage.record is not None and passage.record.group and noun in content_stems(place):
            return True
        if any(
            noun in content_stems(cell.key) and not cell.is_blank and cell.raw != 0
            for cell, _, _ in passage.cells
        ):
            return True
    return False
