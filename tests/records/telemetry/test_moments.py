"""Why an answer or a search ended, its score and what was asked, and the risk: in the log and in traces."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from affidavit import Detector, Guard
from affidavit.grounding.tool import grounded_tool
from affidavit.records.telemetry import Telemetry, names
from affidavit.testing import FixedEntailment
from affidavit.trace import Message, TextPart, ToolCallPart, ToolDefinition

QUESTION = "What does the Enterprise plan cost?"
HITS = [{"text": "Enterprise costs $850.", "score": 0.8}]


@grounded_tool
def search(query: str) -> list[dict[str, Any]]:
    return HITS if "Enterprise" in query else []


def answered(result: object, **telemetry: Any) -> Guard:
    asked = Message(role="user", parts=(TextPart(text=QUESTION),))
    detector = Detector(entailment=FixedEntailment(), observer=Telemetry(**telemetry))
    tool = ToolDefinition(name="search", input_schema={"type": "object"})
    guard = Guard(detector, messages=[asked], tools=[tool])
    guard.check_call(ToolCallPart(id="1", name="search", arguments={}))
    guard.record_result("1", result)
    guard.check_answer("The Enterprise plan costs $850.")
    return guard


@pytest.mark.spec("AFF-1306")
@pytest.mark.parametrize("content", [False, True])
def test_a_run_says_why_it_ended(
    host: Any, content: bool, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "affidavit.guard"):
        guard = answered([], **host.providers, content=content)
    span = host.span(names.RUN_SPAN)
    report = guard.report
    assert report is not None
    assert span.attributes[names.STOP_REASON] == report.stop_reason != "answered"
    assert span.attributes.get(names.QUERY) == (QUESTION if content else None)
    (risk,) = [event for event in span.events if event.name == names.RISK_EVENT]
    assert dict(risk.attributes) == {names.RESULT_STATE: "empty", names.TOOL_NAME: "search"}
    assert f"stop_reason {report.stop_reason}, score {report.overall_score:.4g}" in caplog.text
    assert "GROUNDING RISK: the result of search was empty" in caplog.text
    assert QUESTION in caplog.text


@pytest.mark.spec("AFF-1306")
def test_what_was_found_is_no_risk(host: Any, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "affidavit.guard"):
        guard = answered(HITS, **host.providers)
    assert guard.report is not None and guard.report.grounding_risk is None
    assert [e for e in host.span(names.RUN_SPAN).events if e.name == names.RISK_EVENT] == []
    assert "GROUNDING RISK" not in caplog.text and "stop_reason" in caplog.text


@pytest.mark.spec("AFF-1306")
@pytest.mark.parametrize("capture", ["", "true"])
@pytest.mark.parametrize(
    ("query", "state", "score"),
    [("Enterprise plan", "success", 0.8), ("Basic plan", "not_found", None)],
)
def test_a_grounded_tool_tells_of_its_results(
    host: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture,
    capture: str, query: str, state: str, score: float | None,
) -> None:  # fmt: skip
    monkeypatch.setenv(names.CAPTURE_CONTENT, capture)
    with caplog.at_level(logging.INFO, "affidavit.grounding"):
        with host.tracer.start_as_current_span("execute_tool search"):
            search(query=query)
        search(query=query)  # with nobody looking
    (event,) = host.span("execute_tool search").events
    assert event.name == names.RESULT_EVENT
    told = {names.TOOL_NAME: "search", names.RESULT_STATE: state}
    told |= {} if score is None else {names.RESULT_SCORE: score}
    assert dict(event.attributes) == told | ({names.QUERY: query} if capture else {})
    assert f"search: {state} for '{query}'" in caplog.text
    assert score is None or "best 0.8" in caplog.text
