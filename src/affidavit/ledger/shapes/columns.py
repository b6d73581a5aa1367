"""Tables aligned by spaces: a header line and rows under it, as shells and invoices print them."""

from __future__ import annotations

import re
from itertools import pairwise

from affidavit.ledger.records import Cell, Record, identity_of
from affidavit.ledger.shapes.page import (
    Block,
    Page,
    Span,
    Way,
    chars,
    is_header,
    table_records,
)

_TOKEN = re.compile(r"\S+")
_RULE = re.compile(r"[\s\-=─━]+\Z")
_WORD = re.compile(r"[^\W\d_]")
_PERIOD = re.compile(
    r"(?:FY|Q[1-4]|H[12]|[1-4]Q|[12]H)?[ '’/-]?(?:(?:19|20)\d\d|(?<=\D)\d\d)[AEB]?"
)
"""The head of a column of figures: "2025", "Q3 2025", "FY24"."""
_DATED = re.compile(r"\b\d{4}-\d\d-\d\d\b|\b\d{1,2}:\d\d\b|\b(?=\w*\d)(?=\w*[a-f])[0-9a-f]{7,40}\b")
"""A date, a time or the hash of a commit: data, and no name of a column."""
MAX_LOOK = 200
"""Rows that decide where columns part: a table that is aligned is so from its first rows."""


def read_columns(page: Page, i: int, way: Way) -> Block | None:
    """Columns are where the header's words stand; a row's words must each stand under one of them."""
    header = page.chunks(i)
    texts = [chunk.text for chunk in header]
    if len(header) < 2 or not (is_header(texts) or all(map(_PERIOD.fullmatch, texts))):
        return None
    base = page.starts[i]
    cuts = _cuts(page, i, header)
    header = _cut(header, cuts, base)
    if any(_DATED.search(chunk.text) for chunk in header):
        return None  # a line of a log, which is no header to the lines under it
    columns = [(chunk.start - base, chunk.end - base) for chunk in header]
    rows: list[list[Span]] = []
    totals: list[tuple[Span, Span]] = []
    j = i + 1
    while j < len(page) and (line := page.line(j)).strip():
        if not _RULE.match(line):
            chunks = _cut(page.chunks(j), cuts, page.starts[j])
            if _is_total(chunks, columns, page.starts[j]):
                totals.append((chunks[0], chunks[1]))
            elif row := _row(chunks, columns, page.starts[j]):
                rows.append(row)
            else:
                break
        j += 1
    if len(rows) < (2 if len(header) == 2 else 1):
        return None
    left, right = base, page.span(j - 1)[1]
    names = [chunk.text for chunk in header]
    if len(rows[0]) > len(names):
        names = ["", *names]
        rows = [row if len(row) == len(names) else [Span("", left, left), *row] for row in rows]
    name = way.place or "row"
    records = list(table_records(names, rows, place=name, left=left, right=right))
    if totals:
        records.append(_totals(totals, way.place, left, right))
    return Block(j, records)


def _cuts(page: Page, i: int, header: list[Span]) -> list[int]:
    """Where single spaces part columns, as between ``PID TTY``: no line has anything there, and every
    row has something on either side."""
    words = [[m.span() for m in _TOKEN.finditer(page.text, h.start, h.end)] for h in header]
    base = page.starts[i]
    gaps = [(a[1] - base, b[0] - base) for chunk in words for a, b in pairwise(chunk)]
    if not gaps:
        return []
    rows = []
    for j in range(i + 1, min(len(page), i + MAX_LOOK)):
        if not page.line(j).strip():
            break
        rows.append(page.line(j))
    found = []
    bounds = sorted({edge for chunk in words for a, b in chunk for edge in (a - base, b - base)})
    for left, right in gaps:
        before = max((edge for edge in bounds if edge < left), default=0)
        after = min((edge for edge in bounds if edge > right), default=right + 1)
        if rows and all(
            row[left:right].isspace() and row[before:left].strip() and row[right:after].strip()
            for row in rows
        ):
            found.append(left)
    return found


def _cut(chunks: list[Span], cuts: list[int], base: int) -> list[Span]:
    out = []
    for chunk in chunks:
        left, text = chunk.start, chunk.text
        for cut in cuts:
            at = base + cut - left
            if 0 < at < len(text) and text[at].isspace():
                out.append(Span(text[:at].rstrip(), left, left + len(text[:at].rstrip())))
                text = text[at:]
                left += at + len(text) - len(text.lstrip())
                text = text.lstrip()
        out.append(Span(text, left, left + len(text)))
    return out


def _row(chunks: list[Span], columns: list[tuple[int, int]], base: int) -> list[Span] | None:
    """A row's chunks by column; a numbering to the left of the first column has one of its own."""
    index: list[Span] = []
    if chunks and chunks[0].end - base <= columns[0][0] and len(chunks) == len(columns) + 1:
        index, chunks = chunks[:1], chunks[1:]
    found: dict[int, Span] = {}
    for chunk in chunks:
        left, right = chunk.start - base, chunk.end - base
        under = [n for n, (a, b) in enumerate(columns) if left < b and a < right]
        if not under:
            # Narrower than its header's neighbours: the nearest edge decides, if it is near.
            near = min(
                range(len(columns)),
                key=lambda n: min(abs(columns[n][0] - left), abs(columns[n][1] - right)),
            )
            if min(abs(columns[near][0] - left), abs(columns[near][1] - right)) > 2:
                return None
            under = [near]
        if len(under) > 1 or under[0] in found:
            return None
        found[under[0]] = chunk
    if len(found) < 2:
        return None
    empty = Span("", base, base)
    return [*index, *(found.get(n, empty) for n in range(len(columns)))]


def _is_total(chunks: list[Span], columns: list[tuple[int, int]], base: int) -> bool:
    """A label and its value below the columns, ``Net total   3,480.00``: not a row of the table."""
    return (
        len(chunks) == 2
        and len(columns) > 2
        and chunks[0].start - base >= columns[0][1]
        and bool(_WORD.search(chunks[0].text))
        and any(c.isdigit() for c in chunks[1].text)
    )


def _totals(totals: list[tuple[Span, Span]], place: str, left: int, right: int) -> Record:
    cells = tuple(Cell((a.text.rstrip(":"),), b.text, chars(b.start, b.end)) for a, b in totals)
    where = chars(totals[0][0].start, totals[-1][1].end)
    return Record(place, identity_of(cells), cells, where, None, chars(left, right))
