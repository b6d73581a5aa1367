"""From a relevance score to a state: two floors."""

from __future__ import annotations

import math
from dataclasses import dataclass

from affidavit.grounding.metrics import SLACK, UnreadableScore
from affidavit.ledger.grounded import ResultState

SUCCESS_FLOOR = 0.75
LOW_RELEVANCE_FLOOR = 0.55
"""The default floors, on the scale of a good embedding's cosine. Another retriever has another scale:
measure the floor of a corpus and pass it."""


@dataclass(frozen=True, slots=True)
class Floors:
    """At or above ``success`` a result is relevant; from ``low`` up to it, it may be; below ``low`` it
    is the nearest of what does not match, which is to say that nothing was found."""

    success: float = SUCCESS_FLOOR
    low: float = LOW_RELEVANCE_FLOOR

    def __post_init__(self) -> None:
        if not self.low <= self.success:  # NaN fails as well
            raise ValueError(f"floors must satisfy low <= success, got {self.low}, {self.success}")

    def state(self, score: float) -> ResultState:
        """The state of a search whose best score this is; raises UnreadableScore where it is no number, or
        one of another scale than the floors."""
        if not math.isfinite(score):
            raise UnreadableScore(f"a relevance score must be a finite number, got {score!r}")
        if max(abs(self.low), abs(self.success)) <= 1 < abs(score) - SLACK:
            raise UnreadableScore(
                f"a relevance score of {score:g} is no similarity: pass floors on the scale of this "
                "search, or score_of to bring it to [0, 1]"
            )
        if score >= self.success:
            return "success"
        return "low_relevance" if score >= self.low else "not_found"
