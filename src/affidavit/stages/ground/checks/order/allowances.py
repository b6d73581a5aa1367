"""Whether what the user has keeps to what the evidence allows: "its 9.5 kg are within what the fare allows"."""

from __future__ import annotations

import re
from decimal import Decimal

from affidavit.ledger.values import Value
from affidavit.ledger.words import is_negated
from affidavit.stages.ground.checks.derived.allowed import Allowed, Side, allowed
from affidavit.stages.ground.checks.derived.asked import asked_values
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

_LIMIT = r"\b(?:allow(?:s|ed|ance)?|permit(?:s|ted)?|accept(?:s|ed)?|takes?|holds?|limits?|maximum|max|cap(?:acity)?|quota|ceiling|minimum|required|requirement)\b"
_WITHIN = re.compile(
    rf"\b(?:within|inside|no more than|not more than|below|under|less than|fewer than|lighter than|shorter than|smaller than)\b[^;:]*?{_LIMIT}",
    re.I,
)
_BEYOND = re.compile(
    rf"\b(?:more than|over|above|exceeds?|exceeding|beyond|longer than|heavier than|larger than|bigger than|taller than|wider than)\b[^;:]*?{_LIMIT}",
    re.I,
)
_GAP = re.compile(
    r"(?: [^\W\d]+)? (?:more than|over|above|beyond|too many|less than|under|below)\b", re.I
)
"""Behind a difference: "six more than", "1.5 kg over"."""
_SIZES = {
    "kg": ("heavy", "light"),
    "m": ("long|tall|high|wide|big|large|deep|thick", "short|small|low|narrow|slim"),
}
"""By base unit, the words for too much and for too little of it."""


def check_allowance(claim: Claim, context: GroundContext, name: str) -> Finding | None:
    """Hold a figure of the user's against the limit of the row that the claim names; None where the claim
    says nothing of it, or no one limit is sure."""
    if claim.is_datum:
        return None
    said = _said(claim, context)
    if said is None:
        return None
    figure, side, above = said
    limits = [limit for limit in allowed(claim, figure, context) if limit.side == side]
    if not limits or figure.number is None or limits[0].value.number is None:
        return None
    limit = limits[0]
    if figure.number == limit.value.number:
        is_above = side == "least"  # at the limit is within it, on either side
    else:
        is_above = figure.number > limits[0].value.number
    gap = abs(figure.number - limit.value.number)
    told = _gap_told(claim, figure)
    return _finding(is_above == above and told in (None, gap), figure, limit, name)


def _gap_told(claim: Claim, figure: Value) -> Decimal | None:
    """By how much the claim says that the figure is beyond, "six more than the room holds"."""
    told = [
        v.number
        for v in claim.values
        if v.kind == figure.kind and v.number != figure.number and _GAP.match(claim.text, v.end)
    ]
    return told[0] if told else None


def _said(claim: Claim, context: GroundContext) -> tuple[Value, Side, bool] | None:
    """Which figure is said to be above, or not above, a limit of which side."""
    asked = asked_values(context)
    within, beyond = _WITHIN.search(claim.text), _BEYOND.search(claim.text)
    denied = is_negated(claim.text)
    if bool(within) != bool(beyond):
        sign = within or beyond
        assert sign is not None
        given = [
            v
            for v in claim.values
            if v.start < sign.start() and any((v.kind, v.number) == (a.kind, a.number) for a in asked)
        ]
        after = [v for v in claim.values if v.start >= sign.start() and v.number is not None]
        if len(given) != 1 or after:
            return None
        side: Side = "least" if re.search(r"minimum|required|requirement", sign[0], re.I) else "most"
        return given[0], side, (beyond is not None) != denied
    for unit, (much, little) in _SIZES.items():
        told = [v for v in asked if v.kind == "quantity" and v.unit == unit]
        own = [v for v in claim.values if any((v.kind, v.number) == (a.kind, a.number) for a in told)]
        figures = own or told
        if len(figures) != 1:
            continue
        for words, side, above in (
            (rf"\btoo (?:{much})\b", "most", True),
            (rf"\b(?:{little}) enough\b", "most", False),
            (rf"\btoo (?:{little})\b", "least", False),
            (rf"\b(?:{much}) enough\b", "least", True),
        ):
            if re.search(words, claim.text, re.I):
                return figures[0], side, above != denied  # type: ignore[return-value]
    return None


def _finding(holds: bool, figure: Value, limit: Allowed, name: str) -> Finding:
    detail = f"{figure.text} against {limit.span.text}"
    spans = (limit.span,)
    if holds:
        return Finding(name, "checked", "supports", 0.93, None, detail, spans=spans)
    return Finding(name, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=spans)
