"""Lines of ``Key: value`` (also two on a line, also in a bulleted list), of ``KEY=value`` and of
``Key ....... value``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.records import Cell, Record, identity_of
from affidavit.ledger.shapes.page import Block, Page, Span, Way, chars, is_spoken, trimmed

_BULLET = re.compile(r"\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?")
_KEY = r"(?:\*\*|__)?(?P<key>[^\W\d_][^:*=|<>{}\n]{0,40}?)(?:\*\*|__)?"
_COLON = re.compile(rf"{_KEY}\s*:(?:\*\*|__)?\s+(?=\S)")
# "Net ............ 1,044 kg", as forms and bills of lading print
_LEADER = re.compile(
    rf"{_KEY}[ \t]*(?:\.{{3,}}|(?: \.){{3,}}|…+|_{{3,}}|-{{4,}}>?)[ \t]*:?[ \t]+(?=\S)"
)
# After a comma a name must look like one: "Size: M, Material: Cotton", not "Note: he came, then: she".
_NEXT = re.compile(
    rf"(?:\t|(?<![ ])[ ]{{2,}}+|(?:(?<![ ])[ ]++)?\|[ ]*+)(?={_KEY}\s*:(?:\*\*|__)?\s+\S)"
    r"|[,;] (?=[A-Z][\w#]*(?: [\w#]+){0,2}: \S)"
)
_EQUALS = re.compile(r"(?P<key>[A-Za-z_][\w.-]{0,60})\s?=\s?(?=\S)")
# "Water bottle (Item ID: 45)": the name would end within the bracket.
_OPEN = re.compile(r"[(\[][^)\]]*\Z")
_SECTION = re.compile(
    r"\s*(?:\*\*|__)?(?P<key>[^\W\d_][^:*=|<>{}\n]{0,40}?)(?:\*\*|__)?:(?:\*\*|__)?\s*\Z"
)


def read_key_values(page: Page, i: int, way: Way) -> Block | None:
    """Two lines of fields or more. A line with only ``Title:`` above them names them."""
    start, name = i, way.place
    if (section := _SECTION.match(page.line(i))) and list(_fields(page, i + 1)):
        start = i + 1
        name = " › ".join(filter(None, (way.place, section["key"])))
    lines: list[list[tuple[str, Span]]] = []
    j = start
    while j < len(page) and (fields := list(_fields(page, j))):
        lines.append(fields)
        j += 1
    pairs = [pair for fields in lines for pair in fields]
    if len(lines) < 2 and len(pairs) < 2:
        return None
    if sum(is_spoken(span.text) for _, span in pairs) * 2 >= len(pairs):
        return None
    group = chars(page.starts[start], page.span(j - 1)[1])
    groups = list(_things(pairs))
    records = []
    for n, thing in enumerate(groups):
        cells = tuple(Cell((key,), span.text, chars(span.start, span.end)) for key, span in thing)
        where = chars(thing[0][1].start, thing[-1][1].end)
        title = f"{name}[{n}]" if len(groups) > 1 else name
        records.append(Record(title, identity_of(cells), cells, where, None, group))
    return Block(j, records)


def _fields(page: Page, i: int) -> Iterator[tuple[str, Span]]:
    """The fields of a line; none where any part of it is not one."""
    if i >= len(page):
        return
    left, right = page.span(i)
    bullet = _BULLET.match(page.text, left, right)
    at = bullet.end() if bullet else left
    found: list[tuple[str, Span]] = []
    while at < right:
        match = _COLON.match(page.text, at, right)
        if match is None and not found:
            match = _EQUALS.match(page.text, at, right) or _LEADER.match(page.text, at, right)
        if match is None or len(match["key"].split()) > 5 or _OPEN.search(match["key"]):
            return
        if "   " in match["key"]:
            return  # two columns of a listing
        following = _NEXT.search(page.text, match.end(), right)
        stop = following.start() if following else right
        found.append((match["key"].strip(), _unmarked(trimmed(page.text, match.end(), stop))))
        at = following.end() if following else right
    yield from found


def _unmarked(span: Span) -> Span:
    for mark in ("**", "__", "`"):
        if (
            len(span.text) > 2 * len(mark)
            and span.text.startswith(mark)
            and span.text.endswith(mark)
        ):
            width = len(mark)
            return Span(span.text[width:-width], span.start + width, span.end - width)
    return span


def _things(pairs: list[tuple[str, Span]]) -> Iterator[list[tuple[str, Span]]]:
    """Fields up to one that has been there already: it begins the next thing."""
    thing: list[tuple[str, Span]] = []
    seen: set[str] = set()
    for key, span in pairs:
        if key.casefold() in seen:
            yield thing
            thing, seen = [], set()
        thing.append((key, span))
        seen.add(key.casefold())
    if thing:
        yield thing
