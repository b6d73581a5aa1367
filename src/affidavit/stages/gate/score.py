"""The overall score: what one number says of all the claims of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from affidavit.policy import Policy
from affidavit.report import ClaimVerdict

CRITICAL_WEIGHT = 3
"""How many other claims one critical claim counts for in the weighted mean."""


def overall_score(claims: Sequence[ClaimVerdict], policy: Policy) -> tuple[float, bool]:
    """The overall score and whether nothing was scored, in which case it is 1.0."""
    scored = [(c.score, c.critical) for c in claims if c.is_scored and c.score is not None]
    if not scored:
        return 1.0, True
    if policy.aggregation == "minimum":
        return min(score for score, _ in scored), False
    # Exact: in floats the mean of equal scores can fall a hair below them, and below a threshold
    # that each of them meets.
    weights = [CRITICAL_WEIGHT if critical else 1 for _, critical in scored]
    total = sum(w * Fraction(score) for w, (score, _) in zip(weights, scored, strict=True))
    return float(total / sum(weights)), False
