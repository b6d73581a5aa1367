"""JSON Schema from its near relations: OpenAPI 3.0's and Gemini's.

They share the keywords and differ in four things: ``nullable``, a boolean ``exclusiveMinimum``, types
in capitals, and numbers written as strings. A schema that names its ``$schema`` is left as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_ONE = ("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames",
        "unevaluatedItems", "unevaluatedProperties", "additionalItems")  # fmt: skip
_LIST = ("allOf", "anyOf", "oneOf", "prefixItems")
_MAP = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_TYPES = ("STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL")
_COUNTS = ("minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties")


def json_schema(schema: Any) -> Any:
    """The same schema in plain JSON Schema. The argument is not changed."""
    if not isinstance(schema, Mapping) or "$schema" in schema:
        return schema
    return _converted(schema)


def _converted(schema: Any) -> Any:
    if not isinstance(schema, Mapping):
        return schema
    made: dict[str, Any] = {}
    for key, value in schema.items():
        if key in _ONE:
            made[key] = (
                [_converted(v) for v in value] if isinstance(value, list) else _converted(value)
            )
        elif key in _LIST and isinstance(value, list):
            made[key] = [_converted(inner) for inner in value]
        elif key in _MAP and isinstance(value, Mapping):
            made[key] = {name: _converted(inner) for name, inner in value.items()}
        elif key == "components" and isinstance(value, Mapping):
            schemas = value.get("schemas")
            made[key] = {
                **value,
                "schemas": _converted({"properties": schemas or {}})["properties"],
            }
        else:
            made[key] = value
    _types_in_capitals(made)
    _exclusive_limits(made)
    return _nullable(made)


def _types_in_capitals(schema: dict[str, Any]) -> None:
    kind = schema.get("type")
    if kind in _TYPES:
        schema["type"] = kind.lower()
    elif kind == "TYPE_UNSPECIFIED":
        del schema["type"]
    for key in _COUNTS:  # int64 is a string in protobuf's JSON
        if isinstance(count := schema.get(key), str) and count.isdecimal():
            schema[key] = int(count)


def _exclusive_limits(schema: dict[str, Any]) -> None:
    for exclusive, limit in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if isinstance(flag := schema.get(exclusive), bool):
            del schema[exclusive]
            if flag and limit in schema:
                schema[exclusive] = schema.pop(limit)


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    if schema.get("nullable") is not True:
        return schema
    del schema["nullable"]
    kind = schema.get("type")
    if not isinstance(kind, str):
        return {"anyOf": [schema, {"type": "null"}]} if schema else {}
    if isinstance(listed := schema.get("enum"), list) and None not in listed:
        schema["enum"] = [*listed, None]
    schema["type"] = [kind, "null"]
    return schema
