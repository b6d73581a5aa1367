"""Grounded results through the real SDKs, and read back from the records that those make."""

from __future__ import annotations

import json
import sys
from types import ModuleType
from typing import Any

import pytest

from affidavit import read_run
from affidavit.grounding.messages import to_anthropic, to_openai_chat, to_openai_responses
from affidavit.grounding.result import (
    GroundedResult,
    low_relevance,
    not_found,
    success,
    technical_error,
)
from affidavit.ledger.ledger import Ledger

RESULTS = {
    "success": success([{"id": "W1", "total": 9}], source="orders"),
    "low_relevance": low_relevance("An order like it.", source="orders", score=0.6),
    "not_found": not_found(source="orders", detail="SELECT secret"),
    "technical_error": technical_error("timeout", source="orders", detail="10.0.0.7 secret"),
}
OUTCOMES = {
    "success": "ok",
    "low_relevance": "ok",
    "not_found": "empty",
    "technical_error": "error",
}
QUESTION = "What is the total of W1?"
ARGUMENTS = {"order": "W1"}
ANSWER = "The total is 9."


def _posted(sdk: ModuleType, cls: str, reply: dict[str, Any], send: Any) -> dict[str, Any]:
    """The request body that the SDK puts on the wire."""
    # Recent SDKs moved to httpx2.
    httpx = sys.modules[sdk.DefaultHttpxClient.__mro__[1].__module__.partition(".")[0]]
    seen: list[Any] = []

    def answer(request: Any) -> Any:
        seen.append(json.loads(request.content))
        return httpx.Response(200, json=reply)

    with httpx.Client(transport=httpx.MockTransport(answer)) as http:
        send(getattr(sdk, cls)(api_key="k", http_client=http, max_retries=0))
    return dict(seen[0])


def _anthropic(result: GroundedResult) -> dict[str, Any]:
    call = {"type": "tool_use", "id": "t1", "name": "get_order", "input": ARGUMENTS}
    messages: list[Any] = [
        {"role": "user", "content": QUESTION},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [to_anthropic(result, "t1")]},
    ]
    reply = {
        "id": "m1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
        "content": [{"type": "text", "text": ANSWER}], "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }  # fmt: skip
    body = _posted(
        pytest.importorskip("anthropic"), "Anthropic", reply,
        lambda client: client.messages.create(model="m", max_tokens=9, messages=messages),
    )  # fmt: skip
    return {**body, "response": reply}


def _chat(result: GroundedResult) -> dict[str, Any]:
    function = {"name": "get_order", "arguments": json.dumps(ARGUMENTS)}
    messages: list[Any] = [
        {"role": "user", "content": QUESTION},
        {
            "role": "assistant",
            "tool_calls": [{"id": "t1", "type": "function", "function": function}],
        },
        to_openai_chat(result, "t1"),
    ]
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": ANSWER},
    }
    reply = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [choice],
    }
    body = _posted(
        pytest.importorskip("openai"), "OpenAI", reply,
        lambda client: client.chat.completions.create(model="m", messages=messages),
    )  # fmt: skip
    return {**body, "response": reply}


def _responses(result: GroundedResult) -> dict[str, Any]:
    call = {
        "type": "function_call", "call_id": "t1", "name": "get_order",
        "arguments": json.dumps(ARGUMENTS),
    }  # fmt: skip
    items: list[Any] = [
        {"role": "user", "content": QUESTION},
        call,
        to_openai_responses(result, "t1"),
    ]
    said = {"type": "output_text", "text": ANSWER, "annotations": []}
    message = {
        "type": "message", "id": "o1", "role": "assistant", "status": "completed", "content": [said],
    }  # fmt: skip
    reply = {
        "id": "r1", "object": "response", "created_at": 1, "model": "m", "status": "completed",
        "output": [message], "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
    }  # fmt: skip
    body = _posted(
        pytest.importorskip("openai"), "OpenAI", reply,
        lambda client: client.responses.create(model="m", input=items),
    )  # fmt: skip
    return {**body, "response": reply}


@pytest.mark.spec("AFF-1001")
@pytest.mark.parametrize("through", [_anthropic, _chat, _responses])
@pytest.mark.parametrize("state", RESULTS)
def test_the_state_is_known_again_in_the_record(through: Any, state: str) -> None:
    record = through(RESULTS[state])
    assert "secret" not in json.dumps(record)
    ledger = Ledger.of(read_run(record))
    (entry,) = ledger.calls
    assert entry.result is not None
    assert (entry.result.state, entry.outcome) == (state, OUTCOMES[state])


@pytest.mark.parametrize("state", RESULTS)
def test_anthropic_is_told_of_errors_by_its_own_flag(state: str) -> None:
    block = to_anthropic(RESULTS[state], "t1")
    assert block["is_error"] == (state in ("not_found", "technical_error"))
