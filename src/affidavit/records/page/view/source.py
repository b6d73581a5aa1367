"""One source of evidence as it is shown, and where in it a span of the report stands."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from affidavit.records.page.view.layout import LaidOut, lay_out
from affidavit.report import EvidenceSpan, SourceKind
from affidavit.trace import (
    ContentPart,
    DataPart,
    Message,
    RunTrace,
    TextPart,
    ToolResultPart,
    UnknownPart,
    delegations,
)

_STRETCH = re.compile(r"#char=\d+,\d+\Z")
_CHARS = re.compile(r"char=(\d+),(\d+)\Z")
_LONGEST_REPR = 300_000

Place = tuple[int, int]
Key = tuple[SourceKind, int | None, str | None]
"""What tells one source from another: its kind, its message, its call."""


@dataclass(eq=False)
class Source:
    """What was said or returned in one go. ``partial``: only what the report cites of it is known."""

    key: Key
    tool: str | None = None
    is_error: bool = False
    partial: bool = False
    text: str = ""
    _pieces: list[_Piece] = field(default_factory=list)

    def add_text(self, text: str) -> None:
        laid = lay_out(text) if _is_structure(text) else None
        self._add(laid.text if laid else text, laid)

    def add_data(self, value: object, step: str = "") -> None:
        """Structured content; ``step`` opens the pointers into it where there are several parts."""
        laid = lay_out(json.dumps(value, ensure_ascii=False))
        self._add(laid.text, laid, step)

    def add_fragment(self, span: EvidenceSpan) -> Place | None:
        """What the report says of a place in a source that nobody kept; None where that is nothing."""
        if not span.text:
            return None
        known = next(
            (p for p in self._pieces if p.step == span.pointer and p.text == span.text), None
        )
        piece = known or self._add(span.text, None, span.pointer)
        return piece.start, piece.start + len(piece.text)

    def find(self, span: EvidenceSpan) -> Place | None:
        """The characters that a span names; failing that, the first that say the same."""
        chars = _CHARS.match(span.pointer)
        for piece in self._pieces:
            found = piece.at_chars(chars, span.text) if chars else piece.at_pointer(span.pointer)
            if found:
                return piece.start + found[0], piece.start + found[1]
        for words in (span.text, span.text.partition(": ")[2]):
            at = self.text.find(words) if words.strip() else -1
            if at >= 0:
                return at, at + len(words)
        return None

    def _add(self, text: str, laid: LaidOut | None, step: str = "") -> _Piece:
        self.text += "\n" if self._pieces else ""
        piece = _Piece(len(self.text), text, laid, step)
        self.text += text
        self._pieces.append(piece)
        return piece


@dataclass(frozen=True)
class _Piece:
    start: int
    text: str
    laid: LaidOut | None
    step: str = ""

    def at_chars(self, chars: re.Match[str], said: str) -> Place | None:
        start, end = int(chars[1]), int(chars[2])
        # Several texts of one message have offsets of their own: the right one says what the span says.
        if self.laid or not start < end <= len(self.text):
            return None
        return (start, end) if _alike(self.text[start:end], said) else None

    def at_pointer(self, pointer: str) -> Place | None:
        if self.laid is None or not pointer.startswith(self.step):
            return None
        # A stretch of a string that stands in data is shown by the whole string.
        inner = _STRETCH.sub("", pointer.removeprefix(self.step))
        # What lies inside a string that holds JSON is shown by the whole string.
        while inner and inner not in self.laid.places:
            inner = inner.rpartition("/")[0]
        return self.laid.places.get(inner) if inner or pointer == self.step else None


def sources_of(trace: RunTrace) -> Iterator[Source]:
    """Everything in a run that a report may cite, in order."""
    tools = {call.id: call.name for message in trace.messages for call in message.tool_calls}
    delegated = delegations(trace.messages)
    for at, message in enumerate(trace.messages):
        yield from _spoken(message, at, by_model=at in delegated)
        for part in message.parts:
            if isinstance(part, ToolResultPart):
                yield _result(part, at, tools)


def _spoken(message: Message, at: int, *, by_model: bool) -> Iterator[Source]:
    kind: SourceKind = "tool_result" if message.role == "tool" else message.role
    source = Source(("assistant" if by_model else kind, at, None))
    for part in message.parts:
        match part:
            case TextPart():
                source.add_text(part.text)
            case DataPart():
                source.add_data(part.value)
            case _:
                pass
    if source.text:
        yield source


def _result(part: ToolResultPart, at: int, tools: Mapping[str, str]) -> Source:
    source = Source(("tool_result", at, part.id), tools.get(part.id), part.is_error)
    words = [p.text for p in part.content if isinstance(p, TextPart)]
    if words:
        source.add_text("\n".join(words))
    data = [p.value for p in part.content if isinstance(p, DataPart)]
    for number, value in enumerate(data):
        source.add_data(value, f"/{number}" if len(data) > 1 else "")
    for unread in _unread(part.content):
        source.add_data({"kind": unread.kind, "content": unread.raw}, "/…")
    return source


def _unread(content: tuple[ContentPart, ...]) -> Iterator[UnknownPart]:
    return (part for part in content if isinstance(part, UnknownPart))


def _is_structure(text: str) -> bool:
    """Whether a text is, as a whole, JSON or what Python prints of such data."""
    stripped = text.strip().lstrip("\ufeff")
    if stripped[:1] + stripped[-1:] not in ("{}", "[]"):
        return False
    try:
        json.loads(stripped)
    except (ValueError, RecursionError):
        return _is_python(stripped)
    return True


def _is_python(text: str) -> bool:
    if len(text) > _LONGEST_REPR or "(" in text:  # a tuple is no token of JSON
        return False
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False
    return True


def _alike(stretch: str, said: str) -> bool:
    """Whether a stretch of text is what a span says: one holds the other, but for white space."""
    one, other = " ".join(stretch.split()), " ".join(said.split())
    return one in other or other in one
