"""Figures under one label over the lines of a log, whatever lines stand between: ``flow=41``, ``flow=44``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.ledger import Passage, Source
from affidavit.ledger.records import Cell, Record
from affidavit.stages.ground.checks.derived.derivation import Table, is_result
from affidavit.stages.ground.finding import GroundContext

_LABELLED = re.compile(
    r"(?<![\w.])(?P<label>[A-Za-z_][\w.]{0,40})\s?[=:]\s?(?P<figure>-?\d[\d.,]*\d|-?\d)(?P<unit>\s?[a-zA-Z%°/²³]{1,8})?(?![\w:-])"
)
_LEAST = 2
"""Lines with a label that make a column."""
_MOST = 20_000
"""Characters of a text beyond which it is not read again."""


def logged(context: GroundContext) -> list[Table]:
    """The lines of each text result as rows, with the figures that they give under a label."""

    def read() -> list[Table]:
        texts: dict[int, Source] = {}
        for passage in filter(is_result, context.search.passages):
            if passage.pointer.startswith("char=") and len(passage.source.text) <= _MOST:
                texts[passage.source.id] = passage.source
        return [table for source in texts.values() for table in _table(source)]

    return context.search.once("labelled figures of lines", read)


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
