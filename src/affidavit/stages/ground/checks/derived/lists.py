"""Lists of plain values, and the rows that a run picks by one: the ``return_items`` of an order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell, Record, records_of, words_of
from affidavit.ledger.values import fold
from affidavit.stages.ground.checks.derived.derivation import Table, is_result, tables
from affidavit.stages.ground.finding import GroundContext


def lists(context: GroundContext) -> list[tuple[str, list[Cell], Passage]]:
    """The lists of plain values among the tool results, by name: ``orders: ["#W1", "#W2"]``."""
    return context.search.once("lists", lambda: list(_lists(context)))


def _lists(context: GroundContext) -> Iterator[tuple[str, list[Cell], Passage]]:
    seen: set[tuple[int, str]] = set()
    for passage in context.search.passages:
        record = passage.record
        if record is None or not is_result(passage) or (passage.source.id, record.pointer) in seen:
            continue
        seen.add((passage.source.id, record.pointer))  # a long record lies in several passages
        for path, cells in _scalar_lists(record).items():
            named = [str(step) for step in path if isinstance(step, str)]
            yield words_of(named[-1]) if named else "", cells, passage


def _scalar_lists(record: Record) -> dict[tuple[str | int, ...], list[Cell]]:
    found: dict[tuple[str | int, ...], list[Cell]] = {}
    for cell in record.cells:
        if cell.path and isinstance(cell.path[-1], int) and isinstance(cell.raw, str | int):
            found.setdefault(cell.path[:-1], []).append(cell)
    return found


def picked(table: Table, context: GroundContext) -> Sequence[Table]:
    """The parts of a table whose rows a list of codes names: a call's ``item_ids``, a result's
    ``return_items``."""
    found = context.search.once("picked rows", lambda: _picked(context))
    return found.get(table, ())


def _picked(context: GroundContext) -> Mapping[Table, Sequence[Table]]:
    codes = _listed_codes(context)
    parts = {table: [table.of_codes(listed) for listed in codes] for table in tables(context)}
    return {table: [part for part in found if part is not table] for table, found in parts.items()}


def _listed_codes(context: GroundContext) -> list[frozenset[str]]:
    called = (record for e in context.ledger.calls for record in records_of(e.call.arguments))
    given = [cells for record in called for cells in _scalar_lists(record).values()]
    told = [cells for _, cells, _ in lists(context)]
    codes = (frozenset(fold(cell.text) for cell in cells) for cells in (*given, *told))
    return list(dict.fromkeys(found for found in codes if len(found) > 1))
