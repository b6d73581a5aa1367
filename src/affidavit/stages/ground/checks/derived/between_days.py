"""Sums over the days from one date to another: what a roof gave "from March 1 to 3", a day in each field or row."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from affidavit.ledger.values import Moment, Value
from affidavit.stages.ground.checks.derived.aggregate import EACH
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Operand,
    Table,
    counts_nothing,
    formula,
    number_like,
    same_measure,
    things,
)
from affidavit.stages.ground.checks.values.windows import dates_named
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_RANGE = re.compile(r"\s?(?:-|–|—|to|through|until|till|and|bis|à|au|a|al)\s?(?:the )?", re.I)
_OTHER = re.compile(
    r"\b(?:average\w*|mean|median|highest|lowest|most|least|rose|fell|grew|dropped|up|down|change\w*|difference|peak\w*)\b",
    re.I,
)


def between_days(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The sum of one measure over all days that lie between two dates of the claim, both included."""
    if value.number is None or value.kind in ("percent", "duration") or EACH.search(claim.text):
        return
    said = [v for v in claim.values if v.moment is not None and v.moment.day is not None]
    if len(said) != 2 or _OTHER.search(claim.text):
        return
    if not _RANGE.fullmatch(claim.text[said[0].end : said[1].start]):
        return
    for column in (*_fields(context), *_rows(known)):
        year = next(iter(column)).year
        first, last = (_day(v.moment, year) for v in said)
        held = [o for day, o in column.items() if first and last and first <= day <= last]
        parts = same_measure(held, value)
        if len(parts) > 1 and len(parts) == len(held):
            total = sum((part.number for part in parts), Decimal(0))
            shown = number_like(value, total, parts[0].value.unit)
            spans = tuple(part.span for part in parts[:8])
            yield Derivation("sum", shown, formula(parts, "+", shown.text), spans)


def _fields(context: GroundContext) -> Iterator[dict[date, Operand]]:
    """The fields of one map that are named for days."""
    for thing in things(context):
        columns: dict[tuple[object, ...], dict[date, Operand]] = {}
        for operand in thing:
            days = [day for m in dates_named(operand.cell) if (day := m.date) is not None]
            if len(days) == 1:
                of = operand.passage.pointer, operand.cell.path[:-1], operand.value.kind
                columns.setdefault(of, {})[days[0]] = operand
        yield from columns.values()


def _rows(known: list[Table]) -> Iterator[dict[date, Operand]]:
    """The columns of a table each row of which is of a day of its own."""
    for table in known:
        days: dict[str, date] = {}
        for passage in table.passages:
            for _, held in passage.cell_values:
                if held.moment is not None and held.moment.date is not None:
                    days.setdefault(passage.pointer, held.moment.date)
        if len(set(days.values())) < len(table.rows):
            continue
        for column in table.columns.values():
            dated = {days[o.passage.pointer]: o for o in column if o.passage.pointer in days}
            if dated and not counts_nothing(column[0].cell):
                yield dated


def _day(moment: Moment | None, year: int) -> date | None:
    if moment is None or moment.month is None or moment.day is None:
        return None
    return Moment(moment.year or year, moment.month, moment.day).date
