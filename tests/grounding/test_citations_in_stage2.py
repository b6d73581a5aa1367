"""Inline markers and documents, held against numbered sources by Stage 2."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from affidavit import HallucinationReport
from affidavit.grounding.citations import numbered
from affidavit.grounding.knowledge.retriever import Hit, Source
from affidavit.grounding.result import success

HITS = [
    Hit("1", "The Basic plan costs $49 per month.", 0.83, Source("Price list", "PL-1")),
    Hit("2", "Refunds are paid within 14 days of the cancellation.", 0.8, Source("Refund policy", "RF-2")),
    Hit("3", "The Pro plan costs $99 per month and includes priority support.", 0.8, Source("Price list Pro", "PL-2")),
]  # fmt: skip
QUESTION = "What do the plans cost, and how do refunds work?"

RIGHT = [
    "The Basic plan costs $49 [1], and refunds are paid within 14 days [2].",
    "The Basic plan costs $49 and the Pro plan $99 [1][3].",
    "The Basic plan costs $49 and the Pro plan $99 [1, 3].",
    "The Pro plan includes priority support [3].",
    "**Basic plan**: $49 per month [1]\n**Pro plan**: $99 per month [3]",
    "According to the Refund policy, refunds are paid within 14 days.",
    "The Pro plan costs $99 per month.",
    "The Basic plan costs $49 per month, and the Pro plan costs $99 per month [1-3].",
]
WRONG = {
    "a source that is not there": "The Basic plan costs $49 per month [4].",
    "one of two is not there": "The Pro plan includes priority support [4, 3].",
    "the wrong source": "Refunds take 14 days [1].",
    "the figure of another source": "The Basic plan costs $99 [1].",
    "a figure of nobody's": "Refunds are paid within 30 days [2].",
    "the wrong document by name": "According to the Refund policy, the Basic plan costs $49.",
    "a document that is not there": "According to the Travel policy, refunds are paid within 14 days.",
    "another document's figure, uncited": "The Pro plan costs $49 per month.",
    "the same the other way round": "The Basic plan costs $99.",
    "one line of a list": "- Basic: $49 [1]\n- Pro: $99 [2]",
}

Judge = Callable[..., HallucinationReport]


def emitted(judge: Judge, answers: Iterable[str]) -> list[bool]:
    found = success(numbered(HITS)[0], source="kb")
    return [judge(found, answer, question=QUESTION).action == "emit" for answer in answers]


def test_right_citations_go_out(judge: Judge) -> None:
    right = emitted(judge, RIGHT)
    assert sum(right) >= 0.8 * len(right)


def test_wrong_citations_are_stopped_more_often_than_right_ones(judge: Judge) -> None:
    right, wrong = emitted(judge, RIGHT), emitted(judge, WRONG.values())
    assert sum(wrong) / len(wrong) < sum(right) / len(right)


@pytest.mark.parametrize("what", ["a source that is not there", "one of two is not there"])
def test_a_source_that_is_not_there_is_stopped(judge: Judge, what: str) -> None:
    assert emitted(judge, [WRONG[what]]) == [False]
