"""Markdown tables: each cell of the body is a claim about its row and its column."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from affidavit.report import ClaimKind
from affidavit.stages.ground.claim import TableCell
from affidavit.stages.ground.split.draft import Draft
from affidavit.stages.ground.split.kinds import MARKER
from affidavit.stages.ground.split.markdown import Block, Span

ABSENT = re.compile(
    r"(?:n/?a|none|nil|null|unknown|unavailable|not (?:available|found|listed|provided|specified|applicable|given)|"
    r"no (?:data|result|results|value|information)|[-–—]+|keine?|ninguno|aucun|nessuno|\?)$",
    re.IGNORECASE,
)
"""What stands where there is no value."""
CellsOf: TypeAlias = Callable[[str, Span], list[Span]]
_RULE = re.compile(r"[|\s:-]+$")
_NUMBERING = re.compile(r"(?:#|no\.?|nr\.?|nº|rank|pos\.?|)$", re.IGNORECASE)
# A two-column table of fields says "Order ID: W1", not "Order ID: Value is W1".
_FIELD_VALUE = re.compile(
    r"(?:values?|details?|information|info|data|description|wert|valor|)$", re.IGNORECASE
)


def grid_drafts(text: str, block: Block) -> Iterator[Draft]:
    """The same for a fence of CSV or of columns that spaces part, under a header; nothing where it is none."""
    lines = [line for line in block.lines if text[slice(*line)].strip()]
    for parted in _PARTED if len(lines) > 1 else ():
        rows = [_parts(text, line, parted) for line in lines]
        names = [text[slice(*span)] for span in rows[0]]
        alike = len(names) > 1 and {len(row) for row in rows} == {len(names)}
        if (
            alike
            and not _SPOKEN.search(text[slice(*lines[0])])
            and not any(re.search(r"\d|[.!?]$", name) for name in names)
        ):
            grid = replace(block, lines=tuple(lines))
            yield from table_drafts(text, grid, partial(_parts, parted=parted))
            return


_PARTED = (
    re.compile(r'"(?P<quoted>[^"\n]*)"|[^,\n]+'),
    re.compile(r"[^;\n]+"),
    re.compile(r"[^\t\n]+"),
    re.compile(r"\S+(?: \S+)*"),
)
"""The cells of a line that commas, semicolons, tabs or several spaces part."""


_SPOKEN = re.compile(r"\w[,;] \w")
"""Behind the commas of a sentence there is a space: "Dear Ann, thank you"."""


def _parts(text: str, line: Span, parted: re.Pattern[str]) -> list[Span]:
    spans = []
    for m in parted.finditer(text, *line):
        quoted = "quoted" in parted.groupindex and m["quoted"] is not None
        start, end = m.span("quoted") if quoted else m.span()
        piece = text[start:end]
        if piece.strip():
            start += len(piece) - len(piece.lstrip())
            spans.append((start, start + len(piece.strip())))
    return spans


def table_drafts(text: str, block: Block, parts: CellsOf | None = None) -> Iterator[Draft]:
    """One draft for each cell of ``block``. ``text`` has its markup blanked.

    The header and the column of labels name what the cells are about: they are signposts, and each
    cell's statement carries them.
    """
    parts = parts or cells
    rows = [parts(text, line) for line in block.lines if not _RULE.match(text[slice(*line)])]
    if not rows:
        return
    header, body = rows[0], rows[1:]
    for span in header:
        yield _signpost(text, span)
    names = [_shown(text, span) for span in header]
    label_at = _label_column(names, [[_shown(text, span) for span in row] for row in body])
    for row in body:
        label = _shown(text, row[label_at]) if label_at < len(row) else ""
        whole = dict(zip(names, (_shown(text, span) for span in row), strict=False))
        for column, span in enumerate(row):
            cell = _shown(text, span)
            if not cell:
                continue
            if column <= label_at and len(row) > 1:
                yield _signpost(text, span)
                continue
            name = names[column] if column < len(names) else ""
            yield Draft(
                *span,
                statement=_statement(label if label_at != column else "", name, cell, len(names)),
                said=cell,
                kind=_kind(cell),
                cell=TableCell(row=label, column=name, cells=whole),
            )


def cells(text: str, line: Span) -> list[Span]:
    """Spans of a row's cells, trimmed; a bar that is escaped or in code divides nothing."""
    start, end = line
    content = re.sub(r"`[^`]*`|\\\|", lambda m: "x" * len(m[0]), text[start:end])
    first = content.find("|") + 1 if content.lstrip().startswith("|") else 0
    last = len(content.rstrip())
    if content.rstrip().endswith("|") and last > first:
        last -= 1
    spans = []
    here = first
    for bar in [
        *(m.start() for m in re.finditer(r"\|", content) if first <= m.start() < last),
        last,
    ]:
        piece = content[here:bar]
        lead = len(piece) - len(piece.lstrip()) if piece.strip() else 0
        spans.append((start + here + lead, start + here + lead + len(piece.strip())))
        here = bar + 1
    return spans


def _label_column(names: Sequence[str], body: Sequence[Sequence[str]]) -> int:
    """The column that says what a row is about: the first, or the second behind a running number."""
    numbers = all(re.fullmatch(r"\d{1,3}\.?", row[0]) for row in body if row and row[0])
    if len(names) > 2 and body and numbers and _NUMBERING.match(names[0]):
        return 1
    return 0


def _statement(label: str, column: str, cell: str, columns: int) -> str:
    if columns == 2 and _FIELD_VALUE.match(column):
        return f"{label}: {cell}"
    said = f"{column} is {cell}" if column else cell
    return f"{label}: {said}" if label else said


def _shown(text: str, span: Span) -> str:
    return re.sub(r"\s+", " ", text[slice(*span)].replace("\\|", "|")).strip()


def _kind(cell: str) -> ClaimKind | None:
    """A cell is a value, or says that there is none; a marker in it makes it a citation."""
    if ABSENT.match(cell):
        return "absence"
    return None if MARKER.search(cell) else "fact"


def _signpost(text: str, span: Span) -> Draft:
    shown = _shown(text, span)
    return Draft(*span, statement=shown, said=shown, kind="greeting")
