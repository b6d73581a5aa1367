"""What is measured of scores: ranking, the best threshold, and what the gate's thresholds promise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Chances = NDArray[np.float64]
Truths = NDArray[np.bool_]

EDGES = (0.4, 0.6, 0.85)
"""The gate's thresholds (specification, section on the gate): block, revise, emit."""


@dataclass(frozen=True, slots=True)
class Band:
    """Scores from ``low`` up to ``high``: how many, their mean, and the share that was entailed."""

    low: float
    high: float
    pairs: int
    mean: float | None
    entailed: float | None


def auroc(chances: Chances, truths: Truths) -> float | None:
    """The chance that a true pair scores above a false one, ties counting half."""
    positives, negatives = int(truths.sum()), int((~truths).sum())
    if not positives or not negatives:
        return None
    _, place, counts = np.unique(chances, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2
    total = float(ranks[place][truths].sum())
    return (total - positives * (positives + 1) / 2) / (positives * negatives)


def best_f1(scores: Chances, positives: Truths) -> float | None:
    """The highest F1 that any threshold on ``scores`` gives for ``positives``."""
    if not positives.any():
        return None
    best = 0.0
    for threshold in np.unique(scores):
        said = scores >= threshold
        right = int((said & positives).sum())
        best = max(best, 2 * right / (int(said.sum()) + int(positives.sum())))
    return best


def bands(chances: Chances, truths: Truths, edges: Sequence[float] = EDGES) -> tuple[Band, ...]:
    """The share of entailed pairs between the gate's thresholds."""
    limits = [0.0, *edges, 1.0]
    found: list[Band] = []
    for low, high in pairwise(limits):
        inside = (chances >= low) & ((chances < high) if high < 1 else (chances <= 1))
        count = int(inside.sum())
        mean = float(chances[inside].mean()) if count else None
        share = float(truths[inside].mean()) if count else None
        found.append(Band(low, high, count, mean, share))
    return tuple(found)
