"""Moments and spans of time that follow from others: so long after, between, in another time zone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from affidavit.ledger.values import Value
from affidavit.ledger.values.value import Moment
from affidavit.stages.ground.linking.formula import LEAST, MONTH, Formula, Operand, size_of

Said = tuple[Moment, str]

_MOST = 40
"""Moments that are set against one another."""
_DAY, _HALF_HOUR = 86400.0, 1800.0
_LONG = 14 * _DAY
_FARTHEST = 14 * 3600
"""Seconds between the clocks of two time zones, at most."""


def in_time(value: Value, said: Sequence[Said], spans: Sequence[Operand]) -> Formula | None:
    """How a span or a moment follows from the moments and spans of the evidence, if it does."""
    kept = said[:_MOST]
    if value.kind == "duration" and value.number is not None:
        return _between(value, kept)
    if value.moment is None:
        return None
    return (
        _after(value.moment, kept, spans)
        or _elsewhere(value.moment, kept)
        or _weekday(value.moment, kept)
    )


def _between(value: Value, said: Sequence[Said]) -> Formula | None:
    size = size_of(value)
    if size <= 0:
        return None
    days = [(day, text) for moment, text in said for day in _dates(moment, said)]
    slack = 0.45 * _DAY if value.unit != "month" and size < _LONG else 0.04 * size
    for i, (a, text) in enumerate(days if size >= _DAY else ()):
        for b, other in days[:i]:
            apart = abs((a - b).days) * _DAY
            if apart and abs(apart - size) <= slack:
                return Formula(
                    f"{abs((a - b).days)} days from {other} to {text}", (), _chance(i + 1, size)
                )
    clocks = [(at, text) for moment, text in said if (at := _clock(moment)) is not None]
    for i, (x, text) in enumerate(clocks):
        for y, other in clocks[:i]:
            if _same_time(abs(x - y), size, max(30.0, 0.02 * size)):
                return Formula(f"from {other} to {text}", (), _chance(i + 1, 60 * size))
    return None


def _after(moment: Moment, said: Sequence[Said], spans: Sequence[Operand]) -> Formula | None:
    own = list(_dates(moment, said))
    clock = _clock(moment)
    tried = 0
    for other, text in said:
        days, at = list(_dates(other, said)), _clock(other)
        for span in spans:
            tried += 1
            for day in days:
                if any(_apart(day, one, span.size) for one in own) or _is_month(
                    moment, day, span.size
                ):
                    sign = "−" if own and own[0] < day else "+"
                    return Formula(f"{text} {sign} {span.shown}", (span,), 0.99**tried)
            if (
                clock is not None
                and at is not None
                and span.size < _DAY
                and _same_time(abs(clock - at), span.size, 60)
            ):
                return Formula(f"{text} ± {span.shown}", (span,), 0.99**tried)
    return None


def _is_month(moment: Moment, day: date, size: float) -> bool:
    """Whether a month told without a day is so long after a day."""
    months = round(size / MONTH)
    told = moment.day is None and moment.month is not None and moment.year is not None
    return (
        told
        and abs(size - months * MONTH) < 1
        and _month(day, months) == (moment.year, moment.month)
    )


def _apart(day: date, own: date, size: float) -> bool:
    if size >= _DAY and size % _DAY == 0:
        return abs((own - day).days) * _DAY == size
    months = round(size / MONTH)
    return (
        months > 0
        and abs(size - months * MONTH) < 1
        and own.day == day.day
        and _month(day, months) == (own.year, own.month)
    )


def _month(day: date, months: int) -> tuple[int, int]:
    at = day.year * 12 + day.month - 1 + months
    return at // 12, at % 12 + 1


def _same_time(apart: float, size: float, slack: float) -> bool:
    """Whether two times of day so many seconds apart are a span apart, over midnight too."""
    return abs(apart - size) < slack or abs(_DAY - apart - size) < slack


def _elsewhere(moment: Moment, said: Sequence[Said]) -> Formula | None:
    """A time of day told on another zone's clock: 9:10 for 07:10Z."""
    own = _clock(moment)
    if own is None or moment.offset is not None:
        return None
    zoned = [
        (at, text)
        for other, text in said
        if other.offset is not None and (at := _clock(other)) is not None
    ]
    for i, (at, text) in enumerate(zoned):
        apart = abs(own - at)
        if (apart + 59) % _HALF_HOUR < 60 and 60 <= min(apart, _DAY - apart) <= _FARTHEST:
            return Formula(f"{text} on another clock", (), max(LEAST, 0.97**i))
    return None


def _weekday(moment: Moment, said: Sequence[Said]) -> Formula | None:
    for own in _dates(moment, said):
        if moment.weekday == own.weekday():
            return Formula(f"{own.isoformat()} is a {own:%A}", (), LEAST)
    if moment.weekday is not None and moment.day is None:
        for other, text in said:
            for day in _dates(other, said):
                if day.weekday() == moment.weekday:
                    return Formula(f"{text} is a {day:%A}", (), max(LEAST, 0.9 ** len(said)))
    return None


def _dates(moment: Moment, said: Sequence[Said]) -> Iterator[date]:
    """The day of a moment; without a year, that day in each year that the evidence speaks of."""
    if moment.date is not None:
        yield moment.date
    elif moment.month is not None and moment.day is not None:
        for year in sorted({other.year for other, _ in said if other.year is not None}):
            try:
                yield date(year, moment.month, moment.day)
            except ValueError:
                continue
    elif (
        moment.relative_days is not None
        and said
        and said[0][1] == "today"
        and said[0][0].date is not None
    ):
        yield said[0][0].date + timedelta(days=moment.relative_days)


def _clock(moment: Moment) -> float | None:
    """A time of day in seconds after midnight."""
    at = moment.clock
    return None if at is None else at.hour * 3600.0 + at.minute * 60 + at.second


def _chance(moments: int, size: float) -> float:
    """That so many moments would not lie so far apart by accident, among spans of up to half a year."""
    return float((1 - min(1.0, _DAY / max(size, 30 * _DAY))) ** (moments * (moments - 1) / 2))
