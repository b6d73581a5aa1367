"""Records and prose as short passages: what is searched and what the entailment model reads.

A passage is kept near 96 tokens, because a small model reads short evidence best and its cost grows
with length. A record too long for one passage is dealt out over several, each under the same header,
so that no passage loses sight of which thing it speaks about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, overload

from affidavit.ledger.records import Cell, Path, Record, RowCells, scalar_text

PASSAGE_CHARS = 320
"""Longest passage, in characters: about 96 word pieces of English or JSON."""
PROSE_CHARS = 160
"""Characters up to which sentences of prose are one passage; a longer sentence is one by itself. A premise has room for one of
320 only, so that a claim that draws on two places of a text met one of them: sentences of RAGTruth's answers to questions and of
its summaries, sources that are not measured on, AUROC .840 and .716 at 160, .825 and .697 at 320; summaries .707 at 80."""

# Chinese and Japanese end a sentence without a space after it.
_SENTENCE_END = re.compile(
    r"(?<=[.!?])[\"')\]]*\s+(?=[^a-z\s])|\n+|(?<=[。！？])(?![。！？」』”’])"
)


_MARKED = re.compile(r"^([^\S\n]*+)[\[【]\d{1,3}[\]】](?!\()", re.M)
"""The mark that a passage of several in one text begins with: "[2] Rail. …"."""


Placed: TypeAlias = tuple[Cell, int, int]
"""A cell with its span in the text of a passage."""


@dataclass(frozen=True, slots=True)
class RenderedPassage:
    """A passage's text and the cells it shows, each with its span in the text."""

    text: str
    cells: Sequence[Placed] = ()


class RowShown(Sequence[Placed]):
    """The fields ``first`` to ``last`` of a row as a passage shows them from the character ``start`` on, placed when
    somebody looks."""

    __slots__ = ("_cells", "_first", "_last", "_start")

    def __init__(self, cells: RowCells, first: int, last: int, start: int) -> None:
        self._cells, self._first, self._last, self._start = cells, first, last, start

    @property
    def keys(self) -> Sequence[str]:
        """The field name of each of the cells."""
        left, right = self._range
        return self._cells.layout.keys[left:right]

    @property
    def _range(self) -> tuple[int, int]:
        fields = self._cells.layout.fields
        return fields[self._first][0], fields[self._last - 1][1]

    def __len__(self) -> int:
        left, right = self._range
        return right - left

    def __iter__(self) -> Iterator[Placed]:
        layout, at = self._cells.layout, self._start
        for lead, (left, right) in zip(
            layout.leads[self._first : self._last],
            layout.fields[self._first : self._last],
            strict=True,
        ):
            at += len(lead)
            for cell in self._cells.all[left:right]:
                end = at + len(cell.text)
                yield cell, at, end
                at = end + len(_BETWEEN)  # of two items as of two fields

    @overload
    def __getitem__(self, at: int) -> Placed: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Placed, ...]: ...
    def __getitem__(self, at: int | slice) -> Placed | tuple[Placed, ...]:
        return tuple(self)[at]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (RowShown, tuple)) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


_BETWEEN, _ITEMS = "; ", ", "


def _rows_shown(record: Record, cells: RowCells, limit: int) -> Iterator[RenderedPassage] | None:
    """A record whose fields are all short enough to stand whole; None for any other."""
    layout = cells.layout
    said = [raw if isinstance(raw, str) else scalar_text(raw) for raw in cells.raws]
    if len(layout.fields) < len(said):
        said = [_ITEMS.join(said[left:right]) for left, right in layout.fields]
    return None if max(map(len, said)) > limit else _dealt_out(record, cells, said, limit)


def _dealt_out(
    record: Record, cells: RowCells, said: Sequence[str], limit: int
) -> Iterator[RenderedPassage]:
    parts = list(map(str.__add__, cells.layout.leads, said))
    head = f"{record.place} | " if record.place else ""
    text = head + _BETWEEN.join(parts)
    if len(text) <= limit or len(parts) == 1:
        yield RenderedPassage(text, RowShown(cells, 0, len(parts), len(head)))
        return
    first, size = 0, len(head)
    for at, part in enumerate(parts):
        if at > first and size + len(_BETWEEN) + len(part) > limit:
            shown = RowShown(cells, first, at, len(head))
            yield RenderedPassage(head + _BETWEEN.join(parts[first:at]), shown)
            head = f"{record.header} | " if record.header else ""
            first, size = at, len(head)
        size += len(part) + (len(_BETWEEN) if at > first else 0)
    shown = RowShown(cells, first, len(parts), len(head))
    yield RenderedPassage(head + _BETWEEN.join(parts[first:]), shown)


def render_record(record: Record, *, limit: int = PASSAGE_CHARS) -> Iterator[RenderedPassage]:
    """A record as ``header | field: value; field: value``, in as many passages as it needs.

    The first passage shows the identity among its fields, so its header gives only the place. A field
    longer than a passage is dealt out over several: a list by its items, a text by its sentences,
    each of these a cell of its own with the place of the whole.
    """
    if isinstance(record.cells, RowCells) and (rows := _rows_shown(record, record.cells, limit)):
        yield from rows
        return
    head = f"{record.place} | " if record.place else ""
    text = head
    shown: list[tuple[Cell, int, int]] = []
    for key, pieces, size in _within(limit, record.cells):
        name = f"{key}: " if key else ""
        lead = "; " if shown else ""
        if shown and len(text) + len(lead) + len(name) + size > limit:
            yield RenderedPassage(text, tuple(shown))
            head = f"{record.header} | " if record.header else ""
            text, shown, lead = head, [], ""
        text += lead + name
        for n, (cell, said) in enumerate(pieces):
            text += _ITEMS if n else ""
            start = len(text)
            text += said
            shown.append((cell, start, len(text)))
    if shown:
        yield RenderedPassage(text, tuple(shown))


_Piece: TypeAlias = tuple[Cell, str]


def _within(limit: int, cells: Sequence[Cell]) -> Iterator[tuple[str, list[_Piece], int]]:
    """The fields of a record with the room that each takes, those too long for one passage in several pieces under the same
    name."""
    for listed in _fields(cells):
        key = listed[0][0].key
        room: list[_Piece] = []
        used = 0
        for cell, said in listed:
            is_long = len(said) > limit
            if room and (is_long or used + len(said) > limit):
                yield key, room, used - len(_ITEMS)
                room, used = [], 0
            if is_long:
                # Each stretch takes the room of a passage, as it does in a text that stands alone.
                yield from ((key, [piece], limit) for piece in _stretches(cell, said, limit))
                continue
            room.append((cell, said))
            used += len(said) + len(_ITEMS)
        if room:
            yield key, room, used - len(_ITEMS)


def _stretches(cell: Cell, said: str, limit: int) -> Iterator[_Piece]:
    # The values of a long text belong to the sentences they stand in: a piece is read for its own.
    for left, right in split_prose(said, longest=limit):
        yield replace(cell, raw=said[left:right]), said[left:right]


def _fields(cells: Sequence[Cell]) -> list[list[_Piece]]:
    """Cells under one field name together: the items of a list are one field."""
    groups: list[list[_Piece]] = []
    path: Path | None = None
    for cell in cells:
        raw, own = cell.raw, cell.path
        if own and isinstance(own[-1], int):
            own = _field_path(own)
        piece = (cell, raw if isinstance(raw, str) else scalar_text(raw))
        if own == path:
            groups[-1].append(piece)
        else:
            groups.append([piece])
            path = own
    return groups


def _field_path(path: Path) -> Path:
    while path and isinstance(path[-1], int):
        path = path[:-1]
    return path


def split_prose(
    text: str, *, limit: int = PROSE_CHARS, longest: int = PASSAGE_CHARS
) -> Iterator[tuple[int, int]]:
    """Prose as character ranges of whole sentences, as many in each as ``limit`` has room for.

    A sentence longer than ``longest`` is cut at a space, never dropped. Ranges are in order, do not
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
        if right - left > longest:
            yield from _cut(text, left, right, longest)
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
