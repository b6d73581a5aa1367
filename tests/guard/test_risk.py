"""An answer right after a search that came to nothing is logged as a risk."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from affidavit import Detector, Guard
from affidavit.grounding.result import low_relevance, not_found, success, technical_error
from affidavit.testing import FixedEntailment
from affidavit.trace import Message, TextPart, ToolCallPart, ToolDefinition

QUESTION = "What is the price of the Enterprise plan?"
SCHEMA: dict[str, Any] = {"type": "object", "properties": {"query": {"type": "string"}}}
SEARCH = ToolDefinition(name="search", input_schema=SCHEMA)


def answered(*results: Any, is_error: bool = False) -> Guard:
    asked = Message(role="user", parts=(TextPart(text=QUESTION),))
    guard = Guard(Detector(entailment=FixedEntailment()), messages=[asked], tools=[SEARCH])
    for number, result in enumerate(results):
        call = ToolCallPart(id=f"c{number}", name="search", arguments={"query": "price"})
        guard.check_call(call)
        guard.record_result(call.id, result, is_error=is_error)
    guard.check_answer("The Enterprise plan costs $500.")
    return guard


@pytest.mark.parametrize(
    ("result", "is_error", "told"),
    [
        ([], False, "empty"),
        ("timeout", True, "error"),
        (not_found(source="kb"), False, "not found"),
        (low_relevance("a template", source="kb", score=0.6), False, "low relevance"),
        (technical_error("timeout", source="kb"), True, "technical error"),
    ],
)
def test_nothing_was_found_and_it_answered(
    result: Any, is_error: bool, told: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "affidavit.guard"):
        answered(result, is_error=is_error)
    assert f"GROUNDING RISK: the result of search was {told}" in caplog.text
    assert QUESTION in caplog.text


@pytest.mark.parametrize(
    "results",
    [(), ({"price": "$500"},), ([], {"price": "$500"}), (success("$500", source="kb"),)],
    ids=["no search", "found", "found in the end", "a success"],
)
def test_what_was_found_is_no_risk(results: Any, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "affidavit.guard"):
        answered(*results)
    assert "GROUNDING RISK" not in caplog.text
