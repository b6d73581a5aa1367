"""The right document with no answer in it is LOW, however many figures stand in it."""

from __future__ import annotations

import asyncio

import pytest

from affidavit.grounding import LocalConfidence
from affidavit.grounding.asked import asked_for, lines_of

CONTRACT = """Contract with Alpha LLC

## Termination
- The contract may be terminated with 60 days notice.
- An early termination costs $850.

## Service
- The monthly service price is $1,200.
- Support answers within 4 hours.
- Training is free of charge.
"""

ANSWERED = [
    "What is the notice period for termination of the contract with Alpha LLC?",
    "How much does early termination of the contract with Alpha LLC cost?",
    "What is the monthly price of the service for Alpha LLC?",
    "Within how many hours does support answer Alpha LLC?",
    pytest.param(
        "How much does the training for Alpha LLC cost?",
        marks=pytest.mark.xfail(strict=True, reason="words that stand for a figure are missed"),
    ),
]
UNANSWERED = [
    "What is the penalty rate for late delivery in the contract with Alpha LLC?",
    "How much is the late payment penalty in the contract with Alpha LLC?",
    "What is the liability limit in the contract with Alpha LLC?",
    "How much is the volume discount in the contract with Alpha LLC?",
    "How long does the warranty in the contract with Alpha LLC last?",
]


@pytest.mark.spec("AFF-1013")
@pytest.mark.parametrize("question", ANSWERED)
def test_what_stands_in_it_is_an_answer(question: str) -> None:
    found = asyncio.run(LocalConfidence().evaluate(question, CONTRACT))
    assert found.can_answer, found.reason


@pytest.mark.spec("AFF-1013")
@pytest.mark.parametrize("question", UNANSWERED)
def test_what_does_not_is_none(question: str) -> None:
    found = asyncio.run(LocalConfidence().evaluate(question, CONTRACT))
    assert (found.level, found.can_answer, found.state) == ("LOW", False, "not_found"), found.reason
    assert found.reason


def test_another_client_is_something_else() -> None:
    question = "What is the notice period of the contract with Gamma LLC?"
    assert asyncio.run(LocalConfidence().evaluate(question, CONTRACT)).level == "NOT_RELEVANT"


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("How much is the fee?", {"money", "percent", "quantity", "duration"}),
        ("What is the annual fee?", {"money", "percent"}),
        ("How long does it take?", {"moment", "duration"}),
        ("When is it due?", {"moment", "duration"}),
        ("How many days are there?", {"moment", "duration"}),
        ("What is the process?", None),
        ("Can I cancel?", None),
    ],
)
def test_what_kind_of_figure_is_asked_for(question: str, kinds: set[str] | None) -> None:
    asked = asked_for(question)
    assert (asked and set(asked.kinds)) == kinds


def test_a_line_is_read_under_its_heading() -> None:
    asked = asked_for("What does early termination cost?")
    assert asked is not None
    told = {line: asked.told_in(line) for line in lines_of(CONTRACT)}
    assert told["Termination: An early termination costs $850."] == ["$850"]
    assert told["Service: Training is free of charge."] == ["free"]
    assert told["Termination: The contract may be terminated with 60 days notice."] == []
