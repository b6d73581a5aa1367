"""Time between two moments: nights of a stay, a lay-over, days since."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from itertools import combinations, product

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.values import Moment, Value
from affidavit.ledger.words import content_stems
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Table,
    is_result,
    number_like,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_DAY_UNITS = frozenset({"day", "night", "noche", "nacht", "nuit", "tag", "día", "dia"})
_MOST = 24


@dataclass(frozen=True, slots=True)
class _Line:
    passage: Passage
    moment: Moment
    text: str


@dataclass(frozen=True)
class _At:
    passage: Passage
    cell: Cell
    moment: Moment

    @property
    def span(self) -> EvidenceSpan:
        return self.passage.span(self.cell)


def elapsed(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """A duration or a number of days or nights between two moments of one result, or until today."""
    in_days = value.kind in ("number", "quantity") and value.unit in _DAY_UNITS
    if value.number is None or not (in_days or value.kind == "duration"):
        return
    yield from _from_today(claim, value, in_days, context)
    yield from _days_listed(value, in_days, known)
    yield from _over_lines(value, in_days, context)
    by_source: dict[int, list[_At]] = {}
    for passage in context.rows.fitting(context.named):
        if passage.record is not None and is_result(passage):
            moments = by_source.setdefault(passage.source.id, [])
            if len(moments) < _MOST:
                moments.extend(_moments(passage))
    for moments in by_source.values():
        for a, b in combinations(moments[:_MOST], 2):
            seconds = seconds_between(a.moment, b.moment)
            if _is_overnight(a, b):
                seconds = 86400 - seconds
            if seconds:
                yield time_derived(
                    value, seconds, in_days, f"{a.cell.text} to {b.cell.text}", a.span, b.span
                )
        if context.today is not None:
            for a in moments[:_MOST]:
                if a.moment.date is not None and a.moment.date != context.today:
                    days = abs((context.today - a.moment.date).days)
                    text = f"{a.cell.text} to {context.today.isoformat()}"
                    yield time_derived(value, days * 86400, in_days, text, a.span)


_AWAY = re.compile(r"\b(?:away|from (?:now|today)|until|till|to go|left|ahead|ago|in)\b", re.I)
_NEAR = 2
"""Claims back in which the day may have been told that is so far away."""


def _from_today(
    claim: Claim, value: Value, in_days: bool, context: GroundContext
) -> Iterator[Derivation]:
    """The days between the run's date and a day that the claim, or one just before, speaks of: "Saturday is
    three days away"."""
    if context.today is None or not _AWAY.search(claim.text):
        return
    told = [v for c in (*context.before[-_NEAR:], claim) for v in c.values if v.moment is not None]
    for said in told:
        assert said.moment is not None
        day = said.moment.date
        if day is None and said.moment.weekday is not None:
            ahead = (said.moment.weekday - context.today.weekday()) % 7
            day = context.today + timedelta(days=ahead or 7)
        if day is None or day == context.today:
            continue
        days = abs((day - context.today).days)
        text = f"{context.today.isoformat()} to {said.text}"
        yield time_derived(value, days * 86400, in_days, text)


def _days_listed(value: Value, in_days: bool, known: list[Table]) -> Iterator[Derivation]:
    """As many days as a list has rows of different days: "over those seven days"."""
    for table in known:
        days = {
            moment.date
            for passage in table.passages
            for _, held in passage.cell_values
            if (moment := held.moment) is not None and moment.clock is None
        }
        if None not in days and len(days) == len(table.rows) > 1:
            spans = (table.passages[0].span(), table.passages[-1].span())
            text = f"days in {table.name}"
            yield time_derived(value, len(days) * 86400, in_days, text, *spans)


_BEGINS = re.compile(r"\b(?:start|begin|began|launch|initiat|kick|open)\w*", re.I)
_ENDS_LINE = re.compile(r"\b(?:finish|complet|done|ended|stopp|exit|succe|fail|clos)\w*", re.I)
_MOST_LINES = 400


def _over_lines(value: Value, in_days: bool, context: GroundContext) -> Iterator[Derivation]:
    """From a line of a log that begins something to the one that ends it."""
    found: dict[int, tuple[list[_Line], list[_Line]]] = {}
    texts = [p for p in context.search.passages if p.record is None and is_result(p)]
    for passage in texts if len(texts) <= _MOST_LINES else ():
        begun, ended = found.setdefault(passage.source.id, ([], []))
        for moment, line in _dated_lines(passage):
            if _BEGINS.search(line):
                begun.append(_Line(passage, moment, line))
            elif _ENDS_LINE.search(line):
                ended.append(_Line(passage, moment, line))
    for begun, ended in found.values():
        for a, b in product(begun[:_MOST], ended[:_MOST]):
            seconds = seconds_between(a.moment, b.moment)
            if seconds:
                text = f"{a.text[:40].strip()} to {b.text[:40].strip()}"
                yield time_derived(
                    value, seconds, in_days, text, a.passage.span(), b.passage.span()
                )


def _dated_lines(passage: Passage) -> Iterator[tuple[Moment, str]]:
    """The lines that open with a date and a time."""
    at = 0
    for line in passage.text.splitlines(keepends=True):
        first = next((v for v in passage.values if at <= v.start < at + len(line)), None)
        if first is not None and first.moment is not None and first.start <= at + 2:
            if first.moment.clock is not None:
                yield first.moment, line
        at += len(line)


def spans_of_days(
    passage: Passage, context: GroundContext
) -> list[tuple[Decimal, str, tuple[EvidenceSpan, ...]]]:
    """The whole-day spans between the dates of one result: how long a stay or a hire lasts."""
    moments = [
        at
        for other in context.search.passages
        if other.source is passage.source and other.record is not None
        for at in _moments(other)
        if at.moment.date is not None and at.moment.clock is None
    ]
    found: list[tuple[Decimal, str, tuple[EvidenceSpan, ...]]] = []
    for a, b in combinations(moments[:_MOST], 2):
        assert a.moment.date is not None and b.moment.date is not None
        days = abs((b.moment.date - a.moment.date).days)
        if days:
            found.append((Decimal(days), f"{a.cell.text} to {b.cell.text}", (a.span, b.span)))
    return found


def _moments(passage: Passage) -> list[_At]:
    return [
        _At(passage, cell, value.moment)
        for cell, value in passage.cell_values
        if value.moment is not None and value.kind == "moment"
    ]


def _is_overnight(a: _At, b: _At) -> bool:
    """Whether two times of day, of one that starts and one that ends, lie on either side of midnight."""
    one, other = a.moment, b.moment
    if one.date is not None or other.date is not None or one.clock is None or other.clock is None:
        return False
    if content_stems(a.cell.key) & _ENDS and content_stems(b.cell.key) & _STARTS:
        one, other = other, one
    elif not (content_stems(a.cell.key) & _STARTS and content_stems(b.cell.key) & _ENDS):
        return False
    return one.clock is not None and other.clock is not None and other.clock < one.clock


_STARTS = content_stems(
    "start starts begin begins from departs departure depart dep leaves opens open check-in"
)
_ENDS = content_stems(
    "end ends finish until to arrives arrival arrive arr lands closes close check-out"
)


def seconds_between(a: Moment, b: Moment) -> int:
    """Seconds between two moments, 0 where they cannot be compared."""
    if a.date is not None and b.date is not None:
        if a.clock is None or b.clock is None:
            return abs((b.date - a.date).days) * 86400
        one, two = _instant(a, a.date, a.clock), _instant(b, b.date, b.clock)
        if (one.tzinfo is None) != (two.tzinfo is None):
            one, two = one.replace(tzinfo=None), two.replace(tzinfo=None)
        return abs(int((two - one).total_seconds()))
    if a.date is None and b.date is None and a.clock is not None and b.clock is not None:
        day = date(2000, 1, 1)
        gap = datetime.combine(day, b.clock) - datetime.combine(day, a.clock)
        return abs(int(gap.total_seconds()))
    return 0


def _instant(moment: Moment, day: date, clock: time) -> datetime:
    plain = datetime.combine(day, clock)
    if moment.offset is None:
        return plain
    return plain.replace(tzinfo=timezone(timedelta(minutes=moment.offset)))


def time_derived(
    value: Value, seconds: int, in_days: bool, text: str, *spans: EvidenceSpan
) -> Derivation:
    """So many seconds in the shape of the claim's value: a duration, or a number of days or nights."""
    number = Decimal(seconds) / 86400 if in_days else Decimal(seconds)
    shown = number_like(value, number, value.unit if in_days else "s")
    unit = value.unit + "s" if in_days else "s"
    return Derivation("elapsed", shown, f"{text} = {shown.text} {unit}", spans)
