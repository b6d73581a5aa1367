"""A value of a recorded run together with its place in the document.

Readers go through nodes, so that whatever is wrong is reported with the field it is wrong in, and
nothing of the caller's document is kept by reference or changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from affidavit.errors import TraceError

MAX_DEPTH = 200
"""Deepest nesting of a JSON value that is kept; a recorded run never comes near it."""

MAX_INTEGER_BITS = 4096
"""Longer integers are an attack on whoever prints them, and Python refuses to."""

# Half of a UTF-16 pair, left over where a text was cut: no encoding can carry it.
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_KEY = re.compile(r"[\w-]+\Z")


@dataclass(frozen=True, slots=True)
class Node:
    """``value`` and the ``path`` that leads to it: ``messages[3].content[0].tool_use_id``."""

    value: object
    path: str = ""

    def __contains__(self, key: str) -> bool:
        return isinstance(self.value, Mapping) and self.value.get(key) is not None

    def get(self, key: str) -> Node | None:
        """The field ``key``, None where it is missing or null."""
        found = self.mapping().get(key)
        return None if found is None else Node(found, self._step(key))

    def __getitem__(self, key: str) -> Node:
        found = self.get(key)
        if found is None:
            missing = "is null" if key in self.mapping() else "is missing"
            raise TraceError(f"expected a value; it {missing}", field=self._step(key))
        return found

    def mapping(self) -> Mapping[str, object]:
        if not isinstance(self.value, Mapping):
            raise self.error("an object")
        return self.value

    def items(self) -> Iterator[Node]:
        """The elements of a list."""
        if not isinstance(self.value, list | tuple):
            raise self.error("a list")
        for i, value in enumerate(self.value):
            yield Node(value, f"{self.path}[{i}]")

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.error("a string")
        return _LONE_SURROGATE.sub("\ufffd", self.value)

    def text_at(self, key: str, default: str = "") -> str:
        """The string under ``key``, or ``default`` where it is missing or null."""
        found = self.get(key)
        return default if found is None else found.text()

    def name_at(self, key: str) -> str:
        """The identifier under ``key``: some writers number their calls."""
        found = self.get(key)
        if found is None:
            return ""
        return str(found.value) if type(found.value) is int else found.text()

    def flag_at(self, key: str) -> bool:
        found = self.get(key)
        if found is None:
            return False
        if not isinstance(found.value, bool):
            raise found.error("true or false")
        return found.value

    def json(self) -> JsonValue:
        """An own copy of a JSON value."""
        return self._copy(0)

    def _copy(self, depth: int) -> JsonValue:
        if depth > MAX_DEPTH:
            raise TraceError(f"nested deeper than {MAX_DEPTH} levels", field=self.path[:200])
        match self.value:
            case str():
                return self.text()
            case int() if self.value.bit_length() > MAX_INTEGER_BITS:
                raise TraceError("a number too long to write out", field=self.path)
            case None | bool() | int() | float():
                return self.value
            case list() | tuple():
                return [item._copy(depth + 1) for item in self.items()]
            case Mapping():
                return {
                    Node(key, self.path).text(): Node(value, self._step(key))._copy(depth + 1)
                    for key, value in self.value.items()
                }
        raise self.error("a JSON value")

    def decoded(self) -> Node:
        """The value of a field that may hold its JSON as a string, as span attributes do."""
        if not isinstance(self.value, str):
            return self
        try:
            return Node(parse_json(self.value), self.path)
        except ValueError as error:
            raise TraceError(f"expected JSON in a string; {error}", field=self.path) from error

    def error(self, expected: str) -> TraceError:
        return TraceError(f"expected {expected}; got {_kind(self.value)}", field=self.path)

    def child_path(self, path: str) -> str:
        """``path`` as it is written below this node."""
        return f"{self.path}.{path}" if self.path else path

    def _step(self, key: object) -> str:
        name = str(key)
        if not _KEY.match(name):
            return f"{self.path}[{json.dumps(name)}]"
        return self.child_path(name)


def parse_json(text: str) -> JsonValue:
    """Strict JSON. Whatever else it is raises ValueError, too deep nesting included."""
    try:
        value: JsonValue = json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    return value


def _no_constant(name: str) -> JsonValue:
    raise ValueError(f"{name} is not a JSON value")


def _kind(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return str(value).lower()
        case str():
            return f"the string {value[:40]!r}" + ("…" if len(value) > 40 else "")
        case int() | float():
            return f"the number {value!r:.40}"
        case list() | tuple():
            return f"a list of {len(value)}"
        case Mapping():
            return "an object with " + (", ".join(str(key) for key in [*value][:5]) or "no fields")
    return f"a Python {type(value).__name__}"
