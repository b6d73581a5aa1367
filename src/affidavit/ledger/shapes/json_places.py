"""Where each value of a JSON text stands, for JSON that is only part of a text.

The standard decoder does not say. This one only walks the tokens of a text that is known to be valid,
with a stack of its own, so that no depth of nesting can exhaust Python's.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

from affidavit.ledger.records import Record

# An escaped mark opens no string, or each of a thousand of them would be looked for its end.
_TOKEN = re.compile(r'(?<!\\)"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s"{}\[\],:]+', re.S)


def places_of(text: str, start: int) -> dict[str, tuple[int, int]]:
    """JSON Pointer (from the value at ``start``) to character range, containers included."""
    places: dict[str, tuple[int, int]] = {}
    stack: list[_Open] = []
    for token in _TOKEN.finditer(text, start):
        word = token[0]
        top = stack[-1] if stack else None
        if top is not None and top.wants_key and word[0] == '"':
            top.step, top.wants_key = _key(word), False
        elif word in ("{", "["):
            stack.append(_Open(_pointer(stack), token.start(), word == "{"))
        elif word in ("}", "]"):
            closed = stack.pop()
            places[closed.pointer] = (closed.start, token.end())
        elif word == "," and top is not None:
            top.next()
        elif word != ":":
            places[_pointer(stack)] = token.span()
        if not stack:
            break
    return places


class _Open:
    """An object or list that has begun: which of its values comes next."""

    __slots__ = ("is_object", "pointer", "start", "step", "wants_key")

    def __init__(self, pointer: str, start: int, is_object: bool) -> None:
        self.pointer, self.start, self.is_object = pointer, start, is_object
        self.step: str | int = "" if is_object else 0
        self.wants_key = is_object

    def next(self) -> None:
        if isinstance(self.step, int):
            self.step += 1
        else:
            self.wants_key = True


def _pointer(stack: list[_Open]) -> str:
    return f"{stack[-1].pointer}/{stack[-1].step}" if stack else ""


def _key(word: str) -> str:
    key = json.loads(word) if "\\" in word else word[1:-1]
    return str(key).replace("~", "~0").replace("/", "~1")


def relocated(
    records: list[Record], places: dict[str, tuple[int, int]], group: str
) -> list[Record]:
    """The same records with character ranges in place of JSON Pointers. What lies inside a string
    that holds JSON is placed at that string. ``group`` is for records that stand in no list."""
    moved: dict[int, Record] = {}

    def place(pointer: str) -> str:
        while pointer not in places and pointer:
            pointer = pointer.rpartition("/")[0]
        left, right = places[pointer]
        return f"char={left},{right}"

    for record in records:
        moved[id(record)] = replace(
            record,
            pointer=place(record.pointer),
            cells=tuple(replace(cell, pointer=place(cell.pointer)) for cell in record.cells),
            parent=moved.get(id(record.parent)) if record.parent is not None else None,
            group=place(record.group) if record.group else group,
        )
    return list(moved.values())
