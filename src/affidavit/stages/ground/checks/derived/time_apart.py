"""How far apart two moments of the evidence are, or one of them and the run's date: "in three weeks", "for an hour
and three quarters", "she turns three months old today"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
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
_ANY = date(2000, 1, 1)
"""The day of times of day that are told without one."""
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
        for at in moments:
            day = _date(at.moment, today)
            if day is not None and day != today:
                text = f"{at.text} to {today.isoformat()}"
                yield from _derived(value, in_days, day, today, text, at.span)
    if len(moments) > _MOST or not _APART.search(claim.statement):
        return
    for a, b in combinations(moments, 2):
        one, other = _instant(a.moment, today), _instant(b.moment, today)
        if one is None or other is None or (a.moment.clock is None) != (b.moment.clock is None):
            continue
        if a.moment.date is None and b.moment.date is None and a.key != b.key:
            continue  # from one that begins to one that ends it may be past midnight
        if (a.moment.date is None) != (b.moment.date is None):
            one, other = (datetime.combine(_ANY, at.timetz()) for at in (one, other))
        text = f"{a.text} to {b.text}"
        yield from _derived(value, in_days, one, other, text, a.span, b.span)


def _date(moment: Moment, today: date) -> date | None:
    """The day of a moment; without a year it is the nearest to the run's date."""
    if moment.date is not None:
        return moment.date
    if moment.month is None or moment.day is None or moment.year is not None:
        return None
    days = []
    for year in (today.year - 1, today.year, today.year + 1):
        try:
            days.append(date(year, moment.month, moment.day))
        except ValueError:
            continue
    return min(days, key=lambda day: abs(day - today), default=None)


def _instant(moment: Moment, today: date | None) -> datetime | None:
    day = moment.date
    if day is None and (moment.month or moment.day):
        day = _date(moment, today) if today is not None else None
        if day is None:
            return None
    if day is None and moment.clock is None:
        return None
    zone = timezone(timedelta(minutes=moment.offset or 0))
    clock = moment.clock or datetime.min.time()
    return datetime.combine(day or _ANY, clock.replace(tzinfo=None), zone)


def _derived(
    value: Value, in_days: bool, one: date, other: date, text: str, *spans: EvidenceSpan
) -> Iterator[Derivation]:
    first, last = min(one, other), max(one, other)
    if value.unit == "month":
        months = (last.year - first.year) * 12 + last.month - first.month - (last.day < first.day)
        if months:
            shown = number_like(value, Decimal(months))
            yield Derivation("elapsed", shown, f"{text} = {months} months", spans)
        return
    seconds = Decimal(int((last - first).total_seconds()))
    if seconds:
        number = seconds / _DAY if in_days else seconds
        shown = number_like(value, number, value.unit if in_days else "s")
        unit = f"{value.unit}s" if in_days else "s"
        yield Derivation("elapsed", shown, f"{text} = {shown.text} {unit}", spans)
