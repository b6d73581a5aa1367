"""Messages as tracing tools keep them: OpenAI's, LangChain's (three ways of writing them) or Anthropic's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from affidavit.formats import anthropic, openai_chat
from affidavit.formats.draft import Draft
from affidavit.formats.node import Node

_ROLES = {
    "human": "user", "ai": "assistant", "aimessagechunk": "assistant", "model": "assistant", "bot": "assistant",
    "humanmessage": "user", "aimessage": "assistant", "systemmessage": "system", "toolmessage": "tool",
    "functionmessage": "tool", "function": "tool",
}  # fmt: skip
_KNOWN = ("system", "developer", "user", "assistant", "tool")
_BLOCKS = ("tool_use", "tool_result")


def conversation(messages: list[Any], path: str = "messages") -> Draft:
    """The messages as a draft."""
    doc = {"messages": _paired([_message(one) for one in messages])}
    if any(_has_blocks(one) for one in doc["messages"]):
        return anthropic.read(Node(doc, ""))
    draft = openai_chat.read(Node(doc, ""))
    draft.answer_field = path
    return draft


def _paired(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Calls that were kept without an id get one, and so do their results: the first without one answers the first call."""
    unanswered: list[str] = []
    for number, message in enumerate(messages):
        for at, call in enumerate(message.get("tool_calls") or ()):
            if not call["id"]:
                call["id"] = f"call_{number}_{at}"
                unanswered.append(call["id"])
        if message["role"] == "tool" and not message.get("tool_call_id") and unanswered:
            message["tool_call_id"] = unanswered.pop(0)
    return messages


def messages_in(value: Any) -> list[Any] | None:
    """The messages that a component was given or gave; None where it is something else."""
    if isinstance(value, Mapping):
        for key in ("messages", "output", "input", "chat_history"):
            if (found := messages_in(value.get(key))) is not None:
                return found
        return [value] if is_message(value) else None
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]  # LangChain's batches of one
    if isinstance(value, list) and value and all(is_message(one) for one in value):
        return value
    return None


def is_message(value: Any) -> bool:
    if not isinstance(value, Mapping):
        return False
    told = _role(value)
    return told in _KNOWN and ("content" in _inner(value) or "tool_calls" in _inner(value))


def _message(given: Any) -> dict[str, Any]:
    inner = _inner(given)
    role = _role(given)
    told: dict[str, Any] = {"role": role, "content": inner.get("content")}
    if _has_blocks(told) and not inner.get("tool_calls"):
        return told
    if isinstance(told["content"], list):
        told["content"] = _texts(told["content"])
    extra = inner.get("additional_kwargs")
    calls = inner.get("tool_calls") or (
        extra.get("tool_calls") if isinstance(extra, Mapping) else None
    )
    if isinstance(calls, list) and calls:
        told["content"] = told["content"] or None  # LangChain writes an empty text beside calls
        told["tool_calls"] = [_call(one) for one in calls if isinstance(one, Mapping)]
    if role == "tool":
        told["tool_call_id"] = str(inner.get("tool_call_id") or inner.get("name") or "")
        told["is_error"] = inner.get("status") == "error"
    return told


def _inner(given: Any) -> Mapping[str, Any]:
    """What LangChain's serialised messages wrap."""
    for key in ("kwargs", "data"):
        if (
            isinstance(given, Mapping)
            and isinstance(given.get(key), Mapping)
            and "role" not in given
        ):
            inner: Mapping[str, Any] = given[key]
            return inner
    return given if isinstance(given, Mapping) else {}


def _role(given: Any) -> str:
    inner = _inner(given)
    kind: Any = inner.get("role") or inner.get("type")
    if isinstance(given, Mapping):
        path = given.get("id")
        if given.get("type") == "constructor" and isinstance(path, list) and path:
            kind = kind or path[-1]
        kind = kind or given.get("type")
    name = str(kind or "").lower()
    return _ROLES.get(name, name)


def _texts(parts: list[Any]) -> list[Any]:
    """Content parts without those that say a call again."""
    kept: list[Any] = []
    for part in parts:
        if isinstance(part, str):
            kept.append({"type": "text", "text": part})
        elif not (isinstance(part, Mapping) and part.get("type") in ("tool_use", "tool_call")):
            kept.append(part)
    return kept


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    if "function" in call:
        return {"id": str(call.get("id") or ""), "function": call["function"]}
    arguments = call.get("args", call.get("arguments", {}))
    function = {"name": str(call.get("name") or ""), "arguments": arguments}
    return {"id": str(call.get("id") or ""), "function": function}


def _has_blocks(message: Mapping[str, Any]) -> bool:
    content = message.get("content")
    return isinstance(content, list) and any(
        isinstance(part, Mapping) and part.get("type") in _BLOCKS for part in content
    )
