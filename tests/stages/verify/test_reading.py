"""Tools that only read may look around; those that change something may not."""

from __future__ import annotations

from typing import Any

import pytest

from affidavit import Detector, Policy, RunTrace, read_run
from affidavit.policy import ToolRule
from affidavit.report import HallucinationReport
from affidavit.stages.verify import tool_definitions
from affidavit.stages.verify.reading import reads_by_name
from affidavit.testing import FixedEntailment
from affidavit.trace import ToolDefinition

from .runs import assistant, call, checked, lost, result, user  # noqa: TID252

SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}, "id": {"type": "string"}}}
GUESS = {"path": "app/config/settings.py"}
READS = Policy(tools={"open_file": ToolRule(reads=True)})


def declared(**more: Any) -> tuple[ToolDefinition, ...]:
    return tool_definitions([{"name": "open_file", "inputSchema": SCHEMA, **more}])


@pytest.mark.spec("AFF-211")
@pytest.mark.parametrize(
    ("more", "policy", "accepted"),
    [
        ({}, None, False),
        ({"annotations": {"readOnlyHint": True}}, None, True),
        ({"annotations": {"readOnlyHint": False}}, None, False),
        ({"x-affidavit-reads": True}, None, True),
        ({}, READS, True),
        (
            {"annotations": {"readOnlyHint": True}},
            Policy(tools={"open_file": ToolRule(reads=False)}),
            False,
        ),
    ],
    ids=["undeclared", "hint", "hint: no", "marked", "policy", "policy: no"],
)
def test_a_reading_tool_may_open_what_nobody_mentioned(
    more: dict[str, Any], policy: Policy | None, accepted: bool
) -> None:
    verdict = checked(
        ["fix the bug"], call("open_file", GUESS), tools=declared(**more), policy=policy
    )
    assert (verdict.status == "accepted") is accepted
    assert ("was never mentioned" in verdict.note) is accepted


@pytest.mark.spec("AFF-211")
@pytest.mark.parametrize(
    "arguments", [{"id": "ORD-88231"}, {"url": "https://t.example/a"}, {"username": "mayao"}]
)
def test_a_reading_tool_may_not_make_up_identifiers(arguments: dict[str, Any]) -> None:
    verdict = checked(["hi"], call("open_file", arguments), policy=READS)
    assert lost(verdict) == list(arguments.values())


def test_operations_that_get_are_reading() -> None:
    document = {
        "openapi": "3.1.0",
        "paths": {"/files": {"get": {"operationId": "a"}, "put": {"operationId": "b"}}},
    }
    assert [tool.reads for tool in tool_definitions(document)] == [True, False]


def test_what_was_found_by_looking_is_known() -> None:
    opened = call("open_file", GUESS, call_id="a")
    edit = call("edit_file", GUESS, call_id="b")
    before = [user("fix it"), assistant(opened)]
    for content, failed, known in (("DEBUG = 1", False, True), ("no such file", True, False)):
        run = [*before, result(content, call_id="a", is_error=failed), assistant(edit)]
        trace = RunTrace(run_id="r", messages=tuple(run), answer="Done.")
        verdicts = Detector(READS, entailment=FixedEntailment()).check(trace).tool_call_validations
        assert (verdicts[-1].status != "rejected") is known


def coding_run(tool: str, answer: str, *, is_error: bool = False) -> HallucinationReport:
    use = {"type": "tool_use", "id": "c1", "name": tool, "input": {"file_path": "app/limits.py"}}
    back = {"type": "tool_result", "tool_use_id": "c1", "content": "MAX_RETRIES = 7"}
    messages = [
        {"role": "user", "content": "How many retries are there?"},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [back | {"is_error": is_error}]},
        {"role": "assistant", "content": answer},
    ]
    schema = {"type": "object", "properties": {"file_path": {"type": "string"}}}
    tools = [{"name": tool, "input_schema": schema}]
    return Detector(entailment=FixedEntailment()).check(
        read_run({"messages": messages, "tools": tools})
    )


@pytest.mark.spec("AFF-210")
def test_a_recorded_run_is_not_stopped_for_a_file_opened_by_guess() -> None:
    report = coding_run("Read", "MAX_RETRIES is 7.")
    (opened,) = report.tool_call_validations
    assert (opened.status, opened.ran, opened.reads) == ("rejected", True, True)
    assert report.claims[0].evidence_spans
    assert report.action == "emit"


@pytest.mark.spec("AFF-210")
def test_a_recorded_call_that_changes_something_still_counts() -> None:
    report = coding_run("delete", "MAX_RETRIES is 7.")
    (made,) = report.tool_call_validations
    assert (made.status, made.ran, made.reads) == ("rejected", True, False)
    assert report.action != "emit"


@pytest.mark.parametrize(
    ("name", "action"), [("get_order", "emit"), ("find_order", "emit"), ("refund_order", "revise")]
)
def test_an_invented_identifier_that_ran_counts_unless_the_tool_only_looks(
    name: str, action: str
) -> None:
    schema = {"type": "object", "properties": {"order_id": {"type": "string"}}}
    use = {"type": "tool_use", "id": "c1", "name": name, "input": {"order_id": "ORD-88231"}}
    back = {"type": "tool_result", "tool_use_id": "c1", "content": '{"status": "open"}'}
    run = {
        "tools": [{"name": name, "input_schema": schema}],
        "messages": [
            {"role": "user", "content": "Hello?"},
            {"role": "assistant", "content": [use]},
            {"role": "user", "content": [back]},
            {"role": "assistant", "content": "Hello!"},
        ],
    }
    assert Detector(entailment=FixedEntailment()).check(read_run(run)).action == action


def test_a_call_that_came_back_with_an_error_did_not_run() -> None:
    report = coding_run("Read", "MAX_RETRIES is 7.", is_error=True)
    assert not report.tool_call_validations[0].ran
    assert report.action == "block"


@pytest.mark.parametrize(
    ("tool", "arguments", "reads"),
    [
        ("Read", {}, True),
        ("list_orders", {}, True),
        ("mcp__mail__read_email", {}, True),
        ("str_replace_editor", {"command": "view"}, True),
        ("str_replace_editor", {"command": "create"}, False),
        ("update_list", {}, False),
        ("send_email", {}, False),
        ("execute_query", {}, False),
        ("checkout", {}, False),
        ("lab_results", {}, True),
        ("solar_summary", {}, True),
        ("safety_text", {}, True),
        ("text_customer", {}, False),
        ("parcel", {"number": "JX20774"}, True),
        ("parcel", {}, False),
        ("bash", {"command": "rm -r build"}, False),
        ("refund", {"order": "K-55190"}, False),
        ("alarm", {"rules": [{"at": "07:00"}]}, False),
        ("open_page", {}, True),
        ("open_ticket", {}, False),
        ("schedule_visit", {}, False),
        ("charge_card", {}, False),
    ],
)
def test_what_has_run_is_read_by_its_name(tool: str, arguments: Any, reads: bool) -> None:
    assert reads_by_name(tool, arguments) is reads
