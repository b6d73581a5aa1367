"""A stretch of text that says part of a moment."""

from __future__ import annotations

from datetime import date

from affidavit.ledger.values.value import Moment

Part = tuple[int, int, Moment]
"""Start, end, and what is said there."""


def exists(moment: Moment) -> bool:
    """Whether the calendar has that day; 29 February is allowed where no year is said."""
    if moment.day is None or moment.month is None:
        return True
    try:
        date(moment.year or 2000, moment.month, moment.day)
    except ValueError:
        return False
    return True
