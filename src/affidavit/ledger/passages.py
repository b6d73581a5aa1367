"""Records and prose as short passages: what is searched and what the entailment model reads.

A passage is kept near 96 tokens, because a small model reads short evidence best and its cost grows
with length. A record too long for one passage is dealt out over several, each under the same header,
so that no passage loses sight of which thing it speaks about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from affidavit.ledger.records import Cell, Record

PASSAGE_CHARS = 320
"""Longest passage, in characters: about 96 word pieces of English or JSON."""

# Chinese and Japanese end a sentence without a space after it.
_SENTENCE_END = re.compile(
    r"(?<=[.!?])[\"')\]]*\s+(?=[^a-z\s])|\n+|(?<=[。！？])(?![。！？」』”’])"
)


_MARKED = re.compile(r"^(\s*)[\[【]\d{1,3}[\]】](?!\()", re.M)
"""The mark that a passage of several in one text begins with: "[2] Rail. …"."""


@dataclass(frozen=True, slots=True)
class RenderedPassage:
    """A passage's text and the cells it shows, each with its span in the text."""

    text: str
    cells: tuple[tuple[Cell, int, int], ...] = ()


def render_record(record: Record, *, limit: int = PASSAGE_CHARS) -> Iterator[RenderedPassage]:
    """A record as ``header | field: value; field: value``, in as many passages as it needs.

    The first passage shows the identity among its fields, so its header gives only the place. A field
    longer than a passage is dealt out over several: a list by its items, a text by its sentences,
    each of these a cell of its own with the place of the whole.
    """
    head = f"{record.place} | " if record.place else ""
    text = head
    shown: list[tuple[Cell, int, int]] = []
    for key, cells in _within(limit, record.cells):
        piece = f"{key}: " if key else ""
        lead = "; " if shown else ""
        texts = [cell.text for cell in cells]
        body = ", ".join(texts)
        if shown and len(text) + len(lead) + len(piece) + len(body) > limit:
            yield RenderedPassage(text, tuple(shown))
            head = f"{record.header} | " if record.header else ""
            text, shown, lead = head, [], ""
        text += lead + piece
        for n, (cell, said) in enumerate(zip(cells, texts, strict=True)):
            text += ", " if n else ""
            shown.append((cell, len(text), len(text) + len(said)))
            text += said
    if shown:
        yield RenderedPassage(text, tuple(shown))


def _within(limit: int, cells: Sequence[Cell]) -> Iterator[tuple[str, list[Cell]]]:
    """The fields of a record, those too long for one passage in several pieces under the same name."""
    for key, listed in _fields(cells):
        room: list[Cell] = []
        used = 0
        for cell in listed:
            for piece in _pieces(cell, limit):
                if room and used + len(piece.text) > limit:
                    yield key, room
                    room, used = [], 0
                room.append(piece)
                used += len(piece.text) + len(", ")
        if room:
            yield key, room


def _pieces(cell: Cell, limit: int) -> Iterator[Cell]:
    text = cell.text
    if len(text) <= limit:
        yield cell
        return
    # The values of a long text belong to the sentences they stand in: a piece is read for its own.
    for left, right in split_prose(text, limit=limit):
        yield replace(cell, raw=text[left:right])


def _fields(cells: Sequence[Cell]) -> Iterator[tuple[str, list[Cell]]]:
    """Cells under one field name together: the items of a list are one field."""
    group: list[Cell] = []
    path: tuple[str | int, ...] = ()
    for cell in cells:
        before, path = path, _field_path(cell)
        if group and path != before:
            yield group[0].key, group
            group = []
        group.append(cell)
    if group:
        yield group[0].key, group


def _field_path(cell: Cell) -> tuple[str | int, ...]:
    path = cell.path
    while path and isinstance(path[-1], int):
        path = path[:-1]
    return path if path != cell.path else cell.path


def split_prose(text: str, *, limit: int = PASSAGE_CHARS) -> Iterator[tuple[int, int]]:
    """Prose as character ranges of whole sentences, each range at most ``limit`` long where it can be.

    A sentence longer than ``limit`` is cut at a space, never dropped. Ranges are in order, do not
    overlap, and leave out only white space. Passages that bear marks, "[1] …", "[2] …", stay apart.
    """
    start: int | None = None
    end = 0
    marks = {m.end(1) for m in _MARKED.finditer(text)}
    for left, right in sentences(text):
        # What stands under a mark of its own is a passage of its own, which answers refer to by it.
        marked = len(marks) > 1 and left in marks
        if start is not None and (marked or right - start > limit):
            yield start, end
            start = None
        if right - left > limit:
            yield from _cut(text, left, right, limit)
            start = None
            continue
        start = left if start is None else start
        end = right
    if start is not None:
        yield start, end


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Character ranges of the sentences and lines of a text, without surrounding white space."""
    left = 0
    for gap in [*_SENTENCE_END.finditer(text), None]:
        right = gap.start() if gap else len(text)
        lo, hi = _strip(text, left, right)
        if lo < hi:
            yield lo, hi
        left = gap.end() if gap else right


def _cut(text: str, left: int, right: int, limit: int) -> Iterator[tuple[int, int]]:
    while right - left > limit:
        space = text.rfind(" ", left + limit // 2, left + limit)
        at = space if space > 0 else left + limit
        lo, hi = _strip(text, left, at)
        yield lo, hi
        left = at
    lo, hi = _strip(text, left, right)
    if lo < hi:
        yield lo, hi


def _strip(text: str, left: int, right: int) -> tuple[int, int]:
    while left < right and text[left].isspace():
        left += 1
    while right > left and text[right - 1].isspace():
        right -= 1
    return left, right
