"""Sums over what stands in no one list of its own: things named together, and what several calls gave."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from typing import TypeAlias

from affidavit.ledger.ledger import Passage, Source
from affidavit.ledger.records import words_of
from affidavit.ledger.values import Value
from affidavit.ledger.words import content_stems, stem
from affidavit.stages.ground.checks.derived.aggregate import SUM
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Operand,
    Table,
    formula,
    is_result,
    like_measures,
    number_like,
    same_measure,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_PLUS = re.compile(r"\s\+\s")
_STATED = re.compile(r"\s*(?::|=|\s[–—-]\s)\s*[^:=]*$")
"""The amount behind what was added up: "A + B: $12"."""
_MOST = 40
"""Results of one tool beyond which a sum over all of them is not what an answer speaks of."""


def together(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """ "Kettle + Lamp: $80": one figure of each of the things that are named; "Cancellations total: $80": one
    of each result of the calls that cancelled something."""
    if value.number is None:
        return
    yield from _named_together(claim, value, known)
    if SUM.search(claim.statement):
        yield from _over_calls(claim, value, context)
    yield from _over_texts(claim, value, context)


def _named_together(claim: Claim, value: Value, known: list[Table]) -> Iterator[Derivation]:
    parts = _PLUS.split(_STATED.sub("", claim.text))
    if len(parts) < 2:
        return
    for table in known:
        chosen = [table.that_say(part) for part in parts]
        if any(len(one.rows) != 1 for one in chosen):
            continue
        columns = [one.columns for one in chosen]
        for path in columns[0]:
            operands = [column[path][0] for column in columns if path in column]
            if len(operands) == len(parts):
                yield from _sum(operands, value)


def _over_calls(claim: Claim, value: Value, context: GroundContext) -> Iterator[Derivation]:
    """Over the results of each tool whose deed the claim names, in order of their fields."""
    said = content_stems(claim.statement)
    for tool, results in _results(context).items():
        named = content_stems(words_of(tool)) & said
        if not named or not 2 <= len(results) <= _MOST:
            continue
        columns: dict[tuple[object, ...], list[Operand]] = defaultdict(list)
        for operands in results.values():
            for operand in operands:
                of = operand.cell.pointer, operand.value.kind, operand.value.unit
                columns[of].append(operand)
        for column in columns.values():
            if len(column) == len(results):
                yield from _sum(column, value)


def _results(context: GroundContext) -> dict[str, dict[int, list[Operand]]]:
    """The numbers of every good result, by tool and result."""
    return context.search.once("numbers of results", lambda: _read(context))


def _read(context: GroundContext) -> dict[str, dict[int, list[Operand]]]:
    found: dict[str, dict[int, list[Operand]]] = {}
    for passage in filter(is_result, context.search.passages):
        source: Source = passage.source
        for cell, value in passage.cell_values if source.tool else ():
            if value.number is not None:
                operands = found.setdefault(source.tool or "", {}).setdefault(source.id, [])
                operands.append(Operand(passage, cell, value))
    return found


def _over_texts(claim: Claim, value: Value, context: GroundContext) -> Iterator[Derivation]:
    """Over what several results of one tool tell in the same words, where the claim says the word before the
    figure and names each result: "(freed 4.1 GB)" and "(freed 3.8 GB)" of two files that are named."""
    said = content_stems(claim.statement)
    for columns in _told(context).values():
        for word, figures in columns.items():
            if word not in said or not 2 <= len(figures) <= _MOST:
                continue
            alike = [(p, v) for p, v in figures if like_measures(v, value)]
            named = [(p, v) for p, v in alike if _is_named(p, claim)]
            for parts in (named, alike) if named and len(named) < len(alike) else (alike,):
                total = sum((v.number or Decimal(0) for _, v in parts), Decimal(0))
                if len(parts) > 1:
                    shown = number_like(value, total)
                    text = " + ".join(v.text for _, v in parts) + f" = {shown.text}"
                    spans = tuple(p.span() for p, _ in parts[:8])
                    yield Derivation("sum", shown, text, spans, exact=True)


_Figures: TypeAlias = dict[str, list[tuple[Passage, Value]]]


def _told(context: GroundContext) -> dict[str, _Figures]:
    """The figures in running text of good results, by tool and by the stem of the word before them."""
    return context.search.once("figures of texts", lambda: _read_texts(context))


def _read_texts(context: GroundContext) -> dict[str, _Figures]:
    found: dict[str, _Figures] = {}
    for passage in filter(is_result, context.search.passages):
        for value in passage.values if passage.record is None and passage.source.tool else ():
            before = _WORD_BEFORE.search(passage.text[: value.start])
            if value.number is not None and before is not None:
                column = found.setdefault(passage.source.tool or "", {})
                column.setdefault(stem(before[1]), []).append((passage, value))
    return found


_WORD_BEFORE = re.compile(r"([A-Za-z]{3,})[\s:=~]{1,3}$")


def _is_named(passage: Passage, claim: Claim) -> bool:
    return any(
        v.kind not in _MEASURES and v.text.strip("`\"'") in passage.text for v in claim.values
    )


_MEASURES = frozenset({"number", "money", "percent", "quantity", "duration"})


def _sum(operands: list[Operand], value: Value) -> Iterator[Derivation]:
    parts = same_measure(operands, value)
    if len(parts) < 2 or len(parts) < len(operands):
        return
    shown = number_like(value, sum((part.number for part in parts), Decimal(0)))
    text = formula(parts, "+", shown.text)
    yield Derivation("sum", shown, text, tuple(part.span for part in parts[:8]), exact=True)
