"""What shape readers share: a text with the places of its lines, and what they hand back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from affidavit.ledger.passages import PASSAGE_CHARS, split_prose
from affidavit.ledger.records import Cell, Record, identity_of

_CHUNK = re.compile(r"\S+(?: \S+)*")


@dataclass(frozen=True, slots=True)
class Prose:
    """A stretch of text: ``start`` and ``end`` are characters of the source; ``heading`` is the way of
    headings above it."""

    text: str
    start: int
    end: int
    heading: str = ""


@dataclass(frozen=True)
class Page:
    """The part ``start:end`` of a text, by lines. Every place is one in the whole text."""

    text: str
    start: int
    end: int
    declined: dict[str, int] = field(default_factory=dict, compare=False)
    """Up to which line a reader that looks far ahead has said no: asked again at each line, it would
    read a long text once for every line of it."""

    @cached_property
    def starts(self) -> list[int]:
        """Where the lines begin."""
        breaks = (m.end() for m in re.finditer("\n", self.text[self.start : self.end]))
        return [self.start, *(self.start + at for at in breaks)]

    def __len__(self) -> int:
        return len(self.starts)

    def span(self, i: int) -> tuple[int, int]:
        """Line ``i`` without its line break."""
        left = self.starts[i]
        right = self.starts[i + 1] - 1 if i + 1 < len(self.starts) else self.end
        return left, right - (right > left and self.text[right - 1] == "\r")

    def line(self, i: int) -> str:
        """Line ``i``; "" past the end, so that readers may look ahead."""
        return self._lines[i] if i < len(self._lines) else ""

    @cached_property
    def _lines(self) -> list[str]:
        return [self.text[slice(*self.span(i))] for i in range(len(self))]

    def chunks(self, i: int, pattern: re.Pattern[str] = _CHUNK) -> list[Span]:
        """The stretches of line ``i`` that two spaces or more part, or those of another pattern; none past
        the end."""
        if i >= len(self.starts):
            return []
        return [Span(m[0], m.start(), m.end()) for m in pattern.finditer(self.text, *self.span(i))]

    def line_at(self, position: int, i: int) -> int:
        """The first line, from ``i`` on, that begins at or after ``position``."""
        while i < len(self.starts) and self.starts[i] < position:
            i += 1
        return i

    def prose(self, left: int, right: int, heading: str = "") -> list[Prose]:
        """The characters ``left:right`` as stretches of whole sentences."""
        text = self.text[left:right]
        return [Prose(text[a:b], left + a, left + b, heading) for a, b in split_prose(text)]

    def lines_as_prose(self, i: int, j: int, heading: str, *, together: bool) -> list[Prose]:
        """Lines ``i:j``, each a stretch of its own, or ``together`` as many as fit in a passage.

        Their text is kept as it stands: in code and logs the line is the sentence.
        """
        out: list[Prose] = []
        first: int | None = None
        last = 0
        for n in range(i, j):
            left, right = self.span(n)
            if not self.text[left:right].strip():
                continue
            if first is not None and (not together or right - first > PASSAGE_CHARS):
                out += self._stretch(first, last, heading)
                first = None
            first = left if first is None else first
            last = right
        if first is not None:
            out += self._stretch(first, last, heading)
        return out

    def _stretch(self, left: int, right: int, heading: str) -> list[Prose]:
        if right - left > PASSAGE_CHARS:
            return self.prose(left, right, heading)
        return [Prose(self.text[left:right].rstrip(), left, right, heading)]


@dataclass(slots=True)
class Block:
    """What a reader made of the lines up to ``end`` (a line number, not included)."""

    end: int
    records: list[Record] = field(default_factory=list)
    prose: list[Prose] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Way:
    """How to get to a block: ``heading`` is the headings above it, ``place`` the same under the root,
    as a record's place begins."""

    place: str
    heading: str


BlockReader: TypeAlias = Callable[[Page, int, Way], Block | None]
"""Reads the block that begins at a line, or declines."""


def chars(left: int, right: int) -> str:
    """A place in a text as RFC 5147 writes it."""
    return f"char={left},{right}"


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of the source: its text as it is to be read, and where it stands."""

    text: str
    start: int
    end: int


def trimmed(text: str, left: int, right: int) -> Span:
    """The characters ``left:right`` without surrounding white space."""
    while left < right and text[left].isspace():
        left += 1
    while right > left and text[right - 1].isspace():
        right -= 1
    return Span(text[left:right], left, right)


def table_records(
    header: list[str], rows: list[list[Span]], *, place: str, left: int, right: int
) -> Iterator[Record]:
    """The rows of a table as records of one group. A cell past the header has no name but is kept; an
    empty one is kept as "" in JSON would be."""
    group = chars(left, right)
    for n, row in enumerate(rows):
        cells = tuple(
            Cell((header[i] if i < len(header) else "",), span.text, chars(span.start, span.end))
            for i, span in enumerate(row)
            if span.text or (i < len(header) and header[i])
        )
        said = [span for span in row if span.text]
        if said:
            where = chars(min(s.start for s in said), max(s.end for s in said))
            yield Record(f"{place}[{n}]", identity_of(cells), cells, where, None, group)


def is_spoken(text: str) -> bool:
    """Whether a value is a sentence: ``Note: you must confirm …`` is somebody speaking, not a field."""
    return len(text) > 100 or (text.endswith((".", "!", "?")) and len(text.split()) >= 8)


ASSIGNMENT = re.compile(r"(?P<key>[A-Za-z_][\w.-]{0,60})\s?=(?!=)\s?(?=\S)")
"""``key=value``: a record's, never the name of a column."""
_LABEL = re.compile(r"[^\W\d_]")
_VALUE = re.compile(r"[\W\d]*\d[\W\d]*(?:[A-Za-z%]{1,3})?\Z")


def is_header(names: list[str]) -> bool:
    """Whether cells read as column names: short, different, in words, and no sentence."""
    said = [name for name in names if name]
    return (
        len(said) >= 2
        and len(said) >= len(names) - 1
        and len({name.casefold() for name in said}) == len(said)
        and all(len(name) <= 50 and len(name.split()) <= 6 for name in said)
        and not any(name[-1] in ".!?:;" and not name.endswith("no.") for name in said)
        and sum(bool(_LABEL.search(name)) for name in said) >= max(2, len(said) - 1)
        and not any(_VALUE.match(name) and not _is_year(name) for name in said)
        and sum(bool(ASSIGNMENT.match(name)) for name in said) * 3 <= len(said)
    )


def _is_year(name: str) -> bool:
    return len(name) == 4 and name.isdecimal()
