"""Slips: labels with an amount each, under each other: ``Base pay        4,050.00`` among others of its kind."""

from __future__ import annotations

import re

from affidavit.ledger.records import Cell, Record, identity_of
from affidavit.ledger.shapes.page import Block, Page, Span, Way, chars

_AMOUNT = re.compile(r"[-+−(]?\s?[€$£¥]?\s?\d[\d.,' ]*\)?-?\s?(?:%|[A-Za-z€$£¥]{1,4})?\Z")
_LABEL = re.compile(r"[^\W\d_]{2}")
_LEAST = 3
"""Lines from which on what stands under each other does so on purpose."""


def read_slip(page: Page, i: int, way: Way) -> Block | None:
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
    chunks = page.chunks(i)
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
