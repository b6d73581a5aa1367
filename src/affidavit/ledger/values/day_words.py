"""Dates that hang on a word: months with their days and years, weekdays, "tomorrow"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import time
from functools import cache

from affidavit.ledger.language import UNKNOWN, language_of
from affidavit.ledger.values.calendar_names import CLOCK_WORDS, RELATIVE_DAYS, calendar_names
from affidavit.ledger.values.calendar_parts import Part, exists
from affidavit.ledger.values.clocks import clock_moment, read_offset
from affidavit.ledger.values.cued import Cued
from affidavit.ledger.values.text import fold
from affidavit.ledger.values.value import Moment

_WORD = re.compile(r"[^\W\d_]{3,}(?:['’]hui|-feira)?")
_LEFT_DAY = re.compile(
    r"(?<![\w.:/])(?:(?P<d1>[0-3]?\d)(?:st|nd|rd|th|\.|º|er)?\s?(?:-|–|—|to|and|bis|und|al|au|y|"
    r"e|et|a|t/m|till|&)\s?(?:the\s|le\s|al\s)?)?(?P<d>[0-3]?\d)(?:st|nd|rd|th|\.|º|er)?"
    r"[\s/-]{1,2}(?:of\s|de\s|di\s)?$"
)
_RIGHT_DAY = re.compile(
    r"\.?[\s/-]\s?(?:the\s)?(?P<d>[0-3]?\d)(?:st|nd|rd|th)?(?![\w%]|[.,/:]\d)"
    r"(?:\s?(?:-|–|—|\bto\b|\band\b|&)\s?(?P<d2>[0-3]?\d)(?:st|nd|rd|th)?(?![\w%]|[.,/:]\d))?"
)
_RIGHT_YEAR = re.compile(
    r"\.?(?:,?\s|/|-|\sde\s|\sdel\s)(?P<y>(?:1[6-9]|20|21)\d\d)(?![\w%€]|[.,]\d)"
)
_CLOCK_AND_YEAR = re.compile(
    r"\s(?P<H>[01]?\d|2[0-3]):(?P<M>[0-5]\d)(?::(?P<S>[0-5]\d))?(?:\s[A-Z]{3,4})?\s"
    r"(?P<y>(?:19|20)\d\d)(?:\s(?P<z>[+-]\d{4}))?(?![\w:])"
)
_MONTH_CUE = re.compile(
    r"\b(?:in|since|until|till|by|for|from|to|of|last|next|this|early|late|mid|during|im|seit|bis|"
    r"en|em|a|ab|von|nel|dal|depuis|desde|sinds|through|between|and)[\s-]$",
    re.I,
)
_MONTH_VERB = re.compile(
    r"(?:['’]s)?\s(?:(?:only |also |alone |then |still )?(?:had|has|was|were|is|saw|brought|recorded|show(?:s|ed)|ended|started|came|comes|"
    r"accounted|remained|stood|reached|totall?ed|closed|opened)\b|(?:and|or|to|through)\s(?=[A-Z][a-z]+\s))"
)
"""Behind the name of a month that is what the sentence is about: "March had", which no one is told to do."""
_ENGLISH_MONTHS = frozenset(
    "January February April June July August September October November December".split()
)
_AWAY = Cued(
    re.compile(
        r"\bin (?P<in>\d{1,4}|two|three|four|five|six|seven) days\b|\b(?P<ago>\d{1,4}) days ago\b|"
        r"\b(?:the )?day (?:(?P<after>after tomorrow)|before yesterday)\b",
        re.I,
    ),
    "day",
)
_SMALL = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}


def find_day_words(text: str) -> Iterator[Part]:
    language = language_of(text)
    for word in _WORD.finditer(text):
        entry = _look_up(word[0], language)
        if entry is None:
            continue
        kind, number = entry
        if kind == "relative":
            if not (word[0].lower() == "hier" and language_of(text) != "fr"):
                yield *word.span(), Moment(relative_days=number)
        elif kind == "clock":
            yield *word.span(), Moment(clock=time(number))
        elif kind in ("weekday", "short weekday"):
            if kind == "weekday" or word[0][0].isupper():
                yield *word.span(), Moment(weekday=number)
        else:
            yield from _month(text, word, number, short=kind == "short month")
    for match in _AWAY.finditer(text):
        yield *match.span(), Moment(relative_days=_days_away(match))


def _days_away(match: re.Match[str]) -> int:
    if match["in"]:
        return _SMALL.get(match["in"].lower()) or int(match["in"])
    if match["ago"]:
        return -int(match["ago"])
    return 2 if match["after"] else -2


@cache
def _words() -> dict[str, tuple[str, int]]:
    """Lower-case words, with and without accents, to what they name."""
    names = calendar_names()
    table: dict[str, tuple[str, int]] = {}
    for kind, words in (
        ("weekday", names.weekdays),
        ("month", names.months),
        ("short month", names.short_months["en"]),
        ("short weekday", names.short_weekdays),
    ):
        for word, number in words.items():
            table.setdefault(word.replace(" ", "-"), (kind, number))
    table |= {word: ("relative", days) for word, days in RELATIVE_DAYS.items()}
    table |= {word: ("clock", hour) for word, hour in CLOCK_WORDS.items()}
    return table


def _look_up(word: str, language: str) -> tuple[str, int] | None:
    """What a word names in the calendar, with or without its accents."""
    word = word.lower().replace("’", "'")
    found = _words().get(word)
    if found is None and not word.isascii():
        found = _words().get(fold(word).replace(" ", "-"))
    if found is None and len(word) <= 5 and language in calendar_names().short_months:
        month = calendar_names().short_months[language].get(fold(word))
        found = None if month is None else ("short month", month)
    if found is None and word.endswith("s"):
        # "on Mondays", "mittwochs", "les lundis"
        kind, number = _words().get(word[:-1], ("", 0))
        found = ("weekday", number) if kind == "weekday" else None
    return found


def _is_of_a_code(left: re.Match[str]) -> bool:
    """Whether the number before a month that has its day behind it belongs to what stands before: "A-2 of May 28"."""
    ahead = left.string[: left.start("d")]
    counted = left[0].endswith(" of ") and left[0][len(left["d"])] == " "
    return left["d1"] is None and (ahead.endswith(("-", "#")) or counted)


def _month(text: str, word: re.Match[str], month: int, *, short: bool) -> Iterator[Part]:
    start, end = word.span()
    before = text[max(0, start - 24) : start]
    right = _RIGHT_DAY.match(text, word.end())
    left = _LEFT_DAY.search(before)
    if left and right and _is_of_a_code(left):
        left = None
    if left and 1 <= int(left["d"]) <= 31:
        base = max(0, start - 24)
        year, end = _year_after(text, end)
        moment = Moment(year, month, int(left["d"]))
        if exists(moment):
            if left["d1"] and exists(replace(moment, day=int(left["d1"]))):
                first = replace(moment, day=int(left["d1"]))
                yield base + left.start("d1"), base + left.end("d1"), first
            yield base + left.start("d"), end, moment
            return
    if right and 1 <= int(right["d"]) <= 31:
        if whole := _with_clock(text, month, int(right["d"]), right.end()):
            yield start, whole[1], whole[2]
            return
        year, end = _year_after(text, right.end())
        moment = Moment(year, month, int(right["d"]))
        if exists(moment):
            if right["d2"] and exists(replace(moment, day=int(right["d2"]))):
                yield start, right.end("d"), moment
                yield right.start("d2"), end, replace(moment, day=int(right["d2"]))
            else:
                yield start, end, moment
            return
    year, end = _year_after(text, word.end())
    if year is not None:
        yield start, end, Moment(year, month)
    elif not short and (
        _stands_for_month(text, word[0], before)
        or (word[0] == "March" and _MONTH_VERB.match(text, word.end()))
    ):
        yield *word.span(), Moment(month=month)


def _stands_for_month(text: str, word: str, before: str) -> bool:
    """Whether a month's name without day or year means the month.

    "May I" and "March on" begin sentences, and Maja is a person.
    """
    if language_of(text) not in (UNKNOWN, "en"):
        return word.lower() not in ("may", "march") or bool(_MONTH_CUE.search(before))
    if not word[0].isupper():
        return False
    plain = word in _ENGLISH_MONTHS
    return plain or bool(_MONTH_CUE.search(before))


def _year_after(text: str, at: int) -> tuple[int | None, int]:
    match = _RIGHT_YEAR.match(text, at)
    return (int(match["y"]), match.end()) if match else (None, at)


def _with_clock(text: str, month: int, day: int, at: int) -> Part | None:
    """ "Jun 9 14:22:51 2026 +0200", as C and git write, has its time before its year."""
    match = _CLOCK_AND_YEAR.match(text, at)
    if match is None:
        return None
    clock = clock_moment(int(match["H"]), match["M"], match["S"], read_offset(match["z"]))
    moment = replace(clock, year=int(match["y"]), month=month, day=day)
    return (at, match.end(), moment) if exists(moment) else None
