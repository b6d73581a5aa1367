"""Figures under one label over the lines of a log, whatever lines stand between: ``flow=41``, ``flow=44``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.ledger import Passage, Source
from affidavit.ledger.records import Cell, Record
from affidavit.stages.ground.checks.derived.derivation import Table, text_results
from affidavit.stages.ground.finding import GroundContext

_LABELLED = re.compile(
    r"(?<![\w.])(?P<label>[A-Za-z_][\w.]{0,40})\s?[=:]\s?(?P<figure>-?\d[\d.,]*\d|-?\d)(?P<unit>\s?[a-zA-Z%°/²³]{1,8})?(?![\w:-])"
)
_LEAST = 2
"""Lines with a label that make a column."""


def logged(context: GroundContext) -> list[Table]:
    """The lines of each text result as rows, with the figures that they give under a label."""

    return context.search.once(
        "labelled figures of lines",
        lambda: [table for source, _ in text_results(context) for table in _table(source)],
    )


def _table(source: Source) -> Iterator[Table]:
    rows: list[Record] = []
    passages: list[Passage] = []
    at = 0
    for line in source.text.splitlines(keepends=True):
        pointer = f"char={at},{at + len(line.rstrip())}"
        cells = tuple(
            Cell((found["label"],), found["figure"] + (found["unit"] or ""), pointer)
            for found in _LABELLED.finditer(line)
        )
        if cells:
            row = Record("", "", cells, pointer, None, f"lines of {source.id}")
            shown = tuple((cell, 0, len(line)) for cell in cells)
            rows.append(row)
            passages.append(Passage(-1, source, line.rstrip(), pointer, row, shown))
        at += len(line)
    if len(rows) >= _LEAST:
        yield Table(source.tool or "lines", tuple(rows), tuple(passages))
