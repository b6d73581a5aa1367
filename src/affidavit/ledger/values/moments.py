"""Dates and times of day in running text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from datetime import date, time
from functools import cache

from affidavit.ledger.values.calendar_names import RELATIVE_DAYS, ZONES, calendar_names
from affidavit.ledger.values.text import fold, language_of
from affidavit.ledger.values.value import Moment, Value

Part = tuple[int, int, Moment]

_ISO = re.compile(
    r"(?<![\w.-])(?P<y>(?:19|20|21)\d\d)(?P<s>[-/.])(?P<m>0[1-9]|1[0-2])(?:(?P=s)(?P<d>[0-3]\d))?"
    r"(?![\d-]|[/.]\d)"
    r"(?:(?P<t>[T ])(?P<H>[01]\d|2[0-4]):(?P<M>[0-5]\d)(?::(?P<S>[0-5]\d)(?:[.,]\d+)?)?"
    r"(?P<z>Z|\s?[+-]\d\d:?\d\d)?(?![\w:]))?"
)
_COMPACT = re.compile(
    r"(?<!\w)((?:19|20)\d\d)(0[1-9]|1[0-2])([0-3]\d)T([01]\d|2[0-3])([0-5]\d)([0-5]\d)(Z)?(?!\w)"
)
_NUMERIC = re.compile(
    r"(?<![\w./-])(?P<a>[0-3]?\d)(?P<s>[/.-])(?P<b>[0-3]?\d)(?P=s)(?P<y>(?:19|20)\d\d|\d\d)"
    r"(?![\w-]|[./]\d)"
)
_DAY_MONTH = re.compile(r"(?<![\w.])([0-3]?\d)\.([01]?\d)\.(?![\d])")
_CLOCK = re.compile(
    r"(?:(?<=/\d{4}:)|(?<![\w:.,/$€£-]))(?P<H>[01]?\d|2[0-4])"
    r"(?:(?P<s>[:.]|\s?h\s?)(?P<M>[0-5]\d)(?::(?P<S>[0-5]\d)(?:[.,]\d+)?)?)?(?![\d:])"
    r"(?P<half>\s?(?:[ap]m\b|[ap]\.\s?m\.))?(?P<uhr>\s?(?:Uhr|uur|o['’]clock|klokken)\b)?",
    re.I,
)
_ZONE = re.compile(
    r"\s?\(?(?:(?P<name>UTC|GMT|Z|[A-Z]{2,4}T|MEZ|MESZ|MSK)(?![\w])\)?)?"
    r"(?P<sign>\s?[+−-])?(?(sign)(?P<h>\d{1,2}):?(?P<m>\d\d)?)(?![\w:])"
)
_NOON = re.compile(r"\b(?:noon|midday|midnight|Mittag|mediodía|medianoche|minuit)\b", re.I)
_QUARTER = re.compile(
    r"\bQ(?P<q>[1-4])[ /-]?(?P<y>20\d\d)\b|(?<![\w-])(?P<y2>20\d\d)[ /-]?Q(?P<q2>[1-4])\b"
    r"|\b(?P<w>first|second|third|fourth) quarter(?: of| in)? (?P<y3>20\d\d)\b",
    re.I,
)
_YEAR = re.compile(
    r"(?:\b(?:in|since|until|till|by|year|of|for|from|before|after|during|through|im Jahr|Jahr|"
    r"seit|bis|en|depuis|desde|em|nel|dal|sinds|vanaf)\s+|\()(?P<y>(?:19|20)\d\d)"
    r"(?![\w%€$£]|[.,:/–-]\d|\s+\w{3,}s\b)",
    re.I,
)
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
_RIGHT_YEAR = re.compile(r"\.?(?:,?\s|/|-|\sde\s|\sdel\s)(?P<y>(?:19|20|21)\d\d)(?![\w%€]|[.,]\d)")
_MONTH_CUE = re.compile(
    r"\b(?:in|since|until|till|by|for|from|to|of|last|next|this|early|late|mid|during|im|seit|bis|"
    r"en|em|a|ab|von|nel|dal|depuis|desde|sinds|through|between|and)[\s-]$",
    re.I,
)
_AWAY = re.compile(r"\bin (\d+|two|three|four|five|six|seven) days\b|\b(\d+) days ago\b", re.I)
_SMALL = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
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
    if any(c.isdigit() for c in text):
        yield from _numeric(text)
        yield from _clocks(text)
        yield from _quarters(text)
        for match in _YEAR.finditer(text):
            yield match.start("y"), match.end("y"), Moment(year=int(match["y"]))
    yield from _named(text)
    for match in _AWAY.finditer(text):
        if match[1]:
            days = _SMALL.get(match[1].lower()) or int(match[1])
        else:
            days = -int(match[2])
        yield *match.span(), Moment(relative_days=max(-9999, min(days, 9999)))


def _numeric(text: str) -> Iterator[Part]:
    for match in _ISO.finditer(text):
        day = int(match["d"]) if match["d"] else None
        if day is None and match["s"] != "-":
            continue  # 2026/03 and 2026.03 are fractions or numbers
        moment = Moment(int(match["y"]), int(match["m"]), day)
        end = match.end()
        if match["H"] and day is not None:
            moment = replace(moment, **_clock_fields(match["H"], match["M"], match["S"]))
            moment = replace(moment, offset=_offset(match["z"]))
        elif match["H"]:
            end = match.start("t")
        if _exists(moment):
            yield match.start(), end, moment
    for match in _COMPACT.finditer(text):
        year, month, day, hour, minute, second, zone = match.groups()
        moment = Moment(
            int(year), int(month), int(day),
            clock=time(int(hour), int(minute), int(second)),
            offset=0 if zone else None, seconds_given=True,
        )  # fmt: skip
        if _exists(moment):
            yield *match.span(), moment
    for match in _NUMERIC.finditer(text):
        moment_or_none = _either_way(match)
        if moment_or_none is not None:
            yield *match.span(), moment_or_none
    if language_of(text) == "de":
        for match in _DAY_MONTH.finditer(text):
            moment = Moment(month=int(match[2]), day=int(match[1]))
            if _exists(moment):
                yield *match.span(), moment


def _either_way(match: re.Match[str]) -> Moment | None:
    """03/09/2026 as month and day, marked as swappable; with dots it is always day and month."""
    first, second = int(match["a"]), int(match["b"])
    year = int(match["y"]) if len(match["y"]) == 4 else 2000 + int(match["y"])
    if match["s"] == ".":
        moment = Moment(year, second, first)
    elif len(match["y"]) == 2 and match["s"] == "-":
        return None  # 12-10-26 is as likely a code
    else:
        both = first <= 12 and second <= 12 and first != second
        month, day = (first, second) if first <= 12 else (second, first)
        moment = Moment(year, month, day, swappable=both)
    return moment if _exists(moment) else None


def _clocks(text: str) -> Iterator[Part]:
    for match in _CLOCK.finditer(text):
        mark, half, uhr = match["s"], match["half"], match["uhr"]
        if not (
            half or uhr or mark == ":" or (mark and "h" in mark.lower() and _after_at(text, match))
        ):
            continue
        if mark == "." and match["S"]:
            continue
        hour = int(match["H"])
        if half:
            if hour > 12:
                continue
            hour = hour % 12 + (12 if "p" in half.lower() else 0)
        if hour == 24 and match["M"] not in ("00", None):
            continue
        end = match.end()
        moment = Moment(**_clock_fields(str(hour), match["M"], match["S"]))
        zone = _ZONE.match(text, end)
        if zone and (zone["name"] or zone["sign"]):
            offset = _zone_offset(zone)
            known = zone["name"] is None or zone["name"].lower() in ZONES
            if offset is not None and known:
                moment, end = replace(moment, offset=offset), zone.end()
        yield match.start(), end, moment
    for match in _NOON.finditer(text):
        hour = 12 if match[0].lower() in ("noon", "midday", "mittag", "mediodía") else 0
        yield *match.span(), Moment(clock=time(hour))


def _after_at(text: str, match: re.Match[str]) -> bool:
    """ "à 16h30" is a time; "16h30" alone as often a duration."""
    return bool(re.search(r"(?:\bà|às|\bas|vers|de|a las?|\bat)\s$", text[: match.start()], re.I))


def _clock_fields(hour: str, minute: str | None, second: str | None) -> dict[str, object]:
    clock = time(int(hour) % 24, int(minute or 0), int(second or 0))
    return {"clock": clock, "seconds_given": second is not None}


def _offset(zone: str | None) -> int | None:
    if zone is None:
        return None
    if zone == "Z":
        return 0
    digits = re.sub(r"\D", "", zone)
    minutes = int(digits[:2]) * 60 + int(digits[2:] or 0)
    return -minutes if "-" in zone else minutes


def _zone_offset(zone: re.Match[str]) -> int | None:
    base = ZONES.get((zone["name"] or "utc").lower())
    if base is None or not zone["sign"] or zone["h"] is None:
        return base
    minutes = int(zone["h"]) * 60 + int(zone["m"] or 0)
    return base + (minutes if "+" in zone["sign"] else -minutes) if minutes < 24 * 60 else None


def _quarters(text: str) -> Iterator[Part]:
    if "Q" not in text and "quarter" not in text:
        return
    ordinals = {"first": 1, "second": 2, "third": 3, "fourth": 4}
    for match in _QUARTER.finditer(text):
        year = int(match["y"] or match["y2"] or match["y3"])
        number = match["q"] or match["q2"]
        quarter = int(number) if number else ordinals[match["w"].lower()]
        yield *match.span(), Moment(year=year, quarter=quarter)


def _named(text: str) -> Iterator[Part]:
    """Parts that hang on a word: months with their days and years, weekdays, "tomorrow"."""
    if not text or not any(c.isalpha() for c in text):
        return
    lookup = _words()
    for word in _WORD.finditer(text):
        entry = lookup.get(word[0].lower().replace("’", "'"))
        if entry is None:
            continue
        kind, number = entry
        if kind == "relative":
            if not (word[0].lower() == "hier" and language_of(text) != "fr"):
                yield *word.span(), Moment(relative_days=number)
        elif kind in ("weekday", "short weekday"):
            if kind == "weekday" or word[0][0].isupper():
                yield *word.span(), Moment(weekday=number)
        else:
            yield from _month(text, word, number, short=kind == "short month")


@cache
def _words() -> dict[str, tuple[str, int]]:
    """Lower-case words, with and without accents, to what they name."""
    names = calendar_names()
    table: dict[str, tuple[str, int]] = {}
    for kind, words in (
        ("weekday", names.weekdays),
        ("month", names.months),
        ("short month", names.short_months),
        ("short weekday", names.short_weekdays),
    ):
        for word, number in words.items():
            table.setdefault(word.replace(" ", "-"), (kind, number))
    table |= {word: ("relative", days) for word, days in RELATIVE_DAYS.items()}
    return _Folding(table)


class _Folding(dict[str, tuple[str, int]]):
    """Looks a word up as it is, then without accents, and remembers the answer for common words."""

    def get(self, key: str, default: object = None) -> tuple[str, int] | None:  # type: ignore[override]
        found = dict.get(self, key)
        if found is None and not key.isascii():
            found = dict.get(self, fold(key).replace(" ", "-"))
        return found


def _month(text: str, word: re.Match[str], month: int, *, short: bool) -> Iterator[Part]:
    start, end = word.span()
    before = text[max(0, start - 24) : start]
    left = _LEFT_DAY.search(before)
    if left and 1 <= int(left["d"]) <= 31:
        base = max(0, start - 24)
        year, end = _year_after(text, end)
        moment = Moment(year, month, int(left["d"]))
        if _exists(moment):
            if left["d1"] and _exists(replace(moment, day=int(left["d1"]))):
                first = replace(moment, day=int(left["d1"]))
                yield base + left.start("d1"), base + left.end("d1"), first
            yield base + left.start("d"), end, moment
            return
    right = _RIGHT_DAY.match(text, word.end())
    if right and 1 <= int(right["d"]) <= 31:
        year, end = _year_after(text, right.end())
        moment = Moment(year, month, int(right["d"]))
        if _exists(moment):
            if right["d2"] and _exists(replace(moment, day=int(right["d2"]))):
                yield start, right.end("d"), moment
                yield right.start("d2"), end, replace(moment, day=int(right["d2"]))
            else:
                yield start, end, moment
            return
    year, end = _year_after(text, word.end())
    if year is not None:
        yield start, end, Moment(year, month)
    elif not short and (word[0][0].isupper() or language_of(text) not in ("", "en")):
        # "may" and "march" are verbs; "May I" and "March on" begin sentences.
        if word[0].lower() not in ("may", "march", "mars", "mai") or _MONTH_CUE.search(before):
            yield *word.span(), Moment(month=month)


def _year_after(text: str, at: int) -> tuple[int | None, int]:
    match = _RIGHT_YEAR.match(text, at)
    return (int(match["y"]), match.end()) if match else (None, at)


def _exists(moment: Moment) -> bool:
    if moment.day is None or moment.month is None:
        return True
    try:
        date(moment.year or 2000, moment.month, moment.day)
    except ValueError:
        return False
    return True


def _merged(text: str, parts: list[Part]) -> Iterator[Part]:
    """Join neighbours that speak of one moment: "Friday, March 13" and "at 6:30 PM"."""
    held: Part | None = None
    for part in parts:
        if held is not None:
            joined = _join(held[2], part[2])
            gap = text[held[1] : part[0]]
            if joined is not None and len(gap) < 16 and _LINK.fullmatch(gap):
                end = part[1] + (1 if "(" in gap and text[part[1] : part[1] + 1] == ")" else 0)
                held = (held[0], end, joined)
                continue
            yield held
        held = part
    if held is not None:
        yield held


def _join(a: Moment, b: Moment) -> Moment | None:
    """Both moments as one, or None where they say the same field or do not belong together."""
    names = [field.name for field in fields(Moment)]
    # By identity: 0 is Monday and UTC.
    said = {n: v for n in names if (v := getattr(a, n)) is not None and v is not False}
    also = {n: v for n in names if (v := getattr(b, n)) is not None and v is not False}
    if said.keys() & also.keys() or "quarter" in said or "quarter" in also:
        return None
    if said.keys() <= {"year"} or also.keys() <= {"year"}:
        return None
    if ("month" in said and "day" not in said) or ("month" in also and "day" not in also):
        return None
    return Moment(**said, **also)
