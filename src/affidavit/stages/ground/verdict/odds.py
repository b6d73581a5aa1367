"""Probabilities and their log-odds."""

from __future__ import annotations

import math


def odds(p: float, least: float = 1e-6) -> float:
    """The log-odds of a probability, which counts as no nearer to 0 or 1 than ``least``."""
    p = min(max(p, least), 1 - least)
    return math.log(p / (1 - p))


def chance(log_odds: float) -> float:
    """The probability of log-odds."""
    return 1 / (1 + math.exp(-min(max(log_odds, -30.0), 30.0)))
