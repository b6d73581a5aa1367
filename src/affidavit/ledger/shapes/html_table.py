"""An HTML table as records, where it has a header, and as prose where it has none.

A list of terms (``dl``) is a table of two columns: ``<dt>Bedrooms<dd>3``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from affidavit.ledger.records import Cell, Record, identity_of
from affidavit.ledger.shapes.page import Prose, Span, chars, is_header, is_spoken, table_records

MAX_SPAN = 1000
"""Widest cell: a page can ask for a million columns."""


@dataclass(slots=True)
class TableCell:
    head: bool
    colspan: int = 1
    rowspan: int = 1
    spans: list[Span] = field(default_factory=list)

    @property
    def span(self) -> Span:
        if not self.spans:
            return Span("", 0, 0)
        text = " ".join(span.text for span in self.spans)
        return Span(text, self.spans[0].start, self.spans[-1].end)


@dataclass(slots=True)
class Table:
    """A table as its tags come in."""

    start: int
    rows: list[list[TableCell]] = field(default_factory=list)
    caption: Span | None = None

    def start_row(self) -> None:
        self.rows.append([])

    def start_cell(self, head: bool, given: dict[str, str | None]) -> None:
        if not self.rows:
            self.rows.append([])
        self.rows[-1].append(
            TableCell(head, _size(given.get("colspan")), _size(given.get("rowspan")))
        )

    def start_term(self) -> None:
        """The term of a list; one after another without what is said of them share it."""
        if not self.rows or not self.rows[-1] or not self.rows[-1][-1].head:
            self.start_row()
            self.start_cell(True, {})

    def start_description(self) -> None:
        """What is said of a term; a second one is said of it too."""
        if not self.rows or not self.rows[-1] or self.rows[-1][-1].head:
            self.start_cell(False, {})

    def add(self, span: Span) -> bool:
        """Text within a cell; False where no cell is open."""
        if not self.rows or not self.rows[-1]:
            return False
        self.rows[-1][-1].spans.append(span)
        return True


def _size(text: str | None) -> int:
    return min(int(text), MAX_SPAN) if text and text.isdecimal() and 0 < len(text) < 5 else 1


def table_of(table: Table, place: str, way: str, end: int) -> tuple[list[Record], list[Prose]]:
    """What the table says: rows under their header, a box of facts, or lines of text."""
    rows = [row for row in table.rows if any(cell.spans for cell in row)]
    caption = table.caption
    if caption is not None:
        place = f"{place} › {caption.text}" if place else caption.text
    if not rows:
        return [], [] if caption is None else [Prose(caption.text, caption.start, caption.end, way)]
    if all(len(row) == 2 and row[0].head and not row[1].head for row in rows):
        # Questions and answers are listed in the same way.
        if sum(is_spoken(row[1].span.text) for row in rows) * 2 < len(rows):
            return [_fact_box(rows, place, table.start, end)], []
    grid = _grid(rows)
    names = [span.text for span in grid[0]]
    headed = all(cell.head for cell in rows[0]) or (len(rows) > 1 and is_header(names))
    if headed and len(rows) > 1:
        found = table_records(names, grid[1:], place=place or "row", left=table.start, right=end)
        return list(found), []
    return [], _lines(rows, way if caption is None else f"{way} › {caption.text}".lstrip(" ›"))


def _fact_box(rows: list[list[TableCell]], place: str, left: int, right: int) -> Record:
    cells = tuple(
        Cell((row[0].span.text,), row[1].span.text, chars(row[1].span.start, row[1].span.end))
        for row in rows
        if row[1].spans or row[0].spans
    )
    return Record(place, identity_of(cells), cells, chars(left, right), None, chars(left, right))


def _grid(rows: list[list[TableCell]]) -> list[list[Span]]:
    """Cells by column: one that spans rows says its text in each, one that spans columns only once
    (its header names the first)."""
    grid: list[list[Span]] = []
    carried: dict[int, tuple[Span, int]] = {}
    for row in rows:
        out: list[Span] = []
        waiting = list(row)
        while waiting or len(out) in carried:
            if len(out) in carried:
                column = len(out)
                span, left = carried.pop(column)
                if left > 1:
                    carried[column] = (span, left - 1)
                out.append(span)
                continue
            cell = waiting.pop(0)
            if cell.rowspan > 1:
                carried[len(out)] = (cell.span, cell.rowspan - 1)
            out.append(cell.span)
            out += [Span("", cell.span.start, cell.span.end)] * (cell.colspan - 1)
        grid.append(out)
    return grid


def _lines(rows: list[list[TableCell]], way: str) -> list[Prose]:
    out = []
    for row in rows:
        spans = [cell.span for cell in row if cell.spans]
        text = " | ".join(span.text for span in spans)
        out.append(Prose(text, spans[0].start, spans[-1].end, way))
    return out
