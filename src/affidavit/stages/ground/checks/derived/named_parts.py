"""Sums of fields that a claim names together: "368 are satisfied or very satisfied" of two counts of one record."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from affidavit.ledger.records import words_of
from affidavit.ledger.values import Value
from affidavit.ledger.words import content_stems, stem
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Operand,
    Table,
    counts_nothing,
    formula,
    may_be_told,
    number_like,
    things,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_WORD = re.compile(r"[^\W_]+")
_TOKEN = re.compile(r"[^\W_]+|,")
_JOINS = frozenset("or and plus both either with nor ,".split())
_BETWEEN = frozenset("the a an as well of those who are is were was in to those these them".split())
_APART = 4
"""Words between two fields that are still named together."""
_WHOLES = content_stems("total all overall sum answered responses respondents asked participants voters cast capacity seats beds size")  # fmt: skip
_FEWEST = 3
"""Fields of one map that make up a whole without its being told."""


def named_parts(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The sum of two or more fields of one thing that the claim names with "or" or "and" between them; of a
    share, that sum by the whole."""
    if value.number is None or value.kind == "moment":
        return
    words = _TOKEN.findall(claim.statement.lower())
    stems = [stem(word) for word in words]
    for thing in things(context):
        measures = [o for o in _plain(thing) if not counts_nothing(o.cell)]
        named = _named_together(measures, words, stems)
        if value.kind == "percent":
            yield from _shares(named, measures, value)
        elif len(named) > 1 and all(may_be_told(o.value, value) for o in named):
            total = sum((o.number for o in named), Decimal(0))
            shown = number_like(value, total, named[0].value.unit)
            spans = tuple(o.span for o in named)
            yield Derivation("sum", shown, formula(named, "+", shown.text), spans, exact=True)


def _plain(thing: Sequence[Operand]) -> list[Operand]:
    """One reading of each cell: the amount of money, else the first."""
    found: dict[int, Operand] = {}
    for operand in thing:
        if operand.value.kind == "percent":
            continue
        if id(operand.cell) not in found or operand.value.kind == "money":
            found[id(operand.cell)] = operand
    return list(found.values())


def _named_together(
    measures: Sequence[Operand], words: Sequence[str], stems: Sequence[str]
) -> list[Operand]:
    """The fields whose names the claim says one after the other; "very satisfied" before "satisfied"."""
    places: dict[int, tuple[int, Operand]] = {}
    names = [(_name(o), o) for o in measures]
    names += [([w for w in name if any(map(str.isdigit, w))], o) for name, o in names]  # "Q1"
    for name, operand in sorted(names, key=lambda pair: -len(pair[0])):
        for at in range(len(stems) - len(name) + 1) if name else ():
            span = range(at, at + len(name))
            if list(stems[at : span.stop]) == name and not any(n in places for n in span):
                places.update(dict.fromkeys(span, (at, operand)))
                break
    run: list[Operand] = []
    last = 0
    for at in sorted({at for at, _ in places.values()}):
        operand = places[at][1]
        between = words[last:at]
        joined = set(between) & _JOINS and set(between) <= _JOINS | _BETWEEN
        if run and not (joined and len(between) <= _APART):
            if len(run) > 1:
                break
            run = []
        run.append(operand)
        last = 1 + max(n for n, (start, _) in places.items() if start == at)
    return run


def _name(operand: Operand) -> list[str]:
    """A field's own name, without those of what it lies in."""
    steps = [step for step in operand.cell.path if isinstance(step, str)]
    return [stem(word) for word in _WORD.findall(words_of(steps[-1]))] if steps else []


def _shares(
    named: Sequence[Operand], measures: Sequence[Operand], value: Value
) -> Iterator[Derivation]:
    """The named fields by the whole that the record tells, or by all fields beside them."""
    if not named:
        return
    part = sum((o.number for o in named), Decimal(0))
    beside = [o for o in measures if len(o.cell.path) > 1 and o.cell.path[:-1] == named[0].cell.path[:-1]]  # fmt: skip
    wholes = [o.number for o in measures if content_stems(o.cell.key) & _WHOLES and o not in named]
    if len(beside) >= _FEWEST:
        wholes.append(sum((o.number for o in beside), Decimal(0)))
    for whole in wholes:
        if 0 < part <= whole:
            share = round(part / whole * 100, 6)
            parts = " + ".join(map(str, named))
            text = f"({parts}) / {whole.normalize():f} = {share.normalize():f} %"
            spans = tuple(o.span for o in named)
            yield Derivation("share", number_like(value, share), text, spans)
