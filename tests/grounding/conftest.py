"""Runs that ask a price list."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from affidavit import Detector, HallucinationReport
from affidavit.guard import Guard
from affidavit.policy import Policy
from affidavit.trace import Message, TextPart, ToolCallPart

QUESTION = "What does the Basic plan cost, and what the Enterprise plan?"

Judge = Callable[..., HallucinationReport]


@pytest.fixture(scope="session")
def detector() -> Detector:
    return Detector()


@pytest.fixture
def judge(detector: Detector) -> Judge:
    """The report on an answer to a question after one search that came to ``result``."""

    def judged(
        result: object,
        answer: str,
        *,
        question: str = QUESTION,
        is_error: bool = False,
        prior: float = 0.98,
    ) -> HallucinationReport:
        asked = Message(role="user", parts=(TextPart(text=question),))
        at = Policy(prior=prior)
        guard = Guard(Detector(at, entailment=detector.entailment), messages=[asked])
        call = ToolCallPart(id="1", name="search_prices", arguments={"query": question})
        assert guard.check_call(call).run
        guard.record_result("1", result, is_error=is_error)
        return guard.check_answer(answer).report

    return judged
