"""Several rankings of the same things made into one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)

RANK_CONSTANT = 60
"""What Cormack, Clarke and Büttcher found best (Reciprocal Rank Fusion outperforms Condorcet and
individual Rank Learning Methods, SIGIR 2009)."""


def fused(*rankings: Sequence[Key]) -> list[Key]:
    """Reciprocal rank fusion: each ranking gives 1 / (60 + rank) to what it holds, the sums decide.

    Only ranks count, so scores of different kinds need not be brought to one scale. Of equal sums,
    what was met first comes first.
    """
    sums: dict[Key, float] = defaultdict(float)
    for ranking in rankings:
        for rank, key in enumerate(ranking, 1):
            sums[key] += 1 / (RANK_CONSTANT + rank)
    return sorted(sums, key=sums.__getitem__, reverse=True)
