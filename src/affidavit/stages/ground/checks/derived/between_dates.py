"""Days between two dates that the answer itself tells, both of which are known: "from 12 January to 20 March"; and
the time between two times of day of one sentence: "at 11:00 you'd have half an hour, since it starts at 11:30".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal
from itertools import combinations

from affidavit.ledger.values import Moment, Value, compare, parse_values
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.ages import ages
from affidavit.stages.ground.checks.derived.derivation import Derivation, Table, number_like
from affidavit.stages.ground.checks.derived.later_dates import later_dates
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_DAYS = frozenset({"day", "night", "week", "jour", "nuit", "tag", "nacht", "día", "noche"})
_NEAR = 2
"""Claims back in which one of the two may have been told."""
_MOST = 4


def between_dates(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The days from one date of the claim to another, or to one told just before; a date without a year is
    in that of the other, or in the year after it."""
    yield from _between_clocks(claim, value, context)
    in_days = value.kind in ("number", "quantity") and value.unit in _DAYS
    if value.number is None or not (in_days or value.kind == "duration" and value.unit == "s"):
        return
    own = [v for v in claim.values if _is_day(v, claim, context, known)]
    near = [v for c in context.before[-_NEAR:] for v in c.values if _is_day(v, c, context, known)]
    for a, b in combinations([*near, *own][-_MOST:], 2):
        if b not in own or len(own) >= 2 and a not in own:
            continue
        days = _days(a, b, context)
        if days:
            number = Decimal(days) if in_days else Decimal(days * 86400)
            if in_days and value.unit == "week":
                number /= 7
            shown = number_like(value, number, value.unit if in_days else "s")
            spans = _spans((a, b), context)
            text = f"{a.text} to {b.text} = {days} days"
            yield Derivation("elapsed", shown, text, spans, exact=True)


def _between_clocks(claim: Claim, value: Value, context: GroundContext) -> Iterator[Derivation]:
    """From one time of day of the claim to another of its sentence."""
    if value.kind != "duration" or value.number is None:
        return
    own = [v for v in claim.values if _is_clock(v, context)]
    behind = _SENTENCE.split(context.answer[claim.end :])[0] if own else ""
    told = [v for c in context.before if c.sentence == claim.sentence for v in c.values]
    said = [v for v in (*told, *parse_values(behind)) if _is_clock(v, context)]
    for a, b in combinations([*own, *said][:_MOST], 2):
        if a in own:
            seconds = abs(_seconds(a) - _seconds(b))
            shown = number_like(value, Decimal(seconds), "s")
            spans = _spans((a, b), context)
            text = f"{a.text} to {b.text} = {seconds // 60} min"
            yield Derivation("elapsed", shown, text, spans, exact=True)


_SENTENCE = re.compile(r"(?<=[.!?])\s|\n")


def _is_clock(value: Value, context: GroundContext) -> bool:
    """Whether a value is a time of day that the evidence, or the user, has."""
    moment = value.moment
    if moment is None or moment.clock is None or moment.date is not None:
        return False
    return bool(context.search.hits(value, today=context.today))


def _seconds(value: Value) -> int:
    assert value.moment is not None and value.moment.clock is not None
    clock = value.moment.clock
    return clock.hour * 3600 + clock.minute * 60 + clock.second


def _spans(values: Iterable[Value], context: GroundContext) -> tuple[EvidenceSpan, ...]:
    """Where the values are; a day that is itself worked out is nowhere."""
    hits = [context.search.hits(value, today=context.today)[:1] for value in values]
    return tuple(hit.passage.span(hit.cell) for found in hits for hit in found)


def _is_day(value: Value, claim: Claim, context: GroundContext, known: list[Table]) -> bool:
    """Whether a value is a day of the calendar that the evidence, or the user, has, or that is worked out."""
    moment = value.moment
    if moment is None or moment.month is None or moment.day is None:
        return False
    if context.search.hits(value, today=context.today):
        return True
    worked_out = (day for how in (ages, later_dates) for day in how(claim, value, context, known))
    return any(compare(value, found.result) == "same" for found in worked_out)


def _days(a: Value, b: Value, context: GroundContext) -> int:
    one, two = _dated(a, context), _dated(b, context)
    year = one.year or two.year or (context.today.year if context.today else _ANY)
    try:
        first = replace(one, year=one.year or year).date
        second = replace(two, year=two.year or year).date
        if first and second and second < first and two.year is None:
            second = date(second.year + 1, second.month, second.day)
    except ValueError:  # 29 February of a year that has none
        return 0
    return abs((second - first).days) if first and second else 0


_ANY = 2001
"""A year of 365 days, where none is known."""


def _dated(value: Value, context: GroundContext) -> Moment:
    """The moment of a value, with the year that the evidence gives it, if it is one."""
    assert value.moment is not None
    if value.moment.year is not None:
        return value.moment
    hits = context.search.hits(value, today=context.today)
    years = {h.value.moment.year for h in hits if h.value.moment is not None} - {None}
    return replace(value.moment, year=years.pop()) if len(years) == 1 else value.moment
