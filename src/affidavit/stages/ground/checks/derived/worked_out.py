"""Values worked out from what a claim speaks of by any of the common operations: "you sold 180 jars", "€122 a
night", "70 percent of its allowance".

The other operations each know one way of asking. Here the words need only allow the kind of operation,
and what keeps chance out is counted: among as many candidates as were tried, a figure of that size and
roundness must be unlikely to be met by accident.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations, permutations

from affidavit.ledger.ledger import Passage
from affidavit.ledger.values import Value
from affidavit.ledger.words import content_stems, named_in
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.aggregate import EACH, MEAN, NO_SUM, SUM
from affidavit.stages.ground.checks.derived.chance import is_unlikely, roundness
from affidavit.stages.ground.checks.derived.change import DIFFERENCE
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Operand,
    Table,
    counts_nothing,
    gives,
    is_earlier,
    is_result,
    like_measures,
    measured_as,
    number_like,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_QUOTIENTS = frozenset({"rate", "mean", "share", "change"})
_MOST = 14
"""Measured fields of one thing, or rows, beyond which pairs of them are not tried."""
_APART = re.compile(
    r"\b(?:by|beat|ahead|above|below|over|under|beyond|short|available|unused|loss|profit|surplus|deficit|off|still|another|exceed\w*|"
    r"to go|to spare|shr[aiu]nk|discount\w*|away|unspent|spare|free|longer|saved?)\b",
    re.I,
)
"""What asks for a difference, besides the words that name one."""
_RATE = re.compile(
    rf"{EACH.pattern}|{MEAN.pattern}|\bworks? out\b|\b(?:times|twice|double|half) (?:as|the)\b|\btypical\w*\b",
    re.I,
)
"""What asks for a quotient."""
_A = re.compile(r"\s*(?:an?|the|/|pro|por|par) ?[a-z]+", re.I)
"""What follows a rate: "€122 a night"."""
_GROWN = re.compile(
    r"\b(?:more|up|above|ahead|higher|over|dearer|greater|larger|bigger|longer|later|older|heavier|rose|risen|rise|gr[eo]w\w*|increas\w*|gain\w*|extra)\b",
    re.I,
)
_CHANGED = re.compile(
    _GROWN.pattern
    + r"|\b(?:less|down|below|behind|lower|under|off|cheaper|fewer|smaller|shorter|earlier|younger|lighter|faster|slower|fell|fall\w*|decreas\w*|"
    r"drop\w*|declin\w*|lost|shr[aiu]nk|discount\w*|sav\w+|better|worse|cut)\b",
    re.I,
)
"""What asks by what percentage something is more or less, and not for its share."""


@dataclass(frozen=True)
class _Candidate:
    """A derivation and the numbers it is from."""

    derivation: Derivation
    operands: tuple[Decimal, ...]
    named: int
    """How many of the fields it is from the claim has words of."""

    @property
    def result(self) -> Decimal:
        return self.derivation.result.number or Decimal(0)


def worked_out(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The first candidate that gives the value, where so many would hardly have met it by chance."""
    if value.number is None or value.number == 0 or claim.is_datum:
        return
    tried = list(_candidates(claim, value, context, known))
    found = next((c for c in tried if gives(c.derivation, value, context.today)), None)
    if found is None:
        return
    # Where it is from fields that the claim has words of, only what is from as many such fields is its rival.
    rivals = [c.result for c in tried if c.named >= found.named]
    step = min(map(roundness, (value.number, *found.operands)))
    if found.derivation.operation in _QUOTIENTS:
        step = min(step, Decimal(1))  # round figures have quotients of every kind
    if is_unlikely(value, found.result, step, rivals):
        yield found.derivation


@dataclass(frozen=True)
class _Figure:
    """A measured value of the evidence: of a field, or in running text with the words around it."""

    value: Value
    key: str
    place: tuple[object, ...]
    row: str
    span: EvidenceSpan

    @property
    def number(self) -> Decimal:
        assert self.value.number is not None
        return self.value.number

    def __str__(self) -> str:
        return f"{self.number.normalize():f}"


def _candidates(
    claim: Claim, value: Value, context: GroundContext, known: Sequence[Table]
) -> Iterator[_Candidate]:
    for thing in (*_things(context), *_texts(context)):
        yield from _within(thing, claim, value)
    for table in known:
        for rows in _chosen(table, claim, context):
            yield from _over(rows, claim, value)
        yield from _between(table, claim, value, context)


def _asks(claim: Claim, value: Value) -> tuple[bool, bool]:
    """Whether the words ask for a difference, and for a quotient."""
    rate = _RATE.search(claim.text) or _A.match(claim.text[value.end :])
    apart = DIFFERENCE.search(claim.statement) or _APART.search(claim.statement)
    return bool(apart), bool(rate)


def _things(context: GroundContext) -> list[list[_Figure]]:
    """The measured fields of each record that the claim may speak of, where these are few."""
    shown = [p for p in context.fitting if p.record is not None and is_result(p)]
    found: dict[tuple[int, str], list[_Figure]] = {}
    for passage in shown if len(shown) <= _MOST else ():
        found.setdefault((passage.source.id, passage.pointer), []).extend(_measured(passage))
    return [own for own in found.values() if len({o.place for o in own}) <= _MOST]


def _measured(passage: Passage) -> list[_Figure]:
    return [
        _figure(Operand(passage, cell, value))
        for cell, value in passage.cell_values
        if value.number is not None and not counts_nothing(cell)
    ]


def _figure(operand: Operand) -> _Figure:
    cell = operand.cell
    at = operand.passage.pointer
    return _Figure(operand.value, cell.key, (at, *cell.path), at, operand.span)


def _texts(context: GroundContext) -> list[list[_Figure]]:
    """The figures of each text that the claim may speak of, where these are few."""
    found: dict[int, list[_Figure]] = {}
    for passage in filter(is_result, context.fitting):
        for value in passage.values if passage.record is None else ():
            if value.number is not None and value.kind != "moment":
                around = passage.text[max(0, value.start - _AROUND) : value.end + _AROUND]
                at = (passage.id, value.start)
                figure = _Figure(value, around, at, passage.pointer, passage.span())
                found.setdefault(passage.source.id, []).append(figure)
    return [own for own in found.values() if len(own) <= _MOST]


_AROUND = 40
"""Characters on either side of a figure in running text that tell what it is of."""


def _within(thing: Sequence[_Figure], claim: Claim, value: Value) -> Iterator[_Candidate]:
    """Two fields of one thing: their difference, product, quotient, or share."""
    apart, rate = _asks(claim, value)
    for a, b in permutations(thing, 2):
        if a.place == b.place or b.number == 0:
            continue
        if value.kind == "percent":
            yield from _in_percent(a, b, claim, value)
            continue
        if not _may_measure(a, value) or b.number == 1:
            continue
        if rate:
            yield _made(claim, "rate", value, a.number / b.number, f"{a} / {b}", a, b)
        elif apart:
            if a.value.kind == b.value.kind and _may_measure(b, value) and a.number > b.number:
                yield _made(claim, "difference", value, a.number - b.number, f"{a} − {b}", a, b)
        elif b.value.kind == "percent":
            yield _made(claim, "share", value, a.number * b.number / 100, f"{a} × {b} %", a, b)
        elif b.value.kind == "number":
            yield _made(claim, "product", value, a.number * b.number, f"{a} × {b}", a, b)


def _may_measure(held: _Figure, value: Value) -> bool:
    """Whether a figure may be of the value's measure: of plain numbers the unit is not told."""
    return held.value.kind == "number" or like_measures(held.value, value)


def _in_percent(a: _Figure, b: _Figure, claim: Claim, value: Value) -> Iterator[_Candidate]:
    if not like_measures(a.value, b.value) and "number" not in (a.value.kind, b.value.kind):
        return
    if "percent" in (a.value.kind, b.value.kind):
        return
    share = a.number / b.number
    if not _FAR < share < 1 / _FAR:
        return  # of two so unlike, any percentage near a hundred would be right
    if not _CHANGED.search(claim.statement):
        if share < 1:
            yield _made(claim, "share", value, share * 100, f"{a} / {b}", a, b)
        return
    grown = bool(_GROWN.search(claim.statement))
    in_order = is_earlier(b.key, a.key) is not False
    if in_order and grown == (a.number > b.number):
        yield _made(claim, "change", value, abs(share - 1) * 100, f"|{a} − {b}| / {b}", a, b)


_FAR = Decimal("0.04")
"""The share of a figure in another below which the two are not compared in percent."""


def _chosen(table: Table, claim: Claim, context: GroundContext) -> Iterator[Table]:
    """The rows that the claim is of, where it is of several: those it singles out, those it names, or all."""
    told = table.where(claim)
    named = {
        p.pointer for p in table.passages if context.topic.names(context.rows.chain(p))
    }  # fmt: skip
    at = {n for n, row in enumerate(table.rows) if row.pointer in named}
    one = len(told.rows) == 1 or len(at) == 1
    parts = [told, table.of_positions(at)] if at else [told]
    if not one or SUM.search(claim.statement) or _is_share(claim):
        parts.append(table)
    for rows in dict.fromkeys(parts):
        if len(rows.rows) > 1 and not (rows is table and table.totals):
            yield rows


def _is_share(claim: Claim) -> bool:
    """Whether a claim speaks of all there are: a share of one is a share of these."""
    return any(value.kind == "percent" for value in claim.values)


def _over(rows: Table, claim: Claim, value: Value) -> Iterator[_Candidate]:
    """The sum or the mean of a column; of rows that have a price and a number of each, of their products."""
    apart, rate = _asks(claim, value)
    if value.kind == "percent" or NO_SUM.search(claim.text) and not rate:
        return
    columns = [
        [_figure(o) for o in column]
        for column in rows.columns.values()
        if not counts_nothing(column[0].cell)
    ]
    for column in columns:
        parts = [o for o in column if _may_measure(o, value)]
        if len(parts) < 2:
            continue
        total = sum((p.number for p in parts), Decimal(0))
        shown = _sum(parts, total)
        if rate:
            mean = total / len(parts)
            yield _of(claim, parts, "mean", value, mean, f"({shown}) / {len(parts)}")
        else:
            yield _of(claim, parts, "sum", value, total, shown)
    for one, other in permutations(columns, 2):
        if len(one) != len(rows.rows) or len(other) != len(one) or other[0].value.kind != "number":
            continue
        if one[0].place == other[0].place or not _may_measure(one[0], value):
            continue
        pairs = list(zip(one, other, strict=True))
        if rate:
            below = sum((b.number for _, b in pairs), Decimal(0))
            above = sum((a.number for a, _ in pairs), Decimal(0))
            if below:
                text = f"{above.normalize():f} / {below.normalize():f}"
                yield _of(claim, one, "rate", value, above / below, text)
        elif not apart:
            total = sum((a.number * b.number for a, b in pairs), Decimal(0))
            text = " + ".join(f"{a} × {b}" for a, b in pairs[:6])
            yield _of(claim, one, "sum of products", value, total, text)


def _sum(parts: Sequence[_Figure], total: Decimal) -> str:
    shown = list(map(str, parts[:_SHOWN]))
    if len(parts) > _SHOWN:
        shown = [*shown[:-1], f"… ({len(parts)} values)", str(parts[-1])]
    return f"{' + '.join(shown)} = {total.normalize():f}"


_SHOWN = 8


def _between(
    table: Table, claim: Claim, value: Value, context: GroundContext
) -> Iterator[_Candidate]:
    """One field in two rows of a list, and a row's share of all."""
    apart, _ = _asks(claim, value)
    named = {p.pointer for p in table.passages if context.topic.names(context.rows.chain(p))}
    for column in table.columns.values():
        if len(column) > _MOST or counts_nothing(column[0].cell):
            continue
        figures = [_figure(o) for o in column]
        parts = [f for f in figures if value.kind == "percent" or _may_measure(f, value)]
        own = [p for p in parts if p.row in named]
        pairs: Iterable[tuple[_Figure, _Figure]] = (
            combinations(own, 2)
            if len(own) > 1
            else ((o, p) for o in own for p in parts if p is not o)
        )
        for a, b in pairs:
            more, less = (a, b) if a.number >= b.number else (b, a)
            if value.kind == "percent":
                yield from _in_percent(more, less, claim, value) if less.number else ()
                yield from _in_percent(less, more, claim, value) if more.number else ()
            elif apart and more.number > less.number:
                result = more.number - less.number
                yield _made(claim, "difference", value, result, f"{more} − {less}", more, less)
        if value.kind != "percent" or table.totals or _CHANGED.search(claim.statement):
            continue
        total = sum((p.number for p in parts), Decimal(0))
        some = sum((p.number for p in own), Decimal(0))
        if 0 < some < total and len(parts) == len(table.rows):
            text = f"{some.normalize():f} / {total.normalize():f}"
            yield _of(claim, own, "share", value, some / total * 100, text)


def _made(
    claim: Claim, operation: str, value: Value, result: Decimal, text: str, *parts: _Figure
) -> _Candidate:
    return _of(claim, parts, operation, value, result, text)


def _of(
    claim: Claim, parts: Sequence[_Figure], operation: str, value: Value, result: Decimal, text: str
) -> _Candidate:
    plain = result.quantize(_FINEST) if abs(result) < _LARGEST else result
    untold = value.kind == "money" and parts[0].value.kind == "number"
    shown = (
        number_like(value, plain)  # of plain numbers no currency is told
        if value.kind == "percent" or untold
        else measured_as(value, plain, parts[0].value)
    )
    spans = tuple(dict.fromkeys(p.span for p in parts[:8]))
    told = text if "= " in text else f"{text} = {plain.normalize():f}"
    said = content_stems(claim.statement)
    keys = {p.key for p in parts}
    named = sum(bool(named_in(content_stems(key), said)) for key in keys)
    return _Candidate(
        Derivation(operation, shown, told, spans), tuple(p.number for p in parts), named
    )


_FINEST, _LARGEST = Decimal("0.000001"), Decimal(10) ** 15
