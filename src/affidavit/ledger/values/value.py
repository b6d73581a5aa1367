"""A value: something in a text that is either the same as in the evidence or not.

Both sides, an answer's claims and the evidence, are parsed into these, so that ``$668.99`` and
``66899`` under ``total_cents`` meet in one normal form.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from typing import Literal

ValueKind = Literal[
    "number",  # 9, nine, 1,234.5: a bare number or a count ("five nights" is number 5, unit "night")
    "money",  # number with unit = ISO 4217 code, or "" if only a currency sign of unknown country
    "percent",  # number holds percent points: 12.5 for 12.5 %
    "quantity",  # number with a physical unit in base form ("km", "W", "GB", "°C", …)
    "duration",  # number in seconds, unit "s"; calendar durations: months, unit "month"
    "moment",  # a date, a time of day, or both, as far as the text says
    "identifier",  # order numbers, SKUs, hashes, codes
    "url",
    "email",
    "phone",
    "path",
    "handle",
    "version",
    "quoted",  # words in quotation marks or backticks
    "name",  # a proper name
]
AMOUNTS: frozenset[ValueKind] = frozenset({"number", "money", "percent", "quantity", "duration"})
"""How much or how many of something."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in calendar time as precisely as it was said; every field may be missing.

    "Monday, March 9" has month, day and weekday (0 is Monday); "at 14:30 UTC" has a time and an
    offset in minutes.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    clock: time | None = None
    offset: int | None = None
    seconds_given: bool = False
    quarter: int | None = None
    relative_days: int | None = None
    """Days from the run's date: 1 for "tomorrow"."""
    swappable: bool = False
    """Written like 03/09/2026: month and day may be the other way round."""
    either_half: bool = False
    """Said like "half past eight", of the morning or the evening."""

    @property
    def date(self) -> date | None:
        if self.year is None or self.month is None or self.day is None:
            return None
        return date(self.year, self.month, self.day)


@dataclass(frozen=True, slots=True)
class Value:
    """One value found in a text, with its place there and its normal form.

    ``number`` and ``unit`` hold measured things, ``moment`` calendar things, and ``key`` the folded
    text of everything else (identifiers without case or separators, URLs normalised, names in
    lower case without accents).
    """

    kind: ValueKind
    text: str
    start: int
    end: int
    number: Decimal | None = None
    unit: str = ""
    moment: Moment | None = None
    key: str = ""
    approx: bool = False
    """Said to be about this much."""
    bound: Literal["", "min", "max"] = ""
    """"At least", "from", "or more" is min; "at most", "up to", "no more than" is max. With ``approx`` it is
    close to the bound as well: "just under", "a little over"."""
    face: Decimal | None = None
    """The number before its unit was applied: 90 in "90 minutes"."""
    face_unit: str = ""
    """The unit as it was written, in the singular: "minute", "mib"."""
    other: Decimal | None = None
    """The second reading of an ambiguous mark: "1.250" is 1.25, or 1250 on the Continent."""
