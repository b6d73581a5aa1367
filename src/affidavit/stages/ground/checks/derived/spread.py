"""A total spread over what was told with it: "42 in three days, or 14 a day", "€30 for twelve, €2.50 each"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from affidavit.ledger.values import Value
from affidavit.ledger.values.units import time_unit
from affidavit.ledger.words import stem
from affidavit.stages.ground.checks.derived.derivation import Derivation, Table, number_like
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_PER_TIME = re.compile(
    r"(?: [^\W\d]+){0,2}?(?: (?:a|an|per|each|every|for each|for every) |/)(?P<unit>second|minute|min|hour|h|day|night|week|month|quarter|year)\b"
    r"|(?: [^\W\d]+){0,2}? (?P<adverb>daily|hourly|weekly|monthly|yearly|annually)\b",
    re.I,
)
_EACH = re.compile(
    r"(?: [^\W\d]+){0,2}? (?:each|apiece|a (?:head|piece)|per (?:head|person|piece|unit|item|(?P<noun>[a-z]+)))\b",
    re.I,
)
_ADVERBS = {"daily": "day", "hourly": "hour", "weekly": "week", "monthly": "month", "yearly": "year", "annually": "year"}  # fmt: skip
_TOTALS = frozenset({"money", "number", "quantity"})
_DAY = Decimal(86400)


def spread(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """A total by the time that it took, or by how many it is for, both told in this sentence or the one
    before and known to the evidence."""
    if value.number is None or value.kind not in _TOTALS:
        return
    after = claim.text[value.end :]
    timed, each = _PER_TIME.match(after), _EACH.match(after)
    told = _told(claim, value, context)
    totals = [
        t for t in told if t.kind == value.kind and (t.unit == value.unit or t.kind == "number")
    ]
    if timed is not None:
        unit = time_unit(_ADVERBS.get((timed["adverb"] or "").lower(), timed["unit"] or "day").replace("night", "day").replace("quarter", "quarters"))  # fmt: skip
        spans = [(span, n / unit[1]) for span in told if unit for n in _length(span, unit[0])]
        yield from _spread(value, totals, spans)
    elif each is not None:
        noun = stem(each["noun"] or "")
        counts = [
            (t, t.number)
            for t in told
            if t.kind == "number" and t.number and t.number > 1
            and (not noun or not t.unit or stem(t.unit.split(" ")[-1]) == noun)
        ]  # fmt: skip
        yield from _spread(value, totals, counts)


def _spread(
    value: Value, totals: Sequence[Value], parts: Sequence[tuple[Value, Decimal]]
) -> Iterator[Derivation]:
    for total in totals:
        for part, number in parts:
            if part is total or total.number is None or number in (0, 1):
                continue
            shown = number_like(value, round(total.number / number, 6))
            text = f"{total.text} / {part.text} = {shown.text}"
            yield Derivation("rate", shown, text)


def _length(span: Value, base: str) -> Iterator[Decimal]:
    """How long a span is, in seconds or in months; "in three days" is one of three days."""
    if span.kind == "duration" and span.unit == base and span.number:
        yield span.number
    moment = span.moment
    if moment is not None and moment.relative_days and moment.relative_days > 1 and base == "s":
        yield moment.relative_days * _DAY
    if span.kind == "number" and span.number and base == "s":
        unit = time_unit(stem(span.unit.split(" ")[-1])) if span.unit else None
        if unit is not None and unit[0] == base or span.unit == "night":
            yield span.number * (unit[1] if unit else _DAY)


def _told(claim: Claim, value: Value, context: GroundContext) -> list[Value]:
    """The values of this sentence and the one before that the evidence has; a relative day as the span that
    it is."""
    near = [c for c in context.before[-_NEAR:] if c.sentence >= claim.sentence - 1]
    values = [v for c in (*near, claim) for v in c.values if v is not value]
    return [v for v in values if _is_known(v, context)]


_NEAR = 4


def _is_known(value: Value, context: GroundContext) -> bool:
    plain = replace(value, bound="", approx=False)
    moment = value.moment
    if moment is not None and moment.relative_days:
        span = Value("duration", value.text, 0, 0, number=moment.relative_days * _DAY, unit="s")
        return bool(context.search.hits(span))
    return value.number is not None and bool(context.search.hits(plain, today=context.today))
