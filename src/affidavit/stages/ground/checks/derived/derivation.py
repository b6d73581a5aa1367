"""A derivation: a value of the claim computed from values of the evidence, with its formula."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TypeAlias

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell, Record, words_of
from affidavit.ledger.search import Search
from affidavit.ledger.values import Value, fold
from affidavit.ledger.words import content_stems, named_in
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

Path: TypeAlias = tuple[str | int, ...]
_Mark: TypeAlias = str | frozenset[str]


@dataclass(frozen=True)
class Derivation:
    """A computed value, how, and from what. The claim's own words asked for ``operation``."""

    operation: str
    result: Value
    formula: str
    spans: tuple[EvidenceSpan, ...] = ()
    factors: tuple[Decimal, ...] = ()
    """Numbers that the computation used, which a claim may state as well ("5 × €142")."""
    exact: bool = False
    """Whether the result must be the claim's value to the last digit."""


@dataclass(frozen=True)
class Operand:
    """A measured value of the evidence and where it stands."""

    passage: Passage
    cell: Cell
    value: Value

    @property
    def number(self) -> Decimal:
        assert self.value.number is not None
        return self.value.number

    @property
    def span(self) -> EvidenceSpan:
        return self.passage.span(self.cell)

    def __str__(self) -> str:
        return f"{self.number.normalize():f}"


@dataclass(frozen=True, eq=False)  # compared by identity: to hash thousands of rows takes seconds
class Table:
    """Like records of one result: the rows of a list, with their passages."""

    name: str
    rows: tuple[Record, ...]
    passages: tuple[Passage, ...]

    @cached_property
    def columns(self) -> dict[tuple[object, ...], list[Operand]]:
        """Every numeric column, one operand a row, in each of its readings."""
        found: dict[tuple[object, ...], list[Operand]] = {}
        for passage in self.passages:
            for cell, value in passage.cell_values:
                if value.number is not None:
                    key = (*cell.path, value.kind, value.unit)
                    found.setdefault(key, []).append(Operand(passage, cell, value))
        return found

    @cached_property
    def by_code(self) -> dict[str, list[Record]]:
        """Rows by the code that they open with, folded: an identifier, not a word."""
        found: dict[str, list[Record]] = {}
        for row in self.rows:
            first = next((c for c in row.cells if not c.is_blank), None)
            if first is not None and counts_nothing(first) and len(first.text) >= 4:
                if any(map(str.isdigit, first.text)):
                    found.setdefault(fold(first.text), []).append(row)
        return found

    def of_codes(self, codes: frozenset[str]) -> Table:
        """The rows of which one of the ``codes``, folded, is an identifier; the whole table where not each
        code has one."""
        held = [self._coded.get(code, frozenset()) for code in codes]
        if not all(held):
            return self
        pointers = frozenset().union(*held)
        rows = tuple(row for row in self.rows if row.pointer in pointers)
        passages = tuple(p for p in self.passages if p.pointer in pointers)
        return Table(self.name, rows, passages) if len(rows) < len(self.rows) else self

    @cached_property
    def _coded(self) -> dict[str, set[str]]:
        """Pointers of the rows, by each identifier in them, folded."""
        found: dict[str, set[str]] = {}
        for row in self.rows:
            for cell in row.cells:
                if counts_nothing(cell):
                    found.setdefault(fold(cell.text), set()).add(row.pointer)
        return found

    @cached_property
    def texts(self) -> dict[Path, set[str]]:
        """The short texts of every column."""
        found: dict[Path, set[str]] = {}
        for row in self.rows:
            for cell in row.cells:
                if isinstance(cell.raw, str) and 1 < len(cell.text) <= _LONGEST:
                    found.setdefault(cell.path, set()).add(cell.text)
        return found

    def where(self, claim: Claim) -> Table:
        """The rows that a claim singles out by something they say ("two of them were SEV1", "the
        cheapest available"); the whole table where it singles out none."""
        return self.that_say(f"{claim.context} {claim.statement}")

    def that_say(self, text: str) -> Table:
        """The rows that a text singles out; the whole table where it singles out none."""
        rows = self.rows_that_say(text)
        if not rows:
            return self
        pointers = {row.pointer for row in rows}
        passages = tuple(p for p in self.passages if p.record and p.record.pointer in pointers)
        return Table(self.name, rows, passages)

    def rows_that_say(self, text: str) -> tuple[Record, ...] | None:
        """The rows of which everything holds that a text names of some row, which may be none; None
        where it names nothing that tells the rows apart."""
        wanted = f" {fold(text)} "
        said = content_stems(text)
        chosen: set[int] | None = None
        for marks in self._marks.values():
            rows = {
                at for mark, places in marks.items() if _says(mark, wanted, said) for at in places
            }
            # A column that every row says the same of singles nothing out.
            if rows and len(rows) < len(self.rows):
                chosen = rows if chosen is None else chosen & rows
        return None if chosen is None else tuple(self.rows[at] for at in sorted(chosen))

    @cached_property
    def _marks(self) -> dict[Path, dict[_Mark, list[int]]]:
        """By field, what may single a row out: a short text, or the name of what is so; with the rows."""
        found: dict[Path, dict[_Mark, list[int]]] = {}
        for at, row in enumerate(self.rows):
            for cell in row.cells:
                mark: _Mark | None = None
                if isinstance(cell.raw, str) and 1 < len(cell.raw) < 30:
                    mark = f" {fold(cell.raw)} "
                elif cell.raw is True:
                    mark = content_stems(cell.key)
                if mark:
                    found.setdefault(cell.path, {}).setdefault(mark, []).append(at)
        return found


def _says(mark: _Mark, wanted: str, said: frozenset[str]) -> bool:
    if isinstance(mark, str):
        return mark in wanted
    return len(named_in(mark, said)) == len(mark)


def is_result(passage: Passage) -> bool:
    """Whether a passage is from a result that can be computed with: what a failed call says is not."""
    return passage.source.kind == "tool_result" and passage.source.outcome == "ok"


_LONGEST = 30
_IDENTIFYING = re.compile(r"(?:^| )(?:id|number|no|code|zip|sku|ref)$")


def counts_nothing(cell: Cell) -> bool:
    """Whether a cell's digits only tell things apart: an order number is neither large nor small."""
    return bool(_IDENTIFYING.search(cell.key))


def tables(context: GroundContext) -> list[Table]:
    """The lists of records among the tool results."""
    return context.search.once("tables", lambda: _tables(context.search))


def _tables(search: Search) -> list[Table]:
    groups: dict[tuple[int, str], tuple[dict[str, Record], list[Passage]]] = {}
    for passage in search.passages:
        record = passage.record
        if record is None or not record.group or not is_result(passage):
            continue
        rows, passages = groups.setdefault((passage.source.id, record.group), ({}, []))
        rows[record.pointer] = record
        passages.append(passage)
    return [
        Table(_name(rows), tuple(rows.values()), tuple(passages))
        for rows, passages in groups.values()
    ]


def _name(rows: dict[str, Record]) -> str:
    first = next(iter(rows.values()))
    name = first.place.rsplit("›", 1)[-1].split("[", 1)[0].strip()
    key = words_of(first.pointer.rsplit("/", 1)[-1])  # the rows of a map bear their key
    return name.removesuffix(key).strip() or name


def things(context: GroundContext) -> Iterator[list[Operand]]:
    """The measured values of one thing at a time: a record with its parts, in a named row."""
    by_top: dict[tuple[int, str], list[Operand]] = {}
    for passage in context.fitting:
        if passage.record is None or not is_result(passage):
            continue
        for level in _upward(passage.record):
            bucket = by_top.setdefault((passage.source.id, level.pointer), [])
            for cell, value in passage.cell_values:
                if value.number is not None:
                    bucket.append(Operand(passage, cell, value))
    yield from by_top.values()


def _upward(record: Record) -> Iterator[Record]:
    level: Record | None = record
    while level is not None:
        yield level
        level = level.parent


def number_like(value: Value, result: Decimal, unit: str = "") -> Value:
    """A result in the shape of the claim's value, so that the two can be compared."""
    text = f"{result.normalize():f}"
    return Value(
        kind=value.kind, text=text, start=0, end=len(text), number=result, unit=unit or value.unit
    )


def same_measure(operands: Iterable[Operand], value: Value) -> list[Operand]:
    """Those operands that measure what the value measures."""
    return [o for o in operands if _like(o.value, value)]


def _like(a: Value, b: Value) -> bool:
    if a.kind == b.kind:
        return (
            a.unit == b.unit
            or not a.unit
            or not b.unit
            or a.kind == "money"
            and ({a.unit, b.unit} & {"", "$"} != set())
        )
    return {a.kind, b.kind} == {"number", "quantity"} or (
        {a.kind, b.kind} == {"number", "money"} and not (a.unit and b.unit)
    )


def formula(parts: Sequence[Operand], sign: str, result: str, limit: int = 8) -> str:
    """``1240 + 865.5 = 2105.5``, shortened in the middle where there are many operands."""
    shown = [str(part) for part in parts]
    if len(shown) > limit:
        shown = [*shown[: limit - 2], f"… ({len(shown)} values)", shown[-1]]
    return f"{f' {sign} '.join(shown)} = {result}"
