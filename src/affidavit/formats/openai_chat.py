"""OpenAI Chat Completions: ``messages``, with the answer last or in ``response.choices[0]``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from affidavit.errors import TraceError
from affidavit.formats.draft import Draft, tool_message
from affidavit.formats.node import Node
from affidavit.formats.parts import (
    broke_off,
    free_text_call,
    result_value,
    tool_call,
    tool_definitions,
    unknown,
)
from affidavit.trace import (
    ContentPart,
    Message,
    Part,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)

NAME = "openai_chat"
_ROLES: dict[str, Role] = {
    "system": "system", "developer": "system", "user": "user", "assistant": "assistant",
}  # fmt: skip


def mismatch(doc: Node) -> str:
    """Why the document is not of this format; empty where it may be."""
    if not isinstance(doc.mapping().get("messages"), list):
        return "no list 'messages'"
    for i, message in enumerate(doc["messages"].items()):
        if isinstance(message.value, dict) and "parts" in message:
            return f"messages[{i}] has 'parts'"
    return ""


def read(doc: Node) -> Draft:
    reader = _Reader()
    for message in doc["messages"].items():
        reader.add(message)
    response = doc.get("response")
    metadata: dict[str, Any] = {}
    choices: list[Node] = []
    if response is not None:
        choices = list(response["choices"].items())
        if not choices:
            raise TraceError(
                "expected a choice; the list is empty", field=f"{response.path}.choices"
            )
        reader.add(choices[0]["message"])
        if len(choices) > 1:
            metadata["other_choices"] = len(choices) - 1
    model = next((n["model"].text() for n in (response, doc) if n and "model" in n), None)
    if reader.annotations:
        metadata["citations"] = reader.annotations
    return Draft(
        reader.messages,
        tools=tool_definitions(doc.get("tools") or doc.get("functions")),
        model=model,
        run_id=response.text_at("id") if response else "",
        metadata=metadata,
        answer_field="response.choices[0].message" if response else "messages",
        cut_off=broke_off(choices[0] if choices else None, "finish_reason", "stop_reason"),
    )


class _Reader:
    """Messages in order. It remembers the calls, because a legacy function result names no call."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.annotations: list[Any] = []
        self._unanswered: list[ToolCallPart] = []

    def add(self, message: Node) -> None:
        role = message["role"].text()
        if role == "tool":
            self._result(message, message["tool_call_id"].text())
        elif role == "function":
            self._result(message, self._call_named(message["name"].text()))
        elif role in _ROLES:
            parts = tuple(self._parts(message))
            self._unanswered += [part for part in parts if isinstance(part, ToolCallPart)]
            self.messages.append(Message(role=_ROLES[role], parts=parts))
        else:
            known = ", ".join(repr(name) for name in (*_ROLES, "tool"))
            raise message["role"].error(f"one of {known}")

    def _result(self, message: Node, call_id: str) -> None:
        part = ToolResultPart(
            id=call_id,
            content=tuple(_result_content(message.get("content"))),
            is_error=message.flag_at("is_error"),  # not OpenAI's, but recorders add it
        )
        self.messages.append(tool_message(part))

    def _call_named(self, name: str) -> str:
        call = next((c for c in reversed(self._unanswered) if c.name == name), None)
        return call.id if call else name

    def _parts(self, message: Node) -> Iterator[Part]:
        for key in ("reasoning_content", "reasoning"):  # servers of open models give their thinking
            if key in message and isinstance(message[key].value, str):
                yield ReasoningPart(text=message[key].text())
                break
        if (content := message.get("content")) is not None:
            yield from content_parts(content)
        if (refusal := message.get("refusal")) is not None:
            yield TextPart(text=refusal.text())
        if (notes := message.get("annotations")) is not None:
            self.annotations += [note.json() for note in notes.items()]
        if (calls := message.get("tool_calls")) is not None:
            for call in calls.items():
                yield _call(call)
        if (legacy := message.get("function_call")) is not None:
            call_id = f"function_call_{len(self.messages)}"
            yield tool_call(call_id, legacy["name"].text(), legacy.get("arguments"))
        if (audio := message.get("audio")) is not None:
            yield unknown(audio, "audio")


def _call(call: Node) -> ToolCallPart:
    if "function" in call:
        return tool_call(
            call.name_at("id"), call["function"]["name"].text(), call["function"].get("arguments")
        )
    if "custom" in call:
        return free_text_call(
            call.name_at("id"), call["custom"]["name"].text(), call["custom"].get("input")
        )
    return tool_call(call.name_at("id"), call["name"].text(), call.get("arguments"))


def content_parts(content: Node) -> Iterator[ContentPart]:
    """A string, or a list of parts of either OpenAI interface."""
    if isinstance(content.value, str):
        yield TextPart(text=content.text())
        return
    for part in content.items():
        match part["type"].text():
            case "text" | "input_text" | "output_text" | "summary_text":
                yield TextPart(text=part["text"].text())
            case "refusal":
                yield TextPart(text=part["refusal"].text())
            case _:
                yield unknown(part)


def _result_content(content: Node | None) -> Iterator[ContentPart]:
    if content is not None and isinstance(content.value, list) and _has_types(content.value):
        yield from content_parts(content)
    else:
        yield from result_value(content)


def _has_types(parts: list[object]) -> bool:
    return all(isinstance(part, dict) and "type" in part for part in parts)
