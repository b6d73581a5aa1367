"""Dates and times of day in running text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields

from affidavit.ledger.values.calendar_parts import Part
from affidavit.ledger.values.clocks import find_clocks
from affidavit.ledger.values.dates import find_dates
from affidavit.ledger.values.day_words import find_day_words
from affidavit.ledger.values.spoken_times import find_spoken_times
from affidavit.ledger.values.value import Moment, Value

_DIGIT = re.compile(r"\d")
_LINK = re.compile(
    r"\s?(?:,|·|\(|–|—|-|:)?\s?(?:(?:at|on|um|am|den|the|a las?|a la|às|as|à|alle(?: ore)?|ore|om|op|"
    r"kl\.?|el|le|il|de|of|starting at|ab|dem)\s)?",
    re.I,
)


def find_moments(text: str) -> list[Value]:
    """Dates, times and dates with times, each as one value where they stand together."""
    parts = _free(sorted(_parts(text), key=lambda part: (part[0], -part[1])))
    return [
        Value("moment", text[start:end], start, end, moment=moment)
        for start, end, moment in _merged(text, parts)
    ]


def _free(parts: list[Part]) -> list[Part]:
    kept: list[Part] = []
    for part in parts:
        if not kept or part[0] >= kept[-1][1]:
            kept.append(part)
        elif part[1] - part[0] > kept[-1][1] - kept[-1][0]:
            kept[-1] = part
    return kept


def _parts(text: str) -> Iterator[Part]:
    if _DIGIT.search(text):
        yield from find_dates(text)
        yield from find_clocks(text)
    yield from find_spoken_times(text)
    yield from find_day_words(text)


def _merged(text: str, parts: list[Part]) -> Iterator[Part]:
    """Join neighbours that speak of one moment: "Friday, March 13" and "at 6:30 PM"."""
    held: Part | None = None
    for part in parts:
        if held is not None:
            gap = text[held[1] : part[0]]
            beside = (len(gap) < 16 and _LINK.fullmatch(gap)) or (
                _COLUMN.fullmatch(gap) and _is_day_and_time(held[2], part[2])
            )
            joined = _join(held[2], part[2]) if beside else None
            if joined is not None:
                end = part[1] + (1 if "(" in gap and text[part[1] : part[1] + 1] == ")" else 0)
                held = (held[0], end, joined)
                continue
            yield held
        held = part
    if held is not None:
        yield held


_COLUMN = re.compile(r"[ \t\u00a0]{2,12}|\t|\s?\|\s?")
"""What stands between the columns of a plain list: "2 June 2026   10:15"."""


def _is_day_and_time(a: Moment, b: Moment) -> bool:
    """Whether a day is followed by a time, as in neighbouring columns. A weekday and a date are not joined
    over columns: of a table's head, "Mon   Tue", and of its rows, they may be of different things."""
    return (
        a.day is not None
        and a.month is not None
        and a.clock is None
        and b == Moment(clock=b.clock, offset=b.offset, seconds_given=b.seconds_given)
    )


def _join(a: Moment, b: Moment) -> Moment | None:
    """Both moments as one, or None where they say the same field or do not belong together."""
    # By identity: 0 is Monday and UTC.
    said = {n: v for n in _FIELDS if (v := getattr(a, n)) is not None and v is not False}
    also = {n: v for n in _FIELDS if (v := getattr(b, n)) is not None and v is not False}
    if said.keys() & also.keys() or "quarter" in said or "quarter" in also:
        return None
    if said.keys() <= {"year"} or also.keys() <= {"year"}:
        return None
    if ("month" in said and "day" not in said) or ("month" in also and "day" not in also):
        return None
    return Moment(**said, **also)


_FIELDS = tuple(field.name for field in fields(Moment))
