"""A trace of spans: ``{"spans": […]}`` or an OTLP export, by OpenTelemetry GenAI's or OpenInference's names.

The last model call of a trace mostly knows the whole run. Where it does not, tools and retrievers have
spans of their own, and what they returned is put before the answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from affidavit.formats import openai_chat, otel
from affidavit.formats.draft import Draft, tool_message
from affidavit.formats.node import Node
from affidavit.formats.parts import result_value, tool_call
from affidavit.formats.spans_written import span_of, spans_in
from affidavit.trace import Message, TextPart, ToolCallPart, ToolResultPart

NAME = "spans"
_KIND = "openinference.span.kind"
_TOOLS = ("TOOL", "RETRIEVER")
_GENAI = ("gen_ai.input.messages", "gen_ai.output.messages")


def mismatch(doc: Node) -> str:
    """Why the document is not of this format; empty where it may be."""
    spans = _spans(doc)
    if not spans:
        return "no 'spans' with trace_id, span_id and attributes"
    if not any(_is_model_call(span) or _is_root_with_answer(span) for span in spans):
        return f"no span has {_GENAI[1]!r}, 'llm.output_messages' or 'output.value'"
    return ""


def read(doc: Node) -> Draft:
    spans = _spans(doc)
    draft = _told(spans)
    if not any(isinstance(part, ToolResultPart) for m in draft.messages for part in m.parts):
        _insert(draft, [message for span in spans for message in _from_tool(span)])
    draft.run_id = draft.run_id or spans[0]["trace_id"]
    draft.metadata |= _about(spans)
    return draft


def _spans(doc: Node) -> list[dict[str, Any]]:
    listed = doc.mapping().get("spans")
    if isinstance(listed, list):
        found = [span for one in listed if (span := span_of(one)) is not None]
    else:
        found = list(spans_in(doc.mapping()))
    for span in found:
        span["attributes"] = nested(span["attributes"])
    return sorted(found, key=lambda span: span["start"])


def _told(spans: list[dict[str, Any]]) -> Draft:
    """The run as the span that knows most of it tells it."""
    calls = sorted(filter(_is_model_call, spans), key=lambda span: span["end"])
    if calls:
        return _from_call(calls[-1]["attributes"])
    root = next(span for span in spans if _is_root_with_answer(span))
    return _from_root(root["attributes"])


def _from_call(at: Mapping[str, Any]) -> Draft:
    if any(_dig(at, name) is not None for name in _GENAI):
        return otel.read(Node({"attributes": _flat(at)}))
    llm = at.get("llm", {})
    said = [*_listed(llm.get("input_messages")), *_listed(llm.get("output_messages"))[:1]]
    doc: dict[str, Any] = {"messages": [_message(one.get("message", one)) for one in said]}
    tools = [_json(_dig(one, "tool.json_schema")) for one in _listed(llm.get("tools"))]
    if tools and all(isinstance(tool, dict) for tool in tools):
        doc["tools"] = tools
    draft = openai_chat.read(Node(doc))
    draft.model = str(llm.get("model_name") or "") or None
    return draft


def _message(message: Mapping[str, Any]) -> dict[str, Any]:
    """A message of OpenInference's names as Chat Completions has it."""
    role = str(message.get("role") or "assistant")
    told: dict[str, Any] = {
        "role": {"model": "assistant", "ai": "assistant", "human": "user"}.get(role, role)
    }
    content = message.get("content")
    if content is None and (parts := _listed(message.get("contents"))):
        inner = [part.get("message_content", part) for part in parts]
        content = "\n\n".join(str(part["text"]) for part in inner if part.get("text"))
    told["content"] = content
    calls = [one.get("tool_call", one) for one in _listed(message.get("tool_calls"))]
    if calls:
        told["tool_calls"] = [
            {
                "id": str(call.get("id") or f"call_{n}"),
                "function": {
                    "name": str(_dig(call, "function.name") or ""),
                    "arguments": _dig(call, "function.arguments"),
                },
            }
            for n, call in enumerate(calls)
        ]
    if role == "tool":
        told["tool_call_id"] = str(message.get("tool_call_id") or message.get("name") or "")
    return told


def _from_root(at: Mapping[str, Any]) -> Draft:
    question, answer = spoken(_dig(at, "input.value")), spoken(_dig(at, "output.value"))
    messages = [Message(role="user", parts=(TextPart(text=question),))] if question else []
    return Draft(messages, answer=answer, answer_field="spans")


def _from_tool(span: Mapping[str, Any]) -> Iterator[Message]:
    """A call and its result, of the span of a tool or of a retriever."""
    at = span["attributes"]
    kind = str(_dig(at, _KIND) or "").upper()
    if _dig(at, "gen_ai.operation.name") == "execute_tool" or _dig(at, "gen_ai.tool.name"):
        name, call_id = _dig(at, "gen_ai.tool.name"), _dig(at, "gen_ai.tool.call.id")
        given, result = _dig(at, "gen_ai.tool.call.arguments"), _dig(at, "gen_ai.tool.call.result")
    elif kind in _TOOLS:
        name, call_id = _dig(at, "tool.name"), _dig(at, "tool_call.id")
        given = _dig(at, "input.value")
        documents = [one.get("document", one) for one in _listed(_dig(at, "retrieval.documents"))]
        result = documents or _dig(at, "output.value")
    else:
        return
    given = _json(given)
    given = given if isinstance(given, dict) else {"query": given} if given is not None else {}
    told_id = str(call_id or span["span_id"])
    call = tool_call(told_id, str(name or span["name"] or kind.lower()), Node(given))
    content = () if result is None else result_value(Node(_json(result)))
    part = ToolResultPart(id=told_id, content=content, is_error=bool(span.get("error")))
    parts: tuple[ToolCallPart, ...] = (call,)
    yield Message(role="assistant", parts=parts)
    yield tool_message(part)


def _insert(draft: Draft, found: list[Message]) -> None:
    """Put messages between the question and the answer, where the answer is the last of them."""
    end = len(draft.messages)
    if draft.answer is None and draft.messages and draft.messages[-1].role == "assistant":
        end -= 1
    draft.messages[end:end] = found


def _is_model_call(span: Mapping[str, Any]) -> bool:
    at = span["attributes"]
    return _dig(at, _GENAI[1]) is not None or bool(_listed(_dig(at, "llm.output_messages")))


def _is_root_with_answer(span: Mapping[str, Any]) -> bool:
    return not span["parent_id"] and bool(spoken(_dig(span["attributes"], "output.value")))


def _about(spans: list[dict[str, Any]]) -> dict[str, Any]:
    told: dict[str, Any] = (
        {"start_time": spans[0]["start"].lstrip("0")} if spans[0]["start"] else {}
    )
    for span in spans:
        for key in ("gen_ai.agent.name", "gen_ai.agent.version", "session.id"):
            if isinstance(value := _dig(span["attributes"], key), str | int):
                told.setdefault(key, value)
    return told


def spoken(value: Any) -> str:
    """The text in what a component was given or gave: a string, or the one field that holds it."""
    value = _json(value)
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and isinstance(value[-1], Mapping):
        return spoken(value[-1])
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        return spoken(value[0])
    if isinstance(value, Mapping):
        if value.keys() == {"args", "kwargs"}:  # what a function was called with
            return spoken(value["kwargs"]) or spoken(value["args"])
        for key in (
            "messages",
            "question",
            "query",
            "input",
            "answer",
            "output",
            "response",
            "content",
            "text",
            "result",
        ):
            if key in value and (found := spoken(value[key])):
                return found
    return ""


def nested(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Attributes with dots in their names as the objects and lists that they stand for.

    ``gen_ai`` names stay reachable by their dots: they are looked up step by step as well.
    """
    out: dict[str, Any] = {}
    for key, value in attributes.items():
        at, steps = out, key.split(".")
        for step in steps[:-1]:
            held = at.get(step)
            if not isinstance(held, dict):
                held = at[step] = {} if held is None else {"": held}
            at = held
        last = steps[-1]
        inner = nested(value) if isinstance(value, Mapping) else value
        if isinstance(at.get(last), dict) and isinstance(inner, dict):
            at[last] |= inner
        elif isinstance(at.get(last), dict):
            at[last][""] = inner
        else:
            at[last] = (
                [nested(one) if isinstance(one, Mapping) else one for one in inner]
                if isinstance(inner, list)
                else inner
            )
    return out


def _flat(tree: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """The ``gen_ai`` attributes by their dotted names again."""
    out: dict[str, Any] = {}
    for key, value in tree.items():
        name = prefix + key if key else prefix.rstrip(".")
        if isinstance(value, Mapping) and name.split(".")[0] == "gen_ai":
            out |= _flat(value, name + ".")
        else:
            out[name] = value
    return out


def _dig(tree: Any, path: str) -> Any:
    for step in path.split("."):
        if not isinstance(tree, Mapping):
            return None
        tree = tree.get(step)
    return tree.get("", tree) if isinstance(tree, Mapping) and "" in tree else tree


def _listed(value: Any) -> list[Mapping[str, Any]]:
    """A list, also as an object whose keys count (``llm.input_messages.0.message.role``)."""
    value = _json(value)
    if isinstance(value, Mapping) and value and all(key.isdecimal() for key in value):
        value = [value[key] for key in sorted(value, key=int)]
    return (
        [nested(one) for one in value if isinstance(one, Mapping)]
        if isinstance(value, list)
        else []
    )


def _json(value: Any) -> Any:
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value
