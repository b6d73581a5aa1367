"""Searching with a second try: when there is one, when there is none, and what is told of it."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from affidavit.errors import ModelError
from affidavit.grounding.confidence import Confidence, ConfidenceLevel
from affidavit.grounding.knowledge.retriever import Hit, Source
from affidavit.grounding.reformulate import ModelReformulator, PlainReformulator
from affidavit.grounding.requery import GroundedSearch, Searched
from affidavit.testing import ScriptedModel

QUERY = "penalties in clause 8.3.2 of the contract with Beta Corp"
OTHER = "liability Beta Corp"
TECHNICAL = ConnectionError("10.0.0.7 refused")


def hit(score: float, text: str = "A penalty of 0.5% per day.", **more: Any) -> Hit:
    return Hit(text, text, score, Source("Contract", "C-1", **more))


class Shelf:
    """A retriever with known answers, and errors among them."""

    def __init__(self, by_query: Mapping[str, Sequence[Hit] | Exception]) -> None:
        self.by_query, self.asked = by_query, list[str]()

    async def search(self, query: str, *, limit: int = 5) -> list[Hit]:
        self.asked.append(query)
        found = self.by_query.get(query, [])
        if isinstance(found, Exception):
            raise found
        return list(found)[:limit]


class Verdicts:
    """An evaluator with known answers, in order."""

    def __init__(self, *levels: ConfidenceLevel | Exception | None) -> None:
        self.levels, self.queries = list(levels), list[str]()

    async def evaluate(self, query: str, content: str) -> Confidence:
        self.queries.append(query)
        level = self.levels.pop(0)
        if isinstance(level, Exception):
            raise level
        if level is None:
            return Confidence("LOW", False, "it could not be assessed", checked=False)
        return Confidence(level, level in ("HIGH", "MEDIUM"), "because")


class Words:
    def __init__(self, *wordings: str | Exception) -> None:
        self.wordings, self.asked = list(wordings), 0

    async def reformulate(self, query: str) -> str:
        self.asked += 1
        wording = self.wordings.pop(0)
        if isinstance(wording, Exception):
            raise wording
        return wording


def run(shelf: Shelf, verdicts: Verdicts, words: Words, **more: Any) -> Searched:
    search = GroundedSearch(shelf, evaluator=verdicts, reformulator=words, **more)
    return asyncio.run(search.search(QUERY))


HERE, THERE = [hit(0.8)], [hit(0.9, "Liability is limited.")]
Found = Mapping[str, Sequence[Hit] | Exception]
CASES: dict[str, tuple[Found, tuple[Any, ...], tuple[Any, ...], int, str, str]] = {
    # what is where, verdicts, other wordings, searches, state, why it stopped
    "found at once": ({QUERY: HERE}, ("HIGH",), (), 1, "success", "found"),
    "partly": ({QUERY: HERE}, ("MEDIUM",), (), 1, "low_relevance", "found"),
    "found at the second try": ({OTHER: THERE}, ("HIGH",), (OTHER,), 2, "success", "found"),
    "better at the second try": ({QUERY: HERE, OTHER: THERE}, ("LOW", "HIGH"), (OTHER,), 2, "success", "found"),
    "below the floor, then found": ({QUERY: [hit(0.3)], OTHER: THERE}, ("HIGH",), (OTHER,), 2, "success", "found"),
    "not relevant": ({QUERY: HERE, OTHER: THERE}, ("NOT_RELEVANT",), (), 1, "not_found", "not_relevant"),
    "low, then not relevant": ({QUERY: HERE, OTHER: THERE}, ("LOW", "NOT_RELEVANT"), (OTHER,), 2, "not_found", "not_relevant"),
    "low twice": ({QUERY: HERE, OTHER: THERE}, ("LOW", "LOW"), (OTHER,), 2, "not_found", "attempts_used"),
    "nothing twice": ({}, (), (OTHER,), 2, "not_found", "attempts_used"),
    "the same wording again": ({}, (), (QUERY.upper(),), 1, "not_found", "no_other_query"),
    "no wording": ({}, (), ("",), 1, "not_found", "no_other_query"),
    "assessing fails": ({QUERY: HERE, OTHER: THERE}, (ZeroDivisionError(), None), (OTHER,), 2, "not_found", "not_assessed"),
    "assessing fails once": ({QUERY: HERE, OTHER: THERE}, (ZeroDivisionError(), "HIGH"), (OTHER,), 2, "success", "found"),
    "no wording for an error": ({}, (), (ModelError("down"),), 1, "not_found", "no_other_query"),
    "not assessed": ({QUERY: HERE, OTHER: THERE}, (None, None), (OTHER,), 2, "not_found", "not_assessed"),
    "not assessed, then nothing": ({QUERY: HERE}, (None,), (OTHER,), 2, "not_found", "attempts_used"),
    "the search fails": ({QUERY: TECHNICAL}, (), (), 1, "technical_error", "technical_error"),
    "the second search fails": ({OTHER: TECHNICAL}, (), (OTHER,), 2, "technical_error", "technical_error"),
}  # fmt: skip


@pytest.mark.spec("AFF-1009")
@pytest.mark.parametrize(
    ("there", "levels", "wordings", "searches", "state", "why"), CASES.values(), ids=CASES
)
def test_the_course_of_a_search(
    there: Found,
    levels: tuple[Any, ...],
    wordings: tuple[Any, ...],
    searches: int,
    state: str,
    why: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    shelf, verdicts, words = Shelf(there), Verdicts(*levels), Words(*wordings)
    with caplog.at_level(logging.INFO, "affidavit.grounding"):
        searched = run(shelf, verdicts, words)
    assert (len(shelf.asked), searched.result.state, searched.trail.stopped) == (
        searches,
        state,
        why,
    )
    assert not verdicts.levels and not words.wordings, "everything was asked for that should be"
    assert [a.number for a in searched.trail.attempts] == list(range(1, searches + 1))
    assert set(verdicts.queries) <= {QUERY}, "what was found is held against what was asked"
    assert f"{searches}/2: {why}" in caplog.text
    assert all(f"attempt {n}/2" in caplog.text for n in range(1, searches + 1))
    record = json.loads(json.dumps(searched.trail.as_json()))
    assert (record["stopped"], len(record["attempts"])) == (why, searches)
    assert "10.0.0.7" not in str(searched.result)
    assert bool(searched.hits) == (not searched.result.is_error)


def test_a_topic_search_is_not_assessed() -> None:
    verdicts = Verdicts()
    search = GroundedSearch(Shelf({"coral reefs": [hit(0.6)]}), evaluator=verdicts)
    searched = asyncio.run(search.search("coral reefs"))
    assert (searched.result.state, searched.confidence) == ("low_relevance", None)
    told = asyncio.run(GroundedSearch(Shelf({}), evaluator=verdicts).search("x", kind="topic"))
    assert told.result.state == "not_found"


@pytest.mark.parametrize("attempts", [0, 3])
def test_the_number_of_attempts_is_bounded(attempts: int) -> None:
    with pytest.raises(ValueError, match="1 to 2 attempts"):
        GroundedSearch(Shelf({}), max_attempts=attempts)


@pytest.mark.spec("AFF-1011")
def test_an_outdated_version_is_never_chosen_over_the_active_one() -> None:
    old = hit(0.95, "A penalty of 0.1% per day.", version="1.2", active=False)
    new = hit(0.8, "A penalty of 0.5% per day.", version="2.0")
    searched = run(Shelf({QUERY: [old, new]}), Verdicts("HIGH"), Words())
    assert [h.text for h in searched.hits] == [new.text]
    assert "0.1%" not in str(searched.result)


REWORDED = [
    (QUERY, "penalties contract Beta Corp"),
    ("What is the SLA uptime guarantee?", "SLA uptime guarantee"),
    ("refund for ORD-55321-X", "refund"),
    ("", ""),
]


@pytest.mark.parametrize(("query", "wording"), REWORDED)
def test_a_wording_without_a_model(query: str, wording: str) -> None:
    assert asyncio.run(PlainReformulator().reformulate(query)) == wording


ANSWERED = [
    ("liability Beta Corp", OTHER),
    ('"liability Beta Corp"\n', OTHER),
    ("Here is a broader query:\n“liability Beta Corp”", OTHER),
    ("word " * 100, ""),
]


@pytest.mark.parametrize(("answer", "wording"), ANSWERED)
def test_a_wording_by_a_model(answer: str, wording: str) -> None:
    model = ScriptedModel([answer])
    assert asyncio.run(ModelReformulator(model).reformulate(QUERY)) == wording
    assert QUERY in model.calls[0][0].text
