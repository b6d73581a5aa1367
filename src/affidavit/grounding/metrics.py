"""From the distance that a store measures to a similarity, by the metric that it measures with."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Literal

from affidavit.grounding.faults import ToolNotConfigured

Metric = Literal["cosine", "l2", "squared_l2", "inner_product", "negative_inner_product"]
"""What a distance is: 1 minus the cosine · the Euclidean distance of unit vectors · its square (what
Chroma and FAISS call l2) · 1 minus the inner product (Chroma's ip) · the inner product negated
(pgvector's ``<#>``, Weaviate's dot)."""

SLACK = 1e-3
"""Half-precision vectors of length 1 have cosines a little above 1."""


class UnreadableScore(ToolNotConfigured):
    """A relevance that cannot be read, or means nothing until somebody says how it was measured."""


def similarity(distance: float, metric: Metric | None) -> float:
    """The similarity that a distance comes to, 1 for the same; raises UnreadableScore."""
    match metric:
        case None:
            raise UnreadableScore(
                f"the rows say how far they are ({distance:g}) and not by which metric: pass "
                "metric='cosine', 'l2', 'squared_l2', 'inner_product' or 'negative_inner_product'"
            )
        case "cosine" | "inner_product":
            found = 1 - distance
        case "l2":
            found = 1 - distance * distance / 2
        case "squared_l2":
            found = 1 - distance / 2
        case "negative_inner_product":
            found = -distance
    if not -1 - SLACK <= found <= 1 + SLACK:
        raise UnreadableScore(
            f"{distance:g} is no {metric.replace('_', ' ')} distance of vectors of length 1: set "
            "score_of to say what it means"
        )
    return min(max(found, -1.0), 1.0)


def number(score: object) -> float | None:
    """A score as a number; None for none. Raises UnreadableScore for anything else."""
    if score is None:
        return None
    if isinstance(score, str):
        try:
            score = float(score)
        except ValueError:
            raise UnreadableScore(
                f"a relevance score must be a number, got {score!r:.80}"
            ) from None
    if not is_number(score) or not math.isfinite(float(score)):  # type: ignore[arg-type]
        raise UnreadableScore(f"a relevance score must be a finite number, got {score!r:.80}")
    return float(score)  # type: ignore[arg-type]


def is_number(value: object) -> bool:
    if isinstance(value, bool):
        return False
    # NumPy's float32 is not Python's float, but says that it is one.
    return isinstance(value, int | float | Decimal) or (
        type(value).__module__ == "numpy" and hasattr(value, "__float__")
    )
