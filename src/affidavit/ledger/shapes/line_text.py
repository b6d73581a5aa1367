"""Text in which a line is the unit: logs, search hits, code listings, stack traces, numbered sources."""

from __future__ import annotations

import re

from affidavit.ledger.shapes.page import Block, Page, Way

_LOG = re.compile(
    r"""\s{0,2}\[?(?:
      \d{4}[-/]\d\d[-/]\d\d[T\ ]\d\d:\d\d        # 2026-03-03T03:00:04Z
    | \d\d:\d\d:\d\d\b
    | [A-Z][a-z]{2}\ [\ \d]\d\ \d\d:\d\d:\d\d    # syslog
    | \d{1,3}(?:\.\d{1,3}){3}\ \S+\ \S+\ \[      # web server
    | (?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\b[\]:\s]
    )""",
    re.X,
)
_HIT = re.compile(r"(?=[^\s:]*[./])[^\s:]{1,300}:\d{1,7}(?::\d{1,5})?[:\-]")
_NUMBERED = re.compile(r"\s{0,8}(\d{1,7})(?:\t|:\s|\s?[|│→]|[ ]{1,3}(?=\S)|[ ]{2,}|\Z)")
_TRACE = re.compile(
    r"\s*(?:Traceback \(most recent call last\):|Exception in thread\b|Caused by:|panic:|goroutine \d+"
    r"|(?:[\w$]+[.:])*\w*(?:Error|Exception)\b)"
)
_IN_TRACE = re.compile(
    r"\s+\S|(?:[\w$]+[.:])*\w*(?:Error|Exception|Interrupt|Exit)\b|Caused by:|During handling|The above exception"
    r"|goroutine \d+|\.\.\. \d+ more|--->? "
)
_SOURCE = re.compile(r"\s{0,3}\[\d{1,3}\]:?\s+(?=\S)")
_ITEM = re.compile(r"\s{0,3}\d{1,3}[.)]\s+\S")
_INDENTED = re.compile(r"(?:\s{2,}|\t)(?!\d{1,3}[.)]\s)\S")
_FENCE = re.compile(r"\s{0,3}(?P<mark>```|~~~)\s*+(?P<language>[\w+#-]*+)\s*+\Z")
_DATA_LANGUAGES = frozenset(
    (
        "",
        "json",
        "jsonl",
        "yaml",
        "yml",
        "csv",
        "tsv",
        "html",
        "text",
        "txt",
        "md",
        "markdown",
        "log",
        "ini",
    )
)
_DIFF = re.compile(r"diff --git |--- \S|@@ -\d")
_HUNK = re.compile(r"@@ -\d")
_NEW_FILE = re.compile(r"\+\+\+ (?:b/)?(\S+)")
_IN_DIFF = re.compile(
    r"[ +\-@\\]|\Z|diff |index |(?:new|deleted|old|similarity|rename|copy|Binary) "
)
_CLOSING = re.compile(r"#{1,6}\s|\s*[-*_=]{3,}\s*\Z|\d+ (?:sources?|results?|documents?|matches)\b")
MAX_TITLE_CHARS = 200


def read_log(page: Page, i: int, way: Way) -> Block | None:
    """Each entry is a stretch of its own, with the lines that hang from it."""
    if not _LOG.match(page.line(i)):
        return None
    j = i + 1
    while j < len(page) and page.line(j)[:1].isspace() and page.line(j).strip():
        if _LOG.match(page.line(j)):
            break
        j += 1
    return Block(j, prose=page.lines_as_prose(i, j, way.heading, together=True))


def read_hits(page: Page, i: int, way: Way) -> Block | None:
    """``path:line:text``, as grep and compilers write: each says where it is, so each stands alone."""
    if not _HIT.match(page.line(i)):
        return None
    return Block(i + 1, prose=page.lines_as_prose(i, i + 1, way.heading, together=False))


def read_listing(page: Page, i: int, way: Way) -> Block | None:
    """Code with line numbers: two lines or more, each one higher than the one before."""
    j, number = i, _number(page.line(i))
    while number is not None and _number(page.line(j + 1)) == number + 1:
        j, number = j + 1, number + 1
    if j == i:
        return None
    return Block(j + 1, prose=page.lines_as_prose(i, j + 1, way.heading, together=True))


def _number(line: str) -> int | None:
    match = _NUMBERED.match(line)
    return int(match[1]) if match else None


def read_trace(page: Page, i: int, way: Way) -> Block | None:
    """A stack trace, a few lines at a time: a frame is read with its line of code."""
    if not _TRACE.match(page.line(i)) or not re.match(r"\s+\S", page.line(i + 1)):
        return None
    j = i + 1
    while j < len(page) and _IN_TRACE.match(page.line(j)):
        j += 1
    return Block(j, prose=page.lines_as_prose(i, j, way.heading, together=True))


def read_source(page: Page, i: int, way: Way) -> Block | None:
    """``[1] Title``, then its text up to the next one: each stretch knows its source by its heading."""
    title = page.line(i).strip()
    if not _SOURCE.match(title) or len(title) > MAX_TITLE_CHARS:
        return None
    j = i + 1
    while j < len(page) and not _SOURCE.match(page.line(j)) and not _ends_source(page, j):
        j += 1
    if j == i + 1:
        return None
    body = page.prose(page.starts[i + 1], page.span(j - 1)[1], _under(way.heading, title))
    return Block(j, prose=body) if body else None


def _ends_source(page: Page, j: int) -> bool:
    """A heading, a rule, two blank lines or a count of the results is no source's text."""
    line = page.line(j)
    if _CLOSING.match(line):
        return True
    return not line.strip() and not page.line(j + 1).strip() and j + 1 < len(page)


def read_item(page: Page, i: int, way: Way) -> Block | None:
    """``1. Title`` with indented lines under it, as search engines list what they found."""
    title = page.line(i)
    if (
        not _ITEM.match(title)
        or len(title) > MAX_TITLE_CHARS
        or not _INDENTED.match(page.line(i + 1))
    ):
        return None
    j = i + 2
    while j < len(page) and _INDENTED.match(page.line(j)):
        j += 1
    heading = _under(way.heading, title.strip())
    return Block(j, prose=page.prose(page.starts[i + 1], page.span(j - 1)[1], heading))


def read_diff(page: Page, i: int, way: Way) -> Block | None:
    """What changed in one file: the signs before its lines are kept, they say what is so now."""
    if not _DIFF.match(page.line(i)) or not any(
        _HUNK.match(page.line(n)) for n in range(i, min(i + 8, len(page)))
    ):
        return None
    j, path = i, ""
    while j < len(page) and _IN_DIFF.match(page.line(j)):
        if j > i and page.line(j).startswith("diff "):
            break
        if name := _NEW_FILE.match(page.line(j)):
            path = path or name[1]
        j += 1
    heading = _under(way.heading, path) if path else way.heading
    return Block(j, prose=page.lines_as_prose(i, j, heading, together=True))


def read_fence(page: Page, i: int, way: Way) -> Block | None:
    """Fenced code by its lines: a ``#`` in it begins a comment, not a section. Fenced data is left to
    the readers of data."""
    fence = _FENCE.match(page.line(i))
    if not fence or fence["language"].lower() in _DATA_LANGUAGES:
        return None
    j = i + 1
    while j < len(page) and not page.line(j).strip().startswith(fence["mark"]):
        j += 1
    return Block(j + 1, prose=page.lines_as_prose(i + 1, j, way.heading, together=True))


def _under(heading: str, title: str) -> str:
    return f"{heading} › {title}" if heading else title
