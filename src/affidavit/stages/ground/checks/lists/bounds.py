"""Bounds as people put them: "at or under $50", "no more than", "above"."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from decimal import Decimal

BOUNDS: Mapping[str, Callable[[Decimal, Decimal], bool]] = {
    **dict.fromkeys(
        ("at or under", "at or below", "equal to or below", "equal to or less than", "the same as or less than", "no more than",
         "no higher than", "not more than", "up to", "at most", "within", "not exceeding", "no greater than"),
        operator.le,
    ),
    **dict.fromkeys(
        ("less than", "fewer than", "cheaper than", "lower than", "lighter than", "shorter than", "below", "under"),
        operator.lt,
    ),
    **dict.fromkeys(
        ("at or over", "at or above", "equal to or above", "no less than", "not less than", "no lower than", "at least"),
        operator.ge,
    ),
    **dict.fromkeys(
        ("more than", "higher than", "longer than", "heavier than", "dearer than", "above", "over", "exceeding"),
        operator.gt,
    ),
}  # fmt: skip
"""What stands before the limit, and how a figure stands to it; the longer phrase comes first."""
ANY_BOUND = "|".join(sorted(BOUNDS, key=len, reverse=True))
BOUND = re.compile(rf"\b({ANY_BOUND})\W{{0,3}}$", re.I)
"""A bound right before its limit."""


def is_within(number: Decimal, bound: str, limit: Decimal) -> bool:
    """Whether a figure lies on the side of the limit that the bound says."""
    return BOUNDS[bound.lower()](number, limit)
