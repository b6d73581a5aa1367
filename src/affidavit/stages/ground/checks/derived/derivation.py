"""A derivation: a value of the claim computed from values of the evidence, with its formula."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import TypeAlias

from affidavit.ledger.ledger import Passage, Source
from affidavit.ledger.records import Cell, Record, words_of
from affidavit.ledger.search import Search
from affidavit.ledger.values import Value, compare, fold
from affidavit.ledger.words import content_stems, named_in, stem
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.field_times import (
    are_of_two_times,
    is_earlier,
    without_period,
)
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


def gives(derivation: Derivation, value: Value, today: date | None) -> bool:
    """Whether a derivation comes to a value of a claim, as people round."""
    match = compare(value, derivation.result, today=today)
    if match == "same" or (match == "rounded" and not derivation.exact):
        return True
    return _is_fraction(value, derivation.result)


def _is_fraction(value: Value, result: Value) -> bool:
    """Whether a share that is told as a fraction, "a third", is the one that was computed."""
    if value.kind != "percent" or any(map(str.isdigit, value.text)):
        return False
    if value.number is None or result.number is None:
        return False
    return abs(value.number - result.number) < Decimal("0.05")


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


def in_time(first: Operand, second: Operand) -> tuple[Operand, Operand]:
    """Two figures of one thing, the earlier first: by the periods that their fields are named after, and in the
    order they stand where these tell none. Reports put the last year first."""
    turned = is_earlier(first.cell.key, second.cell.key) is False
    return (second, first) if turned else (first, second)


def are_in_time(first: Operand, second: Operand) -> bool:
    """Whether two figures are of one measure at two times, as far as the names of their fields tell: a ``cpu_pct`` is
    not what has become of a ``mem_pct``."""
    return first.cell is not second.cell and are_of_two_times(first.cell.key, second.cell.key)


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
    def field_words(self) -> frozenset[str]:
        """The stems of fields whose numbers count something: ``goals``, not ``order_number``."""
        keys = {
            cell.key
            for column in self.columns.values()
            for cell in [column[0].cell]
            if not counts_nothing(cell)
        }
        return frozenset(
            stems for key in keys if len(found := content_stems(key)) == 1 for stems in found
        )

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
        held = [self._coded.get(code, set()) for code in codes]
        if not all(held):
            return self
        return self.of_positions(set[int]().union(*held))

    @cached_property
    def _coded(self) -> dict[str, set[int]]:
        """Positions of the rows, by each identifier in them, folded."""
        found: dict[str, set[int]] = {}
        for at, row in enumerate(self.rows):
            for cell in row.cells:
                if counts_nothing(cell):
                    found.setdefault(fold(cell.text), set()).add(at)
        return found

    def of_positions(self, chosen: set[int]) -> Table:
        """The rows at these positions, with the passages that show them."""
        if len(chosen) == len(self.rows):
            return self
        rows = tuple(self.rows[at] for at in sorted(chosen))
        passages = (passage for row in rows for passage in self.shown.get(row.pointer, ()))
        return Table(self.name, rows, tuple(passages))

    @cached_property
    def shown(self) -> dict[str, list[Passage]]:
        """The passages that show a row, by its pointer."""
        found: dict[str, list[Passage]] = {}
        for passage in self.passages:
            found.setdefault(passage.pointer, []).append(passage)
        return found

    @cached_property
    def totals(self) -> set[str]:
        """Pointers of the rows that are no rows of the list but say what the others come to: a label like
        "Total", or in the last rows a figure that is the sum of all above it."""
        found = {
            row.pointer
            for row in self.rows
            if any(
                isinstance(cell.raw, str)
                and (label := content_stems(cell.text))
                and label <= _TOTAL
                for cell in row.cells[:2]
            )
        }
        for column in self.columns.values():
            above = Decimal(0)
            for at, operand in enumerate(column):
                if at > 1 and operand.number == above != 0 and not counts_nothing(operand.cell):
                    found.add(operand.passage.pointer)
                above += operand.number
        return found if len(found) < len(self.rows) - 1 else set()

    def called_in(self, text: str) -> set[str]:
        """Pointers of the rows that a text calls by a word of a short text that no other row has: a surname
        of a full name."""
        said = set(re.findall(r"[^\W\d_]{3,}", text))
        return {
            at
            for word, rows in self._words.items()
            if word in said and len(rows) == 1
            for at in rows
        }

    @cached_property
    def _words(self) -> dict[str, set[str]]:
        """Rows by the capitalised words of their short texts."""
        found: dict[str, set[str]] = {}
        for row in self.rows:
            for cell in row.cells:
                if isinstance(cell.raw, str) and len(cell.text) <= _LONGEST:
                    for word in re.findall(r"\b[^\W\d_a-z][^\W\d_]{2,}", cell.text):
                        found.setdefault(word, set()).add(row.pointer)
        return found

    @cached_property
    def flags(self) -> dict[Path, list[tuple[Record, Cell]]]:
        """Every column that says yes or no of some rows, with these."""
        found: dict[Path, list[tuple[Record, Cell]]] = {}
        for row in self.rows:
            for cell in row.cells:
                if cell.flag is not None:
                    found.setdefault(cell.path, []).append((row, cell))
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
                if cell.raw is True:
                    mark = content_stems(cell.key)
                elif isinstance(cell.raw, str) and fold(cell.raw) == "yes":
                    mark = content_stems(str(cell.path[-1]))
                elif isinstance(cell.raw, str) and 1 < len(cell.raw) < 30:
                    mark = f" {fold(cell.raw)} "
                if mark:
                    found.setdefault(cell.path, {}).setdefault(mark, []).append(at)
        return found


def _says(mark: _Mark, wanted: str, said: frozenset[str]) -> bool:
    if isinstance(mark, str):
        # Of several: "income tax advances". One word with an s may be another, "open" and "opens".
        several = f"{mark[:-1]}s " if " " in mark.strip() else mark
        return mark in wanted or several in wanted
    return len(named_in(mark, said)) == len(mark)


_TOTAL = content_stems(
    "total totals sum subtotal overall grand average mean valid cast votes turnout all"
)


def is_result(passage: Passage) -> bool:
    """Whether a passage is from a result that can be computed with: what a failed call says is not."""
    return passage.source.kind == "tool_result" and passage.source.outcome == "ok"


_LINE_BY_LINE = 20_000
"""Characters of a text beyond which it is not read again, line by line."""


def text_results(context: GroundContext) -> list[tuple[Source, list[Passage]]]:
    """The results that are texts and no longer than can be read again, each with its passages."""

    def read() -> list[tuple[Source, list[Passage]]]:
        found: dict[int, tuple[Source, list[Passage]]] = {}
        for passage in filter(is_result, context.search.passages):
            source = passage.source
            if passage.pointer.startswith("char=") and len(source.text) <= _LINE_BY_LINE:
                found.setdefault(source.id, (source, []))[1].append(passage)
        return list(found.values())

    return context.search.once("results that are texts", read)


_LONGEST = 30
"""Longest text that is taken for an attribute, in characters."""
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
    """The measured values of one thing at a time: a record with its parts, in a named row.

    None where thousands of rows may be meant: by chance some of them would prove any figure.
    """
    shown = [p for p in context.fitting if p.record is not None and is_result(p)]
    if len({(p.source.id, p.pointer) for p in shown}) <= _MOST_THINGS:
        yield from _by_thing(shown, listed=False).values()


def number_lists(context: GroundContext) -> Iterator[list[Operand]]:
    """The items of the lists of plain numbers in one thing at a time, in a named row."""
    shown = [p for p in context.fitting if p.record is not None and is_result(p)]
    yield from _by_thing(shown, listed=True).values()


def _by_thing(shown: Iterable[Passage], *, listed: bool) -> dict[tuple[int, str], list[Operand]]:
    found: dict[tuple[int, str], list[Operand]] = {}
    for passage in shown:
        operands = [
            Operand(passage, cell, value)
            for cell, value in passage.cell_values
            if value.number is not None
            and (not listed or cell.path and isinstance(cell.path[-1], int))
        ]
        for level in _upward(passage.record) if operands else ():
            found.setdefault((passage.source.id, level.pointer), []).extend(operands)
    return found


_MOST_THINGS = 400
"""Records that may be meant, beyond which nothing is derived from each of them."""


def _upward(record: Record | None) -> Iterator[Record]:
    level = record
    while level is not None:
        yield level
        level = level.parent


def number_like(value: Value, result: Decimal, unit: str = "") -> Value:
    """A result in the shape of the claim's value, so that the two can be compared."""
    text = f"{result.normalize():f}"
    # In the claim's own unit, so that none is taken for a binary one: 12.3 GB are no 13.2 GB.
    return Value(
        value.kind, text, 0, len(text), number=result, unit=unit or value.unit, face_unit=value.face_unit,
    )  # fmt: skip


def measured_like(value: Value, result: Decimal, operand: Operand) -> Value:
    """A result of operands like this one in the shape of the claim's value; of plain numbers, whose unit is
    not told, it is in the unit that the claim says."""
    return measured_as(value, result, operand.value)


def measured_as(value: Value, result: Decimal, held: Value) -> Value:
    """A result of figures like ``held`` in the shape of the claim's value."""
    told = value.kind in ("quantity", "duration") and value.face and value.number is not None
    if held.kind == "number" and told and value.face:
        return number_like(value, result * (value.number or 1) / value.face)
    return number_like(value, result, held.unit)


def same_measure(operands: Iterable[Operand], value: Value) -> list[Operand]:
    """Those operands that measure what the value measures."""
    return [o for o in operands if like_measures(o.value, value)]


def measure_of(operand: Operand) -> tuple[str, str]:
    """What an operand measures, in words: its unit, and for a plain number, whose unit is its field's own
    name, that name without the time it is of: ``q1`` and ``q2``, ``sold_2024`` and ``sold_2025``."""
    key = operand.cell.key
    if operand.value.kind != "number" or operand.value.unit not in (
        *key.split(),
        stem(key.split(" ")[-1]),
    ):
        return operand.value.kind, operand.value.unit
    return "number", without_period(key)


def like_measures(a: Value, b: Value) -> bool:
    """Whether two values measure the same: amounts of one currency, counts, lengths."""
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


def may_be_told(held: Value, value: Value) -> bool:
    """Whether a figure may be told as the value: what plain numbers count has many names, 128 "people" of the
    field ``dissatisfied``."""
    return held.kind == value.kind == "number" or like_measures(held, value)


def formula(parts: Sequence[Operand], sign: str, result: str, limit: int = 8) -> str:
    """``1240 + 865.5 = 2105.5``, shortened in the middle where there are many operands."""
    shown = list(map(str, parts[:limit]))
    if len(parts) > limit:
        shown = [*shown[: limit - 2], f"… ({len(parts)} values)", str(parts[-1])]
    return f"{f' {sign} '.join(shown)} = {result}"
