"""Whether what the user has keeps to what the evidence allows: "its 9.5 kg are within what the fare allows"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import TypeAlias

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
_LEAST = re.compile(r"minimum|required|requirement", re.I)


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
    limit, held = limits[0], limits[0].value.number
    # at the limit is within it, on either side
    is_above = side == "least" if figure.number == held else figure.number > held
    gap = abs(figure.number - held)
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


_Said: TypeAlias = tuple[Value, Side, bool]
"""Which figure is said to be above (or not above) a limit of which side."""


def _said(claim: Claim, context: GroundContext) -> _Said | None:
    """ "Its 9.5 kg are within what the fare allows", where the user told of the 9.5 kg."""
    within, beyond = _WITHIN.search(claim.text), _BEYOND.search(claim.text)
    sign = within or beyond
    if sign is None or (within and beyond):
        return None
    before = [v for v in claim.values if v.start < sign.start()]
    given = _from_user(before, asked_values(context))
    if len(given) != 1 or any(
        v.start >= sign.start() and v.number is not None for v in claim.values
    ):
        return None
    side: Side = "least" if _LEAST.search(sign[0]) else "most"
    return given[0], side, (beyond is not None) != is_negated(claim.text)


def _from_user(values: Sequence[Value], asked: Sequence[Value]) -> list[Value]:
    """Those of the values that the user told."""
    told = {(v.kind, v.number) for v in asked}
    return [v for v in values if (v.kind, v.number) in told]


def _finding(holds: bool, figure: Value, limit: Allowed, name: str) -> Finding:
    detail = f"{figure.text} against {limit.span.text}"
    spans = (limit.span,)
    if holds:
        return Finding(name, "checked", "supports", 0.93, None, detail, spans=spans)
    return Finding(
        name, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=spans
    )
