"""An entailment model that is asked no more when the time is up."""

from __future__ import annotations

import time
from collections.abc import Sequence

from affidavit.errors import ScorerError
from affidavit.models.entailment.protocol import Entailment, EntailmentModel

STEP = 8
"""Pairs that are scored between two looks at the clock."""


class UntilDeadline:
    """``model``, until ``deadline`` (a reading of ``time.perf_counter``); then it raises ScorerError."""

    def __init__(self, model: EntailmentModel, deadline: float) -> None:
        self._model, self._deadline = model, deadline

    @property
    def name(self) -> str:
        return self._model.name

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        scores: list[Entailment] = []
        for at in range(0, len(pairs), STEP):
            if time.perf_counter() >= self._deadline:
                raise ScorerError("the time that the policy allows for a check is used up")
            scores += self._model.score(pairs[at : at + STEP])
        return scores
