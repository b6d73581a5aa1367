"""The arguments of a call as they arrived: decoded, or what keeps them from being JSON."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

from pydantic import JsonValue

from affidavit._each_once import each_once
from affidavit.report import CallError
from affidavit.trace import ToolCallPart

_MAX_DEPTH = 100
_SHOWN = 60

# What models do to JSON, tried in order against the text around the place where decoding stopped.
_FAULTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"^\s*```"), "the arguments are wrapped in a code fence; send the bare JSON object"),
    (re.compile(r",\s*[}\]]"), "there is a trailing comma"),
    (re.compile(r"(?<![\w\"])(?:True|False|None)(?![\w\"])"),
     "Python's True, False or None stands where JSON has true, false or null"),
    (re.compile(r"(?<![\w\"])undefined(?![\w\"])"), "`undefined` is not a JSON value"),
    (re.compile(r"[{,\[:]\s*'"), "strings must be in double quotes"),
    (re.compile(r"[{,]\s*[A-Za-z_]\w*\s*:"), "property names must be in double quotes"),
    (re.compile(r"(?:^|\s)(?://|/\*)"), "JSON has no comments"),
)  # fmt: skip


class _Broken(ValueError):
    """The text is not the JSON it should be."""


class Arguments(NamedTuple):
    """Arguments as they came; ``checked`` is the object to hold against the schema, if there is one."""

    value: JsonValue
    checked: dict[str, JsonValue] | None
    errors: tuple[CallError, ...] = ()


def read_arguments(call: ToolCallPart) -> Arguments:
    """The decoded arguments, and the fault in how they were written.

    An empty text is no arguments: several providers send that for a tool that takes none.
    """
    value: JsonValue = call.arguments
    if isinstance(value, str):
        return _read_text(value, call.arguments_text)
    if value is None:
        return Arguments({}, {})
    if (reason := _unusable(value)) is not None:
        return Arguments(value, None, (_fault(reason, value),))
    if not isinstance(value, dict):
        reason = f"the arguments are {_kind(value)}; send a JSON object"
        return Arguments(value, None, (_fault(reason, value),))
    if call.arguments_text and (reason := _lost_in_reading(call.arguments_text)):
        return Arguments(value, value, (_fault(reason, call.arguments_text),))
    return Arguments(value, value)


def _read_text(value: str, raw: str | None) -> Arguments:
    text = raw if raw is not None else value
    if not text.strip():
        return Arguments({}, {})
    try:
        inner = _decode(text)
        if isinstance(inner, str):  # the whole text is a JSON string
            inner = _decode(inner)
    except json.JSONDecodeError as error:
        return Arguments(value, None, (_fault(_why_not_json(error), text),))
    except (ValueError, RecursionError) as error:
        return Arguments(value, None, (_fault(str(error), text),))
    if not isinstance(inner, dict):
        reason = f"the arguments are {_kind(inner)}; send a JSON object"
        return Arguments(value, None, (_fault(reason, text),))
    reason = "the arguments are a string that holds a JSON object; send the object itself"
    return Arguments(value, inner if _unusable(inner) is None else None, (_fault(reason, text),))


def _lost_in_reading(text: str) -> str | None:
    """What a lenient reader put right without a word: a duplicated key."""
    try:
        _decode(text)
    except _Broken as error:
        return str(error)
    except (ValueError, RecursionError):
        return None
    return None


def _decode(text: str) -> JsonValue:
    decoded: JsonValue = json.loads(
        text, object_pairs_hook=each_once(_twice), parse_constant=_no_constant
    )
    return decoded


def _twice(key: str) -> Exception:
    return _Broken(f"the property `{key}` is given twice; send it once")


def _no_constant(name: str) -> NoReturn:
    raise _Broken(f"{name} is not a JSON value; send a number or leave it out")


def _why_not_json(error: json.JSONDecodeError) -> str:
    text, at = error.doc, error.pos
    place = f"at character {at}"
    if at >= len(text.rstrip()) or "Unterminated string" in error.msg:
        return f"the JSON ends before it is complete ({place}); send the whole object"
    around = text[max(0, at - 12) : at + 24]
    for pattern, reason in _FAULTS:
        if pattern.search(text if pattern.pattern.startswith("^") else around):
            return f"the arguments are not JSON: {reason} ({place})"
    if "Extra data" in error.msg:
        return f"the arguments are not JSON: text follows the object ({place})"
    if "control character" in error.msg:
        return f"the arguments are not JSON: a line break or tab inside a string must be \\n or \\t ({place})"
    return f"the arguments are not JSON: {error.msg[:1].lower()}{error.msg[1:]} {place}"


def _unusable(value: JsonValue) -> str | None:
    """Why a decoded value cannot be checked or sent: NaN, half a character, bottomless nesting."""
    for depth, item in _walk(value):
        if depth > _MAX_DEPTH:
            return f"the arguments are nested more than {_MAX_DEPTH} deep"
        if isinstance(item, float) and not math.isfinite(item):
            name = "NaN" if math.isnan(item) else "Infinity" if item > 0 else "-Infinity"
            return f"{name} is not a JSON value; send a number or leave it out"
        if isinstance(item, str) and not item.isascii():
            try:
                item.encode()
            except UnicodeEncodeError:
                return "a string holds half of a surrogate pair, which is not a character"
    return None


def _walk(value: JsonValue) -> Iterator[tuple[int, JsonValue]]:
    stack: list[tuple[int, JsonValue]] = [(0, value)]
    while stack:
        depth, item = stack.pop()
        yield depth, item
        if depth > _MAX_DEPTH:
            return
        if isinstance(item, dict):
            stack.extend((depth + 1, key) for key in item)
            stack.extend((depth + 1, inner) for inner in item.values())
        elif isinstance(item, list):
            stack.extend((depth + 1, inner) for inner in item)


def _fault(reason: str, came: JsonValue) -> CallError:
    got = came[:_SHOWN] + "…" if isinstance(came, str) and len(came) > _SHOWN else came
    return CallError(
        kind="malformed_arguments",
        message=_sendable(reason),
        expected="a JSON object",
        got=_sendable(got) if isinstance(got, str) else None,
    )


def _sendable(text: str) -> str:
    """Half a surrogate pair would keep the report from being written."""
    return text.encode("utf-8", "replace").decode()


def _kind(value: JsonValue) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list():
            return "an array"
        case _:
            return "an object"
