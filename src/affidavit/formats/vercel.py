"""Messages of the Vercel AI SDK: what the model is sent (``ModelMessage``) and what a page shows (``UIMessage``)."""

from __future__ import annotations

from collections.abc import Iterator

from affidavit.formats.draft import Draft, tool_message
from affidavit.formats.node import Node
from affidavit.formats.openapi import is_openapi
from affidavit.formats.parts import result_value, tool_call, tool_definitions, unknown
from affidavit.trace import Message, Part, ReasoningPart, Role, TextPart, ToolResultPart

NAME = "vercel_ai_sdk"
_ROLES: dict[str, Role] = {
    "system": "system", "user": "user", "assistant": "assistant", "tool": "tool", "data": "user",
}  # fmt: skip
_FAILED = ("error-text", "error-json", "execution-denied")


def mismatch(doc: Node) -> str:
    """Why the document is not of this format; empty where it may be."""
    said = [one.value for listed in _lists(doc) for one in listed.items()]
    if not said:
        return "no list 'messages', and no 'response' with one"
    if not any(_is_own(part) for message in said for part in _raw_parts(message)):
        return "no part of a message is a 'tool-call', 'tool-result', 'tool-…' or 'step-start'"
    return ""


def _lists(doc: Node) -> list[Node]:
    """Messages, what a call of ``generateText`` added to them, or its steps, each of which reads as a message."""
    at = doc.mapping()
    found = [doc["messages"]] if isinstance(at.get("messages"), list) else []
    response = at.get("response")
    if isinstance(response, dict) and isinstance(response.get("messages"), list):
        return [*found, doc["response"]["messages"]]
    if isinstance(at.get("steps"), list):
        found.append(doc["steps"])
    return found


def _raw_parts(message: object) -> list[object]:
    if not isinstance(message, dict):
        return []
    parts = message.get("parts") or message.get("content")
    return parts if isinstance(parts, list) else []


def _is_own(part: object) -> bool:
    kind = part.get("type") if isinstance(part, dict) else None
    return isinstance(kind, str) and (
        kind.startswith("tool-") or kind in ("dynamic-tool", "step-start")
    )


def read(doc: Node) -> Draft:
    messages: list[Message] = []
    if system := (doc.text_at("system") if isinstance(doc.mapping().get("system"), str) else ""):
        messages.append(Message(role="system", parts=(TextPart(text=system),)))
    if "messages" not in doc and isinstance(doc.mapping().get("prompt"), str):
        messages.append(Message(role="user", parts=(TextPart(text=doc["prompt"].text()),)))
    for listed in _lists(doc):
        for message in listed.items():
            messages += _message(message)
    tools = doc.mapping().get("tools")
    return Draft(
        messages,
        answer=doc.text_at("text") or None,
        tools=tool_definitions(doc["tools"])
        if isinstance(tools, list) or is_openapi(tools)
        else None,
    )


def _message(message: Node) -> Iterator[Message]:
    role = _ROLES.get(message.text_at("role") or "assistant")
    if role is None:
        raise message["role"].error("one of " + ", ".join(map(repr, _ROLES)))
    content = message.get("parts") or message.get("content")
    if content is None or isinstance(content.value, str):
        text = "" if content is None else content.text()
        yield Message(role=role, parts=(TextPart(text=text),))
        return
    held: list[Part] = []
    for part in content.items():
        for one in _part(part):
            if isinstance(one, ToolResultPart):
                # A page's message goes on after its calls: their results stand between.
                if held:
                    yield Message(role="assistant", parts=tuple(held))
                    held = []
                yield tool_message(one)
            else:
                held.append(one)
    if held:
        yield Message(role="assistant" if role == "tool" else role, parts=tuple(held))


def _part(part: Node) -> Iterator[Part]:
    kind = part["type"].text()
    match kind:
        case "text":
            yield TextPart(text=part["text"].text())
        case "reasoning":
            yield ReasoningPart(text=part.text_at("text") or part.text_at("reasoning"))
        case "step-start":
            return
        case "tool-call":
            yield tool_call(part["toolCallId"].text(), part["toolName"].text(), _given(part))
        case "tool-result":
            yield _result(part)
        case "tool-invocation":
            yield from _shown(part["toolInvocation"], part["toolInvocation"]["toolName"].text())
        case "dynamic-tool":
            yield from _shown(part, part["toolName"].text())
        case _ if kind.startswith("tool-"):
            yield from _shown(part, kind.removeprefix("tool-"))
        case _:
            yield unknown(part)


def _shown(part: Node, name: str) -> Iterator[Part]:
    """A call with its result, where there is one, as a page keeps both in one part."""
    call_id = part["toolCallId"].text()
    yield tool_call(call_id, name, _given(part))
    value = next((part[key] for key in ("output", "result", "errorText") if key in part), None)
    if value is not None:
        failed = part.text_at("state") == "output-error" or "errorText" in part
        yield ToolResultPart(id=call_id, content=result_value(value), is_error=failed)


def _given(part: Node) -> Node | None:
    return part.get("input") or part.get("args")


def _result(part: Node) -> ToolResultPart:
    failed, value = part.flag_at("isError"), part.get("result")
    output = part.get("output")
    if output is not None:
        typed = isinstance(output.value, dict) and "type" in output and "value" in output
        failed = failed or (typed and output["type"].text() in _FAILED)
        value = output["value"] if typed else output
    return ToolResultPart(
        id=part["toolCallId"].text(), content=result_value(value), is_error=failed
    )
