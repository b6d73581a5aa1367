"""What only OpenAI's formats have: kept, and put where it belongs."""

from __future__ import annotations

from typing import Any

import pytest

from affidavit.formats import read_run
from affidavit.trace import DataPart, RunTrace, TextPart

ASK = {"role": "user", "content": "Where is it?"}
ANSWER = {"role": "assistant", "content": "It has shipped."}


def parts_of(trace: RunTrace) -> list[Any]:
    return [part for message in trace.messages for part in message.parts]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ("", {}),
        ('{"a": 1', '{"a": 1'),
        ("get it", "get it"),
        ("[1, 2]", [1, 2]),
        ('{"a": NaN}', '{"a": NaN}'),
        ("[" * 5000, "[" * 5000),
    ],
)
def test_arguments_that_arrive_as_text(text: str, value: object) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "get", "arguments": text}}
    trace = read_run({"messages": [ASK, {"role": "assistant", "tool_calls": [call]}, ANSWER]})
    part = parts_of(trace)[-1]
    assert (part.arguments, part.arguments_text) == (value, text)


def test_legacy_functions() -> None:
    trace = read_run(
        {
            "functions": [{"name": "get", "parameters": {"type": "object"}}],
            "messages": [
                ASK,
                {
                    "role": "assistant",
                    "content": None,
                    "function_call": {"name": "get", "arguments": "{}"},
                },
                {"role": "function", "name": "get", "content": "seven"},
                ANSWER,
            ],
        }
    )
    call, result = parts_of(trace)[-2:]
    assert call.id == result.id
    assert trace.tools is not None
    assert trace.tools[0].input_schema == {"type": "object"}


def test_refusal_is_an_answer() -> None:
    message = {"role": "assistant", "content": None, "refusal": "I can't help with that."}
    response = {"id": "chatcmpl-1", "choices": [{"message": message}, {"message": message}]}
    trace = read_run({"messages": [ASK], "response": response})
    assert trace.answer == "I can't help with that."
    assert trace.run_id == "chatcmpl-1"
    assert trace.metadata["other_choices"] == 1


def test_openai_sdk_responses() -> None:
    chat = pytest.importorskip("openai.types.chat")
    responses = pytest.importorskip("openai.types.responses")
    completion = chat.ChatCompletion.model_validate(
        {
            "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "gpt-test",
            "choices": [{"index": 0, "finish_reason": "stop", "logprobs": None,
                         "message": {"role": "assistant", "content": "Shipped.", "refusal": None}}],
        }
    )  # fmt: skip
    trace = read_run({"messages": [ASK], "response": completion.model_dump()})
    assert (trace.answer, trace.run_id, trace.model) == ("Shipped.", "chatcmpl-1", "gpt-test")
    response = responses.Response.model_validate(
        {
            "id": "resp_1", "object": "response", "created_at": 1, "model": "gpt-test",
            "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
            "output": [{"type": "message", "id": "m1", "role": "assistant", "status": "completed",
                        "content": [{"type": "output_text", "text": "Shipped.", "annotations": []}]}],
        }
    )  # fmt: skip
    trace = read_run({"input": "Where is it?", "response": response.model_dump()})
    assert (trace.answer, trace.run_id, trace.messages[0].text) == (
        "Shipped.",
        "resp_1",
        "Where is it?",
    )


PRINTED = [{"stdout": "a.py", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}]
LS = {"commands": ["ls"], "timeout_ms": None}
PATCH = {"type": "create_file", "path": "a.py", "diff": "+a = 1"}


@pytest.mark.parametrize(
    ("call", "output", "name", "arguments", "result"),
    [
        ({"type": "shell_call", "action": LS}, {"call_id": "c1", "output": PRINTED},
         "shell", LS, DataPart(value=PRINTED)),
        ({"type": "local_shell_call", "action": {"type": "exec", "command": ["ls"]}},
         {"id": "c1", "output": "a.py"},
         "local_shell", {"action": "exec", "command": ["ls"]}, TextPart(text="a.py")),
        ({"type": "apply_patch_call", "operation": PATCH},
         {"call_id": "c1", "status": "failed", "output": "no such folder"},
         "apply_patch", {"operation": "create_file", "path": "a.py", "diff": "+a = 1"},
         TextPart(text="no such folder")),
    ],
)  # fmt: skip
def test_calls_of_the_tools_that_the_api_declares(
    call: Any, output: Any, name: str, arguments: Any, result: Any
) -> None:
    items = [
        ASK,
        {"id": "i1", "call_id": "c1", **call},
        {"type": f"{call['type']}_output", **output},
    ]
    made, came = parts_of(read_run({"input": items, "output": [ANSWER]}))[1:3]
    assert (made.name, made.arguments, made.server_side) == (name, arguments, False)
    assert (came.id, came.content, came.is_error) == ("c1", (result,), "status" in output)


def test_a_shell_in_a_container_of_the_api_is_its_own() -> None:
    call = {"type": "shell_call", "call_id": "c1", "action": LS}
    call["environment"] = {"type": "container_reference", "container_id": "k1"}
    trace = read_run({"input": [ASK], "output": [call, ANSWER]})
    assert [c.server_side for m in trace.messages for c in m.tool_calls] == [True]


@pytest.mark.parametrize("approve", [True, False])
def test_a_remote_call_that_was_asked_for_and_answered(approve: bool) -> None:
    shop = {"type": "mcp", "server_label": "shop"}
    schema = {"type": "object", "properties": {"order": {"type": "string"}}}
    listed = {"type": "mcp_list_tools", "id": "l1", "server_label": "shop",
              "tools": [{"name": "cancel", "description": "Cancel", "input_schema": schema}]}  # fmt: skip
    wanted = {"type": "mcp_approval_request", "id": "r1", "server_label": "shop",
              "name": "cancel", "arguments": '{"order": "A-1"}'}  # fmt: skip
    said = {"type": "mcp_approval_response", "approval_request_id": "r1", "approve": approve}
    items = [ASK, listed, wanted, said]
    trace = read_run({"input": items, "output": [ANSWER], "tools": [shop]})
    assert {tool.name: tool.input_schema for tool in trace.tools or ()}["cancel"] == schema
    _, made, *came = parts_of(trace)
    assert (made.name, made.arguments, made.server_side) == ("cancel", {"order": "A-1"}, False)
    assert [(part.id, part.is_error) for part in came] == ([] if approve else [("r1", True)])


def test_a_run_that_does_not_tell_its_tools_has_not_just_the_remote_ones() -> None:
    listed = {"type": "mcp_list_tools", "id": "l1", "server_label": "shop", "tools": []}
    wanted = {"type": "mcp_approval_request", "id": "r1", "server_label": "shop",
              "name": "cancel", "arguments": "{}"}  # fmt: skip
    said = {"type": "mcp_approval_response", "approval_request_id": "r1", "approve": True}
    assert read_run({"input": [ASK, listed, wanted, said], "output": [ANSWER]}).tools is None
