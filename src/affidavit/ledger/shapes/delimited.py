"""CSV and its kin: a header and rows of equal width, between commas, semicolons, tabs or bars.

``csv.Sniffer`` finds delimiters in prose and the ``csv`` module keeps no places, hence this reader.
It is strict: prose has commas too, and read as a table it would bind words to the wrong things.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.shapes.page import Block, Page, Span, Way, is_header, table_records, trimmed

_DELIMITERS = ("\t", ",", ";", "|")
_FIELD = {
    mark: re.compile(rf'(?:[ ]*"((?:[^"]|"")*)"[ ]*|([^{mark}\r\n"]*))({mark}|\r?\n|\Z)')
    for mark in (re.escape(d) for d in _DELIMITERS)
}
_BY_DELIMITER = dict(zip(_DELIMITERS, _FIELD.values(), strict=True))


def read_delimited(page: Page, i: int, way: Way) -> Block | None:
    first = page.line(i)
    for delimiter in _DELIMITERS:
        if delimiter in first and (block := _read(page, i, delimiter, way)):
            return block
    return None


def _read(page: Page, i: int, delimiter: str, way: Way) -> Block | None:
    rows = _rows(page, i, delimiter)
    header = next(rows, None)
    if header is None or not is_header([cell.text for cell in header]):
        return None
    if sum(bool(_FIELD_WITH_VALUE.match(cell.text)) for cell in header) * 2 > len(header):
        return None  # "city: Delhi | seats: 2", which names its fields on every line
    width = len(header)
    if width < (3 if delimiter == "|" else 2):
        return None
    if delimiter in ",;" and any(_is_spaced(page, cell) for cell in header[1:]):
        return None  # "Dear Ann, dear Bob": a comma of prose has a space after it
    body: list[list[Span]] = []
    broken = False
    for row in rows:
        if len(row) != width:
            broken = True
            break
        body.append(row)
    if not body or (broken and (width < 3 or len(body) < 2)):
        return None
    if delimiter in ",;" and width == 2 and not broken and _reads_as_prose(page, body):
        return None
    left, right = header[0].start, body[-1][-1].end
    names = [cell.text for cell in header]
    records = list(table_records(names, body, place=way.place or "row", left=left, right=right))
    return Block(page.line_at(right, i), records)


_FIELD_WITH_VALUE = re.compile(r"[^\W\d_][\w #-]{0,40}:\s+\S")


def _is_spaced(page: Page, cell: Span) -> bool:
    return cell.start > 0 and page.text[cell.start - 1] in " \t" and bool(cell.text)


def _reads_as_prose(page: Page, body: list[list[Span]]) -> bool:
    spaced = sum(_is_spaced(page, row[1]) for row in body)
    return spaced * 2 > len(body) or any(row[-1].text.endswith((".", "!", "?")) for row in body)


def _rows(page: Page, i: int, delimiter: str) -> Iterator[list[Span]]:
    """Rows up to a blank line, a quote that is never closed, or the end."""
    text, at = page.text, page.starts[i]
    row: list[Span] = []
    while at < page.end or row:
        match = _BY_DELIMITER[delimiter].match(text, at, page.end)
        if match is None:
            return
        if match[1] is not None:
            left, right = match.span(1)
            row.append(Span(match[1].replace('""', '"'), left, right))
        else:
            row.append(trimmed(text, *match.span(2)))
        at = match.end()
        if match[3] != delimiter:
            if len(row) == 1 and not row[0].text:
                return
            yield row
            row = []
            if not match[3]:
                return
