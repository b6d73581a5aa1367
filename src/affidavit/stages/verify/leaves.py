"""The strings and numbers that a result holds, each with its place."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from pydantic import JsonValue

Path = tuple[str | int, ...]
Leaf = tuple[Path | None, str]
"""A string with its path into structured content; without one, a text as it stands."""

_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\([/\"])")


def leaves_of_text(text: str) -> Iterator[Leaf]:
    """What a text holds: its leaves where it is JSON, otherwise itself."""
    if (value := _json(text)) is not None:
        yield from leaves_of(value)
        return
    yield None, text
    if "\\" in text and (plain := _ESCAPE.sub(_unescape, text)) != text:
        yield (), plain  # JSON inside prose: https:\\/\\/…


def beyond_echo(value: JsonValue, arguments: JsonValue) -> JsonValue:
    """A result without the call's own arguments where they stand in its words: "no order ORD-88231".
    A field that holds an argument and nothing else is a record's own."""
    given = {leaf for path, leaf in leaves_of(arguments) if not path or path[-1] != leaf}

    def without(item: JsonValue) -> JsonValue:
        match item:
            case str() if (inner := _json(item)) is not None:
                return without(inner)
            case str():
                return item if item in given else without_echo(item, arguments)
            case dict():
                return {key: without(inner) for key, inner in item.items()}
            case list():
                return [without(inner) for inner in item]
        return item

    return without(value)


def without_echo(error: str, arguments: JsonValue) -> str:
    """What an error says beyond the call's own arguments, which are blanked: that `ORD-88231` does not
    exist makes it no known order, while the files of a traceback are known."""
    values = (leaf for path, leaf in leaves_of(arguments) if not path or path[-1] != leaf)
    echoes = {value for value in values if len(value) > 3}
    for echo in sorted(echoes, key=len, reverse=True):
        error = re.sub(re.escape(echo), " " * len(echo), error, flags=re.I)
    return error


def _json(text: str) -> JsonValue:
    """What a text holds if it is JSON, or one JSON value a line; None if it is words."""
    start = text.lstrip()[:1]
    if start not in ("{", "["):
        return None
    try:
        value: JsonValue = json.loads(text)
        return value
    except (ValueError, RecursionError):
        pass
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or not all(line.lstrip().startswith(("{", "[")) for line in lines):
        return None
    try:
        return [json.loads(line) for line in lines]
    except (ValueError, RecursionError):
        return None


def leaves_of(value: JsonValue) -> Iterator[Leaf]:
    """Every string and number, and every key once, with its path, in order."""
    keys: set[str] = set()
    stack: list[tuple[Path, JsonValue]] = [((), value)]
    while stack:
        path, item = stack.pop()
        match item:
            case dict():
                for key in item:
                    if key not in keys:
                        keys.add(key)
                        yield (*path, key), key
                stack.extend(((*path, key), inner) for key, inner in reversed(item.items()))
            case list():
                stack.extend(((*path, i), item[i]) for i in range(len(item) - 1, -1, -1))
            case str():
                if (inner := _json(item)) is not None:
                    stack.append((path, inner))
                elif item:
                    yield path, item
            case bool() | None:
                pass
            case int() | float():
                yield path, repr(item)


def _unescape(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else match[2]
