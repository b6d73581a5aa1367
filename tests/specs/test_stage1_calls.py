"""Section 2: tool calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affidavit import HallucinationReport, ToolCallValidation
from affidavit.testing import FixedEntailment

ANSWER = "The total is $62.50."
JudgeCalls = Callable[..., tuple[ToolCallValidation, ...]]


@pytest.fixture
def calls(judge: Callable[..., HallucinationReport]) -> JudgeCalls:
    """Stage 1's verdicts on a run with these calls, each an argument dict for ``get_repair``."""

    def judged(*arguments: Any, **run: Any) -> tuple[ToolCallValidation, ...]:
        made = [("get_repair", args, {"total_cents": 6250}) for args in arguments]
        run = {"calls": made} | run
        return judge(ANSWER, entailment=FixedEntailment(), **run).tool_call_validations

    return judged


@pytest.mark.spec("AFF-201")
def test_arguments_that_do_not_fit_the_schema_are_rejected(calls: JudgeCalls) -> None:
    (call,) = calls({"ticket": "RJ-3107", "days": "three"})
    assert call.status == "rejected"
    (error,) = call.errors
    assert (error.kind, error.path, error.got) == ("schema", "/days", "three")
    assert "integer" in error.expected


@pytest.mark.spec("AFF-202")
def test_a_tool_that_was_not_declared_is_rejected(calls: JudgeCalls) -> None:
    found = [("find_repair", {"ticket": "RJ-3107"}, {})]
    (call,) = calls(calls=found)
    assert (call.status, call.errors[0].kind) == ("rejected", "unknown_tool")
    (unknown,) = calls(calls=found, tools=None)
    assert unknown.status == "unchecked"


@pytest.mark.spec("AFF-203")
@pytest.mark.parametrize(
    ("run", "status"),
    [
        ({}, "accepted"),
        ({"user": "Is my bike ready?"}, "rejected"),
        ({"user": "Is my bike ready?", "system": "The customer's ticket is RJ-3107."}, "accepted"),
        ({"user": "Is my bike ready?", "policy": {"allow": ["RJ-31*"]}}, "accepted"),
    ],
    ids=["user", "nobody", "system", "allowlist"],
)
def test_an_entity_must_come_from_somewhere(
    calls: JudgeCalls, run: dict[str, Any], status: str
) -> None:
    (call,) = calls({"ticket": "RJ-3107"}, **run)
    assert call.status == status
    assert [error.kind for error in call.errors] == (["provenance"] if status == "rejected" else [])


@pytest.mark.spec("AFF-203", "AFF-204")
def test_a_result_vouches_for_later_calls_only(calls: JudgeCalls) -> None:
    listed = ("get_repair", {"ticket": "RJ-3107"}, {"tickets": ["RJ-3107", "RJ-4410"]})
    other = ("get_repair", {"ticket": "RJ-4410"}, {"total_cents": 6250})
    assert [call.status for call in calls(calls=[listed, other])] == ["accepted", "accepted"]
    assert [call.status for call in calls(calls=[other, listed])] == ["rejected", "accepted"]


@pytest.mark.spec("AFF-205")
def test_a_rejection_suggests_the_nearest_known_value(calls: JudgeCalls) -> None:
    (call,) = calls({"ticket": "RJ-3170"})
    assert "RJ-3107" in (call.errors[0].suggestion or "")


@pytest.mark.spec("AFF-206")
def test_every_attempt_is_listed_in_order_as_it_came(calls: JudgeCalls) -> None:
    sent = [{"ticket": "RJ-3170"}, {"ticket": "RJ-3107", "days": "x"}, {"ticket": "RJ-3107"}]
    listed = calls(*sent)
    assert [call.args for call in listed] == sent
    assert [call.call_id for call in listed] == ["call_1", "call_2", "call_3"]
    assert [call.status for call in listed] == ["rejected", "rejected", "accepted"]


@pytest.mark.spec("AFF-207")
def test_arguments_that_are_not_json_are_an_error_of_the_call(calls: JudgeCalls) -> None:
    (call,) = calls('{"ticket": ')
    assert (call.status, call.errors[0].kind) == ("rejected", "malformed_arguments")


@pytest.mark.spec("AFF-208")
@pytest.mark.parametrize(
    "policy",
    [
        {"allow": ["RJ-99*"]},
        {"tools": {"get_repair": {"allow": ["RJ-9999"]}}},
        {"tools": {"get_repair": {"arguments": {"ticket": {"allow": ["RJ-*"]}}}}},
        {"tools": {"get_repair": {"provenance": False}}},
    ],
)
def test_a_policy_may_accept_more(calls: JudgeCalls, policy: dict[str, Any]) -> None:
    assert calls({"ticket": "RJ-9999"})[0].status == "rejected"
    assert calls({"ticket": "RJ-9999"}, policy=policy)[0].status == "accepted"


@pytest.mark.spec("AFF-209")
@pytest.mark.parametrize("task_type", ["general", "high_stakes", "creative"])
def test_calls_are_verified_for_every_task_type(calls: JudgeCalls, task_type: str) -> None:
    policy = {"task_type": task_type, "groundedness": "off"}
    assert calls({"ticket": "RJ-9999"}, policy=policy)[0].status == "rejected"
