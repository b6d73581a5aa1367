"""From a reading at the start to one at the end: the 680 km of ``km_start: 45210`` and ``km_end: 45890``, and what
was used per 100 km of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from affidavit.ledger.values import Value, parse_values
from affidavit.ledger.values.units import quantity_unit
from affidavit.stages.ground.checks.derived.aggregate import SUM
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Operand,
    Table,
    counts_nothing,
    formula,
    like_measures,
    number_like,
    things,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_ENDS = {
    "start": "end", "begin": "end", "beginning": "end", "opening": "closing", "open": "close", "first": "last",
    "initial": "final", "before": "after", "old": "new", "previous": "current", "prev": "curr", "from": "to",
    "departure": "arrival",
}  # fmt: skip
"""Words of names that tell two readings of one meter apart, the earlier first."""
_GONE = re.compile(
    r"\b(?:drove|driven|drives?|cover(?:s|ed)?|travel\w*|rode|ridden|ran|runs?|use[sd]?|consum\w+|burn\w*|produc\w+|generat\w+|made|"
    r"add(?:s|ed)?|went|took|distance|usage|consumption|mileage|in total|altogether|together|sold|gained|lost|grew|fell|rose)\b",
    re.I,
)
"""Words of a claim that tells what has gone through a meter."""
_PER = re.compile(r"\s?(?:per|/|pro|auf|por|pour|aux)\s?(?P<size>\d+\s?[a-zA-Z²³]+)")


def start_to_end(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The difference of two readings of one thing, their sum over all rows, or a measure per so much of it."""
    if value.number is None or value.kind not in ("number", "quantity", "money"):
        return
    if each := _PER.match(claim.text, value.end):
        yield from _per(value, each["size"], context)
        return
    if value.kind == "money":
        yield from _charged(value, context)
    if not _GONE.search(claim.statement):
        return
    for thing in things(context):
        for gone, text in readings(thing):
            if like_measures(gone.value, value):
                shown = number_like(value, gone.number, gone.value.unit)
                yield Derivation("difference", shown, f"{text} = {shown.text}", (gone.span,))
    for table in known if SUM.search(claim.statement) else ():
        every = [readings(_of_row(table, row.pointer)) for row in table.rows]
        rows = [[g for g, _ in found if g.value.kind == value.kind] for found in every]
        if len(rows) > 1 and all(len(found) == 1 for found in rows):
            parts = [found[0] for found in rows]
            total = sum((part.number for part in parts), Decimal(0))
            if like_measures(parts[0].value, value):
                shown = number_like(value, total, parts[0].value.unit)
                spans = tuple(part.span for part in parts[:8])
                yield Derivation("sum", shown, formula(parts, "+", shown.text), spans)


_BY = re.compile(r"\s?(?:[A-Z]{3}|[€$£])?\s?(?:/|per\s)\s?(?P<unit>[a-zA-Z³²]+)")


def _charged(value: Value, context: GroundContext) -> Iterator[Derivation]:
    """What has gone through a meter at the price of its unit that stands beside it: "0.31 EUR/kWh"."""
    for thing in things(context):
        for gone, text in readings(thing):
            for rate in thing:
                by = _BY.match(rate.cell.text, rate.value.end)
                unit = quantity_unit(by["unit"]) if by and rate.value.kind == "money" else None
                if (
                    unit is not None
                    and unit[0] == gone.value.unit
                    and like_measures(rate.value, value)
                ):
                    result = round(rate.number * gone.number / unit[1], 2)
                    shown = number_like(value, result, rate.value.unit)
                    told = f"({text}) × {rate.cell.text} = {shown.text}"
                    yield Derivation("product", shown, told, (gone.span, rate.span))


def _of_row(table: Table, pointer: str) -> list[Operand]:
    return [
        Operand(passage, cell, value)
        for passage in table.shown.get(pointer, ())
        for cell, value in passage.cell_values
        if value.number is not None
    ]


def readings(thing: Sequence[Operand]) -> Iterator[tuple[Operand, str]]:
    """What has gone between two readings of one thing, in the most telling of their measures."""
    by_name: dict[tuple[str, str, str, str], Operand] = {}
    for o in thing:
        if not counts_nothing(o.cell):
            by_name[o.passage.pointer, o.cell.key, o.value.kind, o.value.unit] = o
    for (pointer, key, kind, unit), first in by_name.items():
        for start, end in _ENDS.items():
            other = re.sub(rf"\b{start}\b", end, key)
            last = by_name.get((pointer, other, kind, unit)) if other != key else None
            if last is not None and last.number > first.number:
                gone = replace(last.value, number=last.number - first.number, face=None)
                yield Operand(last.passage, last.cell, gone), f"{last} − {first}"


def _per(value: Value, size: str, context: GroundContext) -> Iterator[Derivation]:
    """A measure of one thing by so many hundreds of another: "8 l per 100 km"."""
    each = next(iter(parse_values(size)), None)
    if each is None or not each.number or each.kind != "quantity":
        return
    for thing in things(context):
        every = [*thing, *(gone for gone, _ in readings(thing))]
        parts = [o for o in every if o.value.kind == value.kind and o.value.unit == value.unit]
        wholes = [o for o in every if (o.value.kind, o.value.unit) == (each.kind, each.unit)]
        gone = [o for o in wholes if o.value.face is None]
        for part in parts:
            for whole in gone or wholes:
                if whole.number > 0 and part.cell is not whole.cell:
                    result = round(part.number / whole.number * each.number, 6)
                    text = f"{part} / {whole} × {size}"
                    shown = number_like(value, result, part.value.unit)
                    spans = (part.span, whole.span)
                    yield Derivation("rate", shown, f"{text} = {shown.text}", spans, (each.number,))
