"""One tool of any dialect: Anthropic, OpenAI, Gemini, MCP, Bedrock, pydantic models, functions.

The schema is kept in plain JSON Schema and checked: a fault raises SchemaError, which says where.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel, PydanticUserError, TypeAdapter

from affidavit.errors import SchemaError
from affidavit.formats.dialects import json_schema
from affidavit.formats.openapi import is_openapi, openapi_tools
from affidavit.stages.verify.validator import ArgumentValidator
from affidavit.trace import ToolDefinition, says_it_reads

# Where each dialect keeps the declaration itself, and what it calls its schemas.
_WRAPPERS = ("function", "toolSpec", "custom")
_INPUT = (
    "input_schema",
    "inputSchema",
    "parameters",
    "parametersJsonSchema",
    "parameters_json_schema",
)
_OUTPUT = (
    "output_schema",
    "outputSchema",
    "response",
    "responseJsonSchema",
    "response_json_schema",
)
_LISTS = ("functionDeclarations", "function_declarations", "tools")


def tool_definitions(declarations: object) -> tuple[ToolDefinition, ...]:
    """Every tool declared: a list of declarations, an OpenAPI document, Gemini's or MCP's list."""
    if isinstance(declarations, Mapping):
        if is_openapi(declarations):
            return tuple(_checked(tool) for tool in openapi_tools(declarations))
        for key in _LISTS:
            if isinstance(listed := declarations.get(key), list):
                return tool_definitions(listed)
        return (tool_definition(declarations),)
    if isinstance(declarations, Iterable) and not isinstance(declarations, str | type | BaseModel):
        return tuple(
            tool
            for item in declarations
            for tool in (tool_definitions(item) if _lists_tools(item) else (tool_definition(item),))
        )
    return (tool_definition(declarations),)


def tool_definition(declaration: object) -> ToolDefinition:
    """One tool, from a mapping, a pydantic model or its class, or a function with typed arguments."""
    match declaration:
        case ToolDefinition():
            return _checked(declaration)
        case Mapping():
            return _checked(_of_mapping(declaration))
        case type() if issubclass(declaration, BaseModel):
            return _checked(_of_model(declaration))
        case BaseModel():  # an SDK's own object: its JSON is the declaration
            dumped = declaration.model_dump(mode="json", by_alias=True, exclude_none=True)
            return _checked(_of_mapping(dumped))
        case _ if callable(declaration):
            return _checked(_of_function(declaration))
    raise SchemaError(
        f"{declaration!r} is not a tool: expected a mapping, a pydantic model or a function"
    )


def _lists_tools(item: object) -> bool:
    return isinstance(item, Mapping) and (is_openapi(item) or any(key in item for key in _LISTS))


def _of_mapping(declaration: Mapping[str, Any]) -> ToolDefinition:
    inner = next(
        (found for key in _WRAPPERS if isinstance(found := declaration.get(key), Mapping)),
        declaration,
    )
    name = inner.get("name") or declaration.get("type")
    if not isinstance(name, str) or not name:
        raise SchemaError(f"a tool without a name: {dict(declaration)!r:.120}")
    return ToolDefinition(
        name=name,
        description=str(inner.get("description") or ""),
        input_schema=_schema(name, inner, _INPUT),
        output_schema=_schema(name, inner, _OUTPUT),
        reads=says_it_reads(declaration) or says_it_reads(inner),
    )


def _schema(tool: str, inner: Mapping[str, Any], fields: tuple[str, ...]) -> dict[str, Any] | None:
    for field in fields:
        schema = inner.get(field)
        if isinstance(schema, Mapping) and set(schema) == {"json"}:  # Bedrock's wrapper
            schema = schema["json"]
        if isinstance(schema, type) and issubclass(schema, BaseModel):
            schema = schema.model_json_schema()
        if schema is None:
            continue
        if not isinstance(schema, Mapping):
            raise SchemaError(f"{tool}: {field}: expected a JSON Schema object, got {schema!r:.80}")
        return dict(json_schema(schema))
    return None


def _of_model(model: type[BaseModel]) -> ToolDefinition:
    return ToolDefinition(
        name=model.__name__,
        description=inspect.getdoc(model) or "",
        input_schema=model.model_json_schema(),
    )


def _of_function(function: Any) -> ToolDefinition:
    name = getattr(function, "__name__", type(function).__name__)
    try:
        schema = TypeAdapter(function).json_schema()
    except (PydanticUserError, NameError, TypeError) as error:
        raise SchemaError(f"{name}: its arguments have no schema: {error}") from error
    if schema.get("type") != "object":
        raise SchemaError(f"{name}: positional-only arguments cannot be given by name")
    return ToolDefinition(
        name=name, description=inspect.getdoc(function) or "", input_schema=schema
    )


def _checked(tool: ToolDefinition) -> ToolDefinition:
    if tool.input_schema is not None:
        ArgumentValidator(tool)
    if tool.output_schema is not None:
        ArgumentValidator(tool, "output_schema")
    return tool
