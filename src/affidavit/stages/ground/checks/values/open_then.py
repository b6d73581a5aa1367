"""Hours of a day: a time that a list of hours has for other days than the claim says.

"On Saturday it is open until 17:00" over "Mon-Fri 9:00-17:00, Sat 10:00-14:00". That a shop is closed on a day
is borne out where its list of hours leaves the day out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.search import Hit
from affidavit.ledger.values import Value
from affidavit.ledger.values.opening_hours import Hours, hours_by_day, hours_in
from affidavit.ledger.values.short_texts import days_of_field
from affidavit.stages.ground.checks.values.value_verdict import ValueVerdict
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_CLOSED = re.compile(
    r"\b(?:closed|shut|closes? all day|geschlossen|ferm[ée]e?s?|cerrado|chiuso|fechado|gesloten)\b"
    r"|(?:\bnot|n['’]t|\bnever) (?:be )?open(?:ed)?\b|\bno opening hours\b",
    re.I,
)
_EXCEPT = re.compile(
    r"\b(?:except|excluding|other than|apart from|but not|außer|sauf|excepto|salvo|tranne|behalve)(?: for| on| am| le| el)?\s"
    r"(?:\w+(?:, | and | or | und | et | y | e ))*$",
    re.I,
)
_OPEN = re.compile(
    r"\b(?:opens?|opened|opening|geöffnet|offen|ouverte?s?|abiert[oa]|apert[oa]|abert[oa])\b", re.I
)
_WEEK = 7
_RANGE = re.compile(r"\s?(?:-|–|—|to|through|thru|till|until|bis|à|au|a|al)\s?", re.I)
_JOINS = re.compile(rf"(?:{_RANGE.pattern})|\s?(?:,|&|,?\s(?:and|or|und|et|y|e|en))\s?", re.I)


def open_then(
    value: Value, hits: Sequence[Hit], claim: Claim, context: GroundContext
) -> ValueVerdict | None:
    """What the lists of hours say of a claim's day or time; None where they leave it to other evidence."""
    if value.moment is None or claim.is_datum:
        return None
    lists = [(p, cell, hours) for p, cell, hours in _lists(context)]
    if not lists:
        return None
    if value.moment.clock is None:
        return _of_day(value, claim, context, lists)
    days = _days_of(value, context) or _days_beside(value, claim, context)
    held = [_hours_of(hit.passage, hit.cell) if hit.cell else () for hit in hits]
    if not days or not held or not all(held):
        return None
    if any(_has(hours, days, value) for hours in held):
        return None
    own = next((cell for _, cell, hours in lists if hours in held), None)
    passage = hits[0].passage
    detail = f"“{value.text}” is of other days in “{own.text if own else hits[0].value.text}”"
    return ValueVerdict(
        value, "contradicted", passage.span(own), "contradicts_evidence", detail, derivable=False
    )


_Lists = Sequence[tuple[Passage, Cell, tuple[Hours, ...]]]


def _lists(context: GroundContext) -> _Lists:
    """The lists of hours among the results that the claim may speak about."""
    every = context.search.once("lists of hours", lambda: _read(context))
    fitting = {passage.id for passage in context.fitting} if every else set[int]()
    return [found for found in every if found[0].id in fitting]


def _read(context: GroundContext) -> _Lists:
    return [
        (passage, cell, hours)
        for passage in context.search.passages
        if passage.source.kind == "tool_result"
        for cell, _, _ in passage.cells
        if (hours := _hours_of(passage, cell))
    ]


def _hours_of(passage: Passage, cell: Cell) -> tuple[Hours, ...]:
    """The list of hours that a cell is, or is part of: of ``{"mon": "9-17", "sat": "10-13", "sun": null}``."""
    if found := hours_by_day(cell.text):
        return found
    if not days_of_field(cell.path) or passage.record is None:
        return ()
    beside = [c for c in passage.record.cells if c.path[:-1] == cell.path[:-1]]
    listed = [
        Hours(frozenset(days), spans, 0, 0)
        for other in beside
        if (days := days_of_field(other.path))
        and (spans := () if other.is_blank else hours_in(other.text)) is not None
    ]
    return tuple(listed) if len(listed) >= _FEWEST else ()


_FEWEST = 3
"""Days that a list of hours has at least, each in a field of its own."""


def _of_day(
    value: Value, claim: Claim, context: GroundContext, lists: _Lists
) -> ValueVerdict | None:
    """Whether it is open on a day, where one list alone may tell."""
    days = _days_of(value, context)
    if not days or len({hours for _, _, hours in lists}) != 1:
        return None
    passage, cell, hours = lists[0]
    span = passage.span(cell)
    is_open = any(days <= one.days and one.spans for one in hours)
    if _CLOSED.search(claim.text) or _EXCEPT.search(claim.text[: value.start]):
        if not is_open:
            return ValueVerdict(value, "found", span, None, f"{value.text}: not in {span.text}")
        if any(v.moment is not None and v.moment.clock is not None for v in claim.values):
            return None  # "closed on Saturday from 14:00"
    elif is_open or not _OPEN.search(claim.text) or not any(days & one.days for one in hours):
        return None
    detail = f"“{value.text}” is {'open' if is_open else 'closed'}: {span.text}"
    return ValueVerdict(
        value, "contradicted", span, "contradicts_evidence", detail, derivable=False
    )


def _has(hours: Sequence[Hours], days: frozenset[int], value: Value) -> bool:
    """Whether each of some days has a time for one of its ends."""
    clock = value.moment.clock if value.moment else None
    return all(
        any(day in one.days and any(clock in span for span in one.spans) for one in hours)
        for day in days
    )


def _days_of(value: Value, context: GroundContext) -> frozenset[int]:
    at = value.moment
    if at is None:
        return frozenset()
    if at.weekday is not None:
        return frozenset([at.weekday])
    if at.date is not None:
        return frozenset([at.date.weekday()])
    if at.relative_days is not None and context.today is not None:
        return frozenset([(context.today + timedelta(days=at.relative_days)).weekday()])
    return frozenset()


def _days_beside(value: Value, claim: Claim, context: GroundContext) -> frozenset[int]:
    """The days that stand nearest before a time in its claim, else those behind it."""
    known = [v for v in claim.values if _days_of(v, context)]
    before = [v for v in known if v.end <= value.start]
    after = [v for v in known if v.start >= value.end]
    near = before[-1:] or after[:1]
    while near and before[-1:] and (rest := before[: -len(near)]):
        if not _JOINS.fullmatch(claim.text[rest[-1].end : near[0].start]):
            break
        near = [rest[-1], *near]
    while near and not before and (rest := after[len(near) :]):
        if not _JOINS.fullmatch(claim.text[near[-1].end : rest[0].start]):
            break
        near = [*near, rest[0]]
    days = [day for v in near for day in _days_of(v, context)]
    if len(near) == 2 and _RANGE.fullmatch(claim.text[near[0].end : near[1].start]):
        days = [(days[0] + n) % _WEEK for n in range((days[1] - days[0]) % _WEEK + 1)]
    return frozenset(days)
