"""The rows of a table that stand as a claim says: what is outstanding, of invoices that are paid, open and overdue."""

from __future__ import annotations

from affidavit.ledger.records import Cell
from affidavit.stages.ground.checks.derived.derivation import Table
from affidavit.stages.ground.checks.states.held import compare_states
from affidavit.stages.ground.checks.states.vocabulary import STATUS_FIELD, states_in
from affidavit.stages.ground.claim import Claim

_States = frozenset[tuple[int, int]]


def in_state(table: Table, claim: Claim) -> Table | None:
    """The rows, two or more though not all, of which a field tells a state that the claim names; None where it names
    none, or there are no such rows."""
    claimed = states_in(claim.statement)
    if not claimed:
        return None
    chosen = {
        at for at, row in enumerate(table.rows) if any(_is_so(cell, claimed) for cell in row.cells)
    }
    return table.of_positions(chosen) if 1 < len(chosen) < len(table.rows) else None


def _is_so(cell: Cell, claimed: _States) -> bool:
    """Whether a status is the one claimed, or a flag says it: ``paid: false`` of what is outstanding."""
    if isinstance(cell.raw, str) and STATUS_FIELD.search(cell.key):
        return compare_states(claimed, cell) is True
    if cell.flag is None:
        return False
    named = states_in(cell.key)
    apart = {p for p, _ in named} & {p for p, _ in claimed}
    return bool(named & claimed) if cell.flag else bool(apart) and not named & claimed
