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
from affidavit.stages.ground.checks.derived.aggregate import EACH, MEAN, NO_SUM, SUM
from affidavit.stages.ground.checks.derived.change import DIFFERENCE
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Operand,
    Table,
    are_in_time,
    counts_nothing,
    formula,
    gives,
    in_time,
    is_result,
    like_measures,
    measured_like,
    number_like,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_CHANCE = Decimal("0.25")
"""The likelihood of a match by accident beyond which none counts."""
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


def worked_out(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The first candidate that gives the value, where so many would hardly have met it by chance."""
    if value.number is None or value.number == 0 or claim.is_datum:
        return
    tried = list(_candidates(claim, value, context, known))
    found = next((c for c in tried if gives(c.derivation, value, context.today)), None)
    if found is not None and _chance(value, found, tried) <= _CHANCE:
        yield found.derivation


def _chance(value: Value, found: _Candidate, tried: Sequence[_Candidate]) -> Decimal:
    """How likely one of the candidates is to give such a figure by accident: those from half of it to twice it,
    over the figures as round as it that lie there. Where it is from fields that the claim has words of, only
    those from as many such fields are its rivals."""
    said = abs(value.number or Decimal(0))
    results = {
        abs(c.derivation.result.number or Decimal(0)) for c in tried if c.named >= found.named
    }
    near = sum(said / 2 <= result <= said * 2 for result in results) or 1
    got = abs(found.derivation.result.number or Decimal(0))
    step = max(min(map(_roundness, (said, *found.operands))), 2 * abs(got - said))
    if value.kind == "percent" and not any(map(str.isdigit, value.text)):
        step = max(step, Decimal(10))  # "a third": people name few fractions
    return near * step / (said * Decimal("1.5"))


def _roundness(number: Decimal) -> Decimal:
    """The power of ten that a number is a multiple of: 100 of 7,600."""
    plain = number.normalize()
    exponent = plain.as_tuple().exponent
    return Decimal(1).scaleb(exponent) if isinstance(exponent, int) and number else Decimal(1)


def _candidates(
    claim: Claim, value: Value, context: GroundContext, known: Sequence[Table]
) -> Iterator[_Candidate]:
    for thing in _things(context):
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


def _things(context: GroundContext) -> list[list[Operand]]:
    """The measured fields of each record that the claim may speak of, where these are few."""
    found: dict[tuple[int, str], list[Operand]] = {}
    for passage in _spoken_of(context):
        found.setdefault((passage.source.id, passage.pointer), []).extend(_measured(passage))
    return [own for own in found.values() if len({id(o.cell) for o in own}) <= _MOST]


def _spoken_of(context: GroundContext) -> list[Passage]:
    shown = [p for p in context.fitting if p.record is not None and is_result(p)]
    return shown if len(shown) <= _MOST else []


def _measured(passage: Passage) -> list[Operand]:
    return [
        Operand(passage, cell, value)
        for cell, value in passage.cell_values
        if value.number is not None and not counts_nothing(cell)
    ]


def _within(thing: Sequence[Operand], claim: Claim, value: Value) -> Iterator[_Candidate]:
    """Two fields of one thing: their difference, product, quotient, or share."""
    apart, rate = _asks(claim, value)
    for a, b in permutations(thing, 2):
        if a.cell is b.cell or b.number == 0:
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


def _may_measure(held: Operand, value: Value) -> bool:
    """Whether a figure may be of the value's measure: of plain numbers the unit is not told."""
    return held.value.kind == "number" or like_measures(held.value, value)


def _in_percent(a: Operand, b: Operand, claim: Claim, value: Value) -> Iterator[_Candidate]:
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
    in_order = in_time(a, b)[0] is b if are_in_time(a, b) else True
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
    columns = [c for c in rows.columns.values() if not counts_nothing(c[0].cell)]
    for column in columns:
        parts = [o for o in column if _may_measure(o, value)]
        if len(parts) < 2:
            continue
        total = sum((p.number for p in parts), Decimal(0))
        shown = formula(parts, "+", f"{total.normalize():f}")
        if rate:
            mean = total / len(parts)
            yield _of(claim, parts, "mean", value, mean, f"({shown}) / {len(parts)}")
        else:
            yield _of(claim, parts, "sum", value, total, shown)
    for one, other in permutations(columns, 2):
        if len(one) != len(rows.rows) or len(other) != len(one) or other[0].value.kind != "number":
            continue
        if one[0].cell.path == other[0].cell.path or not _may_measure(one[0], value):
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


def _between(
    table: Table, claim: Claim, value: Value, context: GroundContext
) -> Iterator[_Candidate]:
    """One field in two rows of a list, and a row's share of all."""
    apart, _ = _asks(claim, value)
    named = {p.pointer for p in table.passages if context.topic.names(context.rows.chain(p))}
    for column in table.columns.values():
        parts = [o for o in column if value.kind == "percent" or _may_measure(o, value)]
        if len(parts) < 2 or len(parts) > _MOST or counts_nothing(parts[0].cell):
            continue
        own = [p for p in parts if p.passage.pointer in named]
        pairs: Iterable[tuple[Operand, Operand]] = (
            combinations(own, 2)
            if len(own) > 1
            else ((o, p) for o in own or parts[:0] for p in parts if p is not o)
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
    claim: Claim, operation: str, value: Value, result: Decimal, text: str, *parts: Operand
) -> _Candidate:
    return _of(claim, parts, operation, value, result, text)


def _of(
    claim: Claim, parts: Sequence[Operand], operation: str, value: Value, result: Decimal, text: str
) -> _Candidate:
    plain = result.quantize(_FINEST) if abs(result) < _LARGEST else result
    shown = (
        number_like(value, plain)
        if value.kind == "percent"
        else measured_like(value, plain, parts[0])
    )
    spans = tuple(dict.fromkeys(p.span for p in parts[:8]))
    told = text if "= " in text else f"{text} = {plain.normalize():f}"
    said = content_stems(claim.statement)
    keys = {p.cell.key for p in parts}
    named = sum(bool(named_in(content_stems(key), said)) for key in keys)
    return _Candidate(
        Derivation(operation, shown, told, spans), tuple(p.number for p in parts), named
    )


_FINEST, _LARGEST = Decimal("0.000001"), Decimal(10) ** 15
