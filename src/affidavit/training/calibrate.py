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
    """The temperature with the least weighted log loss: logits [pairs, 3], weights [pairs]."""
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


def isotonic(chances: Floats, truths: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """The rising step function from scores to shares of truths with the least squared error (pool
    adjacent violators): where each step begins, and its height."""
    order = np.argsort(chances, kind="stable")
    pools: list[list[float]] = []  # start, height, weight
    for x, y, w in zip(chances[order], truths[order], weights[order], strict=True):
        pools.append([float(x), float(y), float(w)])
        while len(pools) > 1 and pools[-2][1] >= pools[-1][1]:
            _, height, weight = pools.pop()
            low = pools[-1]
            low[1] = (low[1] * low[2] + height * weight) / (low[2] + weight)
            low[2] += weight
    return np.array([p[0] for p in pools]), np.array([p[1] for p in pools])


def crossed_losses(logits: Floats, labels: NDArray[np.int64], weights: Floats) -> dict[str, float]:
    """Squared error (Brier score) of P(entailment) on either half of the pairs, each calibrated on the
    other: as it is, with a temperature, with isotonic regression."""
    truths = (labels == 0).astype(float)
    losses: dict[str, list[float]] = {"none": [], "temperature": [], "isotonic": []}
    half = np.arange(len(labels)) % 2 == 0
    for fit in (half, ~half):
        test = ~fit
        plain = softmax(logits)[:, 0]
        steps, heights = isotonic(plain[fit], truths[fit], weights[fit])
        place = np.maximum(np.searchsorted(steps, plain[test], side="right") - 1, 0)
        one = fit_temperature(logits[fit], labels[fit], weights[fit])
        told = {
            "none": plain[test],
            "temperature": softmax(logits[test] / one)[:, 0],
            "isotonic": heights[place],
        }
        for name, chances in told.items():
            losses[name].append(
                float(np.average((chances - truths[test]) ** 2, weights=weights[test]))
            )
    return {name: float(np.mean(each)) for name, each in losses.items()}


def softmax(logits: Floats) -> Floats:
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True), np.float64)


def _log_loss(logits: Floats, labels: NDArray[np.int64], weights: Floats) -> float:
    chances = softmax(logits)[np.arange(len(labels)), labels]
    return float(np.average(-np.log(np.maximum(chances, 1e-12)), weights=weights))
