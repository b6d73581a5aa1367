"""The Markdown of an answer, read so that each character shown is known by its place in the answer.

Claims are characters of the answer as it was written. Headings, lists, tables, emphasis and code are
read; links, pictures, HTML and entities are shown as they stand, because a page that hides an address
or an element hides what was judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from markdown_it import MarkdownIt
from markdown_it.token import Token

_SYNTAX = re.compile(r"(?:[\s*_~`#>|\-+=\\:]|\d{1,9}[.)](?!\S))*+")
"""Signs of Markdown, and the numbers of a list: all that may stand between what is shown."""

_LINE_END = re.compile(r"\r\n?|\n")
_SHOWN_AS_WRITTEN = (
    "link",
    "image",
    "autolink",
    "entity",
    "html_inline",
    "html_block",
    "reference",
)
_TAGS = frozenset(
    "p ul ol li blockquote table thead tbody tr th td em strong s h3 hr br pre code".split()
)


@dataclass(frozen=True, slots=True)
class Open:
    """An element begins. ``number`` is where an ordered list starts to count, or a heading's level."""

    tag: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Close:
    """The element that was opened last ends."""


@dataclass(frozen=True, slots=True)
class Run:
    """The characters ``start:end`` of the answer are shown."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Plain:
    """What is shown between runs and is no place of the answer: an end of a line in code."""

    text: str


Piece: TypeAlias = Open | Close | Run | Plain


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell in the body of a table, with the names that its row and its column have."""

    start: int
    end: int
    row: str
    column: str


class _Lost(Exception):
    """What the parser shows is not found in the answer where it should stand."""


def pieces_of(answer: str) -> list[Piece]:
    """What is shown of an answer. One that cannot be followed to its places is shown as it was written."""
    try:
        return list(_Reading(answer).pieces())
    except _Lost:
        return [Open("pre"), Run(0, len(answer)), Close()] if answer else []


def cells_of(answer: str) -> list[Cell]:
    """The cells of all tables of an answer that show something."""
    found: list[Cell] = []
    head: list[str] = []
    row: list[tuple[int, int]] = []
    runs: list[Run] | None = None
    in_head = False
    opened: list[str] = []
    for piece in pieces_of(answer):
        match piece:
            case Open(tag):
                opened.append(tag)
                if tag == "thead":
                    head, in_head = [], True
                elif tag == "tr":
                    row = []
                elif tag in ("th", "td"):
                    runs = []
            case Close():
                tag = opened.pop()
                if tag in ("th", "td") and runs is not None:
                    row.append((runs[0].start, runs[-1].end) if runs else (0, 0))
                    runs = None
                elif tag == "tr":
                    words = [answer[start:end] for start, end in row]
                    if in_head:
                        head = words
                    else:
                        found += [
                            Cell(start, end, words[0] if at else "", column)
                            for at, ((start, end), column) in enumerate(
                                zip(row, head, strict=False)
                            )
                            if start < end
                        ]
                elif tag == "thead":
                    in_head = False
            case Run() if runs is not None:
                runs.append(piece)
            case _:
                pass
    return found


class _Reading:
    """One pass over the tokens of an answer, with the place in it that was reached."""

    def __init__(self, answer: str) -> None:
        self._answer, self._at, self._shown = answer, 0, 0
        self._lines = [0, *(found.end() for found in _LINE_END.finditer(answer))]

    def pieces(self) -> Iterator[Piece]:
        for token in _parser().parse(self._answer):
            if token.map is not None:
                self._at = max(self._at, self._line(token.map[0]))
            yield from self._block(token)
        self._skip(len(self._answer))

    def _block(self, token: Token) -> Iterator[Piece]:
        match token.type:
            case "inline":
                yield from self._inline(token.children or ())
            case "fence" | "code_block":
                yield from self._code(token)
            case "paragraph_open" | "paragraph_close" if token.hidden:
                pass  # items of a list without blank lines between them
            case "heading_open":
                self._past(token.markup) if token.markup.startswith("#") else None
                yield Open("h3", int(token.tag[1:]))
            case "ordered_list_open":
                yield Open("ol", int(token.attrGet("start") or 1))
            case "list_item_open":
                self._past(token.info + token.markup)
                yield Open("li")
            case "hr":
                yield from (Open("hr"), Close())
            case _ if token.nesting == 1:
                yield Open(_known(token.tag))
            case _ if token.nesting == -1:
                yield Close()
            case _:
                raise _Lost(token.type)

    def _inline(self, tokens: Sequence[Token]) -> Iterator[Piece]:
        for token in tokens:
            match token.type:
                case "text":
                    if token.content:
                        yield self._run(re.escape(token.content))
                case "text_special":
                    run = self._run(re.escape(token.markup))
                    yield Run(run.end - len(token.content), run.end)
                case "code_inline":
                    yield Open("code")
                    yield self._run(r"\s+".join(map(re.escape, re.split(r"\s+", token.content))))
                    yield Close()
                case "softbreak" | "hardbreak":
                    # Chats show an end of a line as one; so does who wrote it.
                    yield from (Open("br"), Close())
                case _ if token.nesting == 1:
                    yield Open(_known(token.tag))
                case _ if token.nesting == -1:
                    yield Close()
                case _:
                    raise _Lost(token.type)

    def _code(self, token: Token) -> Iterator[Piece]:
        yield Open("pre")
        if token.info.strip():
            yield from (Open("em"), self._run(re.escape(token.info.strip())), Close(), Plain("\n"))
        if token.type == "fence" and token.map is not None:
            self._at = max(self._at, self._line(token.map[0] + 1))
        for number, line in enumerate(token.content.rstrip("\n").split("\n")):
            if number:
                yield Plain("\n")
            if line.strip():
                yield self._run(re.escape(line))
        yield Close()

    def _run(self, pattern: str) -> Run:
        """The next place that says so."""
        found = re.compile(pattern).search(self._answer, self._at)
        if found is None:
            raise _Lost(pattern)
        self._skip(found.start())
        self._at = self._shown = found.end()
        return Run(found.start(), found.end())

    def _skip(self, end: int) -> None:
        """What was not shown before ``end`` is signs of Markdown: a table drops cells that have no column."""
        if not _SYNTAX.fullmatch(self._answer, self._shown, end):
            raise _Lost(self._answer[self._shown : end])

    def _past(self, sign: str) -> None:
        """Go past the sign that opens a block, so that what it says is not looked for inside it."""
        at = self._answer.find(sign, self._at)
        if at < 0:
            raise _Lost(sign)
        self._at = at + len(sign)

    def _line(self, number: int) -> int:
        return self._lines[number] if number < len(self._lines) else len(self._answer)


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    # Without text_join, what was escaped stays apart, and so has a place of its own.
    return parser.disable([*_SHOWN_AS_WRITTEN, "text_join"])


def _known(tag: str) -> str:
    if tag not in _TAGS:
        raise _Lost(tag)
    return tag
