"""A tool's schema, checked when it is registered and compiled once.

Schemas can come from strangers' servers: nothing is fetched, and patterns run in linear time wherever
they can be written so (those with look-around or back-references run under a limit).
"""

from __future__ import annotations

from typing import Any, Literal, NoReturn

import jsonschema_rs
from pydantic import JsonValue

from affidavit.errors import SchemaError
from affidavit.formats.dialects import json_schema
from affidavit.report import CallError
from affidavit.stages.verify.schema_errors import call_errors
from affidavit.trace import ToolDefinition

_BACKTRACKS = 100_000


class ArgumentValidator:
    """Validates the arguments of one tool. Raises :class:`SchemaError` where its schema is none."""

    def __init__(
        self, tool: ToolDefinition, field: Literal["input_schema", "output_schema"] = "input_schema"
    ) -> None:
        declared = tool.input_schema if field == "input_schema" else tool.output_schema
        try:
            schema: Any = True if declared is None else json_schema(declared)
            self._validator = _compiled(schema, jsonschema_rs.RegexOptions())
        except jsonschema_rs.ValidationError:
            try:
                limited = jsonschema_rs.FancyRegexOptions(backtrack_limit=_BACKTRACKS)
                self._validator = _compiled(schema, limited)
            except jsonschema_rs.ValidationError as error:
                raise SchemaError(_where(f"{tool.name}: {field}", error)) from error
        except (ValueError, TypeError, RecursionError) as error:
            raise SchemaError(f"{tool.name}: {field} cannot be read: {error}") from error

    def errors(self, args: JsonValue) -> tuple[CallError, ...]:
        """Every fault of ``args``, the deepest first where alternatives were tried."""
        if self._validator.is_valid(args):
            return ()
        return call_errors(self._validator.iter_errors(args))


def _compiled(schema: Any, patterns: Any) -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(
        schema,
        validate_formats=True,
        retriever=_refuse,
        pattern_options=patterns,
    )


def _refuse(uri: str) -> NoReturn:
    raise ValueError(f"{uri} is not part of the schema, and nothing is fetched")


def _where(root: str, error: jsonschema_rs.ValidationError) -> str:
    """The fault and its place: ``get_order: input_schema/properties/n/type: …``."""
    at = error.instance_path
    if not at and error.kind.name == "format":  # jsonschema-rs < 0.57 has a pattern's place here
        at = error.schema_path
    place = "/".join([root, *map(str, at)])
    text = str(error.message).rpartition("ValueError: ")[2]
    if error.instance_path and error.instance_path[-1] == "type":
        text = f"{error.instance!r} is not a JSON Schema type"
    return f"{place}: {text}"
