"""Calls of several threads are answered in one forward pass, each with its own scores."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from affidavit.errors import ScorerError
from affidavit.models.entailment import Entailment
from affidavit.models.entailment.gathered import Gathered

THREADS = 8


class Slow:
    """Busy with its first call until all threads have asked; it cannot read a claim that is ``unreadable``."""

    name = "slow/1"

    def __init__(self) -> None:
        self.calls: list[int] = []
        self.all_asked = threading.Barrier(THREADS)

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        self.calls.append(len(pairs))
        time.sleep(0.3)
        if any(claim == "unreadable" for _, claim in pairs):
            raise ScorerError("cannot be read")
        return [Entailment(int(claim) / 1000, 0.0, 0.0) for _, claim in pairs]


def test_what_is_asked_meanwhile_is_answered_together() -> None:
    model = Slow()
    gathered = Gathered(model)

    def ask(thread: int) -> list[float]:
        model.all_asked.wait()
        pairs = [("It rains.", str(100 * thread + number)) for number in range(thread + 1)]
        return [1000 * score.entailment for score in gathered.score(pairs)]

    with ThreadPoolExecutor(THREADS) as threads:
        scores = list(threads.map(ask, range(THREADS)))
    assert scores == [pytest.approx([100 * t + n for n in range(t + 1)]) for t in range(THREADS)]
    assert sum(model.calls) == sum(range(1, THREADS + 1))
    assert len(model.calls) < THREADS
    assert gathered.name == "slow/1" and gathered.score([]) == []


def test_a_call_that_cannot_be_answered_costs_no_other() -> None:
    model = Slow()
    gathered = Gathered(model)

    def ask(thread: int) -> float | str:
        model.all_asked.wait()
        try:
            (score,) = gathered.score([("It rains.", "unreadable" if thread == 3 else str(thread))])
        except ScorerError as error:
            return str(error)
        return 1000 * score.entailment

    with ThreadPoolExecutor(THREADS) as threads:
        told = list(threads.map(ask, range(THREADS)))
    assert told.pop(3) == "cannot be read"
    assert told == pytest.approx([0, 1, 2, 4, 5, 6, 7])
