"""Arithmetic on what the answer itself has stated and the evidence bears out: "10,412 to 10,371, by 41"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations, permutations

from affidavit.ledger.values import Value, parse_values
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.derivation import Derivation, Table, number_like
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_NEAR = 3
"""How many claims back an answer still computes with."""


def stated(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The difference, the sum or the ratio of values that this claim or those just before it state.

    Operands are few and each is in the evidence (a value stated before was judged by itself), so a
    chance match is unlikely.
    """
    if value.number is None:
        return
    operands = _operands(claim, value, context)
    if value.kind == "percent":
        yield from _ratios(value, operands)
        return
    like = [o for o in operands if (o.kind, o.unit) == (value.kind, value.unit) or _bare(o, value)]
    for a, b in permutations(like, 2):
        if a.number is not None and b.number is not None and a.number >= b.number:
            yield _derivation(
                "difference", value, a.number - b.number, f"{a.text} − {b.text}", context, a, b
            )
    for size in (2, 3, 4):
        for parts in combinations(like, size):
            total = sum((p.number or Decimal(0) for p in parts), Decimal(0))
            text = " + ".join(p.text for p in parts)
            yield _derivation("sum", value, total, text, context, *parts)


def _ratios(value: Value, operands: Sequence[Value]) -> Iterator[Derivation]:
    for part, whole in permutations([o for o in operands if o.kind != "percent"], 2):
        if part.number and whole.number and abs(part.number) <= abs(whole.number):
            ratio = round(part.number / whole.number * 100, 6)
            text = f"{part.text} / {whole.text} = {ratio.normalize():f} %"
            yield Derivation("share", number_like(value, ratio), text)


def _operands(claim: Claim, value: Value, context: GroundContext) -> list[Value]:
    """Measured values stated nearby; of a table's cell, those of its row."""
    if claim.cell is not None:
        texts = [text for column, text in claim.cell.cells.items() if column != claim.cell.column]
        return [v for text in texts for v in parse_values(text) if v.number is not None][:8]
    before = [v for c in context.before[-_NEAR:] for v in c.values]
    return [
        v for v in (*before, *claim.values)
        if v.number is not None and v is not value and v.text != value.text
    ][-8:]  # fmt: skip


def _bare(operand: Value, value: Value) -> bool:
    """Counts of one thing may name it once: "10,412 to 10,371, by 41 votes"."""
    return {operand.kind, value.kind} <= {"number", "quantity"} and not (
        operand.unit and value.unit
    )


def _derivation(
    operation: str, value: Value, result: Decimal, text: str, context: GroundContext, *parts: Value
) -> Derivation:
    shown = number_like(value, result)
    spans: list[EvidenceSpan] = []
    for part in parts:
        hit = next(iter(context.search.hits(part)), None)
        if hit is not None:
            spans.append(hit.passage.span(hit.cell))
    return Derivation(operation, shown, f"{text} = {shown.text}", tuple(spans))
