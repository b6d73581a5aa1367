"""How far apart two moments of the evidence are, or one of them and the run's date: "in three weeks", "for an hour
and three quarters", "she turns three months old today"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from itertools import combinations

from affidavit.ledger.values import Moment, Value, compare
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.chance import is_unlikely
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Table,
    gives,
    is_result,
    number_like,
)
from affidavit.stages.ground.checks.derived.elapsed import seconds_between, time_derived
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_TODAY = re.compile(
    r"\b(?:ago|in|until|till|for|since|left|old|yet|still|now|today|away|to go|remain\w*|overdue|late|due|past|more than|has been|have been|"
    r"hasn['’]t|haven['’]t|ahead)\b",
    re.I,
)
"""What is counted from or to the run's date."""
_APART = re.compile(
    r"\b(?:later|after\w*|earlier|before\w*|within|last\w*|takes?|took|for|until|between|over|long\w*|ran|runs?|in|since|apart|ahead|behind|"
    r"spend\w*|spent|stays?|stayed|wait\w*|hours?|down(?:time)?|outage|from|by|late|early|delay\w*|quicker|faster|slower|short\w*)\b",
    re.I,
)
_DAYS = frozenset({"day", "night"})
_DAY = Decimal(86400)
_MOST_PASSAGES = 400
"""Passages beyond which moments are not gone through again for each span of time."""
_MOST = 12
"""Moments beyond which no two of them are compared."""


@dataclass(frozen=True)
class _At:
    value: Value
    span: EvidenceSpan
    key: str
    """The field that it stands in, "" in running text."""

    @property
    def moment(self) -> Moment:
        assert self.value.moment is not None
        return self.value.moment

    @property
    def text(self) -> str:
        return self.value.text


def time_apart(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The time between two moments of what the claim speaks of, or to the run's date, where so much time is
    unlikely to lie between any of them by accident."""
    in_days = value.kind in ("number", "quantity") and value.unit in _DAYS
    if not value.number or claim.is_datum or not (in_days or value.kind == "duration"):
        return
    moments = _moments(context)
    told = [at for at in moments if _is_told(at, claim, context)]
    tried = list(_spans(claim, value, in_days, told or moments, context.today))
    found = next((d for d in tried if gives(d, value, context.today)), None)
    if found is None or found.result.number is None:
        return
    rivals = [d.result.number for d in tried if d.result.number is not None]
    if is_unlikely(value, found.result.number, _step(value), rivals):
        yield found


def _is_told(at: _At, claim: Claim, context: GroundContext) -> bool:
    """Whether the claim tells a moment itself, which is then the one meant: "in three weeks, on 19 March"."""
    return any(
        compare(value, at.value, today=context.today) == "same"
        for value in claim.values
        if value.kind == "moment"
    )


def _step(value: Value) -> Decimal:
    """How finely times of this size are told: weeks by the week, a quarter of an hour by the minute."""
    said = abs(value.number or Decimal(0))
    if value.kind != "duration" or value.unit == "month":
        return Decimal(1)
    for unit in (7 * _DAY, _DAY, Decimal(3600), Decimal(60)):
        if said >= unit and not said % unit:
            return unit
    return Decimal(60) if said > 3600 else Decimal(1)


def _moments(context: GroundContext) -> list[_At]:
    found: dict[tuple[object, ...], _At] = {}
    shown = context.fitting if len(context.fitting) <= _MOST_PASSAGES else ()
    for passage in filter(is_result, shown):
        if passage.record is None:
            own = [(v, passage.span(), "") for v in passage.values]
        else:
            own = [(v, passage.span(cell), cell.key) for cell, v in passage.cell_values]
        for v, span, field in own:
            if v.kind == "moment" and v.moment is not None:
                at = (field, v.moment.date, v.moment.month, v.moment.day, v.moment.clock)
                found.setdefault(at, _At(v, span, field))
    return list(found.values())


def _spans(
    claim: Claim, value: Value, in_days: bool, moments: Sequence[_At], today: date | None
) -> Iterator[Derivation]:
    if today is not None and _TODAY.search(claim.statement):
        now = Moment(today.year, today.month, today.day)
        for at in moments:
            if (moment := _dated(at.moment, today)) is not None:
                day = replace(moment, clock=None)
                text = f"{at.text} to {today.isoformat()}"
                yield from _derived(value, in_days, day, now, text, at.span)
    if len(moments) > _MOST or not _APART.search(claim.statement):
        return
    for a, b in combinations(moments, 2):
        one, other = _dated(a.moment, today) or a.moment, _dated(b.moment, today) or b.moment
        if (one.clock is None) != (other.clock is None):
            continue
        if one.date is None and other.date is None and a.key != b.key:
            continue  # from one that begins to one that ends it may be past midnight
        if (one.date is None) != (other.date is None):
            one, other = (replace(at, year=None, month=None, day=None) for at in (one, other))
        yield from _derived(value, in_days, one, other, f"{a.text} to {b.text}", a.span, b.span)


def _dated(moment: Moment, today: date | None) -> Moment | None:
    """A moment of a known day; without a year it is of the day nearest to the run's date."""
    if moment.date is not None:
        return moment
    if today is None or moment.month is None or moment.day is None or moment.year is not None:
        return None
    days = []
    for year in (today.year - 1, today.year, today.year + 1):
        with suppress(ValueError):  # 29 February
            days.append(date(year, moment.month, moment.day))
    nearest = min(days, key=lambda day: abs(day - today), default=None)
    return None if nearest is None else replace(moment, year=nearest.year)


def _derived(
    value: Value, in_days: bool, a: Moment, b: Moment, text: str, *spans: EvidenceSpan
) -> Iterator[Derivation]:
    if value.unit != "month":
        if seconds := seconds_between(a, b):
            yield time_derived(value, seconds, in_days, text, *spans)
    elif a.date is not None and b.date is not None:
        first, last = min(a.date, b.date), max(a.date, b.date)
        months = (last.year - first.year) * 12 + last.month - first.month - (last.day < first.day)
        if months:
            shown = number_like(value, Decimal(months))
            yield Derivation("elapsed", shown, f"{text} = {months} months", spans)
