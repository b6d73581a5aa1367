"""Candidates from the rows of a list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import combinations, permutations

from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Table,
    counts_nothing,
    number_like,
)
from affidavit.stages.ground.checks.derived.enumerated.asks import Asks
from affidavit.stages.ground.checks.derived.enumerated.candidate import (
    SHOWN,
    Candidate,
    Figure,
    added,
    made,
    share,
    spoken_of,
    total,
)
from affidavit.stages.ground.checks.lists.named_row import named_row
from affidavit.stages.ground.finding import GroundContext

_MOST = 14
"""Rows beyond which no two of them are compared."""
_MOST_IN_ALL = 400
"""Rows beyond which nothing is enumerated: it takes time, and among so many chance finds anything."""


def of_rows(
    asks: Asks, known: Sequence[Table], named: Sequence[frozenset[str]]
) -> Iterator[Candidate]:
    """Candidates from each table, whose rows that the claim names are ``named`` (:func:`rows_named`)."""
    if sum(len(table.rows) for table in known) > _MOST_IN_ALL:
        return
    for table, own in zip(known, named, strict=True):
        for rows in _chosen(table, own, asks):
            yield from _over(rows, asks)
        yield from _between(table, own, asks)
        yield from _counted(table, asks)


def rows_named(table: Table, asks: Asks, context: GroundContext) -> frozenset[str]:
    """Pointers of the rows that a claim names: the two that it sets side by side, "A is dearer than B", else all."""
    if len(table.rows) > _MOST_IN_ALL:
        return frozenset()
    left, than, right = asks.claim.statement.partition(" than ")
    sides = [named_row(table, side, context) for side in (left, right)] if than else []
    apart = frozenset(side[0].pointer for side in sides if side)
    if len(apart) == 2:
        return apart
    rows = (p.pointer for p in table.passages if context.topic.names(context.rows.chain(p)))
    return frozenset(rows)


def _chosen(table: Table, named: frozenset[str], asks: Asks) -> Iterator[Table]:
    """The rows that the claim is of, where it is of several: those it singles out, those it names, or all."""
    told = table.where(asks.claim)
    at = {n for n, row in enumerate(table.rows) if row.pointer in named}
    parts = [told, table.of_positions(at)] if at else [told]
    as_many = any(said.number == len(table.rows) for said in asks.claim.values)
    if asks.summed or asks.percent or as_many or not at and told is table:
        parts.append(table)
    for rows in dict.fromkeys(parts):
        if len(rows.rows) > 1 and not (rows is table and table.totals):
            yield rows


def _columns(rows: Table, asks: Asks) -> list[list[Figure]]:
    columns = [
        [Figure.of(operand) for operand in column]
        for column in rows.columns.values()
        if not counts_nothing(column[0].cell)
    ]
    first = spoken_of([column[0] for column in columns], asks)
    return [column for column in columns if column[0] in first]


def _over(rows: Table, asks: Asks) -> Iterator[Candidate]:
    """The sum or the mean of a column; of two columns the difference of their sums, or the sum of their
    products: so many at such a price."""
    if asks.percent or asks.no_sum and not asks.rate:
        return
    columns = _columns(rows, asks)
    for column in columns:
        parts = [figure for figure in column if figure.may_measure(asks.value)]
        if len(parts) < 2:
            continue
        if asks.rate:
            mean = total(parts) / len(parts)
            yield made(asks, "mean", mean, f"({added(parts)}) / {len(parts)}", *parts)
        else:
            yield made(asks, "sum", total(parts), added(parts), *parts)
    whole = [column for column in columns if len(column) == len(rows.rows)]
    for one, other in permutations(whole, 2):
        if one[0].place != other[0].place and one[0].may_measure(asks.value):
            yield from _of_two(one, other, asks)


def _of_two(one: Sequence[Figure], other: Sequence[Figure], asks: Asks) -> Iterator[Candidate]:
    above, below = total(one), total(other)
    counted = other[0].value.kind == "number"
    text = f"{above.normalize():f} {{}} {below.normalize():f}"
    if asks.rate:
        if below and counted:
            yield made(asks, "rate", above / below, text.format("/"), *one)
    elif asks.apart:
        if one[0].is_like(other[0]) and above > below:
            yield made(asks, "difference", above - below, text.format("−"), *one)
    elif counted:
        products = [a.number * b.number for a, b in zip(one, other, strict=True)]
        text = " + ".join(f"{a} × {b}" for a, b in zip(one[:6], other[:6], strict=True))
        yield made(asks, "sum of products", sum(products, Decimal(0)), text, *one)


def _between(table: Table, named: frozenset[str], asks: Asks) -> Iterator[Candidate]:
    """One field in two rows, one of them named; and what share the named rows have of all."""
    columns = _columns(table, asks)
    # Euros that one row is more are of a price, where the list has one, and not of so many seats.
    alike = [c for c in columns if c[0].value.kind == asks.value.kind == "money"]
    for column in columns if asks.percent else alike or columns:
        if len(column) > _MOST:
            continue
        parts = [f for f in column if asks.percent or f.may_measure(asks.value)]
        own = [f for f in parts if f.row in named]
        pairs: Iterable[tuple[Figure, Figure]] = (
            combinations(own, 2)
            if len(own) > 1
            else ((mine, f) for mine in own for f in parts if f is not mine)
            if asks.changed or not asks.percent
            else ()  # a share is of its own column, or of another row that is named
        )
        for a, b in pairs:
            more, less = (a, b) if a.number >= b.number else (b, a)
            if asks.percent:
                both = (share(asks, more, less), share(asks, less, more))
                yield from (found for found in both if found is not None)
            elif asks.apart and more.number > less.number:
                text = f"{more} − {less}"
                yield made(asks, "difference", more.number - less.number, text, more, less)
        if asks.percent and not asks.changed and not table.totals and len(parts) == len(table.rows):
            some, whole = total(own), total(parts)
            if 0 < some < whole:
                text = f"{some.normalize():f} / {whole.normalize():f}"
                yield made(asks, "share", some / whole * 100, text, *own)


def _counted(table: Table, asks: Asks) -> Iterator[Candidate]:
    """What share of the rows a claim is of: "half of the failures are in the billing suite"."""
    some = table.where(asks.claim) if asks.percent and not asks.changed else table
    if some is table or table.totals or not some.rows:
        return
    held, whole = Decimal(len(some.rows)), Decimal(len(table.rows))
    result = number_like(asks.value, held / whole * 100)
    text = f"{held} / {whole} rows of {table.name} = {result.text}"
    spans = tuple(passage.span() for passage in some.passages[:SHOWN])
    yield Candidate(Derivation("share", result, text, spans), (held, whole), 1, first_named=True)
