"""OpenTelemetry GenAI messages: span attributes ``gen_ai.*``, as values or as JSON strings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from affidavit.errors import TraceError
from affidavit.formats.draft import Draft, by_role
from affidavit.formats.node import Node
from affidavit.formats.parts import broke_off, result_value, tool_call, tool_definitions, unknown
from affidavit.trace import Message, Part, ReasoningPart, Role, TextPart, ToolResultPart

NAME = "opentelemetry_genai"
_INPUT, _OUTPUT = "gen_ai.input.messages", "gen_ai.output.messages"
_ROLES: dict[str, Role] = {
    "system": "system", "developer": "system", "user": "user",
    "assistant": "assistant", "model": "assistant", "tool": "tool",
}  # fmt: skip


def mismatch(doc: Node) -> str:
    """Why the document is not of this format; empty where it may be."""
    try:
        attributes = _attributes(doc)
    except TraceError as error:
        return str(error)
    if _INPUT not in attributes and _OUTPUT not in attributes and "messages" not in attributes:
        return f"neither {_INPUT!r} nor {_OUTPUT!r}"
    if "messages" in attributes:
        messages = attributes["messages"].value
        if not isinstance(messages, list) or not any(
            isinstance(message, dict) and "parts" in message for message in messages
        ):
            return "no message has 'parts'"
    return ""


def read(doc: Node) -> Draft:
    at = _attributes(doc)
    messages: list[Message] = []
    if (system := at.get("gen_ai.system_instructions")) is not None:
        messages += by_role("system", _parts(system.decoded()))
    for key in (_INPUT, "messages"):
        if (said := at.get(key)) is not None:
            for message in said.decoded().items():
                messages += _message(message)
    metadata: dict[str, Any] = {}
    cut_off = broke_off(doc, "gen_ai.response.finish_reasons")
    if (output := at.get(_OUTPUT)) is not None:
        choices = list(output.decoded().items())
        if choices:  # one message for each candidate; the first is the one that was sent on
            messages += _message(choices[0])
            cut_off = cut_off or broke_off(choices[0], "finish_reason")
        if len(choices) > 1:
            metadata["other_choices"] = len(choices) - 1
    for name in ("gen_ai.conversation.id", "gen_ai.provider.name", "gen_ai.agent.name"):
        if name in at:
            metadata[name.removeprefix("gen_ai.").replace(".", "_")] = at[name].json()
    tools = at.get("gen_ai.tool.definitions") or at.get("tools")
    model = at.get("gen_ai.response.model") or at.get("gen_ai.request.model")
    ids = (doc.mapping().get(k) for k in ("span_id", "spanId"))
    response_id = at.get("gen_ai.response.id")
    return Draft(
        messages,
        tools=tool_definitions(tools.decoded() if tools else None),
        model=model.text() if model else None,
        run_id=next((i for i in ids if isinstance(i, str)), "")
        or (response_id.text() if response_id else ""),
        metadata=metadata,
        answer_field="messages" if "messages" in at else _OUTPUT,
        cut_off=cut_off,
    )


def _attributes(doc: Node) -> dict[str, Node]:
    """The attributes of a document that is a span, holds one, or is nothing but attributes."""
    spans = list(_spans(doc))
    if spans:
        # An agent's trace holds a span for each model call; the last one knows the whole run.
        told = [at for at in spans if _OUTPUT in at]
        return (told or spans)[-1]
    return otlp_attributes(doc["attributes"]) if "attributes" in doc else otlp_attributes(doc)


def _spans(doc: Node) -> Iterator[dict[str, Node]]:
    """Spans of an OTLP/JSON export, in the order of their end."""
    found: list[tuple[int, dict[str, Node]]] = []
    for key, scope_key in (("resourceSpans", "scopeSpans"), ("resource_spans", "scope_spans")):
        if key not in doc:
            continue
        for resource in doc[key].items():
            for scope in resource[scope_key].items():
                for span in scope["spans"].items():
                    end = str(span.mapping().get("endTimeUnixNano", ""))
                    attributes = otlp_attributes(span["attributes"]) if "attributes" in span else {}
                    found.append((int(end) if end.isdecimal() and len(end) < 30 else 0, attributes))
    yield from (attributes for _, attributes in sorted(found, key=lambda pair: pair[0]))


def otlp_attributes(attributes: Node) -> dict[str, Node]:
    """Attributes as a mapping, also from OTLP's list of ``{key, value: {stringValue}}``."""
    if isinstance(attributes.value, Mapping):
        keys = [key for key, value in attributes.value.items() if value is not None]
        return {key: attributes[key] for key in keys if isinstance(key, str)}
    found = {}
    for item in attributes.items():
        found[item["key"].text()] = Node(_otlp(item["value"], 0), item["value"].path)
    return found


def _otlp(value: Node, depth: int) -> object:
    """An OTLP ``AnyValue`` as the value it stands for."""
    if depth > 64:
        raise TraceError("nested deeper than 64 levels", field=value.path[:200])
    # Phoenix writes every kind that a value is not as null.
    kind = next((kind for kind, held in value.mapping().items() if held is not None), None)
    match kind:
        case None:
            return None
        case "arrayValue" | "array_value":
            values = value[kind].get("values")
            return [_otlp(v, depth + 1) for v in values.items()] if values else []
        case "kvlistValue" | "kvlist_value":
            pairs = value[kind].get("values")
            items = list(pairs.items()) if pairs else []
            return {p["key"].text(): _otlp(p["value"], depth + 1) for p in items}
        case _:
            return value.mapping()[kind]


def _message(message: Node) -> list[Message]:
    role = _ROLES.get(message["role"].text())
    if role is None:
        raise message["role"].error("one of " + ", ".join(map(repr, _ROLES)))
    return by_role(role, _parts(message["parts"]))


def _parts(parts: Node) -> Iterator[Part]:
    if isinstance(parts.value, str):
        yield TextPart(text=parts.text())
        return
    for part in parts.items():
        reader = _PARTS.get(part["type"].text())
        yield reader(part) if reader else unknown(part)


def _words(part: Node) -> str:
    return (part["text"] if "text" in part and "content" not in part else part["content"]).text()


def _result(part: Node) -> ToolResultPart:
    keys = ("response", "result", "server_tool_call_response")
    value = next((part[key] for key in keys if key in part), None)
    return ToolResultPart(
        id=part.name_at("id"), content=result_value(value), is_error=part.flag_at("is_error")
    )


_PARTS: dict[str, Callable[[Node], Part]] = {
    "text": lambda part: TextPart(text=_words(part)),
    "reasoning": lambda part: ReasoningPart(text=_words(part)),
    "tool_call": lambda part: tool_call(
        part.name_at("id"), part["name"].text(), part.get("arguments")
    ),
    "server_tool_call": lambda part: tool_call(
        part.name_at("id"), part["name"].text(), part.get("server_tool_call"), server_side=True
    ),
    "tool_call_response": _result,
    "server_tool_call_response": _result,
}
