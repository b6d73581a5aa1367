"""Short texts that their field's name makes more of: ``nat: KEN``, ``days: mon,wed``, ``avail: 640G``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal

from affidavit.ledger.named_keys import COUNTRY_FIELDS, LANGUAGE_FIELDS
from affidavit.ledger.values.calendar_names import calendar_names
from affidavit.ledger.values.countries import country_names, language_names
from affidavit.ledger.values.field_paths import Path, field_words
from affidavit.ledger.values.numerals import read_number
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


def read_by_name(text: str, path: Path) -> Iterator[Value]:
    """What the name of its field makes of a text."""
    words = set(field_words(path))
    yield from _weekdays(text, words)
    yield from _span(text, words)
    yield from _size(text, words)
    for name in _spelled_out(text, words):
        yield Value("name", text, 0, len(text), key=name)


def _spelled_out(text: str, words: set[str]) -> Iterable[str]:
    """The names of the country or the language that a code stands for: ``nat: KEN``, ``audio: pt``."""
    if words & COUNTRY_FIELDS and _COUNTRY_CODE.fullmatch(text):
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
