"""Times of day in running text, with their zones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import time

from affidavit.ledger.values.calendar_names import ZONES
from affidavit.ledger.values.calendar_parts import Part
from affidavit.ledger.values.clock_ranges import other_end
from affidavit.ledger.values.value import Moment

_CLOCK = re.compile(
    r"(?:(?<=/\d{4}:)|(?<![\w:.,/$€£])(?<![A-Za-z_]-))(?P<H>[01]?\d|2[0-4])"
    # Not "4:02.88", the minutes and seconds of a race.
    r"(?:(?P<s>[:.]|\s?h\s?)(?P<M>[0-5]\d)(?::(?P<S>[0-5]\d)(?:[.,](?P<f>\d+))?)?)?(?!\d|[:.,]\d)"
    r"(?P<half>\s?(?:[ap]m\b|[ap]\.\s?m\.))?(?P<uhr>\s?(?:Uhr|uur|o['’]clock|klokken)\b)?",
    re.I,
)
_O_CLOCK = re.compile(r"(?:\bkl\.?|\bklo|\balle(?: ore)?|\bore|\bklokken)\s$", re.I)
_ZONE = re.compile(
    r"\s?\(?(?:(?P<name>UTC|GMT|Z|[A-Z]{2,4}T|MEZ|MESZ|MSK)(?![\w])\)?)?"
    r"(?P<sign>\s?[+−-])?(?(sign)(?P<h>\d{1,2}):?(?P<m>\d\d)?)(?![\w:])"
)


_ON_THE_HOUR = re.compile(
    r"(?:\bà|\bvers|\bdès|\bavant|\baprès|jusqu['’]à|\bpour|\bàs|\ba las)\s(?P<H>[01]?\d|2[0-4])\s?(?:h|heures?|horas?)(?!\w)"
    r"(?!\s(?:avant|après|plus tard|par|de (?!l['’]après-midi|la )|d['’]|en |plus|maximum|minimum|antes|después|depois))",
    re.I,
)
"""A full hour as French, Portuguese and Spanish have it: "à 20 h", "às 20h". Not the span of time of "à 2 h de
Paris", "jusqu'à 24 h avant"."""


def find_clocks(text: str) -> Iterator[Part]:
    """Times of day, each once: what the other end of a span says of it is more than what it says alone, as of
    the 2:30 in "from 2:30 to 3:15 PM"."""
    own = list(_clocks(text))
    ends = (end for part in own for end in other_end(text, *part))
    lent = {part[:2]: part for part in ends}
    yield from lent.values()
    yield from (part for part in own if part[:2] not in lent)


def _clocks(text: str) -> Iterator[Part]:
    for match in _ON_THE_HOUR.finditer(text):
        yield match.start("H"), match.end(), clock_moment(int(match["H"]), None, None, None)
    for match in _CLOCK.finditer(text):
        mark, half, uhr = match["s"], match["half"], match["uhr"]
        if mark == "." and not (half or uhr) and _after_o_clock(text, match):
            mark = ":"  # "kl. 14.00", "alle 15.30"
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
        offset = None
        zone = _ZONE.match(text, end)
        # "10:00-14:00" is a range, "10:00:00-04:00" has an offset.
        ranged = zone and not zone["name"] and "+" not in (zone["sign"] or "") and not match["S"]
        if zone and (zone["name"] or zone["sign"]) and not ranged:
            offset = _zone_offset(zone)
            end = end if offset is None else zone.end()
        moment = clock_moment(hour, match["M"], match["S"], offset, match["f"])
        yield match.start(), end, moment


def _after_at(text: str, match: re.Match[str]) -> bool:
    """ "à 16h30" is a time; "16h30" alone as often a duration."""
    return bool(re.search(r"(?:\bà|às|\bas|vers|de|a las?|\bat)\s$", text[: match.start()], re.I))


def _after_o_clock(text: str, match: re.Match[str]) -> bool:
    start = match.start()
    return bool(match["M"] and _O_CLOCK.search(text, max(0, start - 10), start))


def clock_moment(
    hour: int,
    minute: str | None,
    second: str | None,
    offset: int | None,
    fraction: str | None = None,
) -> Moment:
    micro = int((fraction or "0")[:6].ljust(6, "0"))
    clock = time(hour % 24, int(minute or 0), int(second or 0), micro)
    return Moment(clock=clock, offset=offset, seconds_given=second is not None)


def read_offset(zone: str | None) -> int | None:
    """Minutes from UTC: "Z", "+01:00", "-0700"."""
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
