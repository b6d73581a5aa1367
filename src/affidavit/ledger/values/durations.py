"""Spans of time and shares in words and in ISO 8601, and the parts of one span put together."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from affidavit.ledger.values.text import singular
from affidavit.ledger.values.units import time_unit
from affidavit.ledger.values.value import Value

_HALF_OF_TIME = re.compile(
    r"\b(?:half (?:an|a) (?P<half>hour|minute|day|year)|(?P<quarters>(?:a |three )?quarters?) of an "
    r"(?P<quarter>hour)|(?:an?|one) (?P<one>hour|minute|day|week|month|year)"
    r"(?: and (?P<more>a half|a quarter|three quarters)\b)?)(?!\w)",
    re.I,
)
_ISO_DURATION = re.compile(
    r"(?<!\w)P(?=[\dT])(?:(?P<year>\d+)Y)?(?:(?P<month>\d+)M)?(?:(?P<week>\d+)W)?(?:(?P<day>\d+)D)?"
    r"(?:T(?=\d)(?:(?P<hour>\d+)H)?(?:(?P<minute>\d+)M)?(?:(?P<second>\d+(?:\.\d+)?)S)?)?(?!\w)"
)
# "4:02.88", minutes, seconds and a fraction, as races and videos are timed; "1:02:03.4" is a clock's, and
# "41:22" no time of day.
_STOPWATCH = re.compile(
    r"(?<![\w:.,/-])(?:(?P<minutes>\d{1,3}):(?P<seconds>[0-5]\d[.,]\d{1,3})"
    r"|(?P<many>2[4-9]|[3-9]\d|\d{3}):(?P<whole>[0-5]\d))(?![\w:]|[.,]\d)"
)
_FRACTION = re.compile(
    r"\b(?:(?P<n>one|two|three|four)[ -](?P<d>thirds?|quarters?|fifths?)|a (?P<a>third|fifth) of|"
    r"(?P<half>half) of)\b",
    re.I,
)
# "One in five", which is a fifth; not "one in five minutes".
_ONE_IN = re.compile(
    r"\b(?P<n>one|two|three|four|seven|nine|1) in (?:every )?(?P<of>two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|"
    r"a hundred|100|[2-9]|[1-9]\d)(?![\w%:/-]|[.,]\d| (?:[a-z]+ )?(?:milli|micro)?(?:seconds?|minutes?|mins?|hours?|days?|weeks?|months?|"
    r"years?|steps?|parts?|stages?|rounds?|places?|languages?|versions?|formats?|sizes?|colou?rs?|rows?|cities|countries|sections?|lines?)\b)",
    re.I,
)
# "3m12s", "2d4h", "1h30m": two parts at least, as tools print ages and uptimes.
_COMPACT = re.compile(
    r"(?<![\w.:-])(?=\d+[dhm]\d)(?:(?P<day>\d+)d)?(?:(?P<hour>\d+)h)?(?:(?P<minute>\d+)m)?(?:(?P<second>\d+)s)?(?![\w-])"
)
_FRACTION_HINT = re.compile(
    r"alf |thirds?\b|quarter|fifth|n (?:hour|minute)|[ae] (?:minute|day|week|month|year)"
)
_PARTS = {"third": 3, "quarter": 4, "fifth": 5}
_PARTS_MORE = {
    "a half": Decimal("0.5"), "a quarter": Decimal("0.25"), "three quarters": Decimal("0.75"),
}  # fmt: skip
_NUMBERS = {
    word: n for n, word in enumerate("one two three four five six seven eight nine ten".split(), 1)
} | {"twelve": 12, "twenty": 20, "fifty": 50, "a hundred": 100}
_OVER = {"one": 1, "two": 2, "three": 3, "four": 4}
_PER = re.compile(
    r"(?:\d[^\s\d]*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|[a-z]+ty|hundred|thousand))\s"
    r"(?:[a-zA-Z°%µ²³]{1,5}\s|(?:cents|euros?|dollars?|pounds?|pence|francs?|kron[ae]r?|kronor)\s)?$",
    re.I,
)
_THEN = re.compile(r"(?:,?\s(?:and|und|et|y|e|en)\s|,\s|\s)?")


def find_spelled(text: str) -> list[Value]:
    """Spans and shares that no number in digits shows: "PT2H45M", "half an hour", "two thirds"."""
    found = [value for match in _ISO_DURATION.finditer(text) for value in _iso_duration(match)]
    found += [value for match in _COMPACT.finditer(text) for value in _iso_duration(match)]
    if ":" in text:
        found += [_stopwatch(match) for match in _STOPWATCH.finditer(text)]
    if " in " in text:
        found += [value for match in _ONE_IN.finditer(text) for value in _one_in(match)]
    if _FRACTION_HINT.search(text):
        found += [value for match in _HALF_OF_TIME.finditer(text) for value in _spelled(match)]
        found += [_share(match) for match in _FRACTION.finditer(text)]
    return found


def _stopwatch(match: re.Match[str]) -> Value:
    minutes, rest = match["minutes"] or match["many"], match["seconds"] or match["whole"]
    seconds = int(minutes) * 60 + Decimal(rest.replace(",", "."))
    return Value("duration", match[0], *match.span(), number=seconds, unit="s")


def _spelled(match: re.Match[str]) -> list[Value]:
    unit = (match["half"] or match["quarter"] or match["one"]).lower()
    if match["half"]:
        count = Decimal("0.5")
    elif match["quarter"]:
        count = Decimal("0.75" if match["quarters"].lower().startswith("three") else "0.25")
    elif match["more"]:
        count = 1 + _PARTS_MORE[match["more"].lower()]
    elif unit == "hour" and not _PER.search(match.string, 0, match.start()):
        count = Decimal(1)
    else:
        return []  # "a day" and "5 an hour" say how often
    base = time_unit(unit)
    assert base is not None
    return [
        Value(
            "duration", match[0], *match.span(), number=count * base[1], unit=base[0], face=count,
            face_unit=unit,
        )
    ]  # fmt: skip


def _share(match: re.Match[str]) -> Value:
    if match["half"]:
        share = Decimal(50)
    else:
        over = _OVER[(match["n"] or "one").lower()]
        share = Decimal(100 * over) / _PARTS[singular((match["d"] or match["a"]).lower())]
    whole = share == share.to_integral_value()
    return Value("percent", match[0], *match.span(), number=share, approx=not whole)


def _one_in(match: re.Match[str]) -> list[Value]:
    part, whole = (_counted(match[name]) for name in ("n", "of"))
    if part >= whole:
        return []
    share = round(100 * part / whole, 6)
    return [Value("percent", match[0], *match.span(), number=share, approx=True)]


def _counted(text: str) -> Decimal:
    return Decimal(int(text) if text.isdigit() else _NUMBERS[text.lower()])


def _iso_duration(match: re.Match[str]) -> list[Value]:
    """ISO 8601: "PT2H45M", "P1Y6M". Months and days do not add up, so "P1M3D" is left alone."""
    parts = [
        (Decimal(said), unit)
        for name, said in match.groupdict().items()
        if said and (unit := time_unit(name))
    ]
    bases = {base for _, (base, _) in parts}
    if len(bases) != 1:
        return []
    total = sum((count * factor for count, (_, factor) in parts), Decimal(0))
    return [Value("duration", match[0], *match.span(), number=total, unit=bases.pop())]


def minutes(values: list[Value]) -> list[Value]:
    """In "2h 15m" and "3m 42s" the m is for minutes, alone it is for metres."""
    for i, value in enumerate(values):
        if value.kind != "quantity" or value.face_unit != "m" or value.face is None:
            continue
        before, after = values[i - 1] if i else None, values[i + 1 : i + 2]
        hours = before and before.face_unit == "h" and value.start - before.end <= 1
        seconds = after and after[0].face_unit == "s" and after[0].start - value.end <= 1
        if hours or seconds:
            values[i] = replace(
                value, kind="duration", number=value.face * 60, unit="s", face_unit="min"
            )
    return values


def joined_durations(text: str, values: list[Value]) -> list[Value]:
    """ "1 h 30 min" is one duration: parts in falling units, each below one of the unit before."""
    joined: list[Value] = []
    for value in values:
        last = joined[-1] if joined else None
        if last and _continues(last, value) and _THEN.fullmatch(text[last.end : value.start]):
            assert last.number is not None
            assert value.number is not None
            joined[-1] = replace(
                last, text=text[last.start : value.end], end=value.end,
                number=last.number + value.number, face=None, face_unit=value.face_unit,
            )  # fmt: skip
        else:
            joined.append(value)
    return joined


def _continues(last: Value, value: Value) -> bool:
    if not last.kind == value.kind == "duration" or last.unit != value.unit:
        return False
    step = time_unit(last.face_unit)
    return step is not None and value.number is not None and abs(value.number) < step[1]
