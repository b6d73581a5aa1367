"""One text, of whatever shape or several: tried from the strictest shape to the loosest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from affidavit.ledger.passages import split_prose
from affidavit.ledger.records import Record, scalar_text
from affidavit.ledger.shapes.aligned import read_aligned
from affidavit.ledger.shapes.assignments import read_assignments
from affidavit.ledger.shapes.bars import read_bars
from affidavit.ledger.shapes.columns import read_columns
from affidavit.ledger.shapes.delimited import read_delimited
from affidavit.ledger.shapes.html_text import read_html
from affidavit.ledger.shapes.json_text import (
    data_records,
    embedded_json,
    read_json,
    read_json_string,
    read_ndjson,
)
from affidavit.ledger.shapes.key_value import read_key_values
from affidavit.ledger.shapes.line_text import (
    read_diff,
    read_fence,
    read_hits,
    read_item,
    read_listing,
    read_log,
    read_source,
    read_trace,
)
from affidavit.ledger.shapes.page import Block, BlockReader, Page, Prose, Way
from affidavit.ledger.shapes.plain_rows import read_plain_rows
from affidavit.ledger.shapes.slips import read_slip
from affidavit.ledger.shapes.xml_text import read_xml
from affidavit.ledger.shapes.yaml_text import read_yaml
from affidavit.ledger.walk import records_of

_READERS: tuple[BlockReader, ...] = (
    read_fence, read_diff, read_html, read_xml, read_bars, read_assignments, read_delimited, read_log, read_hits, read_listing, read_trace,
    read_source, read_item, read_yaml, read_key_values, read_plain_rows, read_columns, read_slip, read_aligned,
)  # fmt: skip

_HEADING = re.compile(r"(#{1,6})\s+(\S.{0,160}?)\s*+#*+\s*+\Z")
_UNDERLINE = re.compile(r"(?:={3,}|-{3,})\s*\Z")
_RULE = re.compile(r"\s*(?:[-*_=~+]\s?){3,}\Z|\s*+(?:```|~~~)\s*+[\w+-]*+\s*+\Z")


def read_text(text: str, *, root: str = "") -> tuple[list[Record], list[Prose]]:
    """Records and prose of a text, whatever its shape. Never raises; nothing that is said is dropped.

    ``root`` names the text as a whole and opens the place of every record. Records of JSON that is
    the whole text have JSON Pointers; all others have character ranges of ``text``.
    """
    for whole in (read_json, read_ndjson):
        if (records := whole(text, root)) is not None:
            return records, []
    if (said := read_json_string(text)) is not None:
        # Its escapes are undone, so that no stretch of it has a place of its own.
        return [], [Prose(said[a:b], 0, len(text)) for a, b in split_prose(said)]
    flow = _Flow(text, root)
    at = 0
    for left, right, records in embedded_json(text, root):
        flow.read(at, left)
        flow.records += flow.under_heading(records)
        at = right
    flow.read(at, len(text))
    flow.close()
    return flow.records, flow.prose


def read_data(value: object, *, root: str = "") -> tuple[list[Record], list[Prose]]:
    """The same for data that arrived decoded: records with JSON Pointers. Never raises."""
    if (records := data_records(value, root=root)) is not None:
        return records, []
    if not isinstance(value, dict | list | tuple):
        return list(records_of(value, root=root)), []
    # Nested too deep to walk as records: its scalars in order, which is more than nothing.
    said: list[str] = []
    stack: list[object] = [value]
    while stack:
        match stack.pop():
            case dict() as mapping:
                stack += [part for pair in reversed(mapping.items()) for part in reversed(pair)]
            case list() | tuple() as items:
                stack += reversed(items)
            case scalar:
                said.append(scalar_text(scalar) if isinstance(scalar, float) else str(scalar))
    text = " ".join(said)
    return [], [Prose(text[a:b], a, b) for a, b in split_prose(text)]


@dataclass
class _Flow:
    """A text as it is read from top to bottom, with the headings that are open."""

    text: str
    root: str
    records: list[Record] = field(default_factory=list)
    prose: list[Prose] = field(default_factory=list)
    _open: list[tuple[int, str]] = field(default_factory=list)
    _unused: tuple[int, int] | None = None

    @property
    def heading(self) -> str:
        return " › ".join(title for _, title in self._open)

    @property
    def place(self) -> str:
        return " › ".join(filter(None, (self.root, self.heading)))

    def read(self, left: int, right: int) -> None:
        """The characters ``left:right``, block by block; what no reader claims is prose."""
        if not self.text[left:right].strip():
            return
        page = Page(self.text, left, right)
        i = plain = 0
        while i < len(page):
            end = self._heading(page, i, plain) or self._structure(page, i, plain)
            if end:
                plain = i = end
                continue
            i += 1
        self._prose(page, plain, len(page))

    def close(self) -> None:
        """A last heading with nothing under it says something of its own."""
        if self._unused is not None:
            left, right = self._unused
            way = " › ".join(title for _, title in self._open[:-1])
            self.prose.append(Prose(self.text[left:right].strip(), left, right, way))
            self._unused = None

    def under_heading(self, records: list[Record]) -> list[Record]:
        if records:
            self._unused = None
        return records

    def _prose(self, page: Page, i: int, j: int) -> None:
        if i < j:
            found = page.prose(page.starts[i], page.span(j - 1)[1], self.heading)
            self._unused = None if found else self._unused
            self.prose += found

    def _structure(self, page: Page, i: int, plain: int) -> int | None:
        """The line after the block that begins at ``i``, if one does; prose before it is let out."""
        line = page.line(i)
        if not line.strip():
            return None
        block = next(filter(None, self._tried(page, i)), None)
        if block is None and _RULE.match(line):
            block = Block(i + 1)  # a line drawn across the page, or the fence of a listing
        if block is None:
            return None
        self._prose(page, plain, i)
        if block.records or block.prose:
            self._unused = None
        self.records += block.records
        self.prose += block.prose
        return block.end

    def _tried(self, page: Page, i: int) -> Iterator[Block | None]:
        way = Way(self.place, self.heading)
        return (reader(page, i, way) for reader in _READERS)

    def _heading(self, page: Page, i: int, plain: int) -> int | None:
        line = page.line(i)
        if match := _HEADING.match(line):
            level, title, end = len(match[1]), match[2], i + 1
        elif _is_title(page, i):
            level, title, end = (1 if page.line(i + 1)[0] == "=" else 2), line.strip(), i + 2
        else:
            return None
        self._prose(page, plain, i)
        if self._open and self._open[-1][0] >= level:
            self.close()
        while self._open and self._open[-1][0] >= level:
            self._open.pop()
        self._open.append((level, title))
        self._unused = page.span(i)
        return end


def _is_title(page: Page, i: int) -> bool:
    """A line of words underlined from end to end, at the start of a paragraph."""
    line = page.line(i).strip()
    return (
        0 < len(line) <= 100
        and bool(_UNDERLINE.match(page.line(i + 1)))
        and (i == 0 or not page.line(i - 1).strip())
        and "|" not in line
        and "  " not in line
        and any(c.isalpha() for c in line)
    )
