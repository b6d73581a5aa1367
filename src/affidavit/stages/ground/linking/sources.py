"""The sources that answers may cite: results by number, documents by what they call themselves, tools by name.

A source is known by its name in the evidence, never by words that announce one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Literal
from urllib.parse import urlsplit

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Record, words_of
from affidavit.ledger.values import fold
from affidavit.stages.ground.linking.evidence import Evidence, is_call

Place = Literal["page", "section", "version"]

_MARKED = re.compile(r"^\s*[\[【](\d+)[\]】]")
_COUNTED = re.compile(
    r"^\s*(?:\((\d+)\)|(\d+)[.)]\s|(?:source|result|document|passage|doc|reference|ref|snippet|excerpt)\s*#?(\d+)\b)",
    re.I,
)
"""Numbers that passages of a text go by where none is in square brackets."""
_NUMBERED_FIELDS = frozenset({"n", "no", "rank", "index", "ref", "number", "source", "id"})
_NAMES = re.compile(
    r"(?:.* )?(?:titles?|names?|labels?|ids?|urls?|uri|links?|paths?|files?|filename|source|document|doc|article)"
)
"""Fields by which a document calls itself."""
_PLACES: dict[Place, re.Pattern[str]] = {
    "page": re.compile(r"(?:.* )?pages?(?: (?:no|number))?"),
    "section": re.compile(r"(?:.* )?(?:section|clause|article)(?: (?:no|number))?"),
    "version": re.compile(r"(?:.* )?version"),
}
_VERSIONED = re.compile(r"(?<![\s,(])[\s,(]++(?:v\.?\s?|version\s+)(\d+(?:\.\d+)*)\)?$", re.I)
_LED = re.compile(
    r"^\s*+[\[【]?\d+[\]】.)]?\s*+(?:\(([^()]{2,80})\)|([^:—–|]{2,80}?)\s*(?::|[—–|]|\s-\s))"
)
"""The name that a numbered passage begins with: "[1] (lisbon-guide) …", "[1] Lisbon guide: …"."""
_TEXT_WORDS = 6
"""Words of a field from which a record holds text, and is a document rather than a row of data."""
_LONGEST_NAME = 120


@dataclass(frozen=True)
class Document:
    """A source as the evidence has it: what it is called first, and its lines in the order of the run."""

    title: str
    lines: tuple[Passage, ...]
    version: str = ""
    """The version that its own name ends with."""

    @cached_property
    def ids(self) -> frozenset[int]:
        return frozenset(map(id, self.lines))


class Sources:
    """The sources of one run's evidence."""

    def __init__(self, evidence: Evidence) -> None:
        results = [line for line in evidence.lines if _is_result(line)]
        marked = _by_marks(results, _MARKED) or _by_marks(results, _COUNTED)
        self.by_number: Mapping[str, Sequence[Passage]] = marked or _in_order(results)
        """Lines by the number their source goes by; results that bear none go by their order."""
        self.are_marked = bool(marked)
        """Whether the results themselves say their numbers."""
        self.documents, self._named = _documents(results, marked)
        self.tools: Mapping[str, Document] = _tools(evidence, results)

    def named(self, name: str) -> tuple[Document, ...]:
        """The documents of that name; none where there is no such document."""
        return self._named.get(fold(name), ())

    def besides(self, cited: Sequence[Document]) -> tuple[Document, ...]:
        """The sources that might have been cited instead: other tools, or other documents."""
        own = frozenset().union(*(one.ids for one in cited))
        tools = tuple(self.tools.values())
        among = tools if any(one in tools for one in cited) else self.documents
        return tuple(one for one in among if not own & one.ids)


def sources_of(evidence: Evidence) -> Sources:
    """The sources of the evidence, read once for all claims."""
    return evidence.search.once("sources", lambda: Sources(evidence))


def places(line: Passage, kind: Place) -> frozenset[str]:
    """The pages, section or version that a line says it is of: in its record, or in one that holds it."""
    record = line.record
    while record is not None:
        found = [
            number
            for cell in record.cells
            if len(cell.path) == 1 and _PLACES[kind].fullmatch(words_of(str(cell.path[0])))
            for number in _numbers_in(cell.text, kind)
        ]
        if found:
            return frozenset(found)
        record = record.parent
    return frozenset()


def _numbers_in(text: str, kind: Place) -> Iterator[str]:
    if kind != "page":
        yield from re.findall(r"\d+(?:\.\d+)*", text)
        return
    for first, last in re.findall(r"(\d+)(?:\s*[-–]\s*(\d+))?", text):
        yield from numbers_between(first, last)


_WIDEST = 20
"""Numbers that a range may name: ``[1990-2020]`` are years."""


def numbers_between(first: str, last: str) -> list[str]:
    """The numbers of a range; the first alone where the other end is none."""
    upto = int(last) if last and int(first) < int(last) <= int(first) + _WIDEST else int(first)
    return [str(n) for n in range(int(first), upto + 1)]


def _is_result(line: Passage) -> bool:
    return line.source.kind == "tool_result" and not is_call(line)


def _by_marks(lines: Sequence[Passage], mark: re.Pattern[str]) -> dict[str, list[Passage]]:
    """Lines by the mark that they, or those before them in one text, begin with."""
    found: dict[str, list[Passage]] = {}
    last: dict[int, str] = {}
    for line in lines:
        number = _number_of(line, mark) or last.get(line.source.id)
        if number is not None:
            found.setdefault(number, []).append(line)
            if line.record is None:
                last[line.source.id] = number
    return found


def _number_of(line: Passage, mark: re.Pattern[str]) -> str | None:
    if line.record is None:
        marked = mark.match(line.text)
        return next((g for g in marked.groups() if g), None) if marked else None
    for cell in line.record.cells:
        named = len(cell.path) == 1 and str(cell.path[0]).lower() in _NUMBERED_FIELDS
        if named and str(cell.raw).isdigit():
            return str(cell.raw)
    return None


def _in_order(results: Sequence[Passage]) -> dict[str, list[Passage]]:
    found: dict[str, list[Passage]] = {}
    order: dict[tuple[int, str], int] = {}
    for line in results:
        if line.record is not None and _is_row(line.record):
            place = (line.source.id, line.record.pointer)
            found.setdefault(str(order.setdefault(place, len(order) + 1)), []).append(line)
    return found


def _is_row(record: Record) -> bool:
    # The list that is the whole result has no pointer, and so its rows no group.
    return bool(record.group) or bool(re.fullmatch(r"/\d+", record.pointer))


def _documents(
    results: Sequence[Passage], marked: Mapping[str, Sequence[Passage]]
) -> tuple[tuple[Document, ...], dict[str, tuple[Document, ...]]]:
    """The documents among the results, and the same by each of their names."""
    number_of = {id(line): n for n, lines in marked.items() for line in lines}
    lines: dict[tuple[object, ...], list[Passage]] = {}
    names: dict[tuple[object, ...], dict[str, None]] = {}
    for line in results:
        key, called = _identity(line, number_of.get(id(line)))
        if key:
            lines.setdefault(key, []).append(line)
            names.setdefault(key, {}).update(dict.fromkeys(called))
    made: list[Document] = []
    by_name: dict[str, list[Document]] = {}
    for key, own in lines.items():
        called = [name for name in names[key] if name.strip()]
        if not called or not any(map(_holds_text, own)):
            continue
        ends = [m[1] for name in called if (m := _VERSIONED.search(name))]
        document = Document(called[0], tuple(own), ends[0] if ends else "")
        made.append(document)
        for name in {fold(n) for known in called for n in _spellings(known)}:
            if len(name) > 1:
                by_name.setdefault(name, []).append(document)
    return tuple(made), {name: tuple(found) for name, found in by_name.items()}


def _identity(line: Passage, number: str | None) -> tuple[tuple[object, ...], list[str]]:
    """What tells the document of a line from others of its result, and what that is called."""
    if line.record is None:
        head, bar, _ = line.text.partition(" | ")
        led = _LED.match(line.text) if number else None
        called = [next(filter(None, led.groups()), "")] if led else []
        if bar and len(head) <= _LONGEST_NAME:
            called += [part.strip() for part in head.split("›")]
            return (line.source.id, number, head), called
        return ((line.source.id, number), called) if number else ((), [])
    record: Record | None = line.record
    called, key = [], ""
    while record is not None:
        own = [
            cell.text.strip()
            for cell in record.cells
            if len(cell.path) == 1
            and isinstance(cell.raw, str)
            and _NAMES.fullmatch(words_of(str(cell.path[0])))
            and len(cell.text) <= _LONGEST_NAME
            and any(map(str.isalpha, cell.text))
        ]
        key = key or (record.pointer if own else "")
        called += own
        record = record.parent
    return ((line.source.id, key or line.record.pointer), called) if called else ((), [])


def _holds_text(line: Passage) -> bool:
    if line.record is None:
        return True
    return any(
        isinstance(c.raw, str) and len(c.raw.split()) >= _TEXT_WORDS for c, _, _ in line.cells
    )


def _spellings(name: str) -> Iterator[str]:
    """A name as answers may give it: whole, without its version, a file's without its folders and ending, a page's host."""
    yield name
    if ended := _VERSIONED.search(name):
        yield name[: ended.start()]
    if "://" in name:
        host = urlsplit(name).hostname or ""
        yield host.removeprefix("www.")
    elif "/" in name or re.search(r"\.\w{2,5}$", name):
        path = PurePosixPath(name)
        yield path.name
        yield path.stem


def _tools(evidence: Evidence, results: Sequence[Passage]) -> dict[str, Document]:
    """Each tool of the run by its name, with what it returned; one that was not called, or failed, returned nothing."""
    lines: dict[str, list[Passage]] = {tool.name: [] for tool in evidence.ledger.tools or ()}
    for entry in evidence.ledger.calls:
        lines.setdefault(entry.call.name, [])
    for line in results:
        if line.source.tool:
            lines.setdefault(line.source.tool, []).append(line)
    return {name: Document(name, tuple(own)) for name, own in lines.items()}
