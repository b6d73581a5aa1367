"""Section 8: the guard in a running agent."""

from __future__ import annotations

from typing import Any

import pytest

from affidavit import Detector, Guard, Policy
from affidavit.trace import Message, TextPart, ToolCallPart, ToolDefinition

GOOD, BAD = "The total comes to $62.50.", "The total comes to $74.90."
TOOL = ToolDefinition(
    name="get_repair",
    input_schema={"type": "object", "properties": {"ticket": {"type": "string"}}},
)


def guard(**policy: Any) -> Guard:
    ask = Message(role="user", parts=(TextPart(text="What do I owe? The ticket is RJ-3107."),))
    return Guard(Detector(Policy.model_validate(policy)), messages=[ask], tools=[TOOL])


def call(ticket: str, call_id: str = "call_1") -> ToolCallPart:
    return ToolCallPart(id=call_id, name="get_repair", arguments={"ticket": ticket})


def looked_up(**policy: Any) -> Guard:
    watching = guard(**policy)
    assert watching.check_call(call("RJ-3107")).run
    watching.record_result("call_1", {"ticket": "RJ-3107", "total_cents": 6250})
    return watching


@pytest.mark.spec("AFF-801", "AFF-206")
def test_a_rejected_call_is_not_run_and_the_model_may_try_again() -> None:
    watching = guard(max_call_retries=1)
    first = watching.check_call(call("RJ-3170"))
    assert (first.run, first.give_up) == (False, False)
    assert "RJ-3170" in first.feedback
    assert watching.check_call(call("RJ-3701", "call_2")).give_up
    assert watching.check_call(call("RJ-3107", "call_3")).run
    watching.record_result("call_3", {"total_cents": 6250})
    listed = watching.check_answer(GOOD).report.tool_call_validations
    assert [entry.status for entry in listed] == ["rejected", "rejected", "accepted"]


@pytest.mark.spec("AFF-802", "AFF-803")
def test_a_draft_is_sent_back_and_listed() -> None:
    watching = looked_up(on_critical="revise", prior=0.8)
    draft = watching.check_answer(BAD)
    assert (draft.action, draft.text) == ("revise", None)
    assert BAD in (draft.feedback or "")
    final = watching.check_answer(GOOD)
    assert (final.action, final.text) == ("emit", GOOD)
    (attempt,) = final.report.attempts
    assert (attempt.answer, attempt.action) == (BAD, "revise")


@pytest.mark.spec("AFF-802")
def test_in_place_of_a_blocked_answer_stands_the_refusal() -> None:
    decision = looked_up(prior=0.3).check_answer(BAD)
    assert decision.action == "block"
    assert decision.text
    assert "74.90" not in decision.text


@pytest.mark.spec("AFF-803")
def test_a_revision_that_only_deletes_is_reported_as_such() -> None:
    watching = looked_up(on_critical="revise")
    watching.check_answer(f"Your ticket is RJ-3107. {BAD}")
    decision = watching.check_answer("Your ticket is RJ-3107.")
    assert decision.deletes_only
    assert any("leaves out" in reason for reason in decision.report.reasons)


@pytest.mark.spec("AFF-804")
def test_watching_disturbs_nothing() -> None:
    watching = guard()
    result: dict[str, Any] = {"total_cents": 6250, "lines": [{"item": "pads"}]}
    arguments: dict[str, Any] = {"ticket": "RJ-3107"}
    made = ToolCallPart(id="call_1", name="get_repair", arguments=arguments)
    watching.check_call(made)
    watching.record_result("call_1", result)
    watching.check_answer(GOOD)
    assert result == {"total_cents": 6250, "lines": [{"item": "pads"}]}
    assert arguments == {"ticket": "RJ-3107"}
