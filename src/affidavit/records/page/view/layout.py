"""JSON set on lines, every token as it came, and the place of each value in it.

Decoding and writing it again would lose what evidence must keep: ``1.10``, a key that comes twice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_INDENT = "  "
# Strings in either quote: a result written with Python's ``str`` is laid out as well.
# An escaped mark opens no string, or each of a thousand of them would be looked for its end.
_TOKEN = re.compile(
    r"""\s+|(?<!\\)"(?:[^"\\]|\\.)*"|(?<!\\)'(?:[^'\\]|\\.)*'|[{}\[\],:]|[^\s"'{}\[\],:]+|["']""",
    re.S,
)
_SHORT_LIST = 72

DEEPEST = 64
"""Levels that are indented and given places of their own; what lies deeper is placed in its ancestor.
Without an end to it, text of ``[[[[…`` would cost the square of its length."""


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A text as it is shown. ``places`` leads from a JSON Pointer to its characters in ``text``, those of
    a field from its name on."""

    text: str
    places: dict[str, tuple[int, int]] = field(default_factory=dict)


def lay_out(source: str) -> LaidOut:
    """Set JSON on lines; the tokens and their order are those of ``source``."""
    tokens = [found[0] for found in _TOKEN.finditer(source) if not found[0].isspace()]
    return _Setter(tokens).set()


class _Open:
    """An object or list that has begun."""

    __slots__ = ("flat", "is_object", "named_at", "pointer", "start", "step")

    def __init__(self, pointer: str | None, start: int, is_object: bool, flat: bool) -> None:
        self.pointer, self.start, self.is_object, self.flat = pointer, start, is_object, flat
        self.step: str | int | None = None if is_object else 0
        self.named_at: int | None = None


class _Setter:
    """Walks the tokens with a stack of its own: no depth of nesting can exhaust Python's."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._out: list[str] = []
        self._at = 0
        self._stack: list[_Open] = []
        self._places: dict[str, tuple[int, int]] = {}

    def set(self) -> LaidOut:
        for i, token in enumerate(self._tokens):
            self._token(i, token)
        return LaidOut("".join(self._out), self._places)

    def _token(self, i: int, token: str) -> None:
        top = self._stack[-1] if self._stack else None
        match token:
            case "{" | "[":
                self._open(i, token)
            case "}" | "]" if top is not None:
                self._close(top, token, empty=self._tokens[i - 1] in "{[")
            case "," if top is not None:
                self._write(token)
                top.step = top.step + 1 if isinstance(top.step, int) else None
                self._write(" ") if top.flat else self._line()
            case ":" if top is not None and top.is_object:
                self._write(": ")
            case _ if top is not None and top.is_object and top.step is None:
                top.step = token[1:-1] if token[0] in "\"'" else token
                top.named_at = self._at
                self._write(token)
            case _:
                start = self._start()
                self._write(token)
                self._place(self._pointer(), start)

    def _open(self, i: int, token: str) -> None:
        flat = token == "[" and self._is_short(i)
        self._stack.append(_Open(self._pointer(), self._start(), token == "{", flat))
        self._write(token)
        if not flat and self._tokens[i + 1 : i + 2] not in (["}"], ["]"]):
            self._line()

    def _close(self, top: _Open, token: str, *, empty: bool) -> None:
        self._stack.pop()
        if not empty and not top.flat:
            self._line()
        self._write(token)
        self._place(top.pointer, top.start)

    def _is_short(self, i: int) -> bool:
        """Whether the list that begins here holds only a few words: it stays on one line."""
        length = 0
        for token in self._tokens[i + 1 :]:
            length += len(token) + 1
            if token in "{[" or length > _SHORT_LIST:
                return False
            if token == "]":
                return True
        return False

    def _pointer(self) -> str | None:
        if not self._stack:
            return ""
        top = self._stack[-1]
        deep = top.pointer is None or len(self._stack) > DEEPEST
        return None if deep else f"{top.pointer}/{_escaped(top.step)}"

    def _place(self, pointer: str | None, start: int) -> None:
        if pointer is not None:
            self._places.setdefault(pointer, (start, self._at))

    def _start(self) -> int:
        """Where the value that comes now begins, with its name if it has one."""
        named = self._stack[-1].named_at if self._stack and self._stack[-1].is_object else None
        return self._at if named is None else named

    def _line(self) -> None:
        self._write("\n" + _INDENT * min(len(self._stack), DEEPEST))

    def _write(self, piece: str) -> None:
        self._out.append(piece)
        self._at += len(piece)


def _escaped(step: str | int | None) -> str:
    if isinstance(step, str):
        if "\\" in step:
            step = _unescaped(step)
        return step.replace("~", "~0").replace("/", "~1")
    return "" if step is None else str(step)


def _unescaped(step: str) -> str:
    import json

    try:
        return str(json.loads(f'"{step}"'))
    except ValueError:
        return step
