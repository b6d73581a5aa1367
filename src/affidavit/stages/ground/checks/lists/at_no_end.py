"""A superlative of a row that stands at that end of none of its columns, whichever is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from affidavit.ledger.ledger import Passage
from affidavit.ledger.words import content_stems, stem
from affidavit.stages.ground.checks.derived.derivation import Table, counts_nothing, tables
from affidavit.stages.ground.checks.lists.named_row import named_row, parts_meant
from affidavit.stages.ground.checks.lists.superlatives import Superlative
from affidavit.stages.ground.checks.order.trends import DOWN, UP
from affidavit.stages.ground.finding import Finding, GroundContext


def at_no_end(
    name: str,
    word: str,
    superlative: Superlative,
    others: str,
    ranging: str,
    context: GroundContext,
) -> Finding | None:
    """Refuse "the music folder holds the most files" where other folders have more of everything. ``others`` are the
    claim's words but for the superlative and what it ranges over.

    A field that is itself called so, the ``biggest_deal`` of each row, says nothing of its rows, and a first or a
    last may be so by the order of the list.
    """
    if "moment" in superlative.measures or _COMPUTED.search(ranging):
        return None
    if UP.search(others) or DOWN.search(others):
        return None  # what grew fastest is the largest in no column
    for table in tables(context):
        row = named_row(table, others, context) if len(table.rows) > 1 else []
        if not row or row[0].pointer in table.totals:
            continue
        if any(stem(word) in content_stems(cell.key) for p in row for cell, _, _ in p.cells):
            return None
        parts = [table, table.that_say(ranging), *parts_meant(table, context)]
        columns = [list(_columns(row, part)) for part in parts]
        if not columns[0] or any(
            _is_at_end(*c, superlative.direction) for part in columns for c in part
        ):
            return None
        detail = f"is at that end of none of the fields of {table.name or 'the list'}"
        span = row[0].span()
        return Finding(
            name, "checked", "missing", 0.2, "not_entailed", f"{span.text} {detail}", spans=(span,)
        )
    return None


_COMPUTED = re.compile(
    r"\b(?:increase|decrease|rise|drop|decline|growth|gain|loss|change|difference|gap|margin|lead|spread|share|portion|part|ratio|"
    r"improvement|jump|reduction|saving|discount|average|mean|total|sum|return|increment|swing)s?\b",
    re.I,
)
"""What no column has, but two of them give."""


def _columns(row: Sequence[Passage], table: Table) -> Iterator[tuple[Decimal, list[Decimal]]]:
    """Each measured figure of a row, with those of the whole column; nothing for a row that is not in the table."""
    pointers = {r.pointer for r in table.rows}
    for passage in row if row[0].pointer in pointers else ():
        for cell, value in passage.cell_values:
            scale = value.number  # of any measure: a reaction of 0.58 makes a start the fastest
            if scale is None or counts_nothing(cell):
                continue
            column = [
                other
                for p in table.passages
                if p.pointer not in table.totals
                for c, v in p.cell_values
                if (c.path, v.kind, v.unit) == (cell.path, value.kind, value.unit)
                and (other := v.number) is not None
            ]
            if len(column) > 1:
                yield scale, column


def _is_at_end(scale: Decimal, column: Sequence[Decimal], direction: int) -> bool:
    end = max if direction > 0 else min
    return scale == end(column)
