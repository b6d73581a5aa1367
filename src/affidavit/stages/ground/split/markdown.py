"""The blocks of a Markdown answer, by offset, and the answer with its markup blanked out.

Parsers of Markdown know lines and lose characters; a claim needs the characters. Answers use a small
part of the language, which this scanner reads line by line. What it does not know is a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

BlockKind = Literal["paragraph", "item", "heading", "title", "table", "code"]
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Block:
    """One block: where its content lies, without markers. ``lines`` are the lines of a table or a
    fence; ``indent`` is a list item's; ``info`` is a fence's language."""

    kind: BlockKind
    start: int
    end: int
    indent: int = 0
    info: str = ""
    lines: tuple[Span, ...] = ()


_QUOTE = re.compile(r"(?:[ \t]*>)+[ \t]?")
_HEADING = re.compile(r"[ \t]*#{1,6}[ \t]+(?=\S)")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*([\w+-]*)")
_ITEM = re.compile(
    r"(?P<indent>[ \t]*)(?:[-*+•‣▪◦●–—]|\(?\d{1,3}[.)]|\(?[a-z][.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)"
)
# "3. März" opens a date, not a list.
_DAY = re.compile(r"[ \t]*\d{1,2}\. (?:[A-ZÄ][a-zä]+) \d{4}\b(?!\d)")
_RULE = re.compile(
    r"[ \t]*(?:-[ \t]*){3,}$|[ \t]*(?:\*[ \t]*){3,}$|[ \t]*(?:_[ \t]*){3,}$|[ \t]*=+$"
)
_TABLE_RULE = re.compile(
    r"[ \t]*+(?:\|[ \t]*+)?:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+(?:\|[ \t]*+)?$"
)
# A line that is bold from end to end stands where a heading would.
_TITLE = re.compile(r"[ \t]*(\*\*|__)(?P<text>(?:(?!\1).)+)\1:?[ \t]*$")

_CODE_SPAN = re.compile(r"(?<!`)(`++).*?(?<!`)\1(?!`)")
_URL = re.compile(r"https?://[^\s<>)\]]+")
_EMPHASIS = (
    re.compile(r"(\*\*)(?=\S)[^\n]+?(?<=\S)(\*\*)"),
    re.compile(r"(?<!\w)(__)(?=\S)[^\n]+?(?<=\S)(__)(?!\w)"),
    re.compile(r"(~~)(?=\S)[^\n]+?(?<=\S)(~~)"),
    re.compile(r"(?<![\w*])(\*)(?=[^\s*])[^\n*]+?(?<=[^\s*])(\*)(?![\w*])"),
    re.compile(r"(?<!\w)(_)(?=[^\s_])[^\n_]+?(?<=[^\s_])(_)(?!\w)"),
)


def blocks(answer: str) -> Iterator[Block]:
    """The blocks of ``answer``, in order. Every character outside them is blank or markup."""
    lines = [_unquoted(answer, span) for span in _lines(answer)]
    i = 0
    while i < len(lines):
        start, end = lines[i]
        line = answer[start:end]
        if not line.strip() or _RULE.match(line):
            i += 1
        elif fence := _FENCE.match(line):
            i, block = _fenced(answer, lines, i, fence)
            if block:
                yield block
        elif _opens_table(answer, lines, i):
            last = i
            while last < len(lines) and "|" in answer[slice(*lines[last])]:
                last += 1
            yield Block("table", start, lines[last - 1][1], lines=tuple(lines[i:last]))
            i = last
        elif heading := _HEADING.match(line):
            yield Block("heading", start + heading.end(), end)
            i += 1
        elif _TITLE.match(line):
            yield Block("title", start, end)
            i += 1
        elif (item := _ITEM.match(line)) and not _DAY.match(line):
            i, end = _continued(answer, lines, i, inside_item=True)
            yield Block("item", start + item.end(), end, indent=len(item["indent"].expandtabs(4)))
        else:
            i, end = _continued(answer, lines, i, inside_item=False)
            yield Block("paragraph", start, end)


_INLINE_NUMBER = re.compile(r"(?:(?<=[,;:.?] )|(?<= or )|(?<= and ))\(?(\d)\)(?= )")
"""As in "do one of these: 1) confirm it, 2) change it, or 3) wait"."""


def blank_numbers(answer: str) -> str:
    """``answer`` with the numbers of a list that is written in a sentence as spaces; same length."""
    shown, last = list(answer), 0
    for m in _INLINE_NUMBER.finditer(answer):
        if int(m[1]) in (1, last + 1):
            last = int(m[1])
            shown[m.start() : m.end()] = " " * (m.end() - m.start())
    return "".join(shown)


def blank_markup(answer: str) -> str:
    """``answer`` with emphasis marks, the markers of quoted lines and the numbers of a list written in a
    sentence as spaces; same length."""
    shown = list(blank_numbers(answer))
    hidden = [m.span() for m in _CODE_SPAN.finditer(answer)]
    hidden += [m.span() for m in _URL.finditer(answer)]
    code = [False] * len(answer)
    for start, end in hidden:
        code[start:end] = [True] * (end - start)
    for pattern in _EMPHASIS:
        for m in pattern.finditer("".join(shown)):
            for group in (1, 2):
                if not any(code[m.start(group) : m.end(group)]):
                    shown[m.start(group) : m.end(group)] = " " * (m.end(group) - m.start(group))
    for start, end in _lines(answer):
        if quote := _QUOTE.match(answer[start:end]):
            shown[start : start + quote.end()] = " " * quote.end()
    return "".join(shown)


def _lines(answer: str) -> Iterator[Span]:
    start = 0
    while start <= len(answer):
        end = answer.find("\n", start)
        end = len(answer) if end < 0 else end
        yield start, end - (end > start and answer[end - 1] == "\r")
        start = end + 1


def _unquoted(answer: str, span: Span) -> Span:
    quote = _QUOTE.match(answer[slice(*span)])
    return (span[0] + quote.end(), span[1]) if quote else span


def _fenced(
    answer: str, lines: list[Span], i: int, fence: re.Match[str]
) -> tuple[int, Block | None]:
    """The fence opened on line ``i``, to its end or the answer's."""
    last = i + 1
    closing = re.compile(r"[ \t]*" + re.escape(fence[1]) + r"[`~]*[ \t]*$")
    while last < len(lines) and not closing.match(answer[slice(*lines[last])]):
        last += 1
    inner = tuple(lines[i + 1 : last])
    if not inner:
        return last + 1, None
    return last + 1, Block("code", inner[0][0], inner[-1][1], info=fence[2].lower(), lines=inner)


def _opens_table(answer: str, lines: list[Span], i: int) -> bool:
    line = answer[slice(*lines[i])]
    if "|" not in line or i + 1 >= len(lines):
        return False
    below = answer[slice(*lines[i + 1])]
    if "|" in below and _TABLE_RULE.match(below):
        return True
    # Some models forget the rule: two lines fenced by bars are a table all the same.
    return all(
        text.strip().startswith("|") and text.strip().endswith("|") for text in (line, below)
    )


def _continued(answer: str, lines: list[Span], i: int, *, inside_item: bool) -> tuple[int, int]:
    """The line after, and the end of, the text that begins on line ``i``."""
    last = i + 1
    while last < len(lines):
        line = answer[slice(*lines[last])]
        if not line.strip() or _RULE.match(line) or _HEADING.match(line) or _FENCE.match(line):
            break
        if _ITEM.match(line) or _TITLE.match(line) or _opens_table(answer, lines, last):
            break
        if inside_item and not line[0].isspace():
            break
        last += 1
    return last, lines[last - 1][1]
