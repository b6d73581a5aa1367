"""Sums over those rows of a list that are as the claim says: what is outstanding, of invoices paid, open and overdue."""

from __future__ import annotations

from collections.abc import Iterator

from affidavit.ledger.values import Value
from affidavit.stages.ground.checks.derived.aggregate import NO_SUM, of_period, sum_of
from affidavit.stages.ground.checks.derived.derivation import Derivation, Table
from affidavit.stages.ground.checks.lists.conditions import rolls
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext


def sums_of_some(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The sum of a column over two or more rows, though not all, of which what the claim says holds."""
    if value.number is None or NO_SUM.search(claim.statement):
        return
    said = _without_values(claim)
    asked = context.search.once(
        f"rolls of {said}", lambda: [r for r in rolls(said, claim.statement, context) if r.table]
    )
    for roll in asked:
        chosen = {at for at, member in enumerate(roll.members) if member.holds}
        if roll.table is not None and 1 < len(chosen) < len(roll.members):
            for column in of_period(roll.table.of_positions(chosen), claim):
                yield from sum_of(column, value)


def _without_values(claim: Claim) -> str:
    """What a claim says besides its figures."""
    text = claim.text
    for value in sorted(claim.values, key=lambda v: v.start, reverse=True):
        text = text[: value.start] + text[value.end :]
    return text
