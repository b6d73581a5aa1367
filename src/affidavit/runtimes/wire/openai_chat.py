"""OpenAI Chat Completions on the wire, as OpenAI, Azure and compatible servers speak it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from typing import Any

from affidavit.formats import openai_chat as chat_format
from affidavit.formats.node import Node
from affidavit.models.llm import Usage
from affidavit.runtimes.sse import DONE
from affidavit.runtimes.wire.protocol import (
    Json,
    Request,
    StreamReader,
    Turn,
    added,
    joined,
    usage_of,
)

# What a message carries that its API takes back as it came; servers of open models refuse their
# own ``reasoning_content``.
_TAKEN_BACK = ("role", "content", "refusal", "tool_calls")


class OpenAIChatWire:
    """``POST …/chat/completions``."""

    name = "openai_chat"
    end_mark = b"data: [DONE]\n\n"
    api_remembers = False

    def request(self, body: Json) -> Request:
        draft = chat_format.read(Node(body))
        return Request(tuple(draft.messages), draft.tools, draft.model)

    def fault(self, body: Json) -> Json | None:
        if (body.get("n") or 1) > 1:
            return self.error("a guarded client asks for one choice at a time; leave out `n`")
        if "audio" in (body.get("modalities") or ()):
            return self.error("an answer in audio cannot be checked; ask for text only")
        if body.get("functions"):
            return self.error("a guarded client takes `tools`, not the deprecated `functions`")
        return None

    def streams(self, body: Json) -> bool:
        return bool(body.get("stream"))

    def failure(self, event: Json) -> Json | None:
        return {"error": event["error"]} if event.get("error") else None

    def broken(self, message: str) -> Json:
        return {"error": {"message": f"affidavit: {message}", "type": "server_error", "code": None}}

    def turn(self, response: Json) -> Turn:
        draft = chat_format.read(Node({"messages": [], "response": response}))
        message = draft.messages[-1]
        return Turn(message, message.text, cut_off=draft.cut_off)

    def with_results(self, body: Json, response: Json, results: Mapping[str, str]) -> Json:
        answers = [
            {"role": "tool", "tool_call_id": call_id, "content": text}
            for call_id, text in results.items()
        ]
        return self._went_on(body, response, answers)

    def with_feedback(self, body: Json, response: Json, feedback: str) -> Json:
        return self._went_on(body, response, [{"role": "user", "content": feedback}])

    def with_text(self, response: Json, text: str, *, ends: bool = True) -> Json:
        first, *_ = response["choices"]
        message = {**first["message"], "content": text or None}
        choice = {**first, "message": message}
        if ends:
            choice["finish_reason"] = "stop"
            message.pop("tool_calls", None)
            message.pop("annotations", None)
            message["refusal"] = None
        if choice.get("logprobs"):
            choice["logprobs"] = None  # they are of other words
        return {**response, "choices": [choice]}

    def with_usage(self, response: Json, earlier: Iterable[Json]) -> Json:
        usages = [r["usage"] for r in earlier if isinstance(r.get("usage"), dict)]
        if not usages:
            return response
        return {**response, "usage": reduce(added, usages, response.get("usage") or {})}

    def instructed(self, body: Json, text: str) -> Json | None:
        first, *others = body["messages"] or [{}]
        if first.get("role") not in ("system", "developer"):
            return {**body, "messages": [{"role": "system", "content": text}, *body["messages"]]}
        # Templates of open models take one system message, at the beginning.
        said = first.get("content") or ""
        more = (
            joined(said, text) if isinstance(said, str) else [*said, {"type": "text", "text": text}]
        )
        return {**body, "messages": [{**first, "content": more}, *others]}

    def question(self, body: Json, text: str) -> Json | None:
        asked = {"model": body["model"]} if "model" in body else {}
        return {**asked, "messages": [{"role": "user", "content": text}]}

    def usage(self, response: Json) -> Usage | None:
        return usage_of(response.get("usage"), "prompt_tokens", "completion_tokens")

    def error(self, message: str) -> Json:
        return {
            "error": {
                "message": f"affidavit: {message}",
                "type": "invalid_request_error",
                "param": None,
                "code": None,
            }
        }

    def resumed(self, body: Json, response_id: str) -> Json:  # noqa: ARG002
        return body

    def reader(self) -> OpenAIChatReader:
        return OpenAIChatReader()

    def writer(self) -> OpenAIChatWriter:
        return OpenAIChatWriter()

    def _went_on(self, body: Json, response: Json, more: list[Json]) -> Json:
        said = response["choices"][0]["message"]
        turn = {k: said[k] for k in _TAKEN_BACK if said.get(k) is not None}
        return {**body, "messages": [*body["messages"], turn, *more]}


class OpenAIChatReader:
    """Puts a completion together from its chunks."""

    def __init__(self) -> None:
        self.chunk: Json = {}
        self.usage: Any = None
        self._message: Json = {"role": "assistant", "content": None}
        self._calls: dict[int, Json] = {}
        self._finish: str | None = None
        self._done = False

    def feed(self, event: Json) -> str:
        self._done = self._done or event.get("type") == DONE
        if event.get("choices"):
            self.chunk = {k: v for k, v in event.items() if k not in ("choices", "usage")}
        self.usage = event.get("usage") or self.usage
        text = ""
        for choice in event.get("choices") or ():
            self._finish = choice.get("finish_reason") or self._finish
            for key, value in (choice.get("delta") or {}).items():
                if key == "tool_calls":
                    for call in value or ():
                        self._call(call)
                elif isinstance(value, str) and key != "role":
                    self._message[key] = (self._message.get(key) or "") + value
                    text += value if key in ("content", "refusal") else ""
        return text

    @property
    def complete(self) -> bool:
        # Some servers give no reason for the end, but mark it.
        return self._done or self._finish is not None

    @property
    def reasoning(self) -> Json:
        """The model's thinking, under the names that servers give it."""
        return {k: v for k, v in self._message.items() if k.startswith("reasoning")}

    @property
    def response(self) -> Json:
        message = dict(self._message)
        if self._calls:
            message["tool_calls"] = [call for _, call in sorted(self._calls.items())]
        choice = {"index": 0, "message": message, "finish_reason": self._finish or "stop"}
        return {
            **self.chunk,
            "object": "chat.completion",
            "choices": [choice],
            **({"usage": self.usage} if self.usage else {}),
        }

    def _call(self, delta: Json) -> None:
        # Some servers number no call and send each in one piece.
        index = delta.get("index", len(self._calls))
        call = self._calls.setdefault(index, {"id": "", "type": "function", "function": {}})
        call["id"] = call["id"] or delta.get("id") or ""
        for key in ("function", "custom"):
            for name, piece in (delta.get(key) or {}).items():
                if piece:
                    inner = call.setdefault(key, {})
                    inner[name] = piece if name == "name" else inner.get(name, "") + piece
        if delta.get("type"):
            call["type"] = delta["type"]
        if call["type"] == "custom":
            call.pop("function", None)


class OpenAIChatWriter:
    """Writes one completion in chunks: the text as it is verified, the calls when they have passed."""

    def __init__(self) -> None:
        self._started = False

    @property
    def id(self) -> str | None:
        return None  # chunks of one completion may come from several, and nothing goes on from one

    def text(self, piece: str, source: StreamReader) -> Iterator[Json]:
        assert isinstance(source, OpenAIChatReader)
        yield self._chunk(source, {**self._opening(source), "content": piece})

    def finish(self, response: Json, source: StreamReader) -> Iterator[Json]:
        assert isinstance(source, OpenAIChatReader)
        choice = response["choices"][0]
        if calls := choice["message"].get("tool_calls"):
            numbered = [{"index": i, **call} for i, call in enumerate(calls)]
            yield self._chunk(source, {**self._opening(source), "tool_calls": numbered})
        elif not self._started:
            yield self._chunk(source, self._opening(source))
        yield self._chunk(source, {}, choice["finish_reason"])
        if source.usage:
            yield {**self._about(source), "choices": [], "usage": response["usage"]}

    def _opening(self, source: OpenAIChatReader) -> Json:
        if self._started:
            return {}
        self._started = True
        return {"role": "assistant", **source.reasoning}

    def _chunk(self, source: OpenAIChatReader, delta: Json, finish: str | None = None) -> Json:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {**self._about(source), "choices": [choice]}

    def _about(self, source: OpenAIChatReader) -> Json:
        return {**source.chunk, "object": "chat.completion.chunk"}
