"""Amounts made larger or smaller by what the user asks for: a recipe for 6, made for 18.

The base is what the evidence says its amounts are for, the aim is what the user says, and the claim names
what it is so much of. Times and temperatures do not scale: bread for twenty bakes no longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell, Record
from affidavit.ledger.values import Value, parse_values
from affidavit.ledger.words import content_stems, named_in, stem
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.asked import asked_values, people
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Table,
    is_result,
    like_measures,
    number_like,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_FOR = re.compile(
    r"\b(?:serves|makes|yields?|feeds|servings?|portions?|covers|batch (?:of|size)|enough for|(?:recipe|quantities|amounts) for)\b\W{0,4}"
    r"(?:(?:about|approx\.?|approximately|up to)\s)?(?P<n>(?:\d[\d.,]*|[a-z]+)(?: [a-z²³µ]+)?)"
    r"|\b(?P<before>(?:\d{1,4}|[a-z]+) (?:servings|portions|people|persons|guests|covers|helpings))\b"
    r"|\bper (?P<per>\d[\d.,]* ?(?:g|kg|ml|l|cl|oz|lb))\b",
    re.I,
)
"""What the amounts of a text are for: "Serves 6", "makes 12 muffins", "4 portions"."""
_FIELDS = frozenset(
    map(stem, "serves servings portions people persons guests covers helpings makes yield yields".split())
)  # fmt: skip
_FACTORS = {
    "double": Decimal(2), "twice": Decimal(2), "triple": Decimal(3), "treble": Decimal(3), "quadruple": Decimal(4),
    "halve": Decimal("0.5"), "half": Decimal("0.5"),
}  # fmt: skip
_BY_FACTOR = re.compile(
    rf"\b(?P<word>{'|'.join(_FACTORS)})\b(?: of)? (?:the|this|that|my|everything|it|all|amounts?|quantit\w+)\b",
    re.I,
)
_SCALED = frozenset({"number", "quantity"})
_NO_MATTER = frozenset({"°C", "°F", "°"})
_CUT = re.compile(r"[,;:()\n]|\.\s|\s(?:and|plus|with|or)\s")


@dataclass(frozen=True, slots=True)
class _Amount:
    """So much of something, and what that is called."""

    value: Value
    name: frozenset[str]
    span: EvidenceSpan


def scaled(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """An amount of what the claim names, times what the user wants for what it is for."""
    if value.number is None or value.kind not in _SCALED or value.unit in _NO_MATTER:
        return
    bases = context.search.once("amounts and what they are for", lambda: list(_bases(context)))
    said = _words_of(claim, value)
    found = [
        (len(named_in(amount.name, said)), factor, text, amount)
        for base, amounts in bases
        for factor, text in _factors(base, context)
        for amount in amounts
        if _alike(amount, value)
    ]
    best = max((named for named, *_ in found), default=0)
    for named, factor, text, amount in found if best else ():
        if named == best and amount.value.number:
            shown = number_like(value, amount.value.number * factor, amount.value.unit)
            told = f"{amount.value.text} × {text} = {shown.text} {shown.unit}".rstrip()
            yield Derivation("scaled", shown, told, (amount.span,))


def _words_of(claim: Claim, value: Value) -> frozenset[str]:
    """What the claim says that a value is of: the words beside it, or of its line or row."""
    if claim.is_datum:
        row = claim.cell.row if claim.cell else " ".join(str(s) for s in claim.json_path or ())
        return content_stems(f"{row} {claim.context} {claim.text}")
    cuts = [0, *(m.end() for m in _CUT.finditer(claim.text)), len(claim.text)]
    left = max(cut for cut in cuts if cut <= value.start)
    right = min((cut for cut in cuts if cut >= value.end), default=len(claim.text))
    near = f"{claim.text[left : value.start]} {value.unit} {claim.text[value.end : right]}"
    alone = sum(v.number is not None for v in claim.values) == 1
    return content_stems(f"{near} {claim.statement if alone else ''}")


def _alike(amount: _Amount, value: Value) -> bool:
    """Whether an amount may be told as the value: of plain numbers the names decide."""
    return amount.value.kind == value.kind == "number" or (
        amount.value.kind == value.kind and like_measures(amount.value, value)
    )


def _factors(base: Value, context: GroundContext) -> Iterator[tuple[Decimal, str]]:
    """By how much the user wants more, or less, than the base."""
    size = base.number
    if not size:
        return
    for told in asked_values(context):
        if told.kind == base.kind and told.number and told.number != size:
            if told.unit == base.unit if told.kind != "number" else _counts_alike(told, base):
                yield told.number / size, f"{told.text} / {base.text}"
    for number in people(context) if base.kind == "number" else ():
        if number != size:
            yield number / size, f"{number} / {base.text}"
    for match in _BY_FACTOR.finditer(context.question):
        yield _FACTORS[match["word"].lower()], match["word"]


def _counts_alike(told: Value, base: Value) -> bool:
    """Whether the user counts what the base counts; a bare number is read by what is said around it."""
    said, held = stem(told.unit.split(" ")[-1]), stem(base.unit.split(" ")[-1])
    return bool(said) and (said == held or said in _FIELDS or not held)


def _bases(context: GroundContext) -> Iterator[tuple[Value, list[_Amount]]]:
    """What the amounts of each result are for, with those amounts: of running text the base that was told
    last, of a record that of the thing it belongs to."""
    told: dict[int, list[tuple[Value, list[_Amount]]]] = {}
    for passage in sorted(filter(is_result, context.search.passages), key=_place):
        own = told.setdefault(passage.source.id, [])
        if passage.record is None:
            for base in _told_for(passage.text):
                own.append((base, []))
            if own:
                own[-1][1].extend(_amounts_told(passage))
            continue
        base_of = _base_of(passage.record)
        if base_of is not None:
            own.append((base_of, []))
        if own:
            own[-1][1].extend(_amounts_of(passage))
    for bases in told.values():
        yield from bases


def _place(passage: Passage) -> tuple[int, int]:
    """Where a passage stands in its result, as far as that is a text."""
    at = _CHAR.match(passage.pointer)
    return passage.source.id, int(at[1]) if at else 0


_CHAR = re.compile(r"char=(\d+)")


def _told_for(text: str) -> Iterator[Value]:
    for match in _FOR.finditer(text):
        for value in parse_values(match["n"] or match["before"] or match["per"])[:1]:
            if value.number and value.kind in _SCALED:
                yield value


def _base_of(record: Record | None) -> Value | None:
    level = record
    while level is not None:
        for cell in level.cells:
            if stem(cell.key.rsplit(" ", 1)[-1]) in _FIELDS:
                numbers = [v for v in parse_values(cell.text) if v.number and v.kind in _SCALED]
                if len(numbers) == 1:
                    return numbers[0]
        level = level.parent
    return None


def _amounts_of(passage: Passage) -> Iterator[_Amount]:
    """The amounts of one row, called by its texts that hold no figure."""
    assert passage.record is not None
    texts = [c.text for c in passage.record.cells if not any(map(str.isdigit, c.text))]
    name = content_stems(" ".join(texts))
    for cell, value in _measures(passage):
        whole = _with_its_unit(cell, value, texts)
        yield _Amount(whole, name or content_stems(cell.key), passage.span(cell))


def _measures(passage: Passage) -> Iterator[tuple[Cell, Value]]:
    for cell, value in passage.cell_values:
        if value.number is not None and value.kind in _SCALED:
            yield cell, value


def _with_its_unit(cell: Cell, value: Value, texts: list[str]) -> Value:
    """The amount with the unit that stands in a field of its own: ``qty: 500, unit: g``."""
    if value.kind == "number":
        for unit in texts:
            read = parse_values(f"{cell.text} {unit}") if len(unit) <= _LONGEST_UNIT else []
            if len(read) == 1 and read[0].kind == "quantity":
                return read[0]
    return value


_LONGEST_UNIT = 12


def _amounts_told(passage: Passage) -> Iterator[_Amount]:
    """The amounts of running text, called by the words up to the next comma: "200 g flour, 2 eggs"."""
    cuts = [0, *(m.end() for m in _CUT.finditer(passage.text)), len(passage.text)]
    for value in passage.values:
        if value.number is not None and value.kind in _SCALED:
            left = max(cut for cut in cuts if cut <= value.start)
            right = min(cut for cut in cuts if cut >= value.end)
            if _FOR.search(passage.text[left:right]):
                continue
            words = (
                f"{passage.text[left : value.start]} {value.unit} {passage.text[value.end : right]}"
            )
            yield _Amount(value, content_stems(words), passage.span())
