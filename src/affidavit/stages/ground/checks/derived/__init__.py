"""Values that are computed, not quoted: accepted only with the formula, and only when asked for.

A chance match is the danger: among a few dozen numbers some pair will have any difference. So an
operation is tried only when the claim's own words ask for it, and its operands come from one record
or one list. Last, where the words but allow a kind of operation, all of that kind are enumerated, and a
match counts where so many would hardly have made it by accident (:mod:`.chance`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from affidavit.ledger.values import Value
from affidavit.stages.ground.checks.derived.against_limit import against_limit
from affidavit.stages.ground.checks.derived.ages import ages
from affidavit.stages.ground.checks.derived.aggregate import MEAN, SUM, counts, means, sums
from affidavit.stages.ground.checks.derived.arrows import arrows
from affidavit.stages.ground.checks.derived.between_dates import between_dates
from affidavit.stages.ground.checks.derived.between_days import between_days
from affidavit.stages.ground.checks.derived.between_lines import between_lines
from affidavit.stages.ground.checks.derived.beyond import beyond
from affidavit.stages.ground.checks.derived.bounded import bounded
from affidavit.stages.ground.checks.derived.breakdown import breakdown
from affidavit.stages.ground.checks.derived.change import DIFFERENCE, changes, differences, shares
from affidavit.stages.ground.checks.derived.converted import converted
from affidavit.stages.ground.checks.derived.derivation import Derivation, Table, gives, tables
from affidavit.stages.ground.checks.derived.elapsed import elapsed
from affidavit.stages.ground.checks.derived.enumerated import worked_out
from affidavit.stages.ground.checks.derived.exchange import exchanges
from affidavit.stages.ground.checks.derived.in_prose import in_prose
from affidavit.stages.ground.checks.derived.later_dates import later_dates
from affidavit.stages.ground.checks.derived.levels import levels
from affidavit.stages.ground.checks.derived.named_counts import named_counts
from affidavit.stages.ground.checks.derived.named_parts import named_parts
from affidavit.stages.ground.checks.derived.outcomes_told import outcomes_told
from affidavit.stages.ground.checks.derived.over_years import is_yearly, over_years
from affidavit.stages.ground.checks.derived.per_given import per_given
from affidavit.stages.ground.checks.derived.per_period import per_period
from affidavit.stages.ground.checks.derived.per_unit import per_unit
from affidavit.stages.ground.checks.derived.percent_of import percent_of
from affidavit.stages.ground.checks.derived.positions import positions
from affidavit.stages.ground.checks.derived.rates import rates
from affidavit.stages.ground.checks.derived.scaled import scaled
from affidavit.stages.ground.checks.derived.spread import spread
from affidavit.stages.ground.checks.derived.start_to_end import start_to_end
from affidavit.stages.ground.checks.derived.stated import stated
from affidavit.stages.ground.checks.derived.sums_of_some import sums_of_some
from affidavit.stages.ground.checks.derived.time_apart import time_apart
from affidavit.stages.ground.checks.derived.together import together
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

Operation = Callable[[Claim, Value, GroundContext, list[Table]], Iterator[Derivation]]

OPERATIONS: tuple[Operation, ...] = (
    levels, scaled, counts, named_counts, breakdown, named_parts, sums, sums_of_some, together, rates, per_unit, per_given, per_period, percent_of, converted, positions, elapsed, ages, later_dates, between_dates, between_days, between_lines, over_years, changes, differences, against_limit, start_to_end, outcomes_told, spread, stated, in_prose,
    beyond, bounded, arrows, shares, means, exchanges, time_apart, worked_out,
)  # fmt: skip


def asks_for_arithmetic(claim: Claim) -> bool:
    """Whether the claim's words ask for a sum, a mean or a difference, so that no one field is meant."""
    return any(words.search(claim.statement) for words in (SUM, MEAN, DIFFERENCE))


def derive(value: Value, claim: Claim, context: GroundContext) -> Derivation | None:
    """The first derivation that gives the claim's value, or None."""
    known = tables(context)
    # What a figure of the claim has changed by is told by its own two years, and by no other pair.
    yearly = is_yearly(claim, value, context)
    for operation in (over_years,) if yearly else OPERATIONS:
        for derivation in operation(claim, value, context, known):
            if gives(derivation, value, context.today):
                return derivation
    return None
