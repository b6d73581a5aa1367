"""What an entailment model is: premise and hypothesis in, three calibrated probabilities out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

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


ToldBy = Literal["tool_result", "system", "user", "tool_definition"]


@dataclass(frozen=True, slots=True)
class Told:
    """What one source of the run says, as far as it bears on a claim. ``tool`` is whose result or declaration it is."""

    by: ToldBy
    text: str
    tool: str = ""


@runtime_checkable
class ClaimScorer(EntailmentModel, Protocol):
    """A scorer that reads the sources of a claim as what they are, with the user's question, and answers once for
    all of them."""

    def score_claims(
        self, claims: Sequence[tuple[Sequence[Told], str]], question: str = ""
    ) -> list[Entailment | ScorerError]:
        """Score ``(sources, claim)``, in order; an error stands for a claim without a verdict."""
        ...
