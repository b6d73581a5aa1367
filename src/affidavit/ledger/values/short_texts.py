"""Short texts that their field's name makes more of: ``nat: KEN``, ``sat: 10:00-18:00``, ``avail: 640G``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import time
from decimal import Decimal
from functools import lru_cache

from affidavit.ledger.named_keys import COUNTRY_FIELDS, LANGUAGE_FIELDS
from affidavit.ledger.values.calendar_names import calendar_names
from affidavit.ledger.values.clock_ranges import dated_ends
from affidavit.ledger.values.countries import (
    SIDE_FIELDS,
    country_names,
    language_names,
)
from affidavit.ledger.values.field_paths import Path, field_words
from affidavit.ledger.values.numerals import read_number
from affidavit.ledger.values.opening_hours import hours_of_days
from affidavit.ledger.values.parse import parse_values
from affidavit.ledger.values.text import fold
from affidavit.ledger.values.units import quantity_unit
from affidavit.ledger.values.units_of_fields import TIMED
from affidavit.ledger.values.value import Moment, Value

_DAY_WORDS = frozenset("day days weekday weekdays dow schedule meets meeting runs".split())
_TWO_LETTERS = {"mo": 0, "tu": 1, "we": 2, "th": 3, "fr": 4, "sa": 5, "su": 6}
_WORD = re.compile(r"[^\W\d_]+")
_COUNTRY_CODE = re.compile(r"[A-Z]{2,3}")
_LANGUAGE_CODE = re.compile(r"[a-z]{2,3}(?:[-_](?:[A-Za-z]{2,4}|\d{3}))?|[A-Z]{2}(?:-[A-Z]{2})?")
_TIMINGS = frozenset("time times result results gap split lap pace mark behind clock run".split())
_SPAN_TEXT = re.compile(r"\+?(\d{1,3}):([0-5]\d)(?::([0-5]\d))?")
_SIZE_TEXT = re.compile(r"(?P<number>\d+(?:\.\d+)?)(?P<unit>[KMGTP]i?)")
_SIZES = frozenset(
    "size used avail available free total mem memory ram disk rss vsz swap cache shared capacity storage "
    "limit limits request requests usage quota volume filesize".split()
)


def read_by_name(text: str, path: Path, inside: Sequence[Value]) -> Iterator[Value]:
    """What the name of its field makes of a text, beside the values ``inside`` it."""
    words = set(field_words(path))
    yield from dated_ends(text, inside)
    yield from _on_days(path, inside)
    yield from _weekdays(text, words)
    yield from _span(text, words)
    yield from _size(text, words)
    yield from _bare_hours(text, words)
    yield from hours_of_days(text)
    yield from _in_capitals(text)
    yield from _sides(text, words)
    for name in _spelled_out(text, words):
        yield Value("name", text, 0, len(text), key=name)


def _on_days(path: Path, inside: Sequence[Value]) -> Iterator[Value]:
    """The hours under ``sat`` and ``mon_fri`` are those of that day."""
    for day in days_of_field(path):
        for value in inside:
            at = value.moment
            if at is not None and at.clock is not None and at.date is None and at.weekday is None:
                yield replace(value, moment=replace(at, weekday=day))


def _spelled_out(text: str, words: set[str]) -> Iterable[str]:
    """The names of the country or the language that a code stands for: ``nat: KEN``, ``audio: pt``."""
    if _COUNTRY_CODE.fullmatch(text) and (
        words & COUNTRY_FIELDS or (len(text) == 3 and words & SIDE_FIELDS)
    ):
        return country_names(text)
    if words & LANGUAGE_FIELDS:
        codes = _BETWEEN_CODES.split(text.strip())
        if all(_LANGUAGE_CODE.fullmatch(code) for code in codes):
            return frozenset[str]().union(*(language_names(code) for code in codes))
    return ()


_BETWEEN_CODES = re.compile(r"(?:(?<!\s)\s++)?(?:[,;/|&+]|->|[>→»]|\bto\b|\band\b)\s*")
"""Between the codes of several languages: "de, fr", "en > pt-BR"."""


def _weekdays(text: str, words: set[str]) -> Iterator[Value]:
    """ "mon,wed" and "TU" under ``days``: abbreviations that running text does not write so."""
    if not words & _DAY_WORDS:
        return
    parts = list(_WORD.finditer(text))
    short = calendar_names().short_weekdays
    days = [short.get(part[0].lower(), _TWO_LETTERS.get(part[0].lower())) for part in parts]
    for part, day in zip(parts, days, strict=True):
        if day is not None and None not in days:
            yield Value("moment", part[0], *part.span(), moment=Moment(weekday=day))


@lru_cache(maxsize=8192)
def days_of_field(path: Path) -> tuple[int, ...]:
    """The weekdays that a field is named for: ``sat``, ``mon_fri``, ``Mo-Fr``, ``weekdays``; none of any
    other."""
    last = next((str(step) for step in reversed(path) if isinstance(step, str)), "")
    words = field_words((last,))
    if words and words[-1] in _GROUPS_OF_DAYS:
        return _GROUPS_OF_DAYS[words[-1]]
    names = calendar_names()
    days = [
        names.short_weekdays.get(word, names.weekdays.get(fold(word), _TWO_LETTERS.get(word, -1)))
        for word in words
        if word not in _BESIDE_DAYS
    ]
    if -1 in days or len(days) not in (1, 2):
        return ()
    if len(days) == 1:
        return (days[0],)
    first, last_day = days[0], days[1]
    return tuple((first + n) % 7 for n in range((last_day - first) % 7 + 1))


_BESIDE_DAYS = frozenset("to hours bis and through open opening".split())
_GROUPS_OF_DAYS = {
    "weekday": (0, 1, 2, 3, 4), "weekdays": (0, 1, 2, 3, 4), "weekend": (5, 6), "weekends": (5, 6),
    "daily": (0, 1, 2, 3, 4, 5, 6), "everyday": (0, 1, 2, 3, 4, 5, 6),
}  # fmt: skip


def _span(text: str, words: set[str]) -> Iterator[Value]:
    """ "1:30:00" under ``duration`` is a span of time, not half past one; under ``time`` it may be one."""
    match = _SPAN_TEXT.fullmatch(text)
    if match is None or not words & (TIMED | _TIMINGS):
        return
    first, second, third = (int(group or 0) for group in match.groups())
    timed = bool(words & TIMED) and "time" not in words
    if match[3] or timed:
        total = Decimal(first * 3600 + second * 60 + third)
        yield Value("duration", text, 0, len(text), number=total, unit="s")
    if not match[3]:  # "0:12" behind the winner, "3:45" of a song
        yield Value("duration", text, 0, len(text), number=Decimal(first * 60 + second), unit="s")


_HOUR_WORDS = frozenset(
    "hours opening open opens business office time times schedule shift slot slots availability öffnungszeiten horaires "
    "horario orari uren".split()
)
_BARE_HOURS = re.compile(
    r"(?<![\d:./-])(?P<a>[01]?\d|2[0-4])\s?(?:-|–|to)\s?(?P<b>[01]?\d|2[0-4])(?:\s?(?:h|Uhr|hrs?))?(?![\d:./-]|\s?(?:min|hour|day|week|€|%))"
)


def _bare_hours(text: str, words: set[str]) -> Iterator[Value]:
    """ "Mon-Fri 9-17" under ``hours``: hours without minutes. In "9-5" the second is of the afternoon."""
    for match in _BARE_HOURS.finditer(text) if words & _HOUR_WORDS else ():
        first, second = int(match["a"]), int(match["b"])
        for group, hour in (("a", first), ("b", second if second > first else second + 12)):
            if hour <= 24:
                at = Moment(clock=time(hour % 24))
                yield Value("moment", match[group], *match.span(group), moment=at)


_SIDES = re.compile(r"\d+(?:\.\d+)?(?:\s?[x×*]\s?\d+(?:\.\d+)?){1,2}(?:\s?[a-z]{1,2})?", re.I)
_SIDED = frozenset(
    "dims dim dimensions dimension size sizes lwh format measurements resolution masse maße".split()
)


def _sides(text: str, words: set[str]) -> Iterator[Value]:
    """The lengths of "40x30x20" under ``dimensions``."""
    if words & _SIDED and _SIDES.fullmatch(text):
        for match in re.finditer(r"\d+(?:\.\d+)?", text):
            length = Decimal(match[0])
            yield Value("number", match[0], *match.span(), number=length, face=length)


_CAPITALS = re.compile(r"[A-Z\d]+(?:_[A-Z\d]+)+")


def _in_capitals(text: str) -> Iterator[Value]:
    """The figures of a word of a list of words, as programs name them: ``FREE_CANCELLATION_24H``."""
    if _CAPITALS.fullmatch(text) and any(map(str.isdigit, text)):
        inside = parse_values(text.replace("_", " ").lower())
        yield from (v for v in inside if v.kind in ("duration", "quantity", "percent", "money"))


def _size(text: str, words: set[str]) -> Iterator[Value]:
    """ "640G" under ``avail``: what disks and memory hold, as shells write it."""
    match = _SIZE_TEXT.fullmatch(text)
    if match is None or not words & _SIZES:
        return
    unit = match["unit"] + "B"
    known = quantity_unit(unit.replace("KB", "kB"))
    number = read_number(match["number"])
    if known is not None and number is not None:
        size = number * known[1]
        yield Value("quantity", text, 0, len(text), size, known[0], face=number, face_unit=unit)
