"""What an entailment model is: premise and hypothesis in, three calibrated probabilities out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from affidavit.errors import ScorerError


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


@runtime_checkable
class ClaimScorer(EntailmentModel, Protocol):
    """A scorer that reads all the evidence of a claim together, and answers once for all of it."""

    def score_claims(
        self, claims: Sequence[tuple[Sequence[str], str]]
    ) -> list[Entailment | ScorerError]:
        """Score ``(premises, hypothesis)``, in order; an error stands for a claim without a verdict."""
        ...
