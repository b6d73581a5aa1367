"""Time between two moments: nights of a stay, a lay-over, days since."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from itertools import combinations

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
    by_source: dict[int, list[_At]] = {}
    for passage in context.rows.fitting(context.named):
        if passage.record is not None and is_result(passage):
            moments = by_source.setdefault(passage.source.id, [])
            if len(moments) < _MOST:
                moments.extend(_moments(passage))
    for moments in by_source.values():
        for a, b in combinations(moments[:_MOST], 2):
            seconds = _between(a.moment, b.moment)
            if _is_overnight(a, b):
                seconds = 86400 - seconds
            if seconds:
                yield _derivation(value, seconds, in_days, f"{a.cell.text} to {b.cell.text}", a, b)
        if context.today is not None:
            for a in moments[:_MOST]:
                if a.moment.date is not None and a.moment.date != context.today:
                    days = abs((context.today - a.moment.date).days)
                    text = f"{a.cell.text} to {context.today.isoformat()}"
                    yield _derivation(value, days * 86400, in_days, text, a)


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


def _between(a: Moment, b: Moment) -> int:
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


def _derivation(value: Value, seconds: int, in_days: bool, text: str, *at: _At) -> Derivation:
    number = Decimal(seconds) / 86400 if in_days else Decimal(seconds)
    shown = number_like(value, number, value.unit if in_days else "s")
    unit = value.unit + "s" if in_days else "s"
    return Derivation("elapsed", shown, f"{text} = {shown.text} {unit}", tuple(a.span for a in at))
