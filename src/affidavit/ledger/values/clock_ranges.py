"""The first end of a span of hours, which leaves its half of the day or its "Uhr" to the second."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import time

from affidavit.ledger.values.calendar_parts import Part
from affidavit.ledger.values.value import Moment

_LINK = r"\s?(?:-|–|—|to|till|until|and|or|through|bis|und|et|y|e|en|tot|a|à|al|till|og|och)\s?"
_FIRST = re.compile(
    rf"(?<![\w:.,/$€£+#-])(?P<H>[01]?\d|2[0-4])(?:[:.](?P<M>[0-5]\d))?{_LINK}\Z", re.I
)
_SECOND = re.compile(
    r"\s?(?:-|–|—|to|till|until|and|bis|und)\s?"
    r"(?P<H>1[0-2]|0?[1-9])(?::(?P<M>[0-5]\d))?(?=\s*(?:[.,;)!?]|\Z|\n))",
    re.I,
)
_HALF = re.compile(r"(?P<half>[ap])\.?\s?m\b", re.I)
_NAMED = re.compile(r"(?:Uhr|uur|o['’]clock|klokken)\s*\Z", re.I)
_LISTS = re.compile(r"\s(?:and|or|und|et|y|e|en|og|och)\s\Z", re.I)
_CUE = re.compile(
    r"\b(?:between|at|around|by|about|zwischen|um|gegen|entre|vers|tra|tussen|mellan|mellem)\s\Z",
    re.I,
)
_BETWEEN = re.compile(r"\b(?:from|between)\s\Z", re.I)


def other_end(text: str, start: int, end: int, moment: Moment) -> Iterator[Part]:
    """The end that a time of day lends its half: 7 in "7-9 am", 5 in "from 9 am to 5"."""
    clock = moment.clock
    if clock is None:
        return
    said = text[start:end]
    half = _HALF.search(said)
    first = _FIRST.search(text, max(0, start - 16), start)
    near = max(0, start - 32)
    if first and _LISTS.search(first[0]) and not _CUE.search(text, near, first.start()):
        first = None  # "take 2 and 9 am"
    if first and (half or _NAMED.search(said)):
        hour, minute = int(first["H"]), int(first["M"] or 0)
        if half and 1 <= hour <= 12:
            hour = _near(hour, minute, clock.hour, clock.minute, before=True)
        elif half:
            return
        yield _part(first, "M" if first["M"] else "H", hour, minute)
    elif half and _BETWEEN.search(text, max(0, start - 10), start):
        if second := _SECOND.match(text, end):
            hour, minute = int(second["H"]), int(second["M"] or 0)
            hour = _near(hour, minute, clock.hour, clock.minute, before=False)
            yield _part(second, "M" if second["M"] else "H", hour, minute)


def _near(hour: int, minute: int, other: int, other_minute: int, *, before: bool) -> int:
    """The hour in the half of the day that puts it less than twelve hours before, or after."""
    hour %= 12
    gap = (other * 60 + other_minute) - (hour * 60 + minute)
    gap = gap if before else -gap
    return hour if 0 < gap % 1440 <= 720 and gap % 1440 else hour + 12


def _part(match: re.Match[str], last: str, hour: int, minute: int) -> Part:
    return match.start("H"), match.end(last), _clock(hour, minute)


def _clock(hour: int, minute: int) -> Moment:
    return Moment(clock=time(hour % 24, minute))
