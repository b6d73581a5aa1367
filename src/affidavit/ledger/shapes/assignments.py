"""Lines of several ``key=value``: each line is a record, and each is kept as it was said as well."""

from __future__ import annotations

import re

from affidavit.ledger.records import Cell, Record, identity_of
from affidavit.ledger.shapes.page import ASSIGNMENT, Block, Page, Span, Way, chars, trimmed

# A value ends where its quotes do, or where the next mark stands outside of them. An escaped mark opens none, or each
# of a thousand of them would be looked for its end.
_QUOTED = r'(?P<quoted>(?<!\\)"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\')'
_BETWEEN = re.compile(rf"{_QUOTED}|(?:(?<!\s)\s++)?[|;]\s*|,\s*|\t+")
_SPACE = re.compile(rf"{_QUOTED}|\s+")
_CODE = re.compile(r"[{}()]|=>|:=|\b(?:def|let|const|var|return|if|for)\b|//|</")
_WORD = re.compile(r"[^\W\d_][^\n]{0,59}\Z")
_LEAST = 2


def read_assignments(page: Page, i: int, way: Way) -> Block | None:
    """``id=7, state=open`` line by line, also with other marks and with parts that have no name."""
    rows: list[list[tuple[str, Span]]] = []
    j = i
    while j < len(page) and (row := _row(page, j)):
        rows.append(row)
        j += 1
    if not rows:
        return None
    group = chars(page.starts[i], page.span(j - 1)[1])
    name = way.place or "row"
    records = []
    lines = [
        tuple(Cell((key,), span.text, chars(span.start, span.end)) for key, span in row)
        for row in rows
    ]
    own = [identity_of(cells) for cells in lines]
    key = "" if all(own) and len(set(own)) == len(own) else _telling(rows)
    for n, (row, cells) in enumerate(zip(rows, lines, strict=True)):
        where = chars(row[0][1].start, row[-1][1].end)
        title = f"{name}[{n}]" if len(rows) > 1 else way.place
        identity = ", ".join(filter(None, (own[n], _told_by(row, key))))
        records.append(Record(title, identity, cells, where, None, group))
    return Block(j, records, page.lines_as_prose(i, j, way.heading, together=False))


def _telling(rows: list[list[tuple[str, Span]]]) -> str:
    """The first name whose values tell the lines apart in words: the stage in a pipeline's log."""
    columns = [{key: span.text for key, span in row if key} for row in rows]
    for key in columns[0] if len(rows) > 1 else ():
        values = {column.get(key, "") for column in columns}
        if len(values) == len(rows) and all(_WORD.match(value) for value in values):
            return key
    return ""


def _told_by(row: list[tuple[str, Span]], key: str) -> str:
    """What a line is about: that, or what it begins with, as in "BR-2 | open | qty=4"."""
    if key:
        return next(f"{name} {span.text}" for name, span in row if name == key)
    name, first = row[0]
    return first.text if not name and _WORD.match(first.text) else ""


def _row(page: Page, i: int) -> list[tuple[str, Span]]:
    """A line's parts with their names; none unless two or more of them have one."""
    left, right = page.span(i)
    text = page.text[left:right]
    if text.count("=") < _LEAST or len(text) > 2000 or _CODE.search(text):
        return []
    parts = _parts(page.text, left, right, _BETWEEN)
    if len(parts) < _LEAST or _is_run_on(page.text, parts):
        parts = _parts(page.text, left, right, _SPACE)
    row: list[tuple[str, Span]] = []
    named = 0
    for part in parts:
        match = ASSIGNMENT.match(page.text, part.start, part.end)
        if match is None:
            row.append(("", part))
            continue
        named += 1
        row.append((match["key"], _unquoted(trimmed(page.text, match.end(), part.end))))
    return row if named >= _LEAST and named * 2 >= len(row) - 1 else []


def _parts(text: str, left: int, right: int, mark: re.Pattern[str]) -> list[Span]:
    parts: list[Span] = []
    start = left
    for found in mark.finditer(text, left, right):
        if found["quoted"] is None:
            parts.append(trimmed(text, start, found.start()))
            start = found.end()
    parts.append(trimmed(text, start, right))
    return [part for part in parts if part.text]


def _is_run_on(text: str, parts: list[Span]) -> bool:
    """Whether spaces part the pairs, and the marks are inside of values: ``ids=1,2 state=open``."""
    for part in parts:
        first = _PAIR.search(text, part.start, part.end)
        if first is not None and _ONE_MORE.search(text, first.end(), part.end):
            return True
    return False


_PAIR = re.compile(r"\S=\S")
_ONE_MORE = re.compile(r"\s[A-Za-z_][\w.-]*=\S")


def _unquoted(span: Span) -> Span:
    if len(span.text) > 2 and span.text[0] == span.text[-1] and span.text[0] in "\"'":
        return Span(span.text[1:-1], span.start + 1, span.end - 1)
    return span
