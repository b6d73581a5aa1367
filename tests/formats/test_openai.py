"""What only OpenAI's formats have: kept, and put where it belongs."""

from __future__ import annotations

from typing import Any

import pytest

from affidavit.formats import read_run
from affidavit.trace import (
    RunTrace,
)

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
