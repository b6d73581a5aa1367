"""Model APIs that answer from a script, for SDKs whose HTTP transport can be replaced."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from affidavit.runtimes.contract.scene import ModelTurn, Outcome, Scene, Script
from affidavit.runtimes.sse import write_event

Json = dict[str, Any]

PIECES = re.compile(r"\s*\S{1,6}")
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
    script = Script(scene.turns)

    def respond(request: Any) -> Any:
        body = json.loads(request.content)
        outcome.asked.append(json.dumps(body, ensure_ascii=False))
        turn = script.next()
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
