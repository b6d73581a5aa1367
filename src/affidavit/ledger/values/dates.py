"""Dates in digits: ISO and national forms, quarters, bare years."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import time

from affidavit.ledger.language import language_of
from affidavit.ledger.values.calendar_parts import Part, exists
from affidavit.ledger.values.clocks import clock_moment, read_offset
from affidavit.ledger.values.value import Moment

_ISO = re.compile(
    r"(?<![\w.-])(?P<y>(?:19|20|21)\d\d)(?P<s>[-/.])(?P<m>0[1-9]|1[0-2])(?:(?P=s)(?P<d>[0-3]\d))?"
    r"(?![\d-]|[/.]\d)"
    r"(?:(?P<t>[T ])(?P<H>[01]\d|2[0-4]):(?P<M>[0-5]\d)(?::(?P<S>[0-5]\d)(?:[.,](?P<f>\d+))?)?"
    r"(?P<z>Z|\s?[+-]\d\d:?\d\d)?(?![\w:]))?"
)
_COMPACT = re.compile(
    r"(?<!\w)((?:19|20)\d\d)(0[1-9]|1[0-2])([0-3]\d)T([01]\d|2[0-3])([0-5]\d)([0-5]\d)(Z)?(?!\w)"
)
_NUMERIC = re.compile(
    r"(?<![\w./-])(?P<a>[0-3]?\d)(?P<s>[/.-])(?P<b>[0-3]?\d)(?P=s)(?P<y>(?:19|20)\d\d|\d\d)"
    r"(?![\w-]|[./]\d)"
)
_MONTH_YEAR = re.compile(r"(?<![\w./-])(?P<m>0[1-9]|1[0-2])/(?P<y>(?:19|20)\d\d)(?![\w/-]|\.\d)")
_DAY_MONTH = re.compile(r"(?<![\w.])([0-3]?\d)\.([01]?\d)\.(?![\d])")
_WITHOUT_YEAR = re.compile(
    r"\b(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?\.?,?\s"
    r"|(?i:by|due|until|till|before|after|since|through|dated)\s(?!1/[2-48]\b|2/3\b|3/4\b))"
    r"(?P<a>[1-9]|[12]\d|3[01])/(?P<b>[1-9]|[12]\d|3[01])(?![\w/%]|[.,]\d)"
)
""" "Fri 4/17", "due by 5/11"; "3/4 of it", "sat 3/4 of the day" and "after 1/2" are shares."""
_QUARTER = re.compile(
    r"\bQ(?P<q>[1-4])[ /-]?(?P<y>20\d\d)\b|(?<![\w-])(?P<y2>20\d\d)[ /-]?Q(?P<q2>[1-4])\b"
    r"|\b(?P<w>first|second|third|fourth|1st|2nd|3rd|4th) quarter(?: of| in)? (?P<y3>20\d\d)\b",
    re.I,
)
_YEAR = re.compile(
    r"(?:\b(?:in|since|until|till|by|year|of|for|from|before|after|during|through|im Jahr|Jahr|"
    r"seit|bis|en|depuis|desde|em|nel|dal|sinds|vanaf)\s+|\()(?P<y>(?:19|20)\d\d)"
    r"(?![\w%€$£]|[.,:/–-]\d|\s+\w{3,}s\b)",
    re.I,
)

_DAY_ALONE = re.compile(
    r"\b(?:the|on|by|until|till|since|from|before|after|through)\s+(?P<d>[1-9]|[12]\d|3[01])(?:st|nd|rd|th)"
    r"(?=\s*(?:[.,;:!?)]|$)|\s+(?:and|or|at|to|until|through|was|is|were|are|had|has|only|with|for|it|you|because|which|when|but|so)\b)"
)
""" "Friday the 24th was", "due by the 3rd"; not "the 3rd floor"."""

# What the two patterns that begin with a word can not do without.
_ORDINAL = re.compile(r"\d(?:st|nd|rd|th)")
_YEAR_APART = re.compile(r"[\s(](?:19|20)\d\d")


def find_dates(text: str) -> Iterator[Part]:
    yield from _iso(text)
    yield from _national(text)
    yield from _quarters(text)
    for match in _DAY_ALONE.finditer(text) if _ORDINAL.search(text) else ():
        yield match.start("d"), match.end(), Moment(day=int(match["d"]))
    for match in _YEAR.finditer(text) if _YEAR_APART.search(text) else ():
        yield match.start("y"), match.end("y"), Moment(year=int(match["y"]))


def _iso(text: str) -> Iterator[Part]:
    for match in _ISO.finditer(text):
        day = int(match["d"]) if match["d"] else None
        if day is None and match["s"] != "-":
            continue  # 2026/03 and 2026.03 are fractions or numbers
        moment = Moment(int(match["y"]), int(match["m"]), day)
        if not exists(moment):
            continue
        end = match.end()
        if match["H"] and day is not None:
            zone = None if _is_span(match) else match["z"]
            end = match.end() if zone else match.start("z") if match["z"] else end
            clock = clock_moment(
                int(match["H"]), match["M"], match["S"], read_offset(zone), match["f"]
            )
            moment = replace(
                moment, clock=clock.clock, offset=clock.offset, seconds_given=clock.seconds_given
            )
        elif match["H"]:
            end = match.start("t")
        yield match.start(), end, moment
    for match in _COMPACT.finditer(text) if "T" in text else ():
        year, month, date, hour, minute, second = (int(group) for group in match.groups()[:6])
        clock_time = time(hour, minute, second) if second < 60 else None
        offset = 0 if match[7] else None
        moment = Moment(year, month, date, None, clock_time, offset, seconds_given=True)
        if exists(moment):
            yield *match.span(), moment


def _is_span(match: re.Match[str]) -> bool:
    """ "2026-03-12 08:00-12:00" is from eight to twelve, "2026-03-12T08:00-07:00" has an offset."""
    zone = match["z"] or ""
    spaced = match["t"] == " " and not match["S"]
    return spaced and zone[:1] == "-" and zone[1:].replace(":", "") > match["H"] + match["M"]


def _national(text: str) -> Iterator[Part]:
    for match in _NUMERIC.finditer(text):
        either = _either_way(match)
        if either is not None:
            yield *match.span(), either
    for match in _MONTH_YEAR.finditer(text) if "/" in text else ():
        yield *match.span(), Moment(year=int(match["y"]), month=int(match["m"]))
    for match in _WITHOUT_YEAR.finditer(text) if "/" in text else ():
        either = _month_and_day(int(match["a"]), int(match["b"]), None)
        if either is not None:
            yield match.start("a"), match.end("b"), either
    if language_of(text) == "de":
        for match in _DAY_MONTH.finditer(text):
            moment = Moment(month=int(match[2]), day=int(match[1]))
            if exists(moment):
                yield *match.span(), moment


def _either_way(match: re.Match[str]) -> Moment | None:
    """03/09/2026 as month and day, marked as swappable; with dots it is always day and month."""
    first, second = int(match["a"]), int(match["b"])
    year = int(match["y"]) if len(match["y"]) == 4 else 2000 + int(match["y"])
    if match["s"] == ".":
        moment = Moment(year, second, first)
        return moment if exists(moment) else None
    if len(match["y"]) == 2 and match["s"] == "-":
        return None  # 12-10-26 is as likely a code
    return _month_and_day(first, second, year)


def _month_and_day(first: int, second: int, year: int | None) -> Moment | None:
    both = first <= 12 and second <= 12 and first != second
    month, day = (first, second) if first <= 12 else (second, first)
    moment = Moment(year, month, day, swappable=both)
    return moment if exists(moment) else None


def _quarters(text: str) -> Iterator[Part]:
    if "Q" not in text and "quarter" not in text:
        return
    ordinals = {
        "first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4,
    }  # fmt: skip
    for match in _QUARTER.finditer(text):
        year = int(match["y"] or match["y2"] or match["y3"])
        number = match["q"] or match["q2"]
        quarter = int(number) if number else ordinals[match["w"].lower()]
        yield *match.span(), Moment(year=year, quarter=quarter)
