"""How a value may stand in a text that nobody has read yet: its digits under each unit, its dates in each form.

What is said here only chooses which texts are read; whether one of them holds the value, ``compare`` says.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from affidavit.ledger.values.calendar_names import calendar_names
from affidavit.ledger.values.units import QUANTITIES, TIMES
from affidavit.ledger.values.value import Moment, Value

_MONTH = Decimal(86400 * 30)
_DAY = timedelta(days=1)


def written_numbers(value: Value) -> list[float]:
    """The numbers that a value may be written with, the one that was said first, powers of ten left out: what is 1.5 h is
    90 minutes, and 5400 seconds."""
    plain = [value.face, value.number, value.other]
    plain += (value.number / factor for factor in _factors(value) if value.number is not None)
    if value.number is not None and value.unit in ("°C", "°F"):
        degrees = value.number
        plain.append(degrees * 9 / 5 + 32 if value.unit == "°C" else (degrees - 32) * 5 / 9)
    if value.number is None and value.key.isdecimal():
        plain.append(Decimal(value.key))
    found = (abs(float(number)) for number in plain if number is not None)
    return list(dict.fromkeys(number for number in found if number))


def _factors(value: Value) -> Iterator[Decimal]:
    table = QUANTITIES if value.kind == "quantity" else TIMES if value.kind == "duration" else {}
    bases = {value.unit: Decimal(1)}
    if value.kind == "duration":  # a month is taken for 30 days, and 30 days for a month
        bases |= {"month": 1 / _MONTH} if value.unit == "s" else {"s": _MONTH}
    for base, factor in table.values():
        if base in bases:
            yield factor / bases[base]


def written_dates(moment: Moment) -> list[str]:
    """The usual ways to write a date or a time in figures, the most telling first."""
    year, month, day, clock = moment.year, moment.month, moment.day, moment.clock
    found = []
    pairs = [(month, day)] if month and day else []
    if moment.swappable:
        pairs += [(b, a) for a, b in pairs]
    for m, d in pairs:
        if year:
            found += [f"{year}-{m:02}-{d:02}", f"{year}{m:02}{d:02}", f"{year}/{m:02}/{d:02}"]
        found += [f"-{m:02}-{d:02}", f"{d:02}.{m:02}.", f"{m:02}/{d:02}", f"{d:02}/{m:02}"]
        found += [f"{d}.{m}.", f"{m}/{d}/", f"{d}/{m}/"]
    if clock is not None:
        hours = {clock.hour, (clock.hour + 12) % 24, clock.hour % 12 or 12}
        found += [
            form
            for h in sorted(hours)
            for form in (f"{h:02}:{clock.minute:02}", f"{h}:{clock.minute:02}")
        ]
    return list(dict.fromkeys(found))


def written_months(moment: Moment) -> list[str]:
    """The folded names of its month, in every language that is read."""
    names = calendar_names()
    tables = [names.months, *names.short_months.values()]
    return [name for table in tables for name, month in table.items() if month == moment.month]


def epoch_range(moment: Moment) -> tuple[float, float] | None:
    """The seconds since 1970 of a day, wherever on earth it is that day; None for less than a day."""
    if moment.date is None:
        return None
    try:
        begin = datetime(moment.date.year, moment.date.month, moment.date.day, tzinfo=UTC)
        return (begin - _DAY).timestamp(), (begin + 2 * _DAY).timestamp()
    except (ValueError, OverflowError):
        return None
