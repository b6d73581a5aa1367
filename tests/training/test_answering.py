"""The weights of two readings, from labelled questions."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from affidavit.grounding.answering import FITTED, Reading, Weights
from affidavit.training.answering import Labelled, cross_fitted, fitted

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def questions(seed: int = 0, size: int = 200) -> list[Labelled]:
    """Answered ones are read as stated and spoken of, four to a document."""
    chance = np.random.default_rng(seed)
    made = []
    for n in range(size):
        answered = n % 2 == 0
        stated = float(chance.normal(2 if answered else -1))
        spoken = float(chance.normal(0.8 if answered else 0.5, 0.1))
        made.append(Labelled(f"document {n // 4}", (stated, spoken), answered))
    return made


def test_both_readings_speak_for_an_answer() -> None:
    weights = fitted(questions())
    assert weights.stated > 0
    assert weights.spoken > 0
    right = sum((weights.chance(Reading(*q.readings, "")) >= 0.5) is q.answered for q in questions(1))  # fmt: skip
    assert right >= 180


def test_a_question_is_judged_by_weights_fitted_without_its_document() -> None:
    some = questions()
    odd = Labelled("odd", (-6.0, 0.1), answered=True)
    at = cross_fitted([*some, odd])
    assert at[-1] < 0
    assert float(np.mean([(a > 0) == q.answered for a, q in zip(at[:-1], some, strict=True)])) > 0.9


@pytest.mark.parametrize("weights", [FITTED, fitted(questions())])
def test_more_of_either_is_never_less_of_a_chance(weights: Weights) -> None:
    steps = [weights.chance(Reading(s, w, "")) for s, w in ((-3, 0.5), (0, 0.5), (0, 0.7), (3, 0.9))]  # fmt: skip
    assert steps == sorted(steps)


def test_the_measured_questions_are_of_other_products_than_the_fitted_ones() -> None:
    def products(name: str) -> set[str]:
        lines = (BENCHMARKS / name).read_text(encoding="utf-8").splitlines()
        return {json.loads(line)["document"].rpartition("_")[0] for line in lines}

    measured = products("banking_right_document.jsonl")
    assert not measured & products("banking_right_document_fit.jsonl")
