"""Counts of things that stand in a list under that very name, and are not so many."""

from __future__ import annotations

from affidavit.ledger.values import Value
from affidavit.ledger.words import stem
from affidavit.stages.ground.checks.derived.derivation import tables
from affidavit.stages.ground.checks.tallies import check_tallies
from affidavit.stages.ground.checks.value_verdict import ValueVerdict
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext


def miscounted(value: Value, claim: Claim, context: GroundContext) -> ValueVerdict | None:
    """A count of things that stand in a list under that very name, and are not so many.

    "Ten incidents" over nine rows of ``incidents``. Fewer may be a selection that the claim's words
    make, so only a number above the list's, or a whole list miscounted, is held against it.
    """
    n = value.number
    if value.kind not in ("number", "quantity") or n is None or not value.unit or n != int(n):
        return None
    if check_tallies(claim, context).verdict is not None:
        return None  # how many of them are so is another count, which has been made
    noun = stem(value.unit.split(" ")[-1])
    for table in tables(context):
        if noun != stem(table.name.split(" ")[-1] if table.name else ""):
            continue
        rows = len(table.rows)
        chosen = len(table.where(claim).rows)
        selects = " " in value.unit or chosen != rows
        if n in (chosen, rows) or (selects and n < rows):
            continue
        span = table.passages[0].span()
        detail = f"{rows} {table.name} are listed, not {value.text}"
        return ValueVerdict(
            value, "contradicted", span, "contradicts_evidence", detail, derivable=False
        )
    return None
