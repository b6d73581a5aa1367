"""An OpenAPI document, a path or an operation of it, is tools wherever a list of tools is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from affidavit import AffidavitError, Detector, Guard, Policy, read_run
from affidavit.cli import main
from affidavit.runtimes.mcp_proxy.calls import Calls
from affidavit.stages.verify import tool_definitions
from affidavit.testing import FixedEntailment
from affidavit.trace import Message, TextPart, ToolCallPart

OPERATION: dict[str, Any] = {
    "operationId": "get_order",
    "parameters": [
        {"name": "id", "in": "path", "required": True, "schema": {"type": "string", "pattern": "^W[0-9]+$"}}
    ],
    "responses": {"200": {"description": "the order"}},
}  # fmt: skip
PATH = {"get": OPERATION}
PATHS = {"/orders/{id}": PATH}
DOCUMENTS = {v: {"openapi": v, "info": {"title": "Shop", "version": "1"}, "paths": PATHS} for v in ("3.0.3", "3.1.0")}  # fmt: skip
FORMS: dict[str, Any] = {
    **DOCUMENTS,
    "paths": PATHS,
    "a path": PATH,
    "an operation": OPERATION,
    "operations in a list": [OPERATION, {"type": "function", "function": {"name": "other"}}],
    "a document in a list": [{"type": "function", "function": {"name": "other"}}, DOCUMENTS["3.1.0"]],
}  # fmt: skip
LIST = [{"type": "function", "function": {"name": "get_order", "parameters": {"type": "object"}}}]


def run_of(argument: str, tools: object = None) -> dict[str, Any]:
    """A run that calls for the order ``argument``."""
    call = {"name": "get_order", "arguments": json.dumps({"id": argument})}
    messages = [
        {"role": "user", "content": f"Where is {argument}?"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "type": "function", "function": call}]},
        {"role": "tool", "tool_call_id": "1", "content": '{"status": "shipped"}'},
        {"role": "assistant", "content": "It has shipped."},
    ]  # fmt: skip
    return {"messages": messages} | ({} if tools is None else {"tools": tools})


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector(entailment=FixedEntailment())


def status(detector: Detector, run: Any) -> str:
    return detector.check(run).tool_call_validations[0].status


@pytest.mark.spec("AFF-212")
@pytest.mark.parametrize("form", FORMS)
def test_a_run_declares_its_tools_by_openapi(detector: Detector, form: str) -> None:
    tools = FORMS[form]
    assert status(detector, run_of("W1", tools)) == "accepted"
    assert status(detector, run_of("order one", tools)) == "rejected"
    own = json.loads(read_run(run_of("order one")).model_dump_json()) | {"tools": tools}
    assert status(detector, own) == "rejected"
    assert status(detector, read_run(run_of("order one"), tools=tools)) == "rejected"
    assert status(detector, run_of("order one", LIST)) == "accepted"
    assert [t.name for t in tool_definitions(tools) if t.name != "other"] == ["get_order"]


@pytest.mark.spec("AFF-212")
@pytest.mark.parametrize("form", FORMS)
def test_a_guard_and_an_mcp_proxy_take_it(form: str) -> None:
    said = Message(role="user", parts=(TextPart(text="Where are order one and W1?"),))
    wrong = ToolCallPart(id="1", name="get_order", arguments={"id": "order one"})
    right = ToolCallPart(id="2", name="get_order", arguments={"id": "W1"})
    known = Detector(entailment=FixedEntailment())
    # The document holds in place of what the run itself declares.
    loose = read_run(run_of("W1", LIST)).tools
    for told in ({"tools": FORMS[form]}, {"tools": loose, "known_tools": FORMS[form]}):
        guard = Guard(known, messages=[said], **told)
        assert (guard.check_call(wrong).run, guard.check_call(right).run) == (False, True)
    assert Guard(known, messages=[said], tools=loose).check_call(wrong).run
    calls = Calls(Policy(), provenance="never", shadow=False, known_tools=FORMS[form])
    calls.declare([{"name": "get_order", "inputSchema": {"type": "object"}}], more=False)
    assert not calls.check("get_order", {"id": "order one"})[1].run
    assert calls.check("get_order", {"id": "W1"})[1].run


@pytest.mark.spec("AFF-212")
@pytest.mark.parametrize("form", ["3.0.3", "an operation"])
def test_check_takes_it_for_a_run_that_declares_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    tools = tmp_path / "openapi.json"
    tools.write_text(json.dumps(FORMS[form]), encoding="utf-8")
    found = []
    for declares in (None, LIST):
        file = tmp_path / "run.json"
        file.write_text(json.dumps(run_of("order one", declares)), encoding="utf-8")
        main(["check", str(file), "--json", "--tools", str(tools)])
        report = json.loads(capsys.readouterr().out)
        found.append(report["tool_call_validations"][0]["status"])
    assert found == ["rejected", "accepted"]


@pytest.mark.parametrize(
    ("tools", "why"),
    [
        ({"swagger": "2.0", "paths": {}}, "expected OpenAPI 3.0 or 3.1, got '2.0'"),
        ({"responses": {"200": {}}}, "needs an operationId, or its method and path"),
        ({"openapi": "3.1.0", "paths": {"/": {"$ref": "#/none"}}}, "does not exist"),
    ],
)
def test_what_is_wrong_with_it_is_said(tools: Any, why: str) -> None:
    with pytest.raises(AffidavitError, match=f"tools: .*{why}"):
        read_run(run_of("W1", tools))


def test_only_an_operation_that_reads_is_known_to_read() -> None:
    read = read_run(run_of("W1", DOCUMENTS["3.1.0"])).tools or ()
    alone = read_run(run_of("W1", OPERATION)).tools or ()
    said = read_run(run_of("W1", OPERATION | {"method": "GET", "path": "/orders/{id}"})).tools or ()
    assert [tool.reads for tool in (*read, *alone, *said)] == [True, False, True]
