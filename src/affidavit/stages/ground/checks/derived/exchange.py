"""What it costs to put one thing in the place of a like one, and what a total comes to after that."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from itertools import combinations, islice

from affidavit.ledger.records import Record
from affidavit.ledger.values import Value
from affidavit.ledger.words import content_stems, named_in
from affidavit.stages.ground.checks.derived.change import DIFFERENCE
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Operand,
    Table,
    counts_nothing,
    is_result,
    number_like,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_ASKS = re.compile(
    DIFFERENCE.pattern
    + r"|(?:^|[\s(])[+−-]\s?[€$£¥]?\d|\b(?:charged?|additional|balance|new|updated|revised)\b",
    re.I,
)
_ADJUSTED = content_stems("total balance amount")
_NAMED = 12
_MOST = 400
"""Pairs beyond which none is tried: chance would find a match among so many."""


def exchanges(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The price of a variant less that of the one ordered, and a total or a balance after paying it.

    The two are versions of one thing: different results tell of them under one name or number, each
    with its own amount in a field of the same name. Only amounts with a fraction are tried, since among
    a few dozen pairs of whole amounts some would match by chance.
    """
    if not _asks(claim) or value.number is None or value.kind not in ("money", "number"):
        return
    if value.number == value.number.to_integral_value():
        return
    pairs = context.search.once("versions", lambda: list(islice(_versions(context), _MOST + 1)))
    if len(pairs) > _MOST:
        return
    for old, new in pairs:
        shown = number_like(value, new.number - old.number, _currency(new))
        text = f"{new} − {old} = {shown.text}"
        yield Derivation("difference", shown, text, (old.span, new.span), exact=True)
    named = [pair for pair in pairs if _is_named(pair, context)][:_NAMED]
    for several in (*combinations(named, 2), *combinations(named, 3)):
        if len({old.span for old, _ in several}) == len(several):
            result = sum((new.number - old.number for old, new in several), Decimal(0))
            shown = number_like(value, result, _currency(several[0][0]))
            text = " + ".join(f"({new} − {old})" for old, new in several)
            spans = tuple(operand.span for pair in several for operand in pair)
            yield Derivation(
                "sum of differences", shown, f"{text} = {shown.text}", spans, exact=True
            )
    for total in _totals(claim, context):
        for old, new in pairs:
            if total.number in (old.number, new.number):
                continue  # 9 + (5 − 9) = 5 shows nothing
            for sign in (1, -1):
                result = total.number + sign * (new.number - old.number)
                shown = number_like(value, result, _currency(total))
                text = f"{total} {'+' if sign > 0 else '−'} ({new} − {old}) = {shown.text}"
                spans = (total.span, old.span, new.span)
                yield Derivation("adjusted total", shown, text, spans, exact=True)


def _currency(operand: Operand) -> str:
    return operand.value.unit if operand.value.kind == "money" else ""


def _asks(claim: Claim) -> bool:
    path = " ".join(str(step) for step in claim.json_path or ()).replace("_", " ")
    return bool(_ASKS.search(f"{claim.statement} {path}"))


def _versions(context: GroundContext) -> Iterator[tuple[Operand, Operand]]:
    """Pairs of amounts of the same field, in two records that go by one name or number."""
    called: dict[tuple[str, str, str], dict[tuple[int, str], Operand]] = defaultdict(dict)
    for passage in context.search.passages:
        if passage.record is None or not is_result(passage):
            continue
        names = _names(passage.record)
        for cell, held in passage.cell_values:
            if held.kind == "money" or held.kind == "number" and not counts_nothing(cell):
                for name in names:
                    place = (passage.source.id, passage.record.pointer)
                    called[(*name, cell.key)].setdefault(place, Operand(passage, cell, held))
    seen: set[tuple[str, str]] = set()
    for versions in called.values():
        if len({source for source, _ in versions}) < 2:
            continue
        for old, new in combinations(versions.values(), 2):
            if old.passage.source is new.passage.source or old.number == new.number:
                continue
            key = (str(old.span), str(new.span))
            if key not in seen:
                seen.add(key)
                yield old, new


def _is_named(pair: tuple[Operand, Operand], context: GroundContext) -> bool:
    """Whether the answer calls the new one by the number that is its own."""
    records = [operand.passage.record for operand in pair]
    own = [c.text for r in records if r for c in r.cells if c.text in r.identity]
    return any(any(map(str.isdigit, text)) and text in context.answer for text in own)


def _names(record: Record) -> set[tuple[str, str]]:
    """The names and numbers that a record, or the one it is a version of, goes by."""
    levels = [record, *([record.parent] if record.parent else [])]
    return {
        (cell.key, cell.text)
        for level in levels
        for cell in level.cells
        if len(cell.path) == 1 and level.identity and f"{cell.key} {cell.text}" in level.identity
    }


def _totals(claim: Claim, context: GroundContext) -> Iterator[Operand]:
    """Totals and balances that the claim asks to adjust."""
    said = content_stems(claim.statement)
    if not named_in(_ADJUSTED, said):
        return
    found = 0
    for passage in context.search.passages:
        if passage.record is None or not is_result(passage):
            continue
        for cell, held in passage.cell_values:
            if held.kind != "percent" and held.number and _ADJUSTED & content_stems(cell.key):
                found += 1
                if found <= 12:
                    yield Operand(passage, cell, held)
