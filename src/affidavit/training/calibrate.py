"""Calibration: one temperature that makes P(entailment) mean what it says, on held-back pairs.

Isotonic regression is measured beside it: it can bend the curve wherever it likes, and so shows what one
number leaves on the table.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def fit_temperature(logits: Floats, labels: NDArray[np.int64], weights: Floats) -> float:
    """The temperature with the least weighted log loss: logits [pairs, 3], entailment first; labels and weights [pairs].

    A label may be ``NOT_ENTAILED``: what counts is then the chance of the two others together.
    """
    steps = np.exp(np.linspace(np.log(0.5), np.log(4.0), 281))
    losses = [_log_loss(logits / t, labels, weights) for t in steps]
    return round(float(steps[int(np.argmin(losses))]), 4)


def even_weights(origins: list[str]) -> Floats:
    """Every source counts the same, however many pairs it has."""
    counts: Mapping[str, int] = {origin: origins.count(origin) for origin in set(origins)}
    return np.array([1 / counts[origin] for origin in origins], np.float64)


def expected_calibration_error(
    chances: Floats, truths: NDArray[np.bool_], weights: Floats | None = None, bins: int = 15
) -> float:
    """Mean gap between what P(entailment) promises and what holds, over equal-width bins."""
    w = np.ones_like(chances) if weights is None else weights
    place = np.minimum((chances * bins).astype(int), bins - 1)
    gap = 0.0
    for b in range(bins):
        inside = place == b
        if inside.any():
            share = w[inside]
            gap += abs(float(np.sum(share * (chances[inside] - truths[inside]))))
    return gap / float(w.sum())


def softmax(logits: Floats) -> Floats:
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True), np.float64)


def _log_loss(logits: Floats, labels: NDArray[np.int64], weights: Floats) -> float:
    by_label = softmax(logits)
    both = np.column_stack(
        [by_label, 1 - by_label[:, 0]]
    )  # the last column is that of NOT_ENTAILED
    chances = both[np.arange(len(labels)), labels]
    return float(np.average(-np.log(np.maximum(chances, 1e-12)), weights=weights))
