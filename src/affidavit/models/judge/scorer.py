"""The judge in the entailment model's place: a claim against all that bears on it, in one call."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from affidavit._sync import run_sync
from affidavit.errors import ScorerError
from affidavit.models.entailment.protocol import Entailment, Told
from affidavit.models.judge.judge import GroundednessJudge, JudgeDocument

CONCURRENT = 8
"""Calls that wait at the same time."""


class JudgeScorer:
    """A judge that scores claims for Stage 2.

    The judge's scale has no place for "left open": a score near 0 is a contradiction or an invention.
    What is not grounded is therefore neutral, and only exact checks find that evidence denies a claim.
    """

    def __init__(self, judge: GroundednessJudge) -> None:
        self._judge = judge

    @property
    def name(self) -> str:
        return self._judge.name

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        """Each pair by itself, the premise as what a tool returned: one call a pair that differs. Raises ScorerError if
        any has no verdict."""
        told = [((Told("tool_result", premise),), hypothesis) for premise, hypothesis in pairs]
        results = self.score_claims(told)
        for result in results:
            if isinstance(result, ScorerError):
                raise result
        return [result for result in results if isinstance(result, Entailment)]

    def score_claims(
        self, claims: Sequence[tuple[Sequence[Told], str]], question: str = ""
    ) -> list[Entailment | ScorerError]:
        """Each claim against all of its sources: one call a claim that differs."""
        return run_sync(self._score_claims(claims, question))

    async def _score_claims(
        self, claims: Sequence[tuple[Sequence[Told], str]], question: str
    ) -> list[Entailment | ScorerError]:
        gate = asyncio.Semaphore(CONCURRENT)

        async def one(sources: Sequence[Told], hypothesis: str) -> Entailment | ScorerError:
            documents = [JudgeDocument(s.tool, s.text, s.by) for s in sources]
            async with gate:
                judgement = await self._judge.judge(hypothesis, documents, question=question)
            if judgement.score is None:
                return ScorerError(judgement.reasoning)
            return Entailment(judgement.score, 1 - judgement.score, 0.0)

        keys = [(tuple(sources), hypothesis) for sources, hypothesis in claims]
        distinct = list(dict.fromkeys(keys))
        found = await asyncio.gather(*(one(*key) for key in distinct))
        by_key = dict(zip(distinct, found, strict=True))
        return [by_key[key] for key in keys]
