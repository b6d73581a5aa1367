"""Times of day as they are spoken: "half past eight", "a quarter to nine", "eight in the evening"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import time

from affidavit.ledger.values.calendar_parts import Part
from affidavit.ledger.values.cued import Cued
from affidavit.ledger.values.value import Moment

_HOURS = "one two three four five six seven eight nine ten eleven twelve".split()
_MINUTES = {
    "five": 5,
    "ten": 10,
    "quarter": 15,
    "twenty": 20,
    "twenty-five": 25,
    "twenty five": 25,
    "half": 30,
}
_HOUR = rf"(?P<hour>{'|'.join(_HOURS)}|1[0-2]|[1-9])"
_DAYTIME = (
    r"(?:\s(?P<part>[ap]\.?m\b\.?|in the (?:early |late )?(?:morning|afternoon|evening)|at (?:night|noon)|tonight|"
    r"this (?:morning|afternoon|evening)))?"
)
# "Half past eight", "twenty to six"; not "five to nine people", nor "ten past the bridge".
_PAST = Cued(
    re.compile(
        rf"\b(?:an?\s)?(?P<minutes>half|quarter|twenty[- ]five|twenty|ten|five)(?:\sminutes)?\s(?P<way>past|after|to|before|till?)\s"
        rf"{_HOUR}(?:\so['’]clock)?{_DAYTIME}(?![\w:%-])(?!\s(?!and|but|on|in|at|with|for|the|this|sharp)[a-z]+s\b)",
        re.I,
    ),
    "half", "quarter", "twenty", "ten", "five",
)  # fmt: skip
# "Eight in the evening", "5:30 in the afternoon".
_OF_DAY = Cued(
    re.compile(
        rf"(?<![\w:.,-]){_HOUR}(?:[:.](?P<M>[0-5]\d))?(?:\so['’]clock)?\s"
        r"(?P<part>in the (?:early |late )?(?:morning|afternoon|evening)|at night|tonight|this (?:morning|afternoon|evening))\b",
        re.I,
    ),
    "morning", "afternoon", "evening", "night",
)  # fmt: skip
_O_CLOCK = Cued(
    re.compile(
        rf"(?<![\w:.,-])(?P<hour>{'|'.join(_HOURS)})\so['’]clock(?P<part>)(?!\w)", re.I
    ),
    "clock",
)  # fmt: skip


def find_spoken_times(text: str) -> Iterator[Part]:
    """Times that no clock would show so. Where the half of the day is not said, either may be meant."""
    for match in _PAST.finditer(text):
        minutes = _MINUTES[match["minutes"].lower()]
        if match["way"].lower() in ("past", "after"):
            yield _part(match, _hour(match), minutes)
        elif match["minutes"].lower() not in ("half",) and not _counts(match):
            yield _part(match, _hour(match) - 1, 60 - minutes)
    for match in _OF_DAY.finditer(
        text
    ):  # not "three in the morning and five in the evening" of trains
        if (
            match["M"]
            or "clock" in match[0]
            or _AT.search(text, max(0, match.start() - 12), match.start())
        ):
            yield _part(match, _hour(match), int(match["M"] or 0))
    for match in _O_CLOCK.finditer(text):
        if not _OF_DAY.pattern.match(text, match.start()):
            yield _part(match, _hour(match), 0)


_AT = re.compile(r"\b(?:at|about|around|by|until|till|from|since|before|after|to|and)\s$", re.I)


def _counts(match: re.Match[str]) -> bool:
    """Whether "five to nine" is a range: without a quarter, a daytime or "at" nothing shows that it is none."""
    if match["minutes"].lower() == "quarter" or match["part"]:
        return False
    return not _AT.search(match.string, max(0, match.start() - 12), match.start())


def _hour(match: re.Match[str]) -> int:
    said = match["hour"].lower()
    return int(said) if said.isdigit() else _HOURS.index(said) + 1


def _part(match: re.Match[str], hour: int, minute: int) -> Part:
    part = (match["part"] or "").lower()
    morning = part[:1] == "a" and part[:2] != "at" or "morning" in part
    if morning or (part == "at night" and hour % 12 < 5):
        return *match.span(), Moment(clock=time(hour % 12, minute))
    if part:
        return *match.span(), Moment(clock=time(hour % 12 + 12, minute))
    return *match.span(), Moment(clock=time(hour % 12, minute), either_half=True)
