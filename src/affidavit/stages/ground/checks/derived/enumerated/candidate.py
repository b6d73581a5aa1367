"""Figures of the evidence, and what they come to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from affidavit.ledger.records import Cell, words_of
from affidavit.ledger.values import Value, fold
from affidavit.ledger.values.currencies import CODES
from affidavit.ledger.values.units import is_measure
from affidavit.ledger.words import content_stems, named_in, stem
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Operand,
    like_measures,
    measured_as,
    number_like,
)
from affidavit.stages.ground.checks.derived.enumerated.asks import Asks
from affidavit.stages.ground.checks.derived.field_times import without_period
from affidavit.stages.ground.checks.values.windows import named_after

_FINEST, _LARGEST = Decimal("0.000001"), Decimal(10) ** 15
SHOWN = 8
"""Parts of a sum that its formula shows."""


@dataclass(frozen=True)
class Figure:
    """A measured value: of a field, or in running text with the words around it."""

    value: Value
    key: str
    place: tuple[object, ...]
    row: str
    span: EvidenceSpan | None = None
    cell: Cell | None = None

    @classmethod
    def of(cls, operand: Operand) -> Figure:
        at, cell = operand.passage.pointer, operand.cell
        return cls(operand.value, cell.key, (at, *cell.path), at, operand.span, cell)

    @property
    def number(self) -> Decimal:
        assert self.value.number is not None
        return self.value.number

    def is_like(self, other: Figure) -> bool:
        """Whether two may be added up or taken from one another: a price and a discount in percent may not. Of a
        plain number beside an amount no currency need be told."""
        one, two = self.value, other.value
        known = [unit for unit in (one.unit, two.unit) if _is_unit(unit)]
        if one.unit == two.unit or not known:
            return one.kind == two.kind
        alike = {one.kind, two.kind} <= {"number", "money"}
        return alike and len(known) == 1 and known[0] in CODES

    def may_measure(self, value: Value) -> bool:
        """Whether it may be of the value's measure: of plain numbers the unit is not told. A number of cents is
        read as an amount, too, and only that is one."""
        if self.value.kind == "number" and value.kind != "number":
            return not _is_money(self.value.unit)
        return self.value.kind == "number" or like_measures(self.value, value)

    def __str__(self) -> str:
        return f"{self.number.normalize():f}"


@dataclass(frozen=True)
class Candidate:
    """A derivation and the numbers it is from."""

    derivation: Derivation
    operands: tuple[Decimal, ...]
    named: int
    """How many of the fields it is from the claim has words of."""
    first_named: bool = False
    """Whether it has words of the first: "five percent of your calls failed" of ``errors``."""

    @property
    def result(self) -> Decimal:
        return self.derivation.result.number or Decimal(0)


def _is_unit(word: str) -> bool:
    return is_measure(word) or _is_money(word)


def _is_money(word: str) -> bool:
    """An amount is read as such besides; a percentage is read as one."""
    return word in CODES or word in ("percent", "cent")


def made(asks: Asks, operation: str, result: Decimal, text: str, *parts: Figure) -> Candidate:
    """What an operation on these figures comes to."""
    value, held = asks.value, parts[0].value
    plain = result.quantize(_FINEST) if abs(result) < _LARGEST else result
    untold = value.kind == "money" and held.kind == "number"
    shown = (
        number_like(value, plain)  # of plain numbers no currency is told
        if asks.percent or untold
        else measured_as(value, plain, held)
    )
    spans = tuple(dict.fromkeys(p.span for p in parts[:SHOWN] if p.span is not None))
    named = {key for key in {p.key for p in parts} if named_in(content_stems(key), asks.said)}
    formula = f"{text} = {plain.normalize():f}"
    return Candidate(
        Derivation(operation, shown, formula, spans),
        tuple(p.number for p in parts),
        len(named),
        parts[0].key in named,
    )


_MARK = re.compile(r"\b(?:q[1-4]|h[12])\b")
"""Quarters and halves of a year, as fields are named after them."""


def spoken_of(figures: Sequence[Figure], asks: Asks) -> list[Figure]:
    """Those of the time that the claim says, where fields are named for times: of ``q1_sales`` to ``q4_sales``
    the first two, where it speaks of Q1 and Q2; and of fields that it names in so many words these."""
    told = f" {fold(asks.claim.text)} "
    dated = [
        f
        for f in figures
        if (f.cell is not None and named_after(f.cell, asks.claim))
        or any(f" {m[0]} " in told for m in _MARK.finditer(f.key))
    ]
    # Not where no other time has such a field: "that leaves £480 for today" is of more than ``used_today``.
    series = {without_period(f.key) for f in dated}
    several = any(f not in dated and without_period(f.key) in series for f in figures)
    chosen = dated if dated and (several or len({f.place for f in dated}) > 1) else list(figures)
    words = {stem(word) for word in told.split()}
    named = [f for f in chosen if f.cell is not None and _own_words(f.cell) <= words]
    return named if len({f.place for f in named}) > 1 else chosen


def _own_words(cell: Cell) -> set[str]:
    """All words of a field's own name: "very easy" is not the "easy" of a claim."""
    return {stem(word) for word in words_of(str(cell.path[-1])).split()}


def total(parts: Sequence[Figure]) -> Decimal:
    return sum((p.number for p in parts), Decimal(0))


def added(parts: Sequence[Figure]) -> str:
    """``1240 + 865.5``, shortened in the middle where there are many."""
    shown = list(map(str, parts[:SHOWN]))
    if len(parts) > SHOWN:
        shown = [*shown[:-1], f"… ({len(parts)} values)", str(parts[-1])]
    return " + ".join(shown)


_FAR = Decimal("0.04")
"""The share of a figure in another below which the two are not compared in percent: of two so unlike, any
percentage near a hundred would be right."""


def share(asks: Asks, a: Figure, b: Figure) -> Candidate | None:
    """``a`` in percent of ``b``, or by how many percent it is more or less."""
    if "percent" in (a.value.kind, b.value.kind) or not b.number:
        return None
    if not like_measures(a.value, b.value) and "number" not in (a.value.kind, b.value.kind):
        return None
    ratio = a.number / b.number
    if not _FAR < ratio < 1 / _FAR or ratio == 1:
        return None
    if not asks.changed:
        return made(asks, "share", ratio * 100, f"{a} / {b}", a, b) if ratio < 1 else None
    if asks.grown != (ratio > 1):
        return None
    return made(asks, "change", abs(ratio - 1) * 100, f"|{a} − {b}| / {b}", a, b)
