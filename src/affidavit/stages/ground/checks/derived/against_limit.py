"""By how much what the user tells is over, or short of, what the evidence allows: "1.5 kg more than Light allows"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.values import Value
from affidavit.stages.ground.checks.derived.allowed import allowed
from affidavit.stages.ground.checks.derived.asked import asked_values
from affidavit.stages.ground.checks.derived.change import DIFFERENCE
from affidavit.stages.ground.checks.derived.derivation import Derivation, Table, number_like
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_APART = re.compile(
    r"\b(?:over|under|above|below|beyond|past|exceed\w*|too (?:many|much|few|little|heavy|long|short|wide|tall|high|late|early|young|old)|"
    r"spare|to go|missing|room for|another|further)\b",
    re.I,
)
_OVER = re.compile(
    r"\b(?:more|over|above|beyond|past|exceed\w*|too (?:many|much|heavy|long|wide|tall|high)|heavier|longer|larger|taller|wider|bigger|higher)\b",
    re.I,
)
_UNDER = re.compile(
    r"\b(?:less|under|below|short|shy|fewer|spare|left|lighter|shorter|smaller|narrower|lower|missing|too (?:few|little|short|light|low))\b",
    re.I,
)
_NEAR = 3
"""Claims back in which the user's figure may have been told again."""


def against_limit(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The difference of a figure of the user's and the limit for what the claim names; on the side that the
    claim says."""
    if value.number is None or not (
        DIFFERENCE.search(claim.statement) or _APART.search(claim.statement)
    ):
        return
    for given in _given(claim, value, context):
        for limit in allowed(claim, given, context):
            if given.number is None or limit.value.number is None:
                continue
            gap = given.number - limit.value.number
            over, under = _OVER.search(claim.text), _UNDER.search(claim.text)
            if gap == 0 or (over and not under and gap < 0) or (under and not over and gap > 0):
                continue
            shown = number_like(value, abs(gap), value.unit)
            text = f"|{given.text} − {limit.value.text}| = {shown.text} {shown.unit}".rstrip()
            yield Derivation("difference", shown, text, (limit.span,), exact=True)


def _given(claim: Claim, value: Value, context: GroundContext) -> list[Value]:
    """The user's figures of that measure: those that the answer tells again, else the only one."""
    alike = [
        v
        for v in asked_values(context)
        if v.kind == value.kind
        and (v.unit == value.unit or value.kind == "number")
        and v.number != value.number
    ]
    near = [v for c in (*context.before[-_NEAR:], claim) for v in c.values if v is not value]
    again = [v for v in alike if any((v.kind, v.number) == (n.kind, n.number) for n in near)]
    return again or (alike if len(alike) == 1 else [])
