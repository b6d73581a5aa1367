"""What an entailment model is: premise and hypothesis in, three calibrated probabilities out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Entailment:
    """Probabilities, summing to 1, that a premise entails, leaves open, or contradicts a hypothesis."""

    entailment: float
    neutral: float
    contradiction: float


@runtime_checkable
class EntailmentModel(Protocol):
    """A three-way natural-language-inference scorer.

    ``name`` identifies the weights (name and version or digest); verdicts record it. ``score`` answers
    every pair, in order, and its answers do not depend on what else is in the call. It is safe to call
    from several threads, and raises :class:`~affidavit.errors.ScorerError` when it cannot answer.
    """

    @property
    def name(self) -> str: ...

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        """Score ``(premise, hypothesis)`` pairs."""
        ...
