"""A measure for each of what a row counts: the spend per conversion, the price per litre."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from affidavit.ledger.values import Value, parse_values
from affidavit.ledger.values.units import time_unit
from affidavit.ledger.words import content_stems, named_in, stem
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Operand,
    Table,
    counts_nothing,
    like_measures,
    number_like,
    things,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_PER = re.compile(
    r"(?P<of>[\w €$£-]*?)(?:\bper|\bfor (?:each|every)|\beach|\ba piece of)\s+(?P<unit>[a-z]+)",
    re.I,
)
_COSTS = content_stems(
    "cost spend spent price paid budget total amount revenue income cheapest dearest expensive"
)

_SIZES = content_stems(
    "size count qty quantity pack pieces units servings portions sheets contents"
)


@dataclass(frozen=True, slots=True)
class Ratio:
    """``part`` for each of ``whole``."""

    part: Operand
    whole: Operand
    size: Decimal = Decimal(1)
    """How large one of the whole's units is in its base unit."""

    @property
    def result(self) -> Decimal:
        return self.part.number / self.whole.number * self.size

    def __str__(self) -> str:
        return f"{self.part} / {self.whole} = {round(self.result, 6).normalize():f}"


def per_unit(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """What the claim says to be "per" something: a measure of one thing by the number of these it has."""
    if value.number is not None and value.kind == "quantity" and "/" in value.unit:
        yield from _of_units(claim, value, context, known)
    column = claim.cell.column if claim.cell else ""
    per = _PER.search(column) or _PER.search(claim.statement)
    if per is None or value.number is None or value.kind not in ("money", "number", "quantity"):
        return
    for thing in things(context):
        of = f"{per['of']} {'cost' if value.kind == 'money' else ''}"
        for ratio in _ratios(thing, of, per["unit"]):
            if like_measures(ratio.part.value, value):
                shown = number_like(value, round(ratio.result, 6), ratio.part.value.unit)
                yield Derivation("ratio", shown, str(ratio), (ratio.part.span, ratio.whole.span))


def _of_units(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """What the claim's own unit asks for, as t/ha and km/h do: the measures in the one unit by those in the
    other, of one thing, or of all rows where the claim speaks of them together."""
    over, _, under = value.unit.rpartition("/")
    for thing in things(context):
        parts, wholes = _in_unit(thing, over, claim), _in_unit(thing, under, claim)
        if len({(o.passage.pointer, o.cell.path) for o in (*parts, *wholes)}) == 2:
            yield from _by(parts[:1], wholes[:1], under, value)
    for table in known if TOGETHER.search(claim.statement) else ():
        columns = [column for column in table.columns.values() if len(column) == len(table.rows)]
        tops = [c for c in columns if _is_in(c[0], over)]
        bottoms = [c for c in columns if _is_in(c[0], under)]
        if len(tops) == len(bottoms) == 1:
            yield from _by(tops[0], bottoms[0], under, value)


TOGETHER = re.compile(
    r"\b(?:average\w*|mean|overall|total|altogether|in all|together|combined|durchschnitt\w*|insgesamt|moyenne|promedio|media)\b",
    re.I,
)


def _is_in(operand: Operand, unit: str) -> bool:
    base = time_unit(unit)
    return operand.value.kind in ("quantity", "duration") and operand.value.unit == (
        base[0] if base else unit
    )


def _in_unit(thing: list[Operand], unit: str, claim: Claim) -> list[Operand]:
    """The measures of a thing in a unit; of several those that the claim names."""
    found = [o for o in thing if _is_in(o, unit) and not counts_nothing(o.cell)]
    if len({o.cell.path for o in found}) < 2:
        return found
    said = content_stems(claim.statement)
    return [o for o in found if named_in(content_stems(o.cell.key), said)]


def _by(
    parts: Sequence[Operand], wholes: Sequence[Operand], under: str, value: Value
) -> Iterator[Derivation]:
    part = sum((o.number for o in parts), Decimal(0))
    whole = sum((o.number for o in wholes), Decimal(0))
    if not parts or not whole:
        return
    timed = time_unit(under)
    shown = number_like(value, round(part / whole * (timed[1] if timed else 1), 9))
    faces = [
        f"{sum((o.value.face or o.number for o in side), Decimal(0)):f}" for side in (parts, wholes)
    ]
    spans = tuple(o.span for o in (*parts[:4], *wholes[:4]))
    yield Derivation("ratio", shown, f"{faces[0]} / {faces[1]} = {value.text}", spans)


def ratios_of(table: Table, of: str, unit: str) -> list[Ratio]:
    """The ratio of every row, where each has one."""
    found: list[Ratio] = []
    for row in table.rows:
        operands = [
            Operand(passage, cell, value)
            for passage in table.shown.get(row.pointer, ())
            for cell, value in passage.cell_values
            if value.number is not None
        ]
        ratios = _ratios(operands, of, unit)
        if len({(r.part.cell.path, r.whole.cell.path) for r in ratios}) != 1:
            return []
        found.append(ratios[0])
    return found


def _ratios(operands: list[Operand], of: str, unit: str) -> list[Ratio]:
    """The measures that ``of`` names, or the only amount of money, by what counts the unit."""
    named = stem(unit)
    wholes = [
        o for o in operands
        if o.value.kind != "money" and o.number > 0 and not counts_nothing(o.cell)
        and named in content_stems(o.cell.key)
    ]  # fmt: skip
    wholes = [o for o in wholes if o.value.kind == "number"] or wholes
    size = Decimal(1)
    for one in parse_values(f"1 {unit}") if not wholes else ():
        if one.kind in ("quantity", "duration") and one.number:  # per hectare, of an ``area_ha``
            alike = (one.kind, one.unit)
            wholes = [o for o in operands if (o.value.kind, o.value.unit) == alike and o.number > 0]
            size = one.number
    if not wholes:  # per egg, of a pack whose size is 12
        counted = [
            o
            for o in operands
            if o.value.kind == "number" and o.number > 0 and content_stems(o.cell.key) & _SIZES
        ]
        wholes = counted if len({o.cell.path for o in counted}) == 1 else []
    others = [o for o in operands if all(o.cell is not w.cell for w in wholes)]
    said = content_stems(of)
    told = [
        o
        for o in others
        if named_in(content_stems(o.cell.key), said) and not counts_nothing(o.cell)
    ]
    money = [o for o in others if o.value.kind == "money"]
    if not told and said & _COSTS and len({o.cell.path for o in money}) == 1:
        told = money
    amounts = [o for o in told if o.value.kind == "money"]
    parts = amounts or told
    return [Ratio(part, whole, size) for part in parts for whole in wholes]
