"""Messages of Pydantic AI, as ``all_messages_json()`` writes them: requests and responses of parts."""

from __future__ import annotations

from collections.abc import Iterator

from affidavit.formats.draft import Draft, by_role
from affidavit.formats.node import Node
from affidavit.formats.parts import result_value, tool_call, unknown
from affidavit.trace import Message, Part, ReasoningPart, Role, TextPart, ToolResultPart

NAME = "pydantic_ai_messages"


def mismatch(doc: Node) -> str:
    """Why the document is not of this format; empty where it may be."""
    messages = doc.mapping().get("messages")
    if not isinstance(messages, list) or not messages:
        return "no list 'messages'"
    if not all(isinstance(one, dict) and one.get("kind") in _KINDS for one in messages):
        return "its messages are not of the 'kind' 'request' or 'response'"
    return ""


_KINDS = ("request", "response")


def read(doc: Node) -> Draft:
    messages: list[Message] = []
    model = None
    for message in doc["messages"].items():
        model = message.text_at("model_name") or model
        if message["kind"].text() == "response":
            parts = tuple(one for part in message["parts"].items() for one in _said(part))
            messages.append(Message(role="assistant", parts=parts))
            continue
        if instructions := message.text_at("instructions"):
            told = Message(role="system", parts=(TextPart(text=instructions),))
            if told not in messages:  # every request repeats them
                messages.append(told)
        for part in message["parts"].items():
            role: Role = "system" if part.text_at("part_kind") == "system-prompt" else "user"
            messages += by_role(role, _asked(part))
    return Draft(messages, answer_field="messages", model=model)


def _said(part: Node) -> Iterator[Part]:
    match part.text_at("part_kind"):
        case "text":
            yield TextPart(text=part["content"].text())
        case "thinking":
            yield ReasoningPart(text=part.text_at("content"))
        case "tool-call" | "builtin-tool-call":
            yield tool_call(_id(part), part["tool_name"].text(), part.get("args"))
        case "builtin-tool-return":
            yield _result(part)
        case _:
            yield unknown(part)


def _asked(part: Node) -> Iterator[Part]:
    kind, content = part.text_at("part_kind"), part.get("content")
    if kind == "tool-return" or (kind == "retry-prompt" and part.get("tool_name")):
        yield _result(part)
    elif content is None:
        yield unknown(part)
    elif isinstance(content.value, str):
        yield TextPart(text=content.text())
    elif kind == "user-prompt" and isinstance(content.value, list):
        for one in content.items():
            yield TextPart(text=one.text()) if isinstance(one.value, str) else unknown(one)
    else:
        yield TextPart(text=str(content.json()))


def _result(part: Node) -> ToolResultPart:
    content = part.get("content")
    failed = part.text_at("part_kind") == "retry-prompt" or part.text_at("outcome") == "failed"
    value = () if content is None else result_value(content)
    return ToolResultPart(id=_id(part), content=value, is_error=failed)


def _id(part: Node) -> str:
    return part.text_at("tool_call_id") or part.text_at("tool_name")
