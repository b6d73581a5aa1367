"""What a schema found wrong, in words a model can act on: path, what was expected, what came."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Sequence
from typing import Any

from jsonschema_rs import ValidationError

from affidavit.report import CallError

_SHOWN = 80
_ARTICLES = {"integer": "an integer", "object": "an object", "array": "an array", "null": "null"}
_CLOSED = ("additionalProperties", "unevaluatedProperties")


def call_errors(errors: Iterable[ValidationError]) -> tuple[CallError, ...]:
    """One error for each fault. Of the alternatives of a ``oneOf`` or ``anyOf``, the one that came
    closest is explained, its deepest fault first."""
    found: list[CallError] = []
    faults = [leaf for error in errors for leaf in _leaves(error)]
    missing = {str(_kind(f).property) for f in faults if f.kind.name == "required"}
    for fault in faults:
        found.extend(e for e in _worded(fault, missing) if e not in found)
    return tuple(found)


def pointer(path: Sequence[str | int]) -> str:
    """JSON Pointer (RFC 6901) of a path."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def _kind(error: ValidationError) -> Any:
    """The keyword that failed, with its own attributes; its classes share only ``name``."""
    return error.kind


def _leaves(error: ValidationError) -> list[ValidationError]:
    if error.kind.name not in ("oneOf", "anyOf") or not hasattr(_kind(error), "context"):
        return [error]
    branches = [
        [leaf for inner in branch for leaf in _leaves(inner)] for branch in _kind(error).context
    ]
    branches = [branch for branch in branches if branch]
    if not branches:  # several alternatives match where exactly one may
        return [error]
    here = len(error.instance_path)
    closest = min(branches, key=lambda branch: _distance(branch, here))
    if _only_its_type(closest, here):
        return [error]  # no alternative takes a value of this type: name them all
    return sorted(closest, key=lambda leaf: -len(leaf.instance_path))


def _distance(branch: list[ValidationError], here: int) -> tuple[int, int, int]:
    """How far the value is from an alternative. A wrong type, or a wrong tag, says that another
    alternative was meant; after that, fewer and deeper faults are closer."""
    wrong_type = any(e.kind.name == "type" and len(e.instance_path) == here for e in branch)
    wrong_tag = any(e.kind.name in ("const", "enum") for e in branch)
    deepest = max(len(e.instance_path) for e in branch)
    return 2 * wrong_type + wrong_tag, len(branch), -deepest


def _only_its_type(branch: list[ValidationError], here: int) -> bool:
    return all(e.kind.name == "type" and len(e.instance_path) == here for e in branch)


def _worded(error: ValidationError, missing: set[str]) -> list[CallError]:
    kind, path = _kind(error), list(error.instance_path)
    if kind.name in _CLOSED and hasattr(kind, "unexpected"):
        return [_unexpected(error, name, missing) for name in kind.unexpected]
    if kind.name == "required":
        name = str(kind.property)
        where = f" in `{written(path)}`" if path else ""
        return [
            _error([*path, name], f"`{name}` is required{where} and is missing", "a value", None)
        ]
    expected = _expected(error)
    message = f"{_subject(path)} must be {expected}, got {_show(error.instance)}"
    return [_error(path, message + _hint(error), expected, error.instance)]


def _unexpected(error: ValidationError, name: str, missing: set[str]) -> CallError:
    path = [*error.instance_path, name]
    value = error.instance.get(name) if isinstance(error.instance, dict) else None
    close = difflib.get_close_matches(name.lower(), [m.lower() for m in missing], 1, 0.6)
    meant = next((m for m in missing if close and m.lower() == close[0]), None)
    message = f"`{name}` is not an argument of this tool"
    if error.instance_path:
        message = f"`{name}` is not a property of `{written(error.instance_path)}`"
    if meant:
        message += f"; did you mean `{meant}`?"
    return _error(path, message, "no such property", value, suggestion=meant)


def _error(
    path: Sequence[str | int], message: str, expected: str, got: Any, suggestion: str | None = None
) -> CallError:
    return CallError(
        kind="schema",
        path=pointer(path),
        message=message,
        expected=expected,
        got=got,
        suggestion=suggestion,
    )


def _expected(error: ValidationError) -> str:
    kind = _kind(error)
    match kind.name:
        case "type":
            return " or ".join(_ARTICLES.get(t, f"a {t}") for t in sorted(kind.types))
        case "enum":
            return "one of " + ", ".join(_show(option) for option in kind.options)
        case "const":
            return _show(kind.expected_value)
        case "format":
            return f"a string of format {kind.format}"
        case "pattern":
            return f"a string that matches {kind.pattern}"
        case "oneOf" | "anyOf" if types := _types_of(error):
            return " or ".join(_ARTICLES.get(t, f"a {t}") for t in types)
        case "oneOf" if type(kind).__name__.endswith("MultipleValid"):
            return "a match of exactly one of the alternatives; it matches several"
        case "propertyNames":
            return f"an object with valid property names ({kind.error.message})"
        case "not":
            return f"something that does not match {_show(kind.schema)}"
        case name if name in _LIMITS:
            return _LIMITS[name].format(getattr(kind, "limit", getattr(kind, "multiple_of", "")))
        case name:
            return f"valid under `{name}` ({error.message})"


_LIMITS = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "exclusiveMinimum": "more than {}",
    "exclusiveMaximum": "less than {}",
    "multipleOf": "a multiple of {}",
    "minLength": "a string of at least {} characters",
    "maxLength": "a string of at most {} characters",
    "minItems": "an array of at least {} items",
    "maxItems": "an array of at most {} items",
    "minProperties": "an object with at least {} properties",
    "maxProperties": "an object with at most {} properties",
    "uniqueItems": "an array whose items are all different",
}


def _types_of(error: ValidationError) -> list[str]:
    """The types that the alternatives take, where it is the type that is wrong in each."""
    leaves = [leaf for branch in _kind(error).context for leaf in branch]
    here = len(error.instance_path)
    if not leaves or not all(
        e.kind.name == "type" and len(e.instance_path) == here for e in leaves
    ):
        return []
    return sorted({t for leaf in leaves for t in _kind(leaf).types})


def _hint(error: ValidationError) -> str:
    """A value of the right content and the wrong type is said plainly, never put right in silence."""
    if error.kind.name not in ("type", "oneOf", "anyOf"):
        return ""
    types = _kind(error).types if error.kind.name == "type" else _types_of(error)
    value = error.instance
    if isinstance(value, str) and (held := _held(value, types)):
        return held
    if "string" in types and isinstance(value, int | float) and not isinstance(value, bool):
        return f'; send "{value}" in quotes'
    if "array" in types and value is not None and not isinstance(value, list):
        return f"; send [{_show(value)}]"
    return ""


def _held(text: str, types: Sequence[str]) -> str:
    """What a string holds, where that is of a type that was wanted."""
    try:
        inner = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    kind = _type(inner)
    if kind not in types and not (kind == "integer" and "number" in types):
        return ""
    return f": a string that holds {_ARTICLES.get(kind, f'a {kind}')}; send {_show(inner)}"


def _type(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"


def _subject(path: Sequence[str | int]) -> str:
    return f"`{written(path)}`" if path else "the arguments"


def written(path: Sequence[str | int]) -> str:
    """``legs[0].date``: how one would write it in code."""
    text = "".join(f"[{step}]" if str(step).isdecimal() else f".{step}" for step in path)
    return text.removeprefix(".")


def _show(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = repr(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
