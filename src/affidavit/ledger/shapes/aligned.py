"""Lines whose columns stand under each other and have no names: ``ls -l``, the log of a repository.

``7be0d15 2026-04-17 Marta Oliveira   retry: honour the header`` above two more such lines is a row of a table.
"""

from __future__ import annotations

import re

from affidavit.ledger.records import Cell, Record
from affidavit.ledger.shapes.page import Block, Page, Span, Way, chars

_WORD = re.compile(r"\S+")
_CODE = re.compile(
    r"(?:\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?|\d{1,2}:\d\d(?::\d\d)?|(?=\w*\d)(?=\w*[a-f])[0-9a-f]{7,40}|[A-Z]{1,5}-?\d{2,10})(?= )"
)
"""What opens a row and is a cell of its own with one space behind it: a date, a time, a hash, a number."""
_NUMBERS = 2
"""Columns of them that have numbers."""
_LONGEST = 400
"""Characters from which on a line is no row of a listing."""
_LEAST = 3
"""Lines from which on what stands under each other does so on purpose."""
_COLUMNS = 3
_WORDS = 4
"""Words from which on lines whose words are under each other are no chance."""


def read_aligned(page: Page, i: int, way: Way) -> Block | None:
    """The rows of a listing, from this line on."""
    if len(page.line(i)) > _LONGEST:
        return None
    rows = _parted(page, i) or _under_each_other(page, i)
    if len(rows) < _LEAST:
        return None
    j = i + len(rows)
    group = chars(page.starts[i], page.span(j - 1)[1])
    name = way.place or "row"
    records = []
    for n, row in enumerate(rows):
        cells = tuple(
            Cell((at,), span.text, chars(span.start, span.end)) for at, span in enumerate(row)
        )
        where = chars(row[0].start, row[-1].end)
        records.append(Record(f"{name}[{n}]", "", cells, where, None, group))
    return Block(j, records)


def _parted(page: Page, i: int) -> list[list[Span]]:
    """Rows whose columns are two spaces apart or more, and begin under each other."""
    rows: list[list[Span]] = []
    starts: list[int] = []
    while chunks := page.chunks(i + len(rows)):
        base = page.starts[i + len(rows)]
        here = [chunk.start - base for chunk in chunks]
        row = [*_opening(chunks[0]), *chunks[1:]]
        if len(chunks) < 2 or len(row) < _COLUMNS:
            break
        if rows and (here != starts or len(row) != len(rows[0])):
            break
        starts = here
        rows.append(row)
    return rows


def _under_each_other(page: Page, i: int) -> list[list[Span]]:
    """Rows of as many words each, which begin or end under each other, some of them numbers: ``ls -l``."""
    rows: list[list[Span]] = []
    numbers: set[int] = set()
    while words := page.chunks(i + len(rows), _WORD):
        numbered = {n for n, word in enumerate(words) if any(map(str.isdigit, word.text))}
        numbers = numbers & numbered if rows else numbered
        # Looked at anew for each row, so that no long text is read to its end in vain.
        if len(words) < _WORDS or len(numbers) < _NUMBERS:
            break
        if rows and not _is_under(words, rows[0], page.starts[i + len(rows)], page.starts[i]):
            break
        rows.append(words)
    return rows


def _is_under(words: list[Span], first: list[Span], base: int, top: int) -> bool:
    return len(words) == len(first) and all(
        a.start - base == b.start - top or a.end - base == b.end - top
        for a, b in zip(words, first, strict=True)
    )


def _opening(chunk: Span) -> list[Span]:
    """The codes that a line opens with and what is behind them: ``a41f9c2``, ``2026-04-22``, a name."""
    found: list[Span] = []
    at = 0
    while code := _CODE.match(chunk.text, at):
        found.append(Span(code[0], chunk.start + at, chunk.start + code.end()))
        at = code.end() + 1
    return [*found, Span(chunk.text[at:], chunk.start + at, chunk.end)]
