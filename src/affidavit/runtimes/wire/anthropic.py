"""Anthropic Messages on the wire."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from typing import Any

from affidavit.formats import anthropic as messages_format
from affidavit.formats.node import Node
from affidavit.models.llm import Usage
from affidavit.runtimes.wire.protocol import (
    Json,
    Request,
    StreamReader,
    Turn,
    added,
    joined,
    usage_of,
)
from affidavit.trace import Message, TextPart

_MOST_OF_A_JUDGE = 8192
"""Tokens of an answer to a question beside the run; the API wants a limit."""


class AnthropicWire:
    """``POST /v1/messages``."""

    name = "anthropic_messages"
    end_mark = b""
    api_remembers = False

    def request(self, body: Json) -> Request:
        draft = messages_format.read(Node(body))
        return Request(tuple(draft.messages), draft.tools, draft.model)

    def fault(self, body: Json) -> Json | None:
        if not body.get("thread"):
            return None
        # The SDK's tool runner reads this, and sends the whole history instead.
        fault = self.error("a thread that the API keeps would keep rejected drafts too")
        details = {"error_code": "thread_unsupported_request", "unsupported": ["affidavit"]}
        return {**fault, "error": {**fault["error"], "details": details}}

    def streams(self, body: Json) -> bool:
        return bool(body.get("stream"))

    def failure(self, event: Json) -> Json | None:
        return event if event.get("type") == "error" else None

    def broken(self, message: str) -> Json:
        return {"type": "error", "error": {"type": "api_error", "message": f"affidavit: {message}"}}

    def turn(self, response: Json) -> Turn:
        draft = messages_format.read(Node({"messages": [], "response": response}))
        message = draft.messages[-1] if draft.messages else Message(role="assistant", parts=())
        texts = [part.text for part in message.parts if isinstance(part, TextPart)]
        text = ("" if draft.cites else "\n\n").join(texts)
        paused = response.get("stop_reason") == "pause_turn"
        return Turn(message, text, unfinished=paused, cut_off=draft.cut_off)

    def with_results(self, body: Json, response: Json, results: Mapping[str, str]) -> Json:
        content = [
            {"type": "tool_result", "tool_use_id": call_id, "content": text, "is_error": True}
            for call_id, text in results.items()
        ]
        return self._went_on(body, response, content)

    def with_feedback(self, body: Json, response: Json, feedback: str) -> Json:
        return self._went_on(body, response, feedback)

    def with_text(self, response: Json, text: str, *, ends: bool = True) -> Json:
        texts = [block for block in response.get("content", []) if block.get("type") == "text"]
        if not ends:
            kept = [b for b in response["content"] if b.get("type") != "text"]
            return {**response, "content": [*_text_blocks(text), *kept]}
        at = response["content"].index(texts[0]) if texts else len(response.get("content", []))
        before = [b for b in response.get("content", [])[:at] if b.get("type") != "tool_use"]
        return {
            **response,
            "content": [*before, *_text_blocks(text)],
            "stop_reason": "end_turn",
            "stop_sequence": None,
        }

    def with_usage(self, response: Json, earlier: Iterable[Json]) -> Json:
        usages = [r["usage"] for r in earlier if isinstance(r.get("usage"), dict)]
        if not usages:
            return response
        return {**response, "usage": reduce(added, usages, response.get("usage") or {})}

    def instructed(self, body: Json, text: str) -> Json | None:
        system = body.get("system") or ""
        if isinstance(system, str):
            return {**body, "system": joined(system, text)}
        return {**body, "system": [*system, {"type": "text", "text": text}]}

    def question(self, body: Json, text: str) -> Json | None:
        # Clouds name the model, and some of them the streaming, in the path, and the version in the body.
        same = ("model", "anthropic_version", *(("stream",) if "anthropic_version" in body else ()))
        asked: Json = {key: body[key] for key in same if key in body}
        return {
            **asked,
            "max_tokens": _MOST_OF_A_JUDGE,
            "messages": [{"role": "user", "content": text}],
        }

    def usage(self, response: Json) -> Usage | None:
        return usage_of(response.get("usage"), "input_tokens", "output_tokens")

    def error(self, message: str) -> Json:
        text = f"affidavit: {message}"
        return {"type": "error", "error": {"type": "invalid_request_error", "message": text}}

    def resumed(self, body: Json, response_id: str) -> Json:  # noqa: ARG002
        return body

    def reader(self) -> AnthropicReader:
        return AnthropicReader()

    def writer(self) -> AnthropicWriter:
        return AnthropicWriter()

    def _went_on(self, body: Json, response: Json, content: Any) -> Json:
        said = [
            _sendable(b)
            for b in response["content"]
            if b.get("type") != "text" or b["text"].strip()
        ]
        turn = [{"role": "assistant", "content": said}] if said else []
        return {
            **body,
            "messages": [*body["messages"], *turn, {"role": "user", "content": content}],
        }


class BedrockWire(AnthropicWire):
    """The same on Amazon Bedrock, where the path says which model is asked, and whether it streams."""

    name = "anthropic_bedrock"

    def __init__(self, *, streams: bool) -> None:
        self._streams = streams

    def streams(self, body: Json) -> bool:  # noqa: ARG002
        return self._streams


class AnthropicReader:
    """Puts a message together from its events, and keeps the events of each block to send them on."""

    def __init__(self) -> None:
        self.message: Json = {}
        self.events: dict[int, list[Json]] = {}
        self._blocks: dict[int, Json] = {}
        self._arguments: dict[int, str] = {}
        self._texts = 0
        self._stopped = False

    def feed(self, event: Json) -> str:
        match event.get("type"):
            case "message_start":
                self.message = dict(event["message"])
            case "content_block_start":
                return self._start(event["index"], event)
            case "content_block_delta":
                self.events[event["index"]].append(event)
                return self._delta(event["index"], event["delta"])
            case "content_block_stop":
                self.events[event["index"]].append(event)
            case "message_delta":
                usage = {**(self.message.get("usage") or {}), **(event.get("usage") or {})}
                more = {k: v for k, v in event.items() if k not in ("type", "delta", "usage")}
                self.message = {**self.message, **more, **event["delta"], "usage": usage}
            case "message_stop":
                self._stopped = True
        return ""

    @property
    def complete(self) -> bool:
        return self._stopped or bool(self.message.get("stop_reason"))

    @property
    def response(self) -> Json:
        content = []
        for index, block in sorted(self._blocks.items()):
            if index in self._arguments:
                block = {**block, "input": _decoded(self._arguments[index], block.get("input"))}
            content.append(block)
        return {**self.message, "content": content}

    def _start(self, index: int, event: Json) -> str:
        self.events[index] = [event]
        block = self._blocks[index] = dict(event["content_block"])
        if block["type"] != "text":
            return ""
        self._texts += 1
        # As the texts of one message are joined where it comes in one piece.
        cited = any("citations" in b for b in self._blocks.values())
        return ("\n\n" if self._texts > 1 and not cited else "") + str(block.get("text", ""))

    def _delta(self, index: int, delta: Json) -> str:
        block = self._blocks[index]
        match delta["type"]:
            case "text_delta":
                block["text"] = block.get("text", "") + delta["text"]
                return str(delta["text"])
            case "input_json_delta":
                self._arguments[index] = self._arguments.get(index, "") + delta["partial_json"]
            case "thinking_delta":
                block["thinking"] = block.get("thinking", "") + delta["thinking"]
            case "signature_delta":
                block["signature"] = delta["signature"]
            case "citations_delta":
                block["citations"] = [*(block.get("citations") or []), delta["citation"]]
        return ""


class AnthropicWriter:
    """Writes one message: its thinking, the text as it is verified, its calls."""

    def __init__(self) -> None:
        self._started: Json | None = None
        self._index = 0
        self._text_is_open = False
        self._sent: set[tuple[int, int]] = set()

    @property
    def id(self) -> str | None:
        return self._started.get("id") if self._started else None

    def text(self, piece: str, source: StreamReader) -> Iterator[Json]:
        assert isinstance(source, AnthropicReader)
        yield from self._start(source.message)
        if not self._text_is_open:
            yield from self._blocks_before_text(source)
            block = {"type": "text", "text": ""}
            yield {"type": "content_block_start", "index": self._index, "content_block": block}
            self._text_is_open = True
        delta = {"type": "text_delta", "text": piece}
        yield {"type": "content_block_delta", "index": self._index, "delta": delta}

    def finish(self, response: Json, source: StreamReader) -> Iterator[Json]:
        assert isinstance(source, AnthropicReader)
        yield from self._start(source.message)
        yield from self._close_text()
        kinds = {block.get("type") for block in response["content"]}
        for index, events in sorted(source.events.items()):
            kind = events[0]["content_block"]["type"]
            # A block that the response no longer holds (a call that was refused) is left out.
            if kind != "text" and kind in kinds:
                yield from self._replay(source, index)
        delta = {k: response.get(k) for k in ("stop_reason", "stop_sequence")}
        usage = response.get("usage") or {"output_tokens": 0}
        yield {"type": "message_delta", "delta": delta, "usage": usage}
        yield {"type": "message_stop"}

    def _start(self, message: Json) -> Iterator[Json]:
        if self._started is None:
            self._started = message
            yield {"type": "message_start", "message": {**message, "content": []}}

    def _close_text(self) -> Iterator[Json]:
        if self._text_is_open:
            yield {"type": "content_block_stop", "index": self._index}
            self._index += 1
            self._text_is_open = False

    def _blocks_before_text(self, source: AnthropicReader) -> Iterator[Json]:
        """The thinking of the turn, which has to stand before its text."""
        for index, events in sorted(source.events.items()):
            kind = events[0]["content_block"]["type"]
            if kind == "text":
                return
            if kind in ("thinking", "redacted_thinking"):
                yield from self._replay(source, index)

    def _replay(self, source: AnthropicReader, index: int) -> Iterator[Json]:
        if (id(source), index) in self._sent:
            return
        self._sent.add((id(source), index))
        for event in source.events[index]:
            yield {**event, "index": self._index}
        self._index += 1


def _text_blocks(text: str) -> list[Json]:
    return [{"type": "text", "text": text}] if text.strip() else []


def _sendable(block: Json) -> Json:
    """The API takes back no call whose arguments are not an object."""
    if block.get("type") == "tool_use" and not isinstance(block.get("input"), dict):
        return {**block, "input": {}}
    return block


def _decoded(text: str, empty: Any) -> Any:
    if not text.strip():
        return empty if empty is not None else {}
    try:
        return json.loads(text)
    except ValueError:
        return text  # Stage 1 reports arguments that are not JSON
