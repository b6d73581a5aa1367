"""Model APIs that answer from a script, for SDKs whose HTTP transport can be replaced."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from affidavit.runtimes.contract.scene import ModelTurn, Outcome, Scene
from affidavit.runtimes.sse import write_event

Json = dict[str, Any]

PIECES = re.compile(r"(?<!\s)\s*+\S{1,6}")
"""Streamed text comes in pieces that end anywhere."""


def responder(
    library: Any,
    scene: Scene,
    outcome: Outcome,
    whole: Callable[[ModelTurn], Json],
    events: Callable[[ModelTurn], Iterator[Json]],
    end: bytes = b"",
) -> Callable[[Any], Any]:
    """What answers the requests of an SDK: a handler for the ``MockTransport`` of ``library``."""
    script = scene.script()

    def respond(request: Any) -> Any:
        body = json.loads(request.content)
        turn = script.answer(json.dumps(body, ensure_ascii=False), outcome)
        if not body.get("stream"):
            return library.Response(200, json=whole(turn))
        content = b"".join(write_event(event) for event in events(turn)) + end
        headers = {"content-type": "text/event-stream"}
        return library.Response(200, headers=headers, content=content)

    return respond


def anthropic_message(turn: ModelTurn) -> Json:
    """A turn as the Anthropic Messages API returns it."""
    content: list[Json] = [{"type": "text", "text": turn.text}] if turn.text else []
    content += [
        {"type": "tool_use", "id": c.id, "name": c.name, "input": c.arguments} for c in turn.calls
    ]
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "scripted",
        "content": content, "stop_reason": "tool_use" if turn.calls else "end_turn",
        "stop_sequence": None, "usage": {"input_tokens": 10, "output_tokens": 5},
    }  # fmt: skip


def anthropic_events(turn: ModelTurn) -> Iterator[Json]:
    """A turn as the Anthropic Messages API streams it."""
    message = anthropic_message(turn)
    start = {**message, "content": [], "stop_reason": None}
    yield {"type": "message_start", "message": start}
    for i, block in enumerate(message["content"]):
        if block["type"] == "text":
            opened: Json = {"type": "text", "text": ""}
            deltas = [{"type": "text_delta", "text": p} for p in PIECES.findall(block["text"])]
        else:
            opened = {**block, "input": {}}
            pieces = PIECES.findall(json.dumps(block["input"]))
            deltas = [{"type": "input_json_delta", "partial_json": p} for p in pieces]
        yield {"type": "content_block_start", "index": i, "content_block": opened}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": i, "delta": delta}
        yield {"type": "content_block_stop", "index": i}
    delta = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 5}}
    yield {"type": "message_stop"}


def chat_completion(turn: ModelTurn) -> Json:
    """A turn as the OpenAI Chat Completions API returns it."""
    message: Json = {"role": "assistant", "content": turn.text or None}
    if turn.calls:
        message["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
            }
            for call in turn.calls
        ]
    finish = "tool_calls" if turn.calls else "stop"
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "scripted",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }  # fmt: skip


def chat_chunks(turn: ModelTurn) -> Iterator[Json]:
    """A turn as the OpenAI Chat Completions API streams it; ``[DONE]`` comes after."""
    whole = chat_completion(turn)
    choice = whole["choices"][0]
    about = {k: whole[k] for k in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
    deltas: list[Json] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": piece} for piece in PIECES.findall(turn.text)]
    for i, call in enumerate(choice["message"].get("tool_calls", ())):
        function = call["function"]
        opened = {**call, "index": i, "function": {**function, "arguments": ""}}
        deltas.append({"tool_calls": [opened]})
        for piece in PIECES.findall(function["arguments"]):
            deltas.append({"tool_calls": [{"index": i, "function": {"arguments": piece}}]})
    for delta in deltas:
        yield {**about, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    last = {"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}
    yield {**about, "choices": [last]}


def responses_response(turn: ModelTurn, number: int = 1) -> Json:
    """A turn as the OpenAI Responses API returns it."""
    output: list[Json] = []
    if turn.text:
        part = {"type": "output_text", "text": turn.text, "annotations": [], "logprobs": []}
        output.append(
            {
                "type": "message",
                "id": f"msg_{number}",
                "role": "assistant",
                "status": "completed",
                "content": [part],
            }
        )
    output += [
        {
            "type": "function_call",
            "id": f"fc_{call.id}",
            "call_id": call.id,
            "name": call.name,
            "arguments": json.dumps(call.arguments),
            "status": "completed",
        }
        for call in turn.calls
    ]
    return {
        "id": f"resp_{number}", "object": "response", "created_at": 1, "model": "scripted",
        "status": "completed", "error": None, "incomplete_details": None, "instructions": None,
        "output": output, "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
        "usage": {
            "input_tokens": 10, "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": 5, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 15,
        },
    }  # fmt: skip


def responses_events(turn: ModelTurn, number: int = 1) -> Iterator[Json]:
    """A turn as the OpenAI Responses API streams it."""
    for sequence, event in enumerate(_responses_events(responses_response(turn, number))):
        yield {**event, "sequence_number": sequence}


def _responses_events(whole: Json) -> Iterator[Json]:
    yield {
        "type": "response.created",
        "response": {**whole, "output": [], "status": "in_progress", "usage": None},
    }
    for index, item in enumerate(whole["output"]):
        at = {"output_index": index, "item_id": item["id"]}
        opened: Json = {**item, "status": "in_progress"}
        opened["content" if item["type"] == "message" else "arguments"] = (
            [] if item["type"] == "message" else ""
        )
        yield {"type": "response.output_item.added", "output_index": index, "item": opened}
        if item["type"] == "message":
            part = item["content"][0]
            inside = {**at, "content_index": 0}
            yield {"type": "response.content_part.added", **inside, "part": {**part, "text": ""}}
            for piece in PIECES.findall(part["text"]):
                kind = "response.output_text.delta"
                yield {"type": kind, **inside, "delta": piece, "logprobs": []}
            kind = "response.output_text.done"
            yield {"type": kind, **inside, "text": part["text"], "logprobs": []}
            yield {"type": "response.content_part.done", **inside, "part": part}
        else:
            for piece in PIECES.findall(item["arguments"]):
                yield {"type": "response.function_call_arguments.delta", **at, "delta": piece}
            kind = "response.function_call_arguments.done"
            yield {"type": kind, **at, "arguments": item["arguments"]}
        yield {"type": "response.output_item.done", "output_index": index, "item": item}
    yield {"type": "response.completed", "response": whole}
