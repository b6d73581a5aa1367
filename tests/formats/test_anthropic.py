"""What only Anthropic Messages have: kept, and put where it belongs."""

from __future__ import annotations

from typing import Any

import pytest

from affidavit.formats import read_run
from affidavit.trace import (
    DataPart,
    ReasoningPart,
    RunTrace,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)

ASK = {"role": "user", "content": "Where is it?"}
ANSWER = {"role": "assistant", "content": "It has shipped."}


def parts_of(trace: RunTrace) -> list[Any]:
    return [part for message in trace.messages for part in message.parts]


def anthropic(*blocks: dict[str, Any], role: str = "user") -> RunTrace:
    return read_run({"messages": [ASK, {"role": role, "content": list(blocks)}, ANSWER]})


@pytest.mark.spec("AFF-101")
def test_unknown_parts_are_kept_and_counted() -> None:
    image: dict[str, Any] = {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "eA=="},
    }
    trace = anthropic(
        image,
        {
            "type": "tool_result",
            "tool_use_id": "c1",
            "content": [image, {"type": "text", "text": "t"}],
        },
        {"type": "hologram", "beams": [1, 2]},
    )
    assert trace.unknown_parts() == 3
    _, first, result, last = parts_of(trace)
    assert first == UnknownPart(kind="image", raw=image)
    assert result.content == (UnknownPart(kind="image", raw=image), TextPart(text="t"))
    assert last == UnknownPart(kind="hologram", raw={"type": "hologram", "beams": [1, 2]})


def test_text_and_results_of_one_message_keep_their_order() -> None:
    trace = anthropic(
        {"type": "text", "text": "before"},
        {"type": "tool_result", "tool_use_id": "c1", "content": "one"},
        {"type": "tool_result", "tool_use_id": "c2", "content": "two"},
        {"type": "text", "text": "after"},
    )
    assert [message.role for message in trace.messages] == ["user", "user", "tool", "tool", "user"]
    assert [part.id for part in parts_of(trace) if isinstance(part, ToolResultPart)] == ["c1", "c2"]
    assert trace.final_turn_start() == 5


def test_documents_and_search_results_are_text() -> None:
    trace = anthropic(
        {
            "type": "document",
            "title": "Terms",
            "source": {"type": "text", "media_type": "text/plain", "data": "Ten days."},
        },
        {
            "type": "tool_result",
            "tool_use_id": "c1",
            "content": [
                {
                    "type": "search_result",
                    "title": "Returns",
                    "source": "https://example.com/returns",
                    "content": [{"type": "text", "text": "Thirty days."}],
                }
            ],
        },
    )
    _, document, result = parts_of(trace)
    assert document.text == "Terms\n\nTen days."
    assert result.content[0].text == "Returns\nhttps://example.com/returns\n\nThirty days."
    assert trace.unknown_parts() == 0


def test_search_of_the_provider() -> None:
    found: dict[str, Any] = {"type": "web_search_result", "url": "https://x.example", "title": "X"}
    note = {
        "type": "web_search_result_location",
        "url": "https://x.example",
        "cited_text": "It is 7.",
    }
    trace = read_run(
        {
            "messages": [ASK],
            "response": {
                "content": [
                    {"type": "text", "text": "I'll search."},
                    {
                        "type": "server_tool_use",
                        "id": "s1",
                        "name": "web_search",
                        "input": {"query": "x"},
                    },
                    {
                        "type": "web_search_tool_result",
                        "tool_use_id": "s1",
                        "content": [{**found, "encrypted_content": "Zm9v" * 50}],
                    },
                    {"type": "text", "text": "It is "},
                    {"type": "text", "text": "seven", "citations": [note]},
                    {"type": "text", "text": "."},
                ]
            },
        }
    )
    assert trace.answer == "It is seven."
    said, call, result = trace.messages[-1].parts
    assert isinstance(said, TextPart)
    assert isinstance(call, ToolCallPart)
    assert call.server_side
    assert isinstance(result, ToolResultPart)
    assert result.content == (DataPart(value={"url": "https://x.example", "title": "X"}),)
    assert trace.metadata["citations"] == [note]


def test_search_of_the_provider_that_failed() -> None:
    failure: dict[str, Any] = {
        "type": "web_search_tool_result_error",
        "error_code": "max_uses_exceeded",
    }
    block = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": failure}
    result = anthropic(block, role="assistant").messages[-1].parts[0]
    assert isinstance(result, ToolResultPart)
    assert result.is_error
    assert result.content == (DataPart(value=failure),)


def test_thinking_around_the_answer() -> None:
    thinking = {"type": "thinking", "thinking": "Hm.", "signature": "eA=="}
    text = {"type": "text", "text": "Seven."}
    hidden = {"type": "redacted_thinking", "data": "eA=="}
    for blocks in ([thinking, text], [text, thinking], [hidden, text]):
        trace = read_run({"messages": [ASK, {"role": "assistant", "content": blocks}]})
        assert trace.answer == "Seven."
        assert len(trace.messages[-1].parts) == 1
        assert isinstance(trace.messages[-1].parts[0], ReasoningPart | UnknownPart)


def test_result_that_answers_no_call_is_kept() -> None:
    trace = anthropic({"type": "tool_result", "tool_use_id": "nobody", "content": None})
    assert parts_of(trace)[-1] == ToolResultPart(id="nobody")


def test_anthropic_sdk_response() -> None:
    types = pytest.importorskip("anthropic.types")
    message = types.Message.model_validate(
        {
            "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test",
            "content": [
                {"type": "thinking", "thinking": "Hm.", "signature": "eA=="},
                {"type": "text", "text": "It has shipped.", "citations": None},
            ],
            "stop_reason": "end_turn", "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
    )  # fmt: skip
    trace = read_run({"messages": [ASK], "response": message.model_dump()})
    assert (trace.answer, trace.run_id, trace.model) == ("It has shipped.", "msg_1", "claude-test")
