"""Equality of dates and times, each said as far as it was said."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, time, timedelta, timezone

from affidavit.ledger.values.match import Match
from affidavit.ledger.values.value import Moment


def compare_moments(claim: Moment, evidence: Moment, *, today: date | None = None) -> Match:
    """Every field the claim says must be in the evidence, or follow from it, and agree."""
    best: Match = "incomparable"
    order = ("incomparable", "different", "rounded", "same")
    for said in _readings(claim):
        for known in _readings(evidence):
            match = _compare(said, known, today)
            if order.index(match) > order.index(best):
                best = match
    return best


def _readings(moment: Moment) -> list[Moment]:
    """A moment, with month and day exchanged where it may be read so, and twelve hours later where the half
    of the day was not said."""
    plain = replace(moment, swappable=False, either_half=False)
    found = [plain]
    if moment.swappable:
        found.append(replace(plain, month=moment.day, day=moment.month))
    if moment.either_half and (at := moment.clock) is not None:
        found += [replace(m, clock=at.replace(hour=(at.hour + 12) % 24)) for m in found]
    return found


def _compare(claim: Moment, evidence: Moment, today: date | None) -> Match:
    claim, evidence = _in_one_zone(claim, evidence)
    known = _known(evidence, today)
    said = _said(claim, known, today)
    if said is None:
        return "incomparable"
    if _is_recurring(evidence) and (day := _day(said)) is not None:
        # "18:00 on 14 March", a Saturday, and the hours of Saturdays
        said = {"weekday": day.weekday()}
    missing = [name for name in said if name not in known]
    clash = [name for name in said if name in known and known[name] != said[name]]
    if clash:
        return "different"
    if missing and not (missing == ["weekday"] and {"month", "day"} <= said.keys()):
        return "incomparable"
    if claim.clock is None:
        return "same"
    if evidence.clock is None:
        return "incomparable"
    return _clocks(claim, evidence)


def _in_one_zone(claim: Moment, evidence: Moment) -> tuple[Moment, Moment]:
    """The evidence in the claim's zone, where both say one; a claim without means local time."""
    if claim.offset is None or evidence.offset is None or claim.offset == evidence.offset:
        return claim, evidence
    if claim.clock is None or evidence.clock is None:
        return claim, evidence
    day = evidence.date or date(2000, 1, 1)
    at = datetime.combine(day, evidence.clock, timezone(timedelta(minutes=evidence.offset)))
    try:
        moved = at.astimezone(timezone(timedelta(minutes=claim.offset)))
    except OverflowError:
        return claim, evidence
    moved_evidence = replace(evidence, clock=moved.time(), offset=claim.offset)
    if evidence.date is not None:
        moved_evidence = replace(
            moved_evidence, year=moved.year, month=moved.month, day=moved.day, weekday=None
        )
    return claim, moved_evidence


def _known(evidence: Moment, today: date | None) -> dict[str, int]:
    """All the calendar fields the evidence gives or implies."""
    day = evidence.date
    if day is None and evidence.relative_days is not None and today is not None:
        day = today + timedelta(days=evidence.relative_days)
    if day is None and evidence.month and evidence.day and evidence.year is None and today:
        day = _nearest(evidence.month, evidence.day, today)
    known = {
        name: value
        for name in ("year", "month", "day", "weekday", "quarter", "relative_days")
        if (value := getattr(evidence, name)) is not None
    }
    if day is not None:
        known |= {"year": day.year, "month": day.month, "day": day.day, "weekday": day.weekday()}
        if today is not None:
            known["relative_days"] = (day - today).days
    if "month" in known:
        known["quarter"] = (known["month"] + 2) // 3
    return known


def _nearest(month: int, day: int, today: date) -> date | None:
    """The date nearest to today that a month and day without a year can mean."""
    candidates = []
    for year in (today.year - 1, today.year, today.year + 1):
        try:
            candidates.append(date(year, month, day))
        except ValueError:
            continue
    return min(candidates, key=lambda d: abs(d - today), default=None)


def _said(claim: Moment, known: dict[str, int], today: date | None) -> dict[str, int] | None:
    """The calendar fields a claim commits itself to; None where it can not be placed."""
    said = {
        name: value
        for name in ("year", "month", "day", "weekday", "quarter")
        if (value := getattr(claim, name)) is not None
    }
    if claim.relative_days is not None:
        if today is not None:
            day = today + timedelta(days=claim.relative_days)
            relative = {"year": day.year, "month": day.month, "day": day.day}
            # The claim's own words may disagree: "tomorrow, March 9" on the 9th.
            if any(said.get(name, value) != value for name, value in relative.items()):
                return said | {"relative_days": claim.relative_days}
            said |= relative
        elif "relative_days" in known or (not said and claim.clock is None):
            said["relative_days"] = claim.relative_days
    return said


def _clocks(claim: Moment, evidence: Moment) -> Match:
    assert claim.clock is not None
    assert evidence.clock is not None
    a, b = claim.clock, evidence.clock
    if claim.seconds_given and evidence.seconds_given:
        if a.microsecond and b.microsecond:
            return _fractions(a, b)
        return "same" if a.replace(microsecond=0) == b.replace(microsecond=0) else "different"
    if (a.hour, a.minute) == (b.hour, b.minute):
        return "same"
    # 09:34:42 is 9:35 to the nearest minute.
    ahead = (a.hour - b.hour) * 3600 + (a.minute - b.minute) * 60 - b.second
    if not claim.seconds_given and evidence.seconds_given and 0 < ahead <= 30:
        return "rounded"
    return "different"


def _fractions(said: time, known: time) -> Match:
    """Two times to fractions of a second: equal as far as the claim has digits, cut off or rounded."""
    if said == known:
        return "same"
    digits = len(f"{said.microsecond:06}".rstrip("0"))
    gap = _microseconds(known) - _microseconds(said)
    return "rounded" if -(10 ** (6 - digits)) <= gap * 2 < 2 * 10 ** (6 - digits) else "different"


def _microseconds(at: time) -> int:
    return ((at.hour * 60 + at.minute) * 60 + at.second) * 10**6 + at.microsecond


def _is_recurring(moment: Moment) -> bool:
    """Whether a moment is a time of a weekday of any week, as opening hours and timetables have it."""
    plain = moment.month is None and moment.day is None and moment.relative_days is None
    return plain and moment.weekday is not None and moment.clock is not None


def _day(said: dict[str, int]) -> date | None:
    if not {"year", "month", "day"} <= said.keys():
        return None
    try:
        day = date(said["year"], said["month"], said["day"])
    except ValueError:
        return None
    return day if said.get("weekday", day.weekday()) == day.weekday() else None
