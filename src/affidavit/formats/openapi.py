"""The operations of an OpenAPI 3.0 or 3.1 document as tools, or those of a part of one: its paths, a path, an operation.

Parameters and the properties of a JSON body stand side by side as arguments; a body that is not an
object, or that shares a name with a parameter, is the argument ``body``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from affidavit.errors import SchemaError
from affidavit.formats.dialects import json_schema
from affidavit.trace import ToolDefinition

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_READING = ("get", "head", "options")
_NOT_A_NAME = re.compile(r"[\W_]+")


def is_openapi(declaration: object) -> bool:
    """Whether a declaration is an OpenAPI document, or the part of one that tells operations."""
    if not isinstance(declaration, Mapping):
        return False
    if "openapi" in declaration or "swagger" in declaration:
        return isinstance(declaration.get("paths"), Mapping)
    return _is_operation(declaration) or _paths_of(declaration) is not None


def openapi_tools(declaration: Mapping[str, Any]) -> tuple[ToolDefinition, ...]:
    """One tool for each operation, named by its ``operationId``.

    A single operation may say its ``method`` and ``path`` beside the rest; without a method it is not known to read
    only. ``components`` that a part refers to stand beside it. Raises :class:`~affidavit.errors.SchemaError`.
    """
    document = _as_document(declaration)
    if not str(document.get("openapi", "")).startswith("3."):
        raise SchemaError(
            f"expected OpenAPI 3.0 or 3.1, got {document.get('openapi') or document.get('swagger')!r}"
        )
    return tuple(
        _tool(document, path, method, item)
        for path, entry in document["paths"].items()
        if isinstance(item := _resolved(document, entry), Mapping)
        for method in _METHODS
        if isinstance(item.get(method), Mapping)
    )


def _as_document(declaration: Mapping[str, Any]) -> Mapping[str, Any]:
    """A part of a document as a document that holds it alone."""
    if "openapi" in declaration or "swagger" in declaration:
        return declaration
    paths = _paths_of(declaration)
    if paths is None:
        method = str(declaration.get("method") or "").lower()
        path = str(declaration.get("path") or "")
        if not (declaration.get("operationId") or (method and path)):
            raise SchemaError(
                "an operation without a name: it needs an operationId, or its method and path"
            )
        # Of one without a method it is not known whether it changes anything: POST promises nothing.
        paths = {path: {method if method in _METHODS else "post": declaration}}
    return {"openapi": "3.1.0", "paths": paths, "components": declaration.get("components") or {}}


def _paths_of(declaration: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The paths of a document, or a path of them, where the declaration is that."""
    keys = [str(key) for key in declaration if key != "components"]
    if keys and all(key.startswith("/") for key in keys):
        return {key: declaration[key] for key in keys}
    if any(
        isinstance(item, Mapping) and _is_operation(item) for item in map(declaration.get, _METHODS)
    ):
        return {"": declaration}
    return None


def _is_operation(declaration: Mapping[str, Any]) -> bool:
    # Tools of other dialects have a name, and parameters that are a schema and no list.
    told = "operationId" in declaration or isinstance(declaration.get("responses"), Mapping)
    return told and "name" not in declaration


def _tool(
    document: Mapping[str, Any], path: str, method: str, item: Mapping[str, Any]
) -> ToolDefinition:
    operation = item[method]
    name = operation.get("operationId") or _NOT_A_NAME.sub("_", f"{method}_{path}").strip("_")
    schema: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
    required: list[str] = []
    for parameter in _parameters(document, item, operation):
        schema["properties"][parameter["name"]] = _parameter_schema(parameter)
        if parameter.get("required"):
            required.append(parameter["name"])
    _add_body(document, operation, schema, required)
    if required:
        schema["required"] = required
    return ToolDefinition(
        name=name,
        description=str(operation.get("description") or operation.get("summary") or ""),
        input_schema=_with_components(document, schema),
        output_schema=_output(document, operation),
        reads=method in _READING or operation.get("x-affidavit-reads") is True,
    )


def _parameters(
    document: Mapping[str, Any], item: Mapping[str, Any], operation: Mapping[str, Any]
) -> Iterator[Mapping[str, Any]]:
    """The path's parameters and the operation's, which go before them."""
    listed = [*item.get("parameters", ()), *operation.get("parameters", ())]
    resolved = [_resolved(document, parameter) for parameter in listed]
    yield from {(p.get("name"), p.get("in")): p for p in resolved if "name" in p}.values()


def _parameter_schema(parameter: Mapping[str, Any]) -> Any:
    schema = parameter.get("schema")
    if schema is None:
        schema = next((m.get("schema") for m in parameter.get("content", {}).values()), None)
    described = dict(schema) if isinstance(schema, Mapping) else {}
    if "description" in parameter and "$ref" not in described:
        described.setdefault("description", parameter["description"])
    return described


def _add_body(
    document: Mapping[str, Any],
    operation: Mapping[str, Any],
    schema: dict[str, Any],
    required: list[str],
) -> None:
    body = _resolved(document, operation.get("requestBody") or {})
    content = _json_content(body)
    if content is None:
        return
    inner = _resolved(document, content)
    fields = inner.get("properties")
    plain = isinstance(fields, Mapping) and not {"allOf", "anyOf", "oneOf"} & set(inner)
    if not plain or set(fields) & set(schema["properties"]):
        schema["properties"]["body"] = content
        required += ["body"] if body.get("required") else []
        return
    schema["properties"] |= fields
    if "additionalProperties" in inner:
        schema["additionalProperties"] = inner["additionalProperties"]
    if body.get("required"):
        required += inner.get("required", [])


def _output(document: Mapping[str, Any], operation: Mapping[str, Any]) -> dict[str, Any] | None:
    responses = operation.get("responses") or {}
    for status in sorted(responses):
        if str(status).startswith("2") or status == "default":
            content = _json_content(_resolved(document, responses[status]))
            if content is not None:
                return _with_components(document, dict(content))
    return None


def _json_content(holder: Mapping[str, Any]) -> Mapping[str, Any] | None:
    content = holder.get("content")
    if not isinstance(content, Mapping):
        return None
    media = next((m for kind, m in content.items() if "json" in kind), None)
    schema = media.get("schema") if isinstance(media, Mapping) else None
    return schema if isinstance(schema, Mapping) else None


def _with_components(document: Mapping[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with the document's components beside it, so that its references resolve."""
    components = document.get("components")
    if isinstance(components, Mapping) and isinstance(components.get("schemas"), Mapping):
        schema = {**schema, "components": {"schemas": components["schemas"]}}
    return dict(json_schema(schema))


def _resolved(document: Mapping[str, Any], node: Any, depth: int = 0) -> Any:
    """What a local reference refers to; nothing is fetched."""
    if not isinstance(node, Mapping) or not isinstance(ref := node.get("$ref"), str):
        return node
    if not ref.startswith("#/") or depth > 8:
        raise SchemaError(f"{ref} is not part of the document, and nothing is fetched")
    found: Any = document
    for step in ref[2:].split("/"):
        key = step.replace("~1", "/").replace("~0", "~")
        if not isinstance(found, Mapping) or key not in found:
            raise SchemaError(f"{ref} does not exist in the document")
        found = found[key]
    return _resolved(document, found, depth + 1)
