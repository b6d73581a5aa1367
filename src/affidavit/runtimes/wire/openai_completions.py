"""OpenAI's legacy Completions on the wire: a prompt, and the text that goes on from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from typing import Any

from affidavit.models.llm import Usage
from affidavit.runtimes.sse import DONE
from affidavit.runtimes.wire.protocol import Json, Request, StreamReader, Turn, added, usage_of
from affidavit.trace import Message, TextPart


class OpenAICompletionsWire:
    """``POST …/completions``. It knows no tools, so every turn is an answer."""

    name = "openai_completions"
    end_mark = b"data: [DONE]\n\n"
    api_remembers = False

    def request(self, body: Json) -> Request:
        said = Message(role="user", parts=(TextPart(text=str(body.get("prompt") or "")),))
        return Request((said,), None, body.get("model"))

    def fault(self, body: Json) -> Json | None:
        if not isinstance(body.get("prompt", ""), str):
            return self.error("a guarded client asks with one prompt, as text")
        for field in ("n", "best_of"):
            if (body.get(field) or 1) > 1:
                return self.error(f"a guarded client asks for one choice; leave out `{field}`")
        if body.get("echo"):
            return self.error(
                "an answer that repeats its prompt cannot be checked; leave out `echo`"
            )
        if body.get("suffix"):
            return self.error("a text that is put between two others cannot be checked")
        return None

    def streams(self, body: Json) -> bool:
        return bool(body.get("stream"))

    def failure(self, event: Json) -> Json | None:
        return {"error": event["error"]} if event.get("error") else None

    def broken(self, message: str) -> Json:
        return {"error": {"message": f"affidavit: {message}", "type": "server_error", "code": None}}

    def turn(self, response: Json) -> Turn:
        text = str(response["choices"][0]["text"] or "")
        return Turn(Message(role="assistant", parts=(TextPart(text=text),)), text)

    def with_results(
        self,
        body: Json,  # noqa: ARG002
        response: Json,  # noqa: ARG002
        results: Mapping[str, str],  # noqa: ARG002
    ) -> Json:
        raise AssertionError("a completion calls no tools")

    def with_feedback(self, body: Json, response: Json, feedback: str) -> Json:
        draft = response["choices"][0]["text"]
        return {**body, "prompt": f"{body.get('prompt') or ''}{draft}\n\n{feedback}\n\n"}

    def with_text(self, response: Json, text: str, *, ends: bool = True) -> Json:
        choice = {**response["choices"][0], "text": text, "logprobs": None}
        return {**response, "choices": [{**choice, "finish_reason": "stop"} if ends else choice]}

    def with_usage(self, response: Json, earlier: Iterable[Json]) -> Json:
        usages = [r["usage"] for r in earlier if isinstance(r.get("usage"), dict)]
        if not usages:
            return response
        return {**response, "usage": reduce(added, usages, response.get("usage") or {})}

    def instructed(self, body: Json, text: str) -> Json | None:  # noqa: ARG002
        return None  # a text to go on from has no system prompt

    def question(self, body: Json, text: str) -> Json | None:  # noqa: ARG002
        return None  # what only goes on from a text gives no verdicts

    def usage(self, response: Json) -> Usage | None:
        return usage_of(response.get("usage"), "prompt_tokens", "completion_tokens")

    def error(self, message: str) -> Json:
        told = {"message": f"affidavit: {message}", "type": "invalid_request_error"}
        return {"error": {**told, "param": None, "code": None}}

    def resumed(self, body: Json, response_id: str) -> Json:  # noqa: ARG002
        return body

    def reader(self) -> OpenAICompletionsReader:
        return OpenAICompletionsReader()

    def writer(self) -> OpenAICompletionsWriter:
        return OpenAICompletionsWriter()


class OpenAICompletionsReader:
    """Puts a completion together from its chunks."""

    def __init__(self) -> None:
        self.chunk: Json = {}
        self.usage: Any = None
        self._text = ""
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
            text += choice.get("text") or ""
        self._text += text
        return text

    @property
    def complete(self) -> bool:
        return self._done or self._finish is not None

    @property
    def response(self) -> Json:
        choice = {
            "index": 0, "text": self._text, "logprobs": None, "finish_reason": self._finish or "stop",
        }  # fmt: skip
        used = {"usage": self.usage} if self.usage else {}
        return {**self.chunk, "object": "text_completion", "choices": [choice], **used}


class OpenAICompletionsWriter:
    """Writes one completion in chunks: the text as it is verified."""

    @property
    def id(self) -> str | None:
        return None

    def text(self, piece: str, source: StreamReader) -> Iterator[Json]:
        assert isinstance(source, OpenAICompletionsReader)
        yield self._chunk(source, piece, None)

    def finish(self, response: Json, source: StreamReader) -> Iterator[Json]:
        assert isinstance(source, OpenAICompletionsReader)
        yield self._chunk(source, "", response["choices"][0]["finish_reason"])
        if source.usage:
            yield {**source.chunk, "choices": [], "usage": response["usage"]}

    def _chunk(self, source: OpenAICompletionsReader, text: str, finish: str | None) -> Json:
        choice = {"index": 0, "text": text, "logprobs": None, "finish_reason": finish}
        return {**source.chunk, "choices": [choice]}
