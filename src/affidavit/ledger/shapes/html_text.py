"""HTML: tables to records, the rest to prose under its headings, without tags and entities.

The standard library's parser is used because it tells where in the source each piece stands.
"""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import accumulate

from affidavit.ledger.passages import split_prose
from affidavit.ledger.records import Record
from affidavit.ledger.shapes.html_table import Table, table_of
from affidavit.ledger.shapes.json_text import data_records
from affidavit.ledger.shapes.page import Block, Page, Prose, Span, Way

_PAGE = re.compile(r"\s*(?:<\?xml[^>]{0,200}\?>\s*)?<(?:!doctype\s+html|html|head|body)\b", re.I)
_BLOCK = re.compile(
    r"\s*<(?:table|div|p|h[1-6]|ul|ol|dl|section|article|main|header|footer|nav|aside|form|figure|span|"
    r"blockquote|pre|b|strong|a|center)(?:\s[^<>]{0,2000})?>",
    re.I,
)
_CLOSE = re.compile(
    r"</(?:table|div|p|h[1-6]|ul|ol|dl|section|article|main|header|footer|nav|aside|form|figure|body|html|"
    r"span|blockquote|pre|b|strong|a|center)\s*>",
    re.I,
)
_BREAKS = frozenset(
    "address article aside blockquote body br center dd div dl dt fieldset figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 head header hr html legend li main nav ol option p pre section select "
    "summary table tbody td tfoot th thead title tr ul".split()
)
_HEADINGS = {f"h{n}": n for n in range(1, 7)} | {"title": 1}
_LINK = re.compile(r"(?:https?://|mailto:|tel:)\S+\Z", re.I)


def read_html(page: Page, i: int, way: Way) -> Block | None:
    """HTML from a block-level tag on: to the end of a whole document, else to the last closing tag."""
    line = page.line(i)
    start = page.starts[i]
    if _PAGE.match(line):
        end = page.end
    elif _BLOCK.match(line) and (end := _last_close(page, start)):
        newline = page.text.find("\n", end, page.end)
        end = newline if newline >= 0 else page.end
    else:
        return None
    reader = _Reader(page.text[start:end], start, way)
    try:
        reader.feed(reader.source)
        reader.close()
        reader.finish()
    except (AssertionError, RecursionError):  # the parser's way to say "declaration gone wrong"
        return None
    return Block(page.line_at(end, i + 1), reader.records, reader.prose)


def _last_close(page: Page, start: int) -> int:
    end = 0
    for match in _CLOSE.finditer(page.text, start, page.end):
        end = match.end()
    return end


@dataclass(slots=True)
class _Flow:
    """Text that is being gathered: its decoded pieces, each with its place."""

    pieces: list[Span] = field(default_factory=list)

    def span(self) -> Span | None:
        """All of it as one stretch of single-spaced text."""
        text = "".join(piece.text for piece in self.pieces)
        said = [piece for piece in self.pieces if piece.text.strip()]
        self.pieces = []
        if not said:
            return None
        return Span(" ".join(text.split()), said[0].start, said[-1].end)


class _Reader(HTMLParser):
    def __init__(self, source: str, offset: int, way: Way) -> None:
        super().__init__(convert_charrefs=False)
        self.source, self.base = source, offset
        self.place, self.heading = way.place, way.heading
        self.records: list[Record] = []
        self.prose: list[Prose] = []
        self._lines = [0, *accumulate(len(line) for line in source.split("\n"))]
        self._flow = _Flow()
        self._headings: list[tuple[int, str]] = []
        self._unused: Span | None = None
        self._tables: list[Table] = []
        self._links: list[str] = []
        self._script: str | None = None

    def _at(self) -> int:
        line, column = self.getpos()
        # ``_lines`` sums lengths without their breaks: one for each line passed.
        return self.base + self._lines[line - 1] + (line - 1) + column

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in ("script", "style"):
            self._script = (given.get("type") or "") if tag == "script" else ""
            return
        if tag in _BREAKS:
            self._flush()
        if tag in ("table", "dl"):
            self._tables.append(Table(self._at()))
        elif tag == "dt" and self._tables:
            self._tables[-1].start_term()
        elif tag == "dd" and self._tables:
            self._tables[-1].start_description()
        elif tag == "tr" and self._tables:
            self._tables[-1].start_row()
        elif tag in ("td", "th") and self._tables:
            self._tables[-1].start_cell(tag == "th", given)
        elif tag == "a":
            self._links.append(given.get("href") or "")
        for name in ("alt", "placeholder", "value", "content"):
            # What only an attribute says: an image's description, a field's content, a page's summary.
            if name in given and given[name] and (name != "content" or given.get("name")):
                self._say(f" {given[name]} ", *self._tag_span())

    def handle_endtag(self, tag: str) -> None:
        if tag in ("script", "style"):
            self._script = None
        elif tag == "a" and self._links:
            href = self._links.pop()
            if _LINK.match(href):
                self._say(f" ({href})", *self._tag_span(closing=True))
        elif tag in _HEADINGS and not self._tables:
            self._close_heading(_HEADINGS[tag])
        elif tag == "caption" and self._tables:
            self._tables[-1].caption = self._flow.span()
        elif tag in _BREAKS:
            self._flush()
            if tag in ("table", "dl") and self._tables:
                self._close_table()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        if self._script is None:
            self._say(data, self._at(), self._at() + len(data))
        elif "json" in self._script:
            try:
                value = json.loads(data)
            except (ValueError, RecursionError):
                return
            self.records += data_records(value, root=self.place) or []

    def handle_entityref(self, name: str) -> None:
        self._reference(f"&{name}")

    def handle_charref(self, name: str) -> None:
        self._reference(f"&#{name}")

    def _reference(self, source: str) -> None:
        left = self._at()
        closed = self.source.startswith(";", left - self.base + len(source))
        text = source + ";" * closed
        self._say(html.unescape(text), left, left + len(text))

    def unknown_decl(self, data: str) -> None:
        if data.startswith("CDATA["):
            self._say(data[6:], self._at() + 9, self._at() + 3 + len(data))

    def _tag_span(self, *, closing: bool = False) -> tuple[int, int]:
        left = self._at()
        right = self.source.find(">", left - self.base)
        text = None if closing else self.get_starttag_text()
        end = left + len(text) if text else self.base + right + 1 if right >= 0 else left
        return left, end

    def _say(self, text: str, left: int, right: int) -> None:
        self._flow.pieces.append(Span(text, left, right))

    def _way(self) -> str:
        return " › ".join(filter(None, (self.heading, *(title for _, title in self._headings))))

    def _flush(self) -> None:
        span = self._flow.span()
        if span is None:
            return
        if self._tables and self._tables[-1].add(span):
            return
        self._unused = None
        if len(span.text) == span.end - span.start:
            stretches = [(a, b, span.start + a, span.start + b) for a, b in split_prose(span.text)]
        else:  # entities and tags within: the place is that of the whole paragraph
            stretches = [(a, b, span.start, span.end) for a, b in split_prose(span.text)]
        self.prose += [Prose(span.text[a:b], c, d, self._way()) for a, b, c, d in stretches]

    def _close_heading(self, level: int) -> None:
        span = self._flow.span()
        if span is None:
            return
        if self._headings and self._headings[-1][0] >= level:
            self._keep_heading()
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        self._headings.append((level, span.text))
        self._unused = span

    def _keep_heading(self) -> None:
        """A heading with nothing under it says something of its own."""
        if self._unused is not None:
            way = " › ".join(title for _, title in self._headings[:-1])
            self.prose.append(Prose(self._unused.text, self._unused.start, self._unused.end, way))
            self._unused = None

    def _close_table(self) -> None:
        table = self._tables.pop()
        place = " › ".join(filter(None, (self.place, *(title for _, title in self._headings))))
        records, prose = table_of(table, place, self._way(), self._at())
        if records or prose:
            self._unused = None
        self.records += records
        self.prose += prose

    def finish(self) -> None:
        self._flush()
        while self._tables:
            self._close_table()
        self._keep_heading()
