"""Tables of figures on the pages of audits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from affidavit.records.page.markup import Markup, el


@dataclass(frozen=True, slots=True)
class Figure:
    """A number, and what stands behind it in brackets."""

    main: str
    between: str = ""
    firm: bool = False


Row: TypeAlias = "Sequence[str | Figure]"
"""The row's name, then its cells."""


def table(heads: Sequence[str], rows: Sequence[Row]) -> Markup:
    """A table with its heads. On a narrow page ``audit.css`` shows each row as a card."""
    figures = [any(isinstance(row[at], Figure) for row in rows) for at in range(len(heads))]
    head = [
        el("th", {"scope": "col", "class": "n" if figure else None}, name) if name else el("td")
        for name, figure in zip(heads, figures, strict=True)
    ]
    body = [_row(heads, row) for row in rows]
    return el("table", None, el("thead", None, el("tr", None, head)), el("tbody", None, body))


def _row(heads: Sequence[str], row: Row) -> Markup:
    name, *cells = row
    told = [_told(head, cell) for head, cell in zip(heads[1:], cells, strict=True)]
    return el("tr", None, el("th", {"scope": "row"}, _name(name)), told)


def _name(cell: str | Figure) -> str:
    return cell.main if isinstance(cell, Figure) else cell


def _told(head: str, cell: str | Figure) -> Markup:
    if not isinstance(cell, Figure):
        return el("td", {"class": "claim", "dir": "auto"}, cell)
    inner = el("span", {"class": "firm"}, cell.main) if cell.firm else cell.main
    small = el("span", {"class": "between"}, f" ({cell.between})") if cell.between else None
    # Of a narrow page the heads are out of sight: each figure keeps the name of its column.
    said = el("span", None, inner, small) if cell.main else None
    return el("td", {"class": "n", "data-head": head}, said)
