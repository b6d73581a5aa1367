"""Values that follow from others by arithmetic: one search over operands, for any claim.

A value that stands nowhere may be a sum, a difference, a product, a share, a change, a mean or a count, or lie
between two moments. All such candidates are computed at once over the operands a claim speaks of; a match
counts for as much as it is unlikely that so many candidates would have met the value by chance.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain
from typing import TYPE_CHECKING

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.values import AMOUNTS, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

COUNT = "count"
"""What the number of a quantity measures without its unit: two adults and one child are three people, but no money."""
FACTOR = "factor"
"""What the number of a span of time measures without its unit: how often something is taken. It is never added to
anything, so that 45 days and 72 hours make no 117 euros."""
SHARE, RATE = "percent", "percent in a time"
"""What a share measures, and one that is due again after each day, month or year."""
_TIMES = frozenset({"number", COUNT, FACTOR})
_NO_SUMS = frozenset({SHARE, RATE, FACTOR})
LEAST = 0.3
"""Strength below which a match by arithmetic says nothing."""
MONTH = 30.4375 * 86400
"""Seconds in a month: a twelfth of 365.25 days."""
_HEDGED = 0.03
"""How far "about" may be off, as a share."""
_TRIED = 8
_LISTED, _DOTTED, _THREE = 6, 8, 14
"""Terms that are shown of a sum, columns that are multiplied, operands that are taken three at a time."""
_NEAR = 3.0
"""Candidates within this factor of a value say how densely candidates lie there."""


@dataclass(frozen=True, slots=True)
class Operand:
    """One number that a formula may use: its size in base units, what it measures, and where it stands.

    ``timed`` is a bare number that counts days or hours, 60 in "60 days"; ``counts`` one that counts these or anything
    else, as in "12 seats", and so is no amount.
    """

    size: float
    measure: str
    shown: str
    line: Passage | None = None
    cell: Cell | None = None
    timed: bool = False
    counts: bool = False


@dataclass(frozen=True, slots=True)
class Formula:
    """How a value follows: ``strength`` is the probability that it is no coincidence."""

    text: str
    operands: tuple[Operand, ...]
    strength: float


def measure_of(value: Value) -> str:
    """What a number measures, as far as sums and shares care: amounts of any currency are one measure."""
    match value.kind:
        case "quantity":
            return value.unit
        case "duration":
            return "time"
        case kind:
            return kind


def size_of(value: Value) -> float:
    """The number in base units: seconds, and percent points."""
    assert value.number is not None
    size = float(value.number)
    return size * MONTH if value.kind == "duration" and value.unit == "month" else size


def tolerance(value: Value) -> float:
    """By how much a number may be off and still be said so: half of its last written digit."""
    face = value.face if value.face is not None else value.number
    assert face is not None
    assert value.number is not None
    exponent = face.as_tuple().exponent
    step = 10.0 ** (exponent if isinstance(exponent, int) and exponent < 0 else 0)
    unit = abs(float(value.number) / float(face)) if face else 1.0
    written = step * (unit or 1.0) / 2
    if value.kind == "duration" and value.unit == "month":
        return max(written * MONTH, 0.04 * size_of(value))
    loose = _HEDGED * abs(size_of(value)) if value.approx or value.bound else 0.0
    # Round figures are rounded: "1,300" may be 1,296. Never by more than one part in two hundred.
    digits = format(abs(face.normalize()), "f").replace(".", "").strip("0")
    if float(face) >= 1000 and len(digits) <= 3:
        loose = max(loose, 0.005 * abs(size_of(value)))
    return max(written, loose) * 1.0001


@dataclass(frozen=True, slots=True)
class _Batch:
    """Candidates of one kind: sizes, what they measure, and how to tell the i-th."""

    sizes: Floats
    measure: str
    tell: Callable[[int], tuple[str, tuple[Operand, ...]]]


class Formulas:
    """Every candidate over some operands, each kind computed once, when a value is first looked for that far.

    ``columns`` are fields of a list's rows, each with its operands in order: they are summed, averaged,
    counted and set side by side as a whole.
    """

    def __init__(self, operands: Sequence[Operand], columns: Sequence[Sequence[Operand]]) -> None:
        self._made: list[_Batch] = []
        self._more = chain(
            _unary(operands), _columns(columns), _pairs(operands), _triples(operands), _priced(operands),
        )  # fmt: skip
        self._making = threading.Lock()

    def _batches(self) -> Iterator[_Batch]:
        at = 0
        while True:
            if at == len(self._made):
                with self._making:
                    if at == len(self._made):
                        batch = next(self._more, None)
                        if batch is None:
                            return
                        self._made.append(batch)
            yield self._made[at]
            at += 1

    def find(self, value: Value) -> Formula | None:
        """The formula that ``value`` most likely comes from, if one gives it."""
        import numpy as np

        if value.kind not in AMOUNTS or value.number is None:
            return None
        target, width, measure = abs(size_of(value)), tolerance(value), measure_of(value)
        if target == 0:
            return None
        around = 0
        best: tuple[str, tuple[Operand, ...]] | None = None
        for batch in self._batches():
            if not _meets(value, measure, batch.measure):
                continue
            sizes = np.abs(batch.sizes)
            around += int(((sizes > target / _NEAR) & (sizes < target * _NEAR)).sum())
            best = _plain(batch, np.flatnonzero(np.abs(sizes - target) <= width), target, measure)
            if (
                best is not None
            ):  # batches stand in order of plainness; what was not tried cannot meet by chance
                break
        if best is None:
            return None
        # Candidates are spread about evenly over the logarithm of their size.
        share = min(1.0, 2 * width / target / (2 * math.log(_NEAR)))
        return Formula(*best, math.exp(-around * share))


def _plain(
    batch: _Batch, hits: NDArray[np.int64], target: float, said: str
) -> tuple[str, tuple[Operand, ...]] | None:
    """The first hit that is not the value itself, with something that cancels out, nor made of counts alone where
    something is said that is measured: 60 days times 12 seats are no dollars."""
    for hit in hits[:_TRIED]:
        text, operands = batch.tell(int(hit))
        counted = batch.measure == "number" != said and all(o.counts for o in operands)
        if not counted and all(abs(o.size) != target for o in operands):
            return text, operands
    return None


def _meets(value: Value, said: str, computed: str) -> bool:
    """Whether a result may be what a value says: "11" may be euros, "11 guests" may not."""
    if said == computed or (said == SHARE and computed == RATE):
        return True
    if computed == COUNT:
        return said == "number" or value.kind == "quantity"
    return (said == "number" and not value.unit and computed not in (SHARE, RATE)) or (
        computed == "number" and said != SHARE
    )


def _unary(operands: Sequence[Operand]) -> Iterator[_Batch]:
    import numpy as np

    shares = [o for o in operands if o.measure == SHARE]
    if shares:
        tell = partial(_told, "100% − {}", [(o,) for o in shares])
        yield _Batch(np.array([100 - o.size for o in shares]), SHARE, tell)


def _told(
    form: str, ways: Sequence[tuple[Operand, ...]], i: int
) -> tuple[str, tuple[Operand, ...]]:
    """The i-th of some ways, each filled into the same form."""
    return form.format(*(o.shown for o in ways[i])), ways[i]


def _told_at(
    form: str, chosen: Sequence[tuple[Sequence[Operand], NDArray[np.int64]]], i: int
) -> tuple[str, tuple[Operand, ...]]:
    """The i-th of the ways to choose an operand of each pool, filled into a form."""
    way = tuple(pool[int(at[i])] for pool, at in chosen)
    return form.format(*(o.shown for o in way)), way


def _told_column(
    by: str, head: str, columns: Sequence[Sequence[Operand]], i: int
) -> tuple[str, tuple[Operand, ...]]:
    texts = [o.shown for o in columns[i][:_LISTED]]
    more = f"{by}… ({len(columns[i])})" if len(columns[i]) > _LISTED else ""
    return head + by.join(texts) + more, tuple(columns[i])


def _columns(columns: Sequence[Sequence[Operand]]) -> Iterator[_Batch]:
    import numpy as np

    kept = [column for column in columns if len(column) > 1]
    for measure in sorted({column[0].measure for column in kept}):
        own = [column for column in kept if column[0].measure == measure]
        sizes = [[o.size for o in column] for column in own]
        sums = np.array([sum(column) for column in sizes])
        means = np.array([sum(column) / len(column) for column in sizes])
        spreads = np.array([max(column) - min(column) for column in sizes])
        yield _Batch(sums, measure, partial(_told_column, " + ", "", own))
        yield _Batch(means, measure, partial(_told_column, ", ", "mean of ", own))
        yield _Batch(spreads, measure, partial(_told_column, ", ", "most − least of ", own))
    yield from _dots(kept)


def _dots(columns: Sequence[Sequence[Operand]]) -> Iterator[_Batch]:
    """Counts times prices, row by row, summed."""
    import numpy as np

    counts = [c for c in columns if c[0].measure == "number"][:_DOTTED]
    others = [c for c in columns if c[0].measure not in (SHARE, RATE)][:_DOTTED]
    both = [(a, b) for a in counts for b in others if a is not b and len(a) == len(b)]
    for measure in sorted({b[0].measure for _, b in both}):
        own = [(a, b) for a, b in both if b[0].measure == measure]
        sums = [sum(x.size * y.size for x, y in zip(a, b, strict=True)) for a, b in own]
        yield _Batch(np.array(sums), measure, partial(_told_dots, own))


def _told_dots(
    own: Sequence[tuple[Sequence[Operand], Sequence[Operand]]], i: int
) -> tuple[str, tuple[Operand, ...]]:
    a, b = own[i]
    terms = [f"{x.shown} × {y.shown}" for x, y in zip(a, b, strict=True)]
    more = f" + … ({len(terms)})" if len(terms) > _LISTED else ""
    return " + ".join(terms[:_LISTED]) + more, (*a, *b)


def _pairs(operands: Sequence[Operand]) -> Iterator[_Batch]:
    import numpy as np

    for measure in sorted({o.measure for o in operands} - {FACTOR}):
        own = [o for o in operands if o.measure == measure]
        sizes = np.array([o.size for o in own])
        left, right = _two_of(len(own))
        if len(left):
            yield _two(
                np.abs(sizes[left] - sizes[right]),
                measure,
                own,
                own,
                left,
                right,
                "{} − {}",
                larger=True,
            )
            yield _two(sizes[left] + sizes[right], measure, own, own, left, right, "{} + {}")
            if measure not in (SHARE, RATE):
                yield from _ratios(sizes, own, left, right)
    yield from _products(operands)


def _ratios(
    sizes: Floats, own: Sequence[Operand], left: NDArray[np.int64], right: NDArray[np.int64]
) -> Iterator[_Batch]:
    import numpy as np

    a, b = np.concatenate([left, right]), np.concatenate([right, left])
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.nan_to_num(sizes[a] / sizes[b], nan=0.0, posinf=0.0, neginf=0.0)
    yield _two(100 * ratio, SHARE, own, own, a, b, "{} ÷ {}")
    yield _two(100 * (ratio - 1), SHARE, own, own, a, b, "{} ÷ {} − 1")
    yield _two(ratio, "number", own, own, a, b, "{} ÷ {}")


def _products(operands: Sequence[Operand]) -> Iterator[_Batch]:
    plain = [o for o in operands if o.measure in _TIMES]
    shares = [o for o in operands if o.measure == SHARE]
    rates = [o for o in operands if o.measure == RATE]
    for measure in sorted({o.measure for o in operands} - _NO_SUMS):
        own = [o for o in operands if o.measure == measure]
        yield from _times(own, plain, measure)
        yield from _shares_of(own, [*shares, *rates] if measure != "time" else shares, measure)
    if rates:
        yield from _times(rates, plain, SHARE)


def _times(own: Sequence[Operand], plain: Sequence[Operand], measure: str) -> Iterator[_Batch]:
    """So many times as much, and divided by so many."""
    import numpy as np

    a, b = _each(own, plain)
    if not len(a):
        return
    size, by = np.array([o.size for o in own])[a], np.array([o.size for o in plain])[b]
    yield _two(size * by, measure, own, plain, a, b, "{} × {}")
    if own[0].measure not in ("number", RATE):
        with np.errstate(divide="ignore", invalid="ignore"):
            per = np.nan_to_num(size / by, nan=0.0, posinf=0.0, neginf=0.0)
        yield _two(per, measure, own, plain, a, b, "{} ÷ {}")


def _shares_of(own: Sequence[Operand], shares: Sequence[Operand], measure: str) -> Iterator[_Batch]:
    """A share of something, all but the share, and the share on top."""
    import numpy as np

    a, b = _each(own, shares)
    # Half a percent a day of sixty days is no time; of an amount it is so much each day.
    kept = [not (own[i].timed and shares[j].measure == RATE) for i, j in zip(a, b, strict=True)]
    a, b = a[kept], b[kept]
    if not len(a):
        return
    size, share = np.array([o.size for o in own])[a], np.array([o.size for o in shares])[b] / 100
    yield _two(size * share, measure, own, shares, a, b, "{} × {}")
    yield _two(size * (1 - share), measure, own, shares, a, b, "{} less {}")
    yield _two(size * (1 + share), measure, own, shares, a, b, "{} plus {}")


def _each(
    lefts: Sequence[Operand], rights: Sequence[Operand]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The positions of each of some operands with each of others."""
    return _each_of(len(lefts), len(rights))


# Which operands are taken together hangs on how many there are: it is the same for every claim.


@lru_cache(maxsize=256)
def _two_of(many: int) -> tuple[NDArray[np.int64], ...]:
    import numpy as np

    return np.triu_indices(many, 1)


@lru_cache(maxsize=256)
def _each_of(lefts: int, rights: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    import numpy as np

    a, b = np.meshgrid(np.arange(lefts), np.arange(rights), indexing="ij")
    return a.ravel(), b.ravel()


@lru_cache(maxsize=16)
def _three_of(many: int) -> tuple[NDArray[np.int64], ...]:
    import numpy as np

    i, j, k = (at.ravel() for at in np.indices((many,) * 3))
    kept = (i > j) & (j > k)
    return i[kept], j[kept], k[kept]


@lru_cache(maxsize=256)
def _two_and_one(many: int, plain: int) -> tuple[NDArray[np.int64], ...]:
    import numpy as np

    a, b, n = (at.ravel() for at in np.indices((many, many, plain)))
    return a[a != b], b[a != b], n[a != b]


def _triples(operands: Sequence[Operand]) -> Iterator[_Batch]:
    """Three of one measure: a + b + c, a + b − c, a − b − c."""
    import numpy as np

    for measure in sorted({o.measure for o in operands} - _NO_SUMS):
        own = [o for o in operands if o.measure == measure][:_THREE]
        if len(own) < 3:
            continue
        i, j, k = _three_of(len(own))
        x, y, z = (np.array([o.size for o in own])[at] for at in (i, j, k))
        for sizes, form in (
            (x + y + z, "{} + {} + {}"),
            (x + y - z, "{} + {} − {}"),
            (x - y + z, "{} − {} + {}"),
            (x - y - z, "{} − {} − {}"),
        ):
            yield _Batch(sizes, measure, partial(_told_at, form, ((own, i), (own, j), (own, k))))


def _priced(operands: Sequence[Operand]) -> Iterator[_Batch]:
    """So many at a price, on top of something or taken off it: a + n × b, a − n × b."""
    import numpy as np

    plain = [o for o in operands if o.measure in _TIMES][:_THREE]
    for measure in sorted({o.measure for o in operands} - _NO_SUMS):
        own = [o for o in operands if o.measure == measure][:_THREE]
        if len(own) < 2 or not plain:
            continue
        a, b, n = _two_and_one(len(own), len(plain))
        size = np.array([o.size for o in own])
        base, price, count = size[a], size[b], np.array([o.size for o in plain])[n]
        chosen = ((own, a), (plain, n), (own, b))
        yield _Batch(base + count * price, measure, partial(_told_at, "{} + {} × {}", chosen))
        yield _Batch(base - count * price, measure, partial(_told_at, "{} − {} × {}", chosen))


def _two(
    sizes: Floats,
    measure: str,
    lefts: Sequence[Operand],
    rights: Sequence[Operand],
    a: NDArray[np.int64],
    b: NDArray[np.int64],
    form: str,
    *,
    larger: bool = False,
) -> _Batch:
    def tell(i: int) -> tuple[str, tuple[Operand, ...]]:
        x, y = lefts[int(a[i])], rights[int(b[i])]
        if larger and x.size < y.size:
            x, y = y, x
        return form.format(x.shown, y.shown), (x, y)

    return _Batch(sizes, measure, tell)
