"""Hours by the day in one text: "Mo-Fr 08:00-18:00, Sa 9-13; Sun closed"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import time
from functools import cache, lru_cache

from affidavit.ledger.values.calendar_names import calendar_names
from affidavit.ledger.values.text import fold
from affidavit.ledger.values.value import Moment, Value

# Abbreviations by language: "di" is Tuesday in German, Sunday in French.
_ABBREVIATED = (
    "mo tu we th fr sa su",
    "mo di mi do fr sa so",
    "lu ma me je ve sa di",
    "lun mar mer jeu ven sam dim",
    "lu ma mi ju vi sa do",
    "lun mar mie jue vie sab dom",
    "lun mar mer gio ven sab dom",
    "ma di wo do vr za zo",
    "seg ter qua qui sex sab dom",
)
_EVERY = re.compile(
    r"daily|every day|everyday|7 days(?: a week)?|täglich|tous les jours|todos los días|tutti i giorni|dagelijks",
    re.I,
)
_WORKING = re.compile(r"weekdays?|werktags|workdays|working days", re.I)
_WEEKEND = re.compile(r"week-?ends?|wochenende", re.I)
_DAY = r"[^\W\d_]{2,12}\.?"
_TO = r"\s?(?:-|–|—|\bto\b|\bthrough\b|\bthru\b|\btill\b|\bbis\b|\bà\b|\bau\b|\ba\b|\bal\b|\bt/m\b|\btot\b)\s?"
_ALSO = r"\s?(?:,|&|/|\+|\band\b|\bund\b|\bet\b|\by\b|\be\b|\ben\b)\s?"
_DAYS = re.compile(
    rf"(?:{_EVERY.pattern})|(?<!\w)(?P<first>{_DAY})(?:(?P<to>{_TO})(?P<last>{_DAY}))?(?!\w)", re.I
)
_BETWEEN_DAYS = re.compile(rf"(?:{_ALSO})\Z", re.I)
_CLOCK = r"(?:[01]?\d|2[0-4])(?:[:.h][0-5]\d)?(?:\s?[ap]\.?m\b\.?|\s?h\b|\s?uhr\b)?|noon|midnight"
_HOURS = re.compile(
    rf"\s*+(?:(?:[:=]|,|\(|-|–)\s*+)?(?:from |von |de )?(?P<a>{_CLOCK})\s?(?:-|–|—|to|until|till|bis|à|a)\s?(?P<b>{_CLOCK})(?![\w:])",
    re.I,
)
_CLOSED = re.compile(
    r"\s*+(?:(?:[:=]|,|\(|-|–)\s*+)?(?:closed|off|geschlossen|ruhetag|fermée?|cerrado|chiuso|fechado|gesloten)\b",
    re.I,
)
_AROUND = re.compile(r"\s*+(?::\s*+)?(?:open )?24\s?(?:h|hours|/7)\b", re.I)
_PART = re.compile(r"(?P<H>\d{1,2})(?:[:.h](?P<M>\d\d))?\s*(?P<half>[ap])?", re.I)


@dataclass(frozen=True, slots=True)
class Hours:
    """The hours of some days; none of days on which it is closed. ``start`` and ``end`` are its place."""

    days: frozenset[int]
    spans: tuple[tuple[time, time], ...]
    start: int
    end: int


@lru_cache(maxsize=2048)
def hours_by_day(text: str) -> tuple[Hours, ...]:
    """What a text says of each of its days, in order; empty where it is no list of hours."""
    if len(text) > _LONGEST or not _DIGIT.search(text):
        return ()
    return tuple(_hours(text))


_LONGEST = 300
_DIGIT = re.compile(r"\d")


def _hours(text: str) -> Iterator[Hours]:
    days: set[int] = set()
    start, at = 0, 0
    names = _names(text)
    for match in _DAYS.finditer(text):
        named = _days(match, names)
        if not named:
            continue
        joined = bool(days) and _BETWEEN_DAYS.fullmatch(text, at, match.start())
        days, start = (days | named, start) if joined else (named, match.start())
        at = match.end()
        spans: list[tuple[time, time]] = []
        if closed := _CLOSED.match(text, at) or _AROUND.match(text, at):
            at = closed.end()
            whole = [] if _CLOSED.match(closed[0]) else [(time(0), time(0))]
            yield Hours(frozenset(days), tuple(whole), start, at)
            days = set()
            continue
        while (hours := _HOURS.match(text, at)) and not _is_of_date(text, hours, names):
            spans.append(_span(hours["a"], hours["b"]))
            at = hours.end()
        if spans:
            yield Hours(frozenset(days), tuple(spans), start, at)
            days = set()


def _is_of_date(text: str, hours: re.Match[str], names: dict[str, int]) -> bool:
    """Whether bare numbers before a word are of a date: "Sat 6-12 June"."""
    word = _NEXT_WORD.match(text, hours.end())
    bare = hours["a"].isdecimal() and hours["b"].isdecimal()
    return bare and word is not None and fold(word[1]) not in names


_NEXT_WORD = re.compile(r"\s([^\W\d_]+)")


def _days(match: re.Match[str], names: dict[str, int]) -> set[int]:
    if _EVERY.fullmatch(match[0]):
        return set(range(7))
    first, last = match["first"], match["last"]
    if last is None and _WORKING.fullmatch(first):
        return set(range(5))
    if last is None and _WEEKEND.fullmatch(first):
        return {5, 6}
    a = names.get(fold(first))
    b = names.get(fold(last)) if last else a
    if a is None or b is None:
        return set()
    return {(a + n) % 7 for n in range((b - a) % 7 + 1)}


def _names(text: str) -> dict[str, int]:
    """The names of days, with the abbreviations of the language that has all that the text has."""
    known = _full_names()
    said = {fold(word) for word in re.findall(r"[^\W\d_]{2,3}(?!\w)", text)}
    tables = [{word: n for n, word in enumerate(line.split())} for line in _ABBREVIATED]
    best = max(tables, key=lambda table: len(said & table.keys()))
    return known | {word: n for word, n in best.items() if word not in known}


@cache
def _full_names() -> dict[str, int]:
    names = calendar_names()
    several = {f"{word}s": n for word, n in names.weekdays.items()}
    return several | names.weekdays | names.short_weekdays


def _span(first: str, last: str) -> tuple[time, time]:
    """Both ends; without halves of the day said, an end that is not later is of the afternoon: "9-5"."""
    a, half_a = _clock(first)
    b, half_b = _clock(last)
    if half_a is None and half_b is not None and a < 12:
        a += 12 if half_b == "p" and a + 12 < b else 0
    elif half_a is None and half_b is None and b <= a and b < 12 and _is_bare(first, last):
        b += 12
    return _time(a), _time(b)


def _is_bare(first: str, last: str) -> bool:
    return ":" not in first + last


def _clock(said: str) -> tuple[float, str | None]:
    """Hours since midnight, and the half of the day that is said."""
    if said.lower() in ("noon", "midnight"):
        return (12.0, "p") if said.lower() == "noon" else (24.0, "a")
    match = _PART.match(said)
    assert match is not None
    hour, half = int(match["H"]), (match["half"] or "").lower() or None
    if half is not None:
        hour = hour % 12 + (12 if half == "p" else 0)
    return hour + int(match["M"] or 0) / 60, half


def _time(hours: float) -> time:
    minutes = round(hours * 60) % (24 * 60)
    return time(minutes // 60, minutes % 60)


def hours_of_days(text: str) -> Iterator[Value]:
    """Each day that a list of hours speaks of, and each of its times on that day."""
    for hours in hours_by_day(text):
        place = text[hours.start : hours.end], hours.start, hours.end
        for day in sorted(hours.days):
            yield Value("moment", *place, moment=Moment(weekday=day))
            for clock in (clock for span in hours.spans for clock in span):
                yield Value("moment", *place, moment=Moment(weekday=day, clock=clock))
