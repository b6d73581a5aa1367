"""Tables drawn with bars: Markdown, what SQL shells print, and box-drawing characters."""

from __future__ import annotations

import re
from itertools import pairwise

from affidavit.ledger.shapes.page import Block, Page, Span, Way, table_records, trimmed

_BAR = re.compile(r"(?<!\\)[|│┃║]")
_RULE = re.compile(r"[\s|│┃║+:=\-─━═┼╋╪╫├┤┌┐└┘╞╡╟╢┬┴╤╧╔╗╚╝╠╣╦╩╬╭╮╰╯┏┓┗┛┡┩┠┨┯┷╇┳┻]*\Z")
_DASHES = re.compile(r"[-=─━═]{2}")


def read_bars(page: Page, i: int, way: Way) -> Block | None:
    """A table has a header between bars, then (under a rule) its rows; a rule may come before."""
    start = i + 1 if _is_rule(page.line(i)) else i
    if not _BAR.search(page.line(start)) or not _is_rule(page.line(start + 1)):
        return None
    header = [cell.text for cell in _cells(page, start)]
    if len(header) < 2 and start == i:
        return None
    rows: list[list[Span]] = []
    j = start + 2
    while j < len(page) and (line := page.line(j)).strip():
        if not _is_rule(line):
            if not _BAR.search(line):
                break
            rows.append(_cells(page, j))
        j += 1
    if not any(cell.text for row in rows for cell in row):
        return None
    left, right = page.starts[i], page.span(j - 1)[1]
    return Block(
        j, list(table_records(header, rows, place=way.place or "row", left=left, right=right))
    )


def _is_rule(line: str) -> bool:
    return bool(_DASHES.search(line) and _RULE.match(line))


def _cells(page: Page, i: int) -> list[Span]:
    left, right = page.span(i)
    marks = [m.start() for m in _BAR.finditer(page.text, left, right)]
    edges = [left - 1, *marks, right]
    cells = [trimmed(page.text, a + 1, b) for a, b in pairwise(edges)]
    if marks and not cells[0].text:
        cells = cells[1:]  # the bar at the edge of the table, not an empty first column
    if marks and cells and not cells[-1].text and edges[-2] == marks[-1]:
        cells = cells[:-1]
    return [_plain(cell) for cell in cells]


def _plain(cell: Span) -> Span:
    """A cell without Markdown's emphasis around it and with its bars unescaped."""
    text, start, end = cell.text.replace("\\|", "|"), cell.start, cell.end
    for mark in ("**", "__", "`"):
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark):
            text, start, end = text[len(mark) : -len(mark)], start + len(mark), end - len(mark)
    return Span(text, start, end)
