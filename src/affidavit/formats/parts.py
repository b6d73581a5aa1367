"""Pieces that every format shares: tool arguments, tool results, declared tools."""

from __future__ import annotations

from contextlib import suppress

from pydantic import JsonValue

from affidavit.errors import SchemaError, TraceError
from affidavit.formats.node import Node, parse_json
from affidavit.formats.openapi import is_openapi, openapi_tools
from affidavit.trace import (
    ContentPart,
    DataPart,
    TextPart,
    ToolCallPart,
    ToolDefinition,
    UnknownPart,
    says_it_reads,
)

_SCHEMA_FIELDS = ("input_schema", "parameters", "inputSchema")
_OUTPUT_FIELDS = ("output_schema", "outputSchema", "response")


CUT_OFF = frozenset(
    "length max_tokens max_output_tokens max_completion_tokens model_length "
    "model_context_window_exceeded".split()
)
"""What providers give as the reason for stopping where a reply broke off at a limit of tokens."""


def broke_off(holder: Node | None, *keys: str) -> bool:
    """Whether one of these fields says that the reply broke off."""
    fields = holder.value if holder is not None and isinstance(holder.value, dict) else {}
    told = (fields.get(key) for key in keys)
    reasons = (r for value in told for r in (value if isinstance(value, list | tuple) else [value]))
    return any(isinstance(reason, str) and reason.lower() in CUT_OFF for reason in reasons)


def unknown(block: Node, kind: str = "") -> UnknownPart:
    """A part that cannot be read, whole. Binary data is kept as it came: the record is evidence of
    what the model was shown, and dropping it is the caller's choice."""
    return UnknownPart(kind=kind or _kind_of(block), raw=block.json())


def _kind_of(block: Node) -> str:
    kind = block.value.get("type") if isinstance(block.value, dict) else None
    return kind if isinstance(kind, str) and kind else type(block.value).__name__


def tool_call(
    call_id: str, name: str, arguments: Node | None, *, server_side: bool = False
) -> ToolCallPart:
    """A call whose arguments arrived decoded, or as a JSON string, or as a string that is not JSON."""
    value: JsonValue = {}
    text: str | None = None
    if arguments is not None and isinstance(arguments.value, str):
        value = text = arguments.text()
        with suppress(ValueError, TraceError):
            # The copy holds decoded arguments to the same depth as any other value.
            value = Node(parse_json(text), arguments.path).json() if text.strip() else {}
    elif arguments is not None:
        value = arguments.json()
    return ToolCallPart(
        id=call_id, name=name, arguments=value, arguments_text=text, server_side=server_side
    )


def free_text_call(call_id: str, name: str, text: Node | None) -> ToolCallPart:
    """A call of a tool that takes text as it is (a query, a patch) and no arguments by name."""
    said = "" if text is None else text.text()
    return ToolCallPart(id=call_id, name=name, arguments={"input": said}, arguments_text=said)


def result_value(value: Node | None) -> tuple[ContentPart, ...]:
    """A result given as one value: text, a list of text blocks (MCP), or data."""
    if value is None:
        return ()
    if isinstance(value.value, str):
        return (TextPart(text=value.text()),)
    if isinstance(value.value, list) and value.value and all(map(_is_text_block, value.value)):
        return tuple(TextPart(text=block["text"].text()) for block in value.items())
    return (DataPart(value=value.json()),)


def _is_text_block(block: object) -> bool:
    return isinstance(block, dict) and block.get("type") == "text" and "text" in block


def tool_definitions(tools: Node | None) -> tuple[ToolDefinition, ...] | None:
    """Declared tools in any dialect, OpenAPI's included; None where none were recorded."""
    if tools is None:
        return None
    if is_openapi(tools.value):
        return _operations(tools)
    return tuple(
        found
        for tool in tools.items()
        for found in (_operations(tool) if is_openapi(tool.value) else (_definition(tool),))
    )


def _operations(declaration: Node) -> tuple[ToolDefinition, ...]:
    try:
        return openapi_tools(declaration.mapping())
    except SchemaError as error:
        raise TraceError(str(error), field=declaration.path) from error


def _definition(tool: Node) -> ToolDefinition:
    inner = next((tool[key] for key in ("function", "custom") if key in tool), tool)
    # A tool of the provider's own is known by its type alone: {"type": "web_search"}.
    name = inner.text_at("name") or tool.text_at("type")
    if not name:
        raise TraceError("expected the tool's name", field=inner["name"].path)
    return ToolDefinition(
        name=name,
        description=inner.text_at("description"),
        input_schema=_schema(inner, _SCHEMA_FIELDS),
        output_schema=_schema(inner, _OUTPUT_FIELDS),
        reads=says_it_reads(tool.mapping()) or says_it_reads(inner.mapping()),
    )


def _schema(tool: Node, fields: tuple[str, ...]) -> dict[str, JsonValue] | None:
    for key in fields:
        if (schema := tool.get(key)) is not None:
            copy = schema.decoded().json()
            if not isinstance(copy, dict):
                raise schema.error("a JSON Schema object")
            return copy
    return None
