"""How many people the user speaks for: "a table for the eight of you", of a user who said "we're six".

The number stands somewhere in any result, and says nothing by itself.
"""

from __future__ import annotations

import re
from decimal import Decimal

from affidavit.ledger.values import parse_values
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "party"

_NUMBER = r"(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_PEOPLE = r"(?:people|persons|adults|guests|diners|travell?ers|passengers|participants|players|children|kids)"
_YOU = re.compile(
    rf"\b(?:the|all) {_NUMBER} of you\b|\byour (?:party|group|team|family) of {_NUMBER}\b",
    re.IGNORECASE,
)
"""All of them: "three of you" are some."""
_WE_ARE = re.compile(
    rf"\bwe(?:['’]re| are| will be|['’]ll be) (?:a (?:party|group|team|family) of )?{_NUMBER}(?=\s*(?:[,.;!?)]|and\b|{_PEOPLE}|of us|$))"
    rf"|\b(?:party|group|team|family|table) (?:of|for) {_NUMBER}\b",
    re.IGNORECASE,
)
_SOME = re.compile(rf"\b{_NUMBER} of us\b|\b{_NUMBER} {_PEOPLE}\b", re.IGNORECASE)
"""All of them, or a part: "two of us are vegan", "four adults and two children"."""


def check_party(claim: Claim, context: GroundContext) -> Finding:
    """Hold the number of people that a claim addresses against those that the user spoke of."""
    said = _YOU.search(claim.text)
    if said is None:
        return Finding.skip(NAME, "does not say how many the user speaks for")
    told = _told(_WE_ARE, context) or _told(_SOME, context)
    counts = {_number(words) for _, words in told}
    if len(counts) != 1:
        return Finding.skip(NAME, "the user did not say one number of people")
    span, words = told[-1]
    if counts == {_number(said[0])}:
        return Finding(
            NAME, "checked", "supports", 0.9, None, words, spans=(span,), settles="nothing"
        )
    detail = f"“{said[0]}”, the user said “{words}”"
    return Finding(
        NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=(span,)
    )


def _told(pattern: re.Pattern[str], context: GroundContext) -> list[tuple[EvidenceSpan, str]]:
    return [
        (passage.span(), found[0])
        for passage in context.search.passages
        if passage.source.kind == "user"
        for found in pattern.finditer(passage.text)
    ]


def _number(words: str) -> Decimal | None:
    return next((v.number for v in parse_values(words) if v.number is not None), None)
