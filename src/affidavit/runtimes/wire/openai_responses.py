"""OpenAI Responses on the wire."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce

from affidavit.errors import TraceError
from affidavit.formats import openai_responses as responses_format
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

_DONE = frozenset(
    "reasoning web_search_call file_search_call code_interpreter_call mcp_call mcp_list_tools "
    "image_generation_call compaction".split()
)
"""Items that ask nothing of the caller. Any other beside a refusal might be a call, and would be run."""
_ASKS = frozenset({"computer_call"})
"""Items that the caller is to act on and that are not read as calls."""
_ENDS = ("response.completed", "response.incomplete", "response.failed")


class OpenAIResponsesWire:
    """``POST …/responses``."""

    name = "openai_responses"
    end_mark = b""
    api_remembers = True

    def request(self, body: Json) -> Request:
        draft = responses_format.read(Node(body))
        return Request(
            tuple(draft.messages), draft.tools, draft.model, body.get("previous_response_id")
        )

    def fault(self, body: Json) -> Json | None:
        if body.get("background"):
            return self.error("a response in the background cannot be guarded")
        if body.get("conversation"):
            return self.error(
                "a conversation that the API keeps would keep rejected drafts too; send `input`"
            )
        return None

    def streams(self, body: Json) -> bool:
        return bool(body.get("stream"))

    def failure(self, event: Json) -> Json | None:
        if event.get("type") == "response.failed":
            return {**event, "response": {**event["response"], "output": []}}
        if event.get("type") == "error":
            return event
        return {"error": event["error"]} if event.get("error") else None

    def broken(self, message: str) -> Json:
        return {"error": {"message": f"affidavit: {message}", "type": "server_error", "code": None}}

    def turn(self, response: Json) -> Turn:
        if not isinstance(response.get("output"), list):
            raise TraceError("expected a list", field="output")
        told = {"input": [], "tools": [], "response": _whole(response)}
        draft = responses_format.read(Node(told))
        parts = tuple(part for message in draft.messages for part in message.parts)
        text = "\n\n".join(part.text for part in parts if isinstance(part, TextPart))
        asks = any(item["type"] in _ASKS for item in response["output"])
        said = Message(role="assistant", parts=parts)
        tools = tuple(draft.tools or ())
        return Turn(said, text, unfinished=asks, cut_off=draft.cut_off, tools=tools)

    def with_results(self, body: Json, response: Json, results: Mapping[str, str]) -> Json:
        # A remote call that is to be approved has no other id than its own.
        kinds = {item.get("call_id") or item.get("id"): item["type"] for item in response["output"]}
        answers = [_refused(kinds[call_id], call_id, text) for call_id, text in results.items()]
        return self._went_on(body, response, answers)

    def with_feedback(self, body: Json, response: Json, feedback: str) -> Json:
        return self._went_on(body, response, [{"role": "user", "content": feedback}])

    def with_text(self, response: Json, text: str, *, ends: bool = True) -> Json:
        kept = [item for item in response["output"] if item["type"] != "message"]
        if not ends:
            return {**response, "output": [*([_message(response, text)] if text else []), *kept]}
        kept = [item for item in kept if item["type"] in _DONE]
        done = {"status": "completed", "incomplete_details": None}
        return {**response, **done, "output": [*kept, _message(response, text)]}

    def with_usage(self, response: Json, earlier: Iterable[Json]) -> Json:
        usages = [r["usage"] for r in earlier if isinstance(r.get("usage"), dict)]
        if not usages:
            return response
        return {**response, "usage": reduce(added, usages, response.get("usage") or {})}

    def instructed(self, body: Json, text: str) -> Json | None:
        return {**body, "instructions": joined(body.get("instructions") or "", text)}

    def question(self, body: Json, text: str) -> Json | None:
        asked = {"model": body["model"]} if "model" in body else {}
        return {**asked, "input": text, "store": False}

    def usage(self, response: Json) -> Usage | None:
        return usage_of(response.get("usage"), "input_tokens", "output_tokens")

    def error(self, message: str) -> Json:
        return {
            "error": {
                "message": f"affidavit: {message}",
                "type": "invalid_request_error",
                "param": None,
                "code": None,
            }
        }

    def resumed(self, body: Json, response_id: str) -> Json:
        return {**body, "previous_response_id": response_id}

    def reader(self) -> OpenAIResponsesReader:
        return OpenAIResponsesReader()

    def writer(self) -> OpenAIResponsesWriter:
        return OpenAIResponsesWriter()

    def _went_on(self, body: Json, response: Json, more: list[Json]) -> Json:
        if body.get("previous_response_id"):
            # What went before is with the API, and so is this response.
            return {**body, "previous_response_id": response["id"], "input": more}
        before = body["input"]
        if isinstance(before, str):
            before = [{"role": "user", "content": before}]
        said = _taken_back(response["output"], stored=body.get("store") is not False)
        return {**body, "input": [*before, *said, *more]}


class OpenAIResponsesReader:
    """Takes the events of a response; the last one brings it whole."""

    def __init__(self) -> None:
        self.started: list[Json] = []
        self.response: Json = {}
        self.items: dict[int, list[Json]] = {}
        self._text_items: set[int] = set()
        self.complete = False

    def feed(self, event: Json) -> str:
        kind = event.get("type", "")
        if kind in _ENDS:
            self.response, self.complete = event["response"], True
        elif kind in ("response.created", "response.in_progress", "response.queued"):
            self.started.append(event)
            self.response = event["response"]
        elif "output_index" in event:
            self.items.setdefault(event["output_index"], []).append(event)
        if kind in ("response.output_text.delta", "response.refusal.delta"):
            index = event["output_index"]
            gap = "\n\n" if self._text_items and index not in self._text_items else ""
            self._text_items.add(index)
            return gap + str(event["delta"])
        return ""

    def is_message(self, index: int) -> bool:
        return any((e.get("item") or {}).get("type") == "message" for e in self.items[index])


class OpenAIResponsesWriter:
    """Writes one response: what came before its text, the text as it is verified, its calls."""

    def __init__(self) -> None:
        self._sequence = 0
        self._index = 0
        self._started: Json | None = None
        self._said = ""
        self._item: Json | None = None
        self._output: list[Json] = []
        self._sent: set[tuple[int, int]] = set()

    @property
    def id(self) -> str | None:
        """The id under which the caller knows the response."""
        return self._started["id"] if self._started else None

    def text(self, piece: str, source: StreamReader) -> Iterator[Json]:
        assert isinstance(source, OpenAIResponsesReader)
        yield from self._start(source)
        if self._item is None:
            yield from self._items_before_text(source)
            self._item = _message(source.response, "")
            item = {**self._item, "status": "in_progress", "content": []}
            yield self._event("response.output_item.added", item=item)
            yield self._part_event("response.content_part.added", part=_part(""))
        self._said += piece
        yield self._part_event("response.output_text.delta", delta=piece, logprobs=[])

    def finish(self, response: Json, source: StreamReader) -> Iterator[Json]:
        assert isinstance(source, OpenAIResponsesReader)
        yield from self._start(source)
        yield from self._close_text()
        kinds = {item["type"] for item in response["output"]}
        for index in sorted(source.items):
            item = _done_item(source.items[index])
            # An item that the response no longer holds (a call that was refused) is left out.
            if item and item["type"] != "message" and item["type"] in kinds:
                yield from self._replay(source, index, item)
        assert self._started is not None
        whole = {**response, "id": self._started["id"], "output": self._output}
        yield self._event(f"response.{response.get('status') or 'completed'}", response=whole)

    def _start(self, source: OpenAIResponsesReader) -> Iterator[Json]:
        if self._started is None:
            self._started = source.response
            for event in source.started:
                yield self._numbered(event)

    def _items_before_text(self, source: OpenAIResponsesReader) -> Iterator[Json]:
        """The reasoning of the turn, which stands before what it led to."""
        for index in sorted(source.items):
            if source.is_message(index):
                return
            item = _done_item(source.items[index])
            if item is not None and item["type"] == "reasoning":
                yield from self._replay(source, index, item)

    def _close_text(self) -> Iterator[Json]:
        if self._item is None:
            return
        item = {**self._item, "status": "completed", "content": [_part(self._said)]}
        yield self._part_event("response.output_text.done", text=self._said, logprobs=[])
        yield self._part_event("response.content_part.done", part=_part(self._said))
        yield self._event("response.output_item.done", item=item)
        self._output.append(item)
        self._index += 1
        self._item, self._said = None, ""

    def _replay(self, source: OpenAIResponsesReader, index: int, item: Json) -> Iterator[Json]:
        if (id(source), index) in self._sent:
            return
        self._sent.add((id(source), index))
        for event in source.items[index]:
            yield self._numbered({**event, "output_index": self._index})
        self._output.append(item)
        self._index += 1

    def _part_event(self, kind: str, **fields: object) -> Json:
        assert self._item is not None
        return self._event(kind, item_id=self._item["id"], content_index=0, **fields)

    def _event(self, kind: str, **fields: object) -> Json:
        place = {} if "response" in fields else {"output_index": self._index}
        return self._numbered({"type": kind, **place, **fields})

    def _numbered(self, event: Json) -> Json:
        numbered = {**event, "sequence_number": self._sequence}
        self._sequence += 1
        return numbered


def _whole(response: Json) -> Json:
    """Without nulls that a reader of records would take for values."""
    return {k: v for k, v in response.items() if k in ("id", "model", "output")}


def _message(response: Json, text: str) -> Json:
    own: Json = next((i for i in response.get("output") or () if i["type"] == "message"), {})
    item_id = own.get("id") or f"msg_{response.get('id', '')}"
    return {
        "type": "message", "id": item_id, "role": "assistant", "status": "completed",
        "content": [_part(text)],
    }  # fmt: skip


def _refused(kind: str, call_id: str, text: str) -> Json:
    """What is answered to a call that was not run, in the form of its kind."""
    answer: Json = {"type": f"{kind}_output", "call_id": call_id, "output": text}
    match kind:
        case "mcp_approval_request":
            answer = {"type": "mcp_approval_response", "approve": False, "reason": text}
            answer["approval_request_id"] = call_id
        case "shell_call":
            failed = {"type": "exit", "exit_code": 1}
            answer["output"] = [{"stdout": "", "stderr": text, "outcome": failed}]
        case "local_shell_call":
            answer["id"] = answer.pop("call_id")
        case "apply_patch_call":
            answer["status"] = "failed"
    return answer


def _part(text: str) -> Json:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _done_item(events: Iterable[Json]) -> Json | None:
    done = [e["item"] for e in events if e["type"] == "response.output_item.done"]
    return done[-1] if done else None


def _taken_back(output: Iterable[Json], *, stored: bool) -> list[Json]:
    """A response's items as input. What the API did not store it does not know by its id."""
    if stored:
        return list(output)
    return [
        # Of a patch its status is asked for.
        {k: v for k, v in item.items() if k != "id" and (k != "status" or "operation" in item)}
        for item in output
        if item["type"] != "reasoning" or item.get("encrypted_content")
    ]
