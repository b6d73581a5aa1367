"""Weeks, months and years counted from the run's date: "it shipped last week" of ``shipped: 2026-02-12``."""

from __future__ import annotations

import re
from datetime import date, timedelta

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.words import content_stems, is_negated, named_in
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "relative_periods"

_PERIOD = re.compile(
    r"(?<!the )(?<!than )(?<!since )(?<!over )\b(?P<which>last|this|next) (?P<unit>week|month|year)\b(?!['’]s| (?:or|and|to)\b)",
    re.I,
)
"""Not "over the last month", which reaches back from today, nor "more than last year"."""
_HEDGED = re.compile(
    r"\b(?:if|unless|would|could|might|until|till|by|from|starting|so far|every|each|per|compared)\b",
    re.I,
)
_MOST = 60
"""Passages beyond which no one date is sure to be meant."""
_STEP = {"last": -1, "this": 0, "next": 1}


def check_relative_periods(claim: Claim, context: GroundContext) -> Finding:
    """Hold the date that a claim names against the week, month or year that it says."""
    found = list(_PERIOD.finditer(claim.text))
    today = context.today
    if (
        today is None
        or len(found) != 1
        or claim.is_datum
        or claim.kind in ("restatement", "absence")
    ):
        return Finding.skip(NAME, "says no one week, month or year from today")
    if is_negated(claim.text) or _HEDGED.search(claim.text) or any(v.moment for v in claim.values):
        return Finding.skip(NAME, "says more of the time than that")
    said = content_stems(_PERIOD.sub(" ", claim.statement))
    dates = _named(said, context)
    if len({cell.path for _, cell, _ in dates}) != 1 or len({p.pointer for p, _, _ in dates}) != 1:
        return Finding.skip(NAME, "not sure which date is meant")
    passage, cell, day = dates[0]
    span = passage.span(cell)
    if _lies_in(day, found[0]["which"].lower(), found[0]["unit"].lower(), today):
        return Finding(
            NAME, "checked", "supports", 0.93, None, span.text, spans=(span,), settles="values"
        )
    detail = f"“{found[0][0]}” is said, the evidence has {span.text}"
    return Finding(
        NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=(span,)
    )


def _named(said: frozenset[str], context: GroundContext) -> list[tuple[Passage, Cell, date]]:
    """The dates in fields that the claim names best."""
    shown = [p for p in context.fitting if is_result(p) and p.record is not None]
    dates = [
        (passage, cell, value.moment.date, len(named_in(content_stems(cell.key), said)))
        for passage in (shown if len(shown) <= _MOST else ())
        for cell, value in passage.cell_values
        if value.moment is not None and value.moment.date is not None
    ]
    best = max((named for *_, named in dates), default=0)
    return [(p, c, day) for p, c, day, named in dates if named == best > 0]


def _lies_in(day: date, which: str, unit: str, today: date) -> bool:
    """Whether a day is of that period; of a week that begins on Monday or on Sunday."""
    step = _STEP[which]
    if unit == "year":
        return day.year == today.year + step
    if unit == "month":
        months = (day.year - today.year) * 12 + day.month - today.month
        return months == step
    first = today + timedelta(weeks=step)
    for begins in (0, 6):  # on Monday or on Sunday
        start = first - timedelta(days=(first.weekday() - begins) % 7)
        if start <= day < start + timedelta(days=7):
            return True
    return False
