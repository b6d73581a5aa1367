"""Lists without a header: lines that begin alike, with a date, a time or a code, and stand in columns.

``12 May 2026   09:30   Courtroom 214   oral hearing`` is a row like the lines above and below it; that no line
names the columns makes it no less one. Two lines of prose that begin with a date are none: they have no columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.records import Cell, Record, identity_of
from affidavit.ledger.shapes.page import Block, Page, Way, chars

_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)(?:[a-z]{2,6})?"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?"
_DATE = (
    rf"(?:{_DAY}\.?,?\ )?(?:\d{{4}}[-/.]\d\d[-/.]\d\d|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}|[\ \d]?\d\.?\ {_MONTH}(?:\ \d{{4}})?"
    rf"|{_MONTH}\ [\ \d]?\d(?:,?\ \d{{4}})?)"
)
_TIME = r"\d{1,2}:\d\d(?:\s?[-–]\s?\d{1,2}:\d\d)?"
_LEADS = {
    "date": re.compile(rf"{_DATE}(?=\s|\Z)"),
    "time": re.compile(rf"{_TIME}(?=\s|\Z)"),
    "day": re.compile(rf"{_DAY}(?=\s{{2}})"),
    "hash": re.compile(r"(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,40}(?=\s)"),
    "code": re.compile(r"#?[A-Z]{1,5}[-_]?\d[\w-]{0,11}(?=\s{2}|\t)"),
}
"""What the lines of a list begin with, by kind."""
_GAP = re.compile(r"\t|\s{2,}")
_WIDE = re.compile(r"\S(?:\t|\s{2,})\S")
_NAMES = {
    "date": re.compile(rf"\A\s*+{_DATE}\s*\Z"),
    "time": re.compile(rf"\A\s*+{_TIME}\s*\Z"),
    "amount": re.compile(r"\A\s*+[-+−]?\s?(?:[€$£]\s?\d[\d.,' ]*+|\d[\d.,' ]*+\s?[€$£])\s*+\Z"),
    "status": re.compile(
        r"\A\s*+(?:not |un|part(?:ly|ially) |in |on )?(?:paid|open|closed|overdue|due|pending|cancell?ed|confirmed|delayed|late|time|early|"
        r"running|stopped|failed|passed|ok|done|active|inactive|available|shipped|delivered|transit|progress|scheduled|completed?|approved|"
        r"rejected|declined|ready|full|free|booked|returned|refunded|missing|expired|valid|draft|published|merged|success|error|"
        r"waiting|queued|started|finished|online|offline|healthy|degraded|up|down|lapsed|settled|blocked|resolved|\+\s?\d+\s?(?:min\w*|h|hours?))\s*\Z",
        re.I,
    ),
}
"""Columns that are called by what all their cells are."""
_CODE = re.compile(r"\s*(?:#?[A-Za-z]{0,6}[-_/]?\d[\w-]*|(?=[a-f]*\d)[\da-f]{7,40})\s*\Z")
_FEWEST = 2
_LONGEST_LINE = 300
_MOST_LINES = 2000


def read_plain_rows(page: Page, i: int, way: Way) -> Block | None:
    """The list that begins at a line, a record for each of its lines."""
    kind = _lead(page.line(i))
    if kind is None:
        return None
    j = i
    while j < min(len(page), i + _MOST_LINES) and _lead(page.line(j)) == kind:
        j += 1
    if j - i < _FEWEST:
        return None
    lines = [page.line(n) for n in range(i, j)]
    regular = _regular(lines)
    cuts = _cuts(regular)
    if not cuts:
        return None
    edges = [*zip([0, *cuts], [*cuts, None], strict=True)]
    steps = [_step(n, [line[a:b] for line in regular]) for n, (a, b) in enumerate(edges)]
    steps = [step if steps.index(step) == n else n for n, step in enumerate(steps)]
    place, group = way.place or "row", chars(page.starts[i], page.span(j - 1)[1])
    records = []
    for n in range(i, j):
        cells = tuple(_cells(page, n, cuts, steps))
        where = chars(page.starts[n], page.span(n)[1])
        records.append(Record(f"{place}[{n - i}]", identity_of(cells), cells, where, None, group))
    return Block(j, records)


def _regular(lines: list[str]) -> list[str]:
    """The lines with as many columns as most: "Fri 6 Nov   no rehearsal" tells nothing of the others' columns."""
    counts = [len(_GAP.split(line.strip())) for line in lines]
    usual = max(counts, key=lambda count: (counts.count(count), count))
    return [line for line, count in zip(lines, counts, strict=True) if count == usual]


def _cells(page: Page, n: int, cuts: list[int], steps: list[str | int]) -> Iterator[Cell]:
    """A line's pieces under the columns that they begin in. One that runs over a cut is kept whole."""
    line, left = page.line(n), page.starts[n]
    inside = [at for at in cuts if at < len(line) and line[at - 1].isspace()]
    for a, b in zip([0, *inside], [*inside, len(line)], strict=True):
        text = line[a:b].strip()
        if text:
            step = steps[[0, *cuts].index(a)]
            shape = _NAMES.get(step) if isinstance(step, str) else None
            step = step if shape is None or shape.match(text) else [0, *cuts].index(a)
            at = left + a + len(line[a:b]) - len(line[a:b].lstrip())
            yield Cell((step,), text, chars(at, at + len(text)))


def _lead(line: str) -> str | None:
    """What kind of datum a line of columns begins with; None for any other line."""
    if len(line) > _LONGEST_LINE or not _WIDE.search(line):
        return None
    return next((kind for kind, lead in _LEADS.items() if lead.match(line)), None)


def _cuts(lines: list[str]) -> list[int]:
    """Where columns begin: behind a gap of two spaces that all lines have, or of one that parts data."""
    width = max(map(len, lines))
    padded = [line.expandtabs(1).ljust(width) for line in lines]
    blank = [all(line[at] == " " for line in padded) for at in range(width)]
    cuts: list[int] = []
    at = 0
    while at < width:
        if not blank[at]:
            at += 1
            continue
        end = next((n for n in range(at, width) if not blank[n]), width)
        left = cuts[-1] if cuts else 0
        wide = end - at >= 2 or any("\t" in line[at:end] for line in lines)
        narrow = len(lines) > 2 and all(_is_datum(line[left:at]) for line in padded)
        narrow = narrow and not all(_LEADS["day"].match(line[left:at] + "  ") for line in padded)
        if end < width and at and (wide or narrow):
            cuts.append(end)
        at = end
    return cuts if any(_WIDE.search(line) for line in lines) else []


def _is_datum(text: str) -> bool:
    """Whether a piece of a line is a date, a time or a code whole, so that one space ends it."""
    text = text.strip()
    return any((m := lead.match(f"{text}  ")) and m.end() == len(text) for lead in _LEADS.values())


def _step(n: int, texts: list[str]) -> str | int:
    """What a column is called: a date, a time or a state by what it is, the codes that lines begin with by
    their telling them apart; any other has its number and no name."""
    for name, shape in _NAMES.items():
        if all(map(shape.match, texts)):
            return name
    told_apart = n == 0 and len(set(texts)) == len(texts)
    return "id" if told_apart and all(map(_CODE.match, texts)) else n
