"""One forward pass for whoever asks at the same time: an accelerator is fast where it is given much at once."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

from affidavit.errors import ScorerError
from affidavit.models.entailment.protocol import Entailment, EntailmentModel


@dataclass(eq=False, slots=True)
class _Call:
    pairs: Sequence[tuple[str, str]]
    scores: list[Entailment] = field(default_factory=list)
    error: ScorerError | None = None
    answered: bool = False


class Gathered:
    """``model``, asked by one thread at a time for all that wait.

    While it is busy, calls of other threads gather; then one of them asks for all. Nobody waits for a
    batch to fill. What a call cannot be answered for costs none of the others.
    """

    def __init__(self, model: EntailmentModel) -> None:
        self._model = model
        self._turn = threading.Lock()
        self._waiting: list[_Call] = []
        self._holding = threading.Lock()

    @property
    def name(self) -> str:
        return self._model.name

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        """Score ``(premise, hypothesis)`` pairs, in order. Raises ScorerError where the model does."""
        call = _Call(pairs)
        with self._holding:
            self._waiting.append(call)
        with self._turn:
            if not call.answered:
                with self._holding:
                    calls, self._waiting = self._waiting, []
                self._answer(calls)
        if call.error is not None:
            raise call.error
        return call.scores

    def _answer(self, calls: Sequence[_Call]) -> None:
        try:
            scores = iter(self._model.score([pair for call in calls for pair in call.pairs]))
        except ScorerError as error:
            if len(calls) > 1:
                for call in calls:
                    self._answer([call])
                return
            calls[0].error, calls[0].answered = error, True
            return
        for call in calls:
            call.scores = [next(scores) for _ in call.pairs]
            call.answered = True
