"""Google's ``generateContent`` on the wire, of the Gemini API and of Vertex AI."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from typing import Any

from affidavit.formats import google_genai as genai_format
from affidavit.formats.node import Node
from affidavit.models.llm import Usage
from affidavit.runtimes.wire.protocol import Json, Request, StreamReader, Turn, added, usage_of
from affidavit.trace import Message


class GoogleWire:
    """``POST …:generateContent`` and ``…:streamGenerateContent``, for one request of the caller.

    Most calls carry no id and are named by what went before them, so it remembers the conversation.
    """

    name = "google_genai"
    end_mark = b""
    api_remembers = False

    def __init__(self, *, streams: bool) -> None:
        self._streams = streams
        self._contents: list[Json] = []

    def request(self, body: Json) -> Request:
        self._contents = list(body["contents"])
        draft = genai_format.read(Node(body))
        return Request(tuple(draft.messages), draft.tools, draft.model)

    def fault(self, body: Json) -> Json | None:
        config = body.get("generationConfig") or {}
        if (config.get("candidateCount") or 1) > 1:
            return self.error("a guarded client asks for one candidate at a time")
        if {str(kind).upper() for kind in config.get("responseModalities") or ()} - {"TEXT"}:
            return self.error("an answer that is not text cannot be checked; ask for text only")
        if body.get("cachedContent"):
            return self.error(
                "what is in cached content cannot be read here; send it in `contents`"
            )
        if not isinstance(body.get("contents"), list):
            return self.error("a guarded request has a list of `contents`")
        return None

    def streams(self, body: Json) -> bool:  # noqa: ARG002
        return self._streams

    def failure(self, event: Json) -> Json | None:
        return {"error": event["error"]} if "error" in event else None

    def broken(self, message: str) -> Json:
        told = {"code": 500, "message": f"affidavit: {message}", "status": "INTERNAL"}
        return {"error": told}

    def turn(self, response: Json) -> Turn:
        before = len(genai_format.read(Node({"contents": self._contents})).messages)
        draft = genai_format.read(Node({"contents": self._contents, "response": response}))
        parts = tuple(part for message in draft.messages[before:] for part in message.parts)
        text = "".join(_words(part) for part in _parts(response))
        return Turn(Message(role="assistant", parts=parts), text, cut_off=draft.cut_off)

    def with_results(self, body: Json, response: Json, results: Mapping[str, str]) -> Json:
        calls = [part["functionCall"] for part in _parts(response) if "functionCall" in part]
        answers = [
            {
                "functionResponse": {
                    **{key: call[key] for key in ("id", "name") if key in call},
                    "response": {"error": results[known.id]},
                }
            }
            for call, known in zip(calls, self.turn(response).calls, strict=True)
        ]
        return self._went_on(body, response, answers)

    def with_feedback(self, body: Json, response: Json, feedback: str) -> Json:
        return self._went_on(body, response, [{"text": feedback}])

    def with_text(self, response: Json, text: str, *, ends: bool = True) -> Json:
        kept = [part for part in _parts(response) if not _words(part)]
        if ends:
            kept = [part for part in kept if "functionCall" not in part]
        said = [{"text": text}] if text else []
        first = {**_candidate(response), "content": {"role": "model", "parts": [*said, *kept]}}
        return {**response, "candidates": [{**first, "finishReason": "STOP"} if ends else first]}

    def with_usage(self, response: Json, earlier: Iterable[Json]) -> Json:
        usages = [r["usageMetadata"] for r in earlier if isinstance(r.get("usageMetadata"), dict)]
        if not usages:
            return response
        whole = reduce(added, usages, response.get("usageMetadata") or {})
        return {**response, "usageMetadata": whole}

    def resumed(self, body: Json, response_id: str) -> Json:  # noqa: ARG002
        return body

    def instructed(self, body: Json, text: str) -> Json | None:
        name = "system_instruction" if "system_instruction" in body else "systemInstruction"
        system = body.get(name) or {}
        if isinstance(system, str):
            system = {"parts": [{"text": system}]}
        return {**body, name: {**system, "parts": [*(system.get("parts") or ()), {"text": text}]}}

    def question(self, body: Json, text: str) -> Json | None:  # noqa: ARG002
        return {"contents": [{"role": "user", "parts": [{"text": text}]}]}

    def usage(self, response: Json) -> Usage | None:
        return usage_of(response.get("usageMetadata"), "promptTokenCount", "candidatesTokenCount")

    def error(self, message: str) -> Json:
        told = {"code": 400, "message": f"affidavit: {message}", "status": "INVALID_ARGUMENT"}
        return {"error": told}

    def reader(self) -> GoogleReader:
        return GoogleReader()

    def writer(self) -> GoogleWriter:
        return GoogleWriter()

    def _went_on(self, body: Json, response: Json, parts: list[Json]) -> Json:
        said = _candidate(response).get("content") or {}
        turn = [{**said, "role": "model"}] if said.get("parts") else []
        self._contents = [*body["contents"], *turn, {"role": "user", "parts": parts}]
        return {**body, "contents": self._contents}


class GoogleReader:
    """Puts a response together from its chunks, each of which is a response with some of the parts."""

    def __init__(self) -> None:
        self._latest: Json = {}
        self._candidate: Json = {}
        self._parts: list[Json] = []

    def feed(self, event: Json) -> str:
        self._latest = {**self._latest, **event}
        self._candidate = {**self._candidate, **_candidate(event)}
        new = ""
        for part in _parts(event):
            new += _words(part)
            last = self._parts[-1] if self._parts else {}
            if _is_text(part) and _is_text(last) and part.get("thought") == last.get("thought"):
                self._parts[-1] = {**last, **part, "text": last["text"] + part["text"]}
            else:
                self._parts.append(part)
        return new

    @property
    def complete(self) -> bool:
        # A prompt that was refused has no candidate.
        return bool(self._candidate.get("finishReason") or self._latest.get("promptFeedback"))

    @property
    def response(self) -> Json:
        content = {"role": "model", "parts": self._parts}
        return {**self._latest, "candidates": [{**self._candidate, "content": content}]}


class GoogleWriter:
    """Writes chunks: the text as it is verified, then all else in one."""

    @property
    def id(self) -> str | None:
        return None

    def text(self, piece: str, source: StreamReader) -> Iterator[Json]:
        yield _chunk(source.response, [{"text": piece}])

    def finish(self, response: Json, source: StreamReader) -> Iterator[Json]:  # noqa: ARG002
        others = [part for part in _parts(response) if not _words(part)]
        candidate = {key: value for key, value in _candidate(response).items() if key != "content"}
        whole = {key: value for key, value in response.items() if key != "candidates"}
        made = _chunk(response, others or [{"text": ""}])
        yield {**whole, "candidates": [{**candidate, **made["candidates"][0]}]}


def _chunk(response: Json, parts: list[Json]) -> Json:
    about: Json = {k: response[k] for k in ("modelVersion", "responseId") if k in response}
    return {"candidates": [{"index": 0, "content": {"role": "model", "parts": parts}}], **about}


def _candidate(response: Json) -> Json:
    first: Json = next(iter(response.get("candidates") or ()), {})
    return first


def _parts(response: Json) -> list[Json]:
    return list((_candidate(response).get("content") or {}).get("parts") or ())


def _is_text(part: Mapping[str, Any]) -> bool:
    return isinstance(part.get("text"), str) and set(part) <= {"text", "thought"}


def _words(part: Json) -> str:
    return "" if part.get("thought") else part.get("text") or ""
