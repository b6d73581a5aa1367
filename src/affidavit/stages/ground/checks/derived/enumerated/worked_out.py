"""The operation: candidates, the first that gives the value, and whether chance would have."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

from affidavit.ledger.values import Value
from affidavit.stages.ground.checks.derived.chance import is_unlikely, roundness
from affidavit.stages.ground.checks.derived.derivation import Derivation, Table, gives
from affidavit.stages.ground.checks.derived.enumerated.asks import Asks
from affidavit.stages.ground.checks.derived.enumerated.candidate import Candidate
from affidavit.stages.ground.checks.derived.enumerated.fields import of_fields
from affidavit.stages.ground.checks.derived.enumerated.rows import of_rows, rows_named
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_QUOTIENTS = frozenset({"rate", "mean", "share", "change"})
_FEWEST_DIGITS = 20
"""A quotient is told to a twentieth of itself or finer: round figures have quotients of every kind."""


def worked_out(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The first candidate that gives the value, where so many would hardly have met it by chance."""
    if value.number is None or value.number == 0 or claim.is_datum:
        return
    asks = Asks.of(claim, value)
    named = [rows_named(table, asks, context) for table in known]
    tried = [*of_rows(asks, known, named)]
    compared = asks.apart and any(len(rows) == 2 for rows in named)
    if asks.rate or not compared:  # where two rows are, no two fields of either are meant
        tried = [*of_fields(asks, context), *tried]
    found = next((c for c in tried if _gives(c, value, context)), None)
    if found is None:
        return
    # Where it is from fields that the claim has words of, only what is from as many such fields is its rival;
    # but "a third are good or very good" has words of two fields, and is a share of neither.
    if found.derivation.operation != "share":
        rivals = [c.result for c in tried if c.named >= found.named]
    elif found.first_named:  # what it is a share of need not be told
        rivals = [c.result for c in tried if c.operands[0] == found.operands[0]]
    else:
        rivals = [c.result for c in tried]
    step = min(map(roundness, (value.number, *found.operands)))
    if found.derivation.operation in _QUOTIENTS:
        step = min(step, Decimal(1), abs(value.number) / _FEWEST_DIGITS)
    if is_unlikely(value, found.result, step, rivals):
        yield found.derivation


def _gives(candidate: Candidate, value: Value, context: GroundContext) -> bool:
    """Whether a candidate comes to the value; of things that are counted to the very number."""
    exact = value.kind == "number" and candidate.derivation.operation not in _QUOTIENTS
    if exact and not value.approx and candidate.result != value.number:
        return False
    return gives(candidate.derivation, value, context.today)
