"""Lines under each other without a header: the columns of a listing, the labels and amounts of a slip.

``7be0d15 2026-04-17 Marta Oliveira   retry: honour the header`` above three more such lines is a row of a
table whose columns have no names; ``Base pay        4,050.00`` among others of its kind is a field.
"""

from __future__ import annotations

import re

from affidavit.ledger.records import Cell, Record, identity_of
from affidavit.ledger.shapes.page import Block, Page, Span, Way, chars

_CHUNK = re.compile(r"\S+(?: \S+)*")
_WORD = re.compile(r"\S+")
_CODE = re.compile(
    r"(?:\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?|\d{1,2}:\d\d(?::\d\d)?|(?=\w*\d)(?=\w*[a-f])[0-9a-f]{7,40}|[A-Z]{1,5}-?\d{2,10})(?= )"
)
"""What opens a row and is a cell of its own with one space behind it: a date, a time, a hash, a number."""
_AMOUNT = re.compile(r"[-+−(]?\s?[€$£¥]?\s?\d[\d.,' ]*\)?-?\s?(?:%|[A-Za-z€$£¥]{1,4})?\Z")
_LABEL = re.compile(r"[^\W\d_]{2}")
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
    """The rows of a listing, or the fields of a slip, from this line on."""
    return _slip(page, i, way) or _listing(page, i, way)


def _slip(page: Page, i: int, way: Way) -> Block | None:
    """Labels with an amount each, all of which end in one column; the lines are kept as they stand, since
    a label may tell more than what its amount is: "Overtime 6.5 h"."""
    fields: list[tuple[Span, Span]] = []
    while (field := _field(page, i + len(fields))) and _ends_alike(field, fields, page, i):
        fields.append(field)
    if len(fields) < _LEAST:
        return None
    j = i + len(fields)
    cells = tuple(
        Cell((label.text.rstrip(" :."),), amount.text, chars(amount.start, amount.end))
        for label, amount in fields
    )
    where = chars(fields[0][0].start, fields[-1][1].end)
    record = Record(way.place, identity_of(cells), cells, where)
    return Block(j, [record], page.lines_as_prose(i, j, way.heading, together=False))


def _field(page: Page, i: int) -> tuple[Span, Span] | None:
    chunks = _chunks(page, i)
    if len(chunks) != 2 or not _LABEL.search(chunks[0].text) or not _AMOUNT.match(chunks[1].text):
        return None
    return chunks[0], chunks[1]


def _ends_alike(
    field: tuple[Span, Span], fields: list[tuple[Span, Span]], page: Page, i: int
) -> bool:
    if not fields:
        return True
    first, here = page.starts[i], page.starts[i + len(fields)]
    ends = field[1].end - here == fields[0][1].end - first
    return ends or field[1].start - here == fields[0][1].start - first


def _listing(page: Page, i: int, way: Way) -> Block | None:
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
    while chunks := _chunks(page, i + len(rows)):
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
    while words := _chunks(page, i + len(rows), _WORD):
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


def _chunks(page: Page, i: int, pattern: re.Pattern[str] = _CHUNK) -> list[Span]:
    if i >= len(page):
        return []
    left, right = page.span(i)
    if right - left > _LONGEST:
        return []
    return [Span(m[0], m.start(), m.end()) for m in pattern.finditer(page.text, left, right)]
