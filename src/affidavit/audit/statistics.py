"""Rates with their uncertainty, and whether two of them differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, exp, lgamma, sqrt

Z = 1.959963984540054
"""Of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Rate:
    """``count`` of ``of``, with the bounds of its 95 % interval."""

    count: int
    of: int
    value: float | None
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """How much a rate of B is above that of A, its 95 % interval, and how probable so much is by chance."""

    value: float | None
    low: float
    high: float
    p: float


def rate(count: int, of: int) -> Rate:
    """A rate with Wilson's interval, which holds for small numbers and for none and all too."""
    if of == 0:
        return Rate(0, 0, None, 0.0, 1.0)
    share, z2 = count / of, Z * Z
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    half = Z / (1 + z2 / of) * sqrt(share * (1 - share) / of + z2 / (4 * of * of))
    return Rate(count, of, share, max(0.0, middle - half), min(1.0, middle + half))


def further(below: int, known: int, of: int) -> tuple[float, float]:
    """How many of ``of`` further values are expected below the ``below``-th lowest of ``known`` ones, as shares: a 95 %
    interval, which holds whatever the distribution (the count is beta-binomial)."""
    a, b = below, known + 1 - below
    start = lgamma(a + b) - lgamma(a) - lgamma(b)
    tail, chances = 0.5 * (1 - 0.95), list[float]()
    for k in range(of + 1):
        more = lgamma(a + k) + lgamma(b + of - k) - lgamma(a + b + of)
        chances.append(exp(start + _choose(of, k) + more))
    low = high = 0
    so_far = 0.0
    for k, chance in enumerate(chances):
        if so_far <= tail:
            low = k
        so_far += chance
        high = k
        if so_far >= 1 - tail:
            break
    return low / of, high / of


def paired(only_a: int, only_b: int, pairs: int) -> Difference:
    """The same runs judged twice: what happened in A alone and in B alone, of so many.

    The interval is Agresti and Min's (2005); p is of the exact test of McNemar.
    """
    if pairs == 0:
        return Difference(None, -1.0, 1.0, 1.0)
    a, b, n = only_a + 0.5, only_b + 0.5, pairs + 2
    middle = (b - a) / n
    half = Z * sqrt(max(0.0, a + b - (b - a) ** 2 / n)) / n
    low, high = max(-1.0, middle - half), min(1.0, middle + half)
    return Difference((only_b - only_a) / pairs, low, high, _sign_test(only_a, only_b))


def unpaired(a: Rate, b: Rate) -> Difference:
    """Two sets of different runs: Newcombe's interval, and the exact test of Fisher."""
    if a.value is None or b.value is None:
        return Difference(None, -1.0, 1.0, 1.0)
    value = b.value - a.value
    low = value - sqrt((b.value - b.low) ** 2 + (a.high - a.value) ** 2)
    high = value + sqrt((b.high - b.value) ** 2 + (a.value - a.low) ** 2)
    return Difference(value, max(-1.0, low), min(1.0, high), _fisher(a, b))


def holm(ps: Sequence[float]) -> list[float]:
    """p values as they stand where so many things were looked at together (Holm, 1979)."""
    adjusted, highest = [1.0] * len(ps), 0.0
    for rank, at in enumerate(sorted(range(len(ps)), key=ps.__getitem__)):
        highest = max(highest, min(1.0, ps[at] * (len(ps) - rank)))
        adjusted[at] = highest
    return adjusted


def _sign_test(a: int, b: int) -> float:
    n, k = a + b, min(a, b)
    if n == 0:
        return 1.0
    if n > 10_000:
        return erfc((abs(a - b) - 1) / sqrt(2 * n)) if a != b else 1.0
    tail = sum(exp(_choose(n, i) - n * 0.6931471805599453) for i in range(k + 1))
    return min(1.0, 2 * tail)


def _fisher(a: Rate, b: Rate) -> float:
    total, hits = a.of + b.of, a.count + b.count
    if total > 20_000:
        pooled = hits / total
        spread = sqrt(pooled * (1 - pooled) * (1 / a.of + 1 / b.of))
        assert a.value is not None and b.value is not None
        return erfc(abs(b.value - a.value) / spread / sqrt(2)) if spread else 1.0
    first, last = max(0, hits - b.of), min(a.of, hits)
    logs = [_choose(a.of, k) + _choose(b.of, hits - k) for k in range(first, last + 1)]
    whole, seen = _choose(total, hits), logs[a.count - first]
    # As probable as what was seen, or less; rounding must not part equals.
    return min(1.0, sum(exp(one - whole) for one in logs if one <= seen + 1e-9))


def _choose(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
