"""What only traces, simulations and benchmark rows have."""

from __future__ import annotations

import json
from typing import Any

from affidavit.formats import read_run
from affidavit.trace import (
    DataPart,
    RunTrace,
    ToolCallPart,
    ToolResultPart,
)

ASK = {"role": "user", "content": "Where is it?"}
ANSWER = {"role": "assistant", "content": "It has shipped."}


def parts_of(trace: RunTrace) -> list[Any]:
    return [part for message in trace.messages for part in message.parts]


def test_what_follows_the_answer_of_a_simulation_is_counted() -> None:
    call = {"id": "c1", "name": "transfer", "arguments": {}}
    trace = read_run(
        {
            "id": "r1", "task_id": "3", "reward": 0.0, "domain": "retail",
            "messages": [
                ASK, ANSWER, {"role": "user", "content": "Thanks. ###STOP###"},
                {"role": "assistant", "content": None, "tool_calls": [call]},
                {"role": "tool", "tool_call_id": "c1", "content": "done"},
            ],
        }
    )  # fmt: skip
    assert trace.answer == "It has shipped."
    assert len(trace.messages) == 1
    assert trace.metadata["messages_after_answer"] == 3
    assert trace.metadata["reward"] == 0.0


def test_call_sequence_resolves_its_references() -> None:
    trace = read_run(
        {
            "input": "Rent a car.",
            "output": [
                {"name": "find", "arguments": {"q": "X"}, "label": "var1", "errors": [],
                 "response": [{"at": {"lat": 1.5}}]},
                {"name": "rent", "arguments": {"lat": "$var1.at.lat$", "id": "$var9.id$"},
                 "label": "var2", "errors": ["timeout"], "response": {}},
            ],
        }
    )  # fmt: skip
    calls = [part for part in parts_of(trace) if isinstance(part, ToolCallPart)]
    results = [part for part in parts_of(trace) if isinstance(part, ToolResultPart)]
    assert calls[1].arguments == {"lat": 1.5, "id": "$var9.id$"}
    assert trace.metadata["provenance"] == {"var2": {"/lat": "$var1.at.lat$"}}
    assert [result.is_error for result in results] == [False, True]
    assert trace.answer == ""
    assert trace.metadata["calls_only"]


def test_half_a_character_is_replaced() -> None:
    data = json.loads(
        '{"messages": [{"role": "user", "content": "cut \\ud83d"}], "answer": "Yes."}'
    )
    trace = read_run(data)
    assert trace.messages[0].text == "cut \ufffd"
    trace.model_dump_json()


def test_otel_files_and_provider_calls() -> None:
    trace = read_run(
        {
            "messages": [
                {
                    "role": "user",
                    "parts": [
                        {"type": "blob", "modality": "image", "mime_type": "image/png", "content": "eA=="},
                        {"type": "uri", "modality": "image", "uri": "https://x.example/1.png"},
                    ],
                },
                {
                    "role": "assistant",
                    "parts": [
                        {"type": "server_tool_call", "id": "s1", "name": "search",
                         "server_tool_call": {"type": "web_search", "query": "x"}},
                        {"type": "server_tool_call_response", "id": "s1",
                         "server_tool_call_response": {"hits": 2}},
                        {"type": "tool_call", "id": None, "name": "get"},
                    ],
                },
                {"role": "tool", "parts": [{"type": "tool_call_response", "response": {"n": 1}}]},
                {"role": "assistant", "parts": [{"type": "text", "content": "Two."}]},
            ]
        }
    )  # fmt: skip
    assert trace.unknown_parts() == 2
    searched, found, call = trace.messages[1].parts
    assert isinstance(searched, ToolCallPart)
    assert searched.server_side
    assert isinstance(found, ToolResultPart)
    assert found.content == (DataPart(value={"hits": 2}),)
    assert isinstance(call, ToolCallPart)
    assert (call.id, call.arguments) == ("", {})
