"""All families, by name."""

from __future__ import annotations

import random
from collections.abc import Callable

from affidavit.training.pairs.made import deeds, figures, roles, rows, states, times
from affidavit.training.pairs.made.both import two_of
from affidavit.training.pairs.made.case import Case, Fact, Family
from affidavit.training.pairs.made.records import told

_FACTS: tuple[Callable[[random.Random], Fact], ...] = (
    figures.change,
    figures.balance,
    figures.per_unit,
    figures.whole_price,
    figures.remaining,
    figures.conversion,
    figures.bound,
    figures.between,
    figures.rounded,
    figures.thousands,
    figures.exact,
    figures.share,
    figures.growth,
    figures.multiple,
    figures.rate,
    figures.unconverted,
    figures.which_figure,
    figures.against_plan,
    figures.discount,
    figures.limit,
    figures.within,
    figures.per_each,
    figures.signed_level,
    times.ending,
    times.length,
    times.date,
    times.relative,
    times.passed,
    times.hour,
    times.zone,
    times.apart,
    times.before_after,
    times.which_date,
    times.nights,
    times.opening_hours,
    times.moved_date,
    times.late,
    times.in_force,
    times.since,
    times.every,
    states.state,
    states.which_class,
    states.flag,
    states.yet,
    states.cause,
    states.on_file,
    states.entries,
    states.rights,
    states.steps,
    states.became,
    roles.who,
    roles.from_to,
    roles.sent_by,
    roles.played,
    roles.addresses,
    roles.relation,
)

_JOINED = (
    states.state,
    states.which_class,
    states.flag,
    times.date,
    times.hour,
    times.which_date,
    times.nights,
    roles.who,
    roles.from_to,
    figures.exact,
    figures.limit,
    figures.unconverted,
    figures.whole_price,
)
"""Facts that may be told in one sentence with another."""

_CASES: tuple[Callable[[random.Random], Case], ...] = (
    rows.of_row,
    rows.by_second_field,
    rows.extreme,
    rows.rank,
    rows.sorted_names,
    rows.difference,
    rows.total,
    rows.mean,
    rows.over_limit,
    rows.count,
    rows.quantified,
    rows.some_sum,
    rows.position,
    rows.member,
    rows.nested_count,
    rows.across_calls,
    rows.grouped,
    deeds.done,
    deeds.done_to_another,
    deeds.only_queued,
    deeds.not_done,
    deeds.did_not,
    deeds.several,
    deeds.absent,
    deeds.found_count,
    deeds.looked_at,
    deeds.retried,
    deeds.counted_deeds,
)


def _of_fact(draw: Callable[[random.Random], Fact]) -> Family:
    return Family(draw.__name__, lambda rng: told(draw(rng), rng))


FAMILIES: tuple[Family, ...] = (
    *map(_of_fact, _FACTS),
    _of_fact(two_of(_JOINED)),
    *(Family(draw.__name__, draw) for draw in _CASES),
)
