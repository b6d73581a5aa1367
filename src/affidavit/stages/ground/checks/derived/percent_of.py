"""A percentage applied to an amount: 15 % off €80, 20 % VAT on 1,690, a tip of 10 %."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from affidavit.ledger.values import Value
from affidavit.ledger.words import content_stems
from affidavit.stages.ground.checks.derived.asked import asked_values
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Table,
    is_result,
    may_be_told,
    number_like,
    things,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_OFF = re.compile(
    r"\b(?:discount\w*|off|rebate\w*|reduc\w+|reduction|deduct\w*|cheaper|sav\w+|marked down|markdown|voucher|coupon|code|less|loses?|lost|depreciat\w+)\b",
    re.I,
)
_ON = re.compile(
    r"\b(?:vat|tax\w*|gst|duty|duties|levy|tip\w*|gratuity|service|charges?|fees?|surcharge\w*|commission|markup|mark-up|premium|interest|"
    r"rais\w+|increas\w+|bonus|incl\w*|gross|plus|on top|extra|yields?|return\w*)\b",
    re.I,
)
_PART = re.compile(
    r"\b(?:deposit\w*|down payment|share|portion|part|of the|of your|of that|of its|refund\w*|cover\w*|reimburs\w+|paid|pays?)\b",
    re.I,
)
_NET = re.compile(r"\b(?:net|before (?:tax|vat)|without (?:tax|vat)|excl\w*)\b", re.I)
_NEAR = 3
_MOST = 12
"""Amounts of one thing, or percentages, beyond which none is tried."""


def percent_of(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """An amount with so much per cent on it or off it, or that part of it, as the claim's words say."""
    if value.number is None or value.kind not in ("money", "number", "quantity"):
        return
    yield from _of_capacity(claim, value, context)
    words = claim.statement
    off, on, part = _OFF.search(words), _ON.search(words), _PART.search(words)
    if not (off or on or part):
        return
    percents = _percents(claim, context)
    bases = [b for b in _bases(claim, value, context) if may_be_told(b, value) and b.number]
    for percent in percents:
        share = (percent.number or Decimal(0)) / 100
        for base in bases:
            amount = base.number or Decimal(0)
            results = [(amount * share, f"{percent.text} of {base.text}")]
            if off:
                results.append((amount * (1 - share), f"{base.text} − {percent.text}"))
            if on:
                results.append((amount * (1 + share), f"{base.text} + {percent.text}"))
            if on and _NET.search(words):
                results.append((amount / (1 + share), f"{base.text} / (1 + {percent.text})"))
            for result, text in results:
                shown = number_like(value, round(result, 4), base.unit if base.kind == "money" else "")  # fmt: skip
                yield Derivation("percentage", shown, f"{text} = {shown.text}")


_LEVEL = content_stems(
    "level fill filled full used usage charge occupancy utilization utilisation progress percent pct"
)
_CAPACITY = content_stems("capacity size total max maximum volume allowance quota limit")
_REST = re.compile(
    r"\b(?:left|room|another|free|empty|remain\w*|more|spare|still|to go|missing)\b", re.I
)


def _of_capacity(claim: Claim, value: Value, context: GroundContext) -> Iterator[Derivation]:
    """How much a level in per cent is of the capacity beside it, or how much is left: 62.5 % of 8,000 litres."""
    for thing in things(context):
        levels = [
            o for o in thing if o.value.kind == "percent" and content_stems(o.cell.key) & _LEVEL
        ]
        wholes = [
            o
            for o in thing
            if content_stems(o.cell.key) & _CAPACITY and may_be_told(o.value, value)
            and o.value.kind == value.kind
        ]  # fmt: skip
        if len({o.cell.path for o in levels}) != 1 or len({o.cell.path for o in wholes}) != 1:
            continue
        share = levels[0].number / 100
        share = 1 - share if _REST.search(claim.text) else share
        shown = number_like(value, wholes[0].number * share, wholes[0].value.unit)
        text = f"{share.normalize():f} × {wholes[0]} = {shown.text}"
        yield Derivation("percentage", shown, text, (levels[0].span, wholes[0].span))


def _percents(claim: Claim, context: GroundContext) -> list[Value]:
    """The percentages that the claim, those just before it or the user tell, which the evidence has or the
    user gave; where none is told, those of fields that the claim names."""
    near = [v for c in (*context.before[-_NEAR:], claim) for v in c.values if v.kind == "percent"]
    told = [v for v in near if v.number and context.search.hits(v, today=context.today)]
    own = [v for v in told if any(v is mine for mine in claim.values)]
    if own or told:
        return own or told
    said = content_stems(claim.statement)
    named = [
        v
        for p in context.fitting
        if is_result(p)
        for c, v in p.cell_values
        if v.kind == "percent" and v.number and content_stems(c.key) & said
    ]
    return named if len({v.number for v in named}) == 1 else []


def _bases(claim: Claim, value: Value, context: GroundContext) -> Sequence[Value]:
    """The amounts told in this claim and just before it; else those of the one thing, or the one text, that
    is spoken of."""
    near = [
        v
        for c in (*context.before[-_NEAR:], claim)
        for v in c.values
        if v is not value and v.number is not None and v.kind == value.kind
    ]
    own = [v for v in asked_values(context) if v.kind == value.kind]
    found = [*near, *own]
    for thing in things(context):
        amounts = [o.value for o in thing if o.value.kind != "percent"]
        found += amounts if len(amounts) <= _MOST else []
    for passage in filter(is_result, context.search.passages):
        amounts = [v for v in passage.values if v.number is not None and v.kind == value.kind]
        found += amounts if passage.record is None and len(amounts) <= _MOST else []
    return [b for b in found if b.number != value.number]
