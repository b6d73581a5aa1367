"""How far something is from the extreme of a list: "€35 less than the best fare on the 11th"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from affidavit.ledger.values import Value
from affidavit.ledger.words import content_stems, named_in
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Operand,
    Table,
    counts_nothing,
    like_measures,
    number_like,
    same_measure,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_THAN = re.compile(
    r"\b(?:than|of|over|above|below|under|from|behind|and|to)\s+(?:the|its|their|any|all)?\s*(?:next[- ]|second[- ]|runner)?"
    r"(?P<end>best|cheapest|lowest|smallest|shortest|fastest|quickest|earliest|fewest|least|highest|largest|biggest|longest|"
    r"greatest|dearest|most expensive|priciest|slowest|top|maximum|minimum|most|next|runner-?up|second)\b",
    re.I,
)
_NEAR = 4
"""Claims back in which the figure that is set against the extreme may have been told."""


def beyond(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """A figure that was just told, less the largest or smallest (or the next to it) of a column: the words
    ask for an extreme behind "than"."""
    if value.number is None or not _THAN.search(claim.text):
        return
    told = [
        v
        for c in (*context.before[-_NEAR:], claim)
        for v in c.values
        if v is not value and v.number is not None and like_measures(v, value)
    ]
    said = content_stems(claim.statement)
    for table in known:
        columns = [
            c for c in table.columns.values() if len(c) > 1 and not counts_nothing(c[0].cell)
        ]
        named = [c for c in columns if named_in(content_stems(c[0].cell.key), said)]
        for column in named or columns:
            for end in _ends(same_measure(column, value)):
                for subject in told:
                    yield from _derived(value, subject, end, context)
                for own in (column[0], column[-1]) if not told else ():
                    yield from _derived(value, own.value, end, context)


def _ends(column: list[Operand]) -> list[Operand]:
    """The largest, the smallest, and what comes next to each."""
    ordered = sorted(column, key=lambda o: o.number)
    return [*ordered[:2], *ordered[2:][-2:]] if len(ordered) > 1 else []


def _derived(
    value: Value, subject: Value, end: Operand, context: GroundContext
) -> Iterator[Derivation]:
    if subject.number is None or not context.search.hits(subject, today=context.today):
        return
    gap = abs(subject.number - end.number)
    if gap > Decimal(0):
        shown = number_like(value, gap, end.value.unit)
        text = f"|{subject.text} − {end}| = {shown.text}"
        yield Derivation("difference", shown, text, (end.span,), exact=True)
