"""The field that a statement speaks of, where it holds another value than the statement's.

Beside ``battery_hours: 20`` and ``ports: 3``, "the battery lasts 60 hours" is a false reading of the first field, and no
product of both. That a formula happens to give the value shows little there, unless the statement says more than the field:
a word that stands nowhere with it may tell of a sum, and a number of the statement, or of the question, of what to take.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.values import AMOUNTS, Value, ValueKind
from affidavit.ledger.words import content_stems, stem
from affidavit.stages.ground.linking.evidence import Evidence, bears_out, is_call
from affidavit.stages.ground.linking.formula import LEAST, Formula, size_of

_NEAREST = 8
_MORE = 0.1
"""What is left, by each word that neither the field nor what it stands in has, of how surely a statement only repeats the field."""
_CALLED = {
    "money": "price cost fee charge rate amount",
    "percent": "rate share",
    "duration": "duration period length time lasts takes",
    "number": "number count quantity",
    "quantity": "number amount quantity",
}
"""What a value of the kind is called: words that name no particular one, and tell of no computation."""


@dataclass(frozen=True)
class NamedField:
    """The only field of the evidence with the words of a statement, how surely the statement says no more than it, and the
    sizes of numbers that somebody named."""

    cell: Cell
    surely: float
    named: frozenset[float]

    def left_of(self, formula: Formula) -> Formula | None:
        """A formula for the statement's value, as strong as it still is."""
        if any(o.cell is not self.cell and o.size in self.named for o in formula.operands):
            return formula
        left = replace(formula, strength=formula.strength * (1 - self.surely))
        return left if left.strength >= LEAST else None


def named_field(
    value: Value,
    statement: str,
    values: Iterable[Value],
    words: frozenset[str],
    near: Sequence[tuple[Passage, float]],
    evidence: Evidence,
    named: Iterable[float] = (),
) -> NamedField | None:
    """The field that a statement with ``values`` speaks of for one of them, if there is only one. ``words`` are those of all
    its values, ``named`` sizes of numbers that were worked out before."""
    if value.kind not in AMOUNTS or value.number is None:
        return None
    said, kind = content_stems(statement), _words_of_kind(value.kind)
    best: tuple[float, int, Cell] | None = None
    # "It costs 360" shares no word with ``price_eur``: then every line is as near.
    for line in [line for line, _ in near[:_NEAREST]] or evidence.lines[:_NEAREST]:
        if is_call(line) or not bears_out(line):
            continue
        for cell in {id(c): c for c, v in line.cell_values if v.kind == value.kind}.values():
            field = _words(cell, line)
            if not field or not field - kind <= said:
                continue
            around = field | line.stems | content_stems(line.source.tool or "")
            told = said - words - kind
            more = len(told - around)
            found = _MORE**more, len(field), cell
            if best is None or found[:2] > best[:2]:
                best = found
    if best is None or not _is_only(best[2], evidence):
        return None
    sizes = {size_of(one) for one in values if one is not value and one.number is not None}
    asked = (v for line in evidence.lines if line.source.kind == "user" for v in line.values)
    sizes |= {size_of(one) for one in asked if one.number is not None}
    return NamedField(best[2], best[0], frozenset({*sizes, *named}))


def says_only_its_kind(cell: Cell, line: Passage, kind: ValueKind) -> bool:
    """Whether a field is called by no more than what its value is: ``price_cents``, of which "it costs $5" speaks."""
    return _words(cell, line) <= _words_of_kind(kind)


def _words_of_kind(kind: ValueKind) -> frozenset[str]:
    return content_stems(_CALLED.get(kind, ""))


def _words(cell: Cell, line: Passage) -> frozenset[str]:
    """What a field is called, without the unit of its value; one that is called by its unit alone, by that."""
    name = content_stems(cell.key)
    read = [v for own, v in line.cell_values if own is cell]
    units = {stem(unit) for v in read for unit in (v.unit, v.face_unit) if unit}
    return name - units or name


def _is_only(cell: Cell, evidence: Evidence) -> bool:
    """Whether no other place has a field of that name: several may be added up, or set side by side."""
    lines = evidence.lines_with(cell.key, _NEAREST)
    places = {(line.source.id, c.pointer) for line in lines for c, _, _ in line.cells if c.key == cell.key}  # fmt: skip
    return len(places) == 1
