"""Differences and changes between two figures that stand side by side in running text: "2,480, down from 2,760"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

from affidavit.ledger.ledger import Passage
from affidavit.ledger.values import Value
from affidavit.stages.ground.checks.derived.aggregate import SUM
from affidavit.stages.ground.checks.derived.change import CHANGE, DIFFERENCE
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Table,
    is_result,
    like_measures,
    number_like,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_NEAR = 3
"""Claims back in which one of the two figures may have been told."""


def in_prose(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The difference, or the change in percent, of a figure that was just told and another one beside it."""
    percent = value.kind == "percent"
    if value.number is not None and SUM.search(claim.statement):
        yield from _all_of_a_line(value, context)
    if value.number is None or not (CHANGE if percent else DIFFERENCE).search(claim.statement):
        return
    told = [
        v
        for c in (*context.before[-_NEAR:], claim)
        for v in c.values
        if v is not value and v.number and v.kind not in ("percent", "moment")
        and (percent or like_measures(v, value))
    ]  # fmt: skip
    for subject in told:
        for hit in context.search.hits(subject):
            if hit.cell is not None or not is_result(hit.passage):
                continue
            for other in _beside(hit.passage, hit.value):
                yield from _derived(value, hit.value, other, hit.passage)
            for passage, other in _labelled_alike(hit.passage, hit.value, context):
                yield from _derived(value, hit.value, other, passage)


def _all_of_a_line(value: Value, context: GroundContext) -> Iterator[Derivation]:
    """The sum of all figures of one sort that a line lists: "prep 10 min, cook 25 min"."""
    for passage in filter(is_result, context.fitting):
        for start, line in _lines(passage) if passage.record is None else ():
            like = [
                v
                for v in passage.values
                if start <= v.start < start + len(line)
                and (v.kind, v.unit) == (value.kind, value.unit)
            ]
            gaps = [passage.text[a.end : b.start] for a, b in pairwise(like)]
            if 2 <= len(like) <= _LISTED and all(_LISTS.search(gap) for gap in gaps):
                total = sum((v.number or Decimal(0) for v in like), Decimal(0))
                text = " + ".join(v.text for v in like)
                shown = number_like(value, total, like[0].unit)
                yield Derivation(
                    "sum", shown, f"{text} = {shown.text}", (passage.span(),), exact=True
                )


_LISTED = 8
_LISTS = re.compile(r"[,;+·|]|\b(?:and|plus|und|et|y)\b")


def _lines(passage: Passage) -> Iterator[tuple[int, str]]:
    start = 0
    for line in passage.text.splitlines(keepends=True):
        yield start, line
        start += len(line)


def _beside(passage: Passage, value: Value) -> list[Value]:
    """The other figures of like measure on the same line, a few words before or after."""
    return [
        v
        for v in passage.values
        if (v.kind, v.unit) == (value.kind, value.unit)
        and v.number != value.number
        and _NEAR_BY.fullmatch(passage.text[min(v.end, value.end) : max(v.start, value.start)])
    ]


def _labelled_alike(
    passage: Passage, value: Value, context: GroundContext
) -> Iterator[tuple[Passage, Value]]:
    """The figures that other lines of the same result have under the same label: ``size=388.1 GB``."""
    label = _LABEL.search(passage.text[: value.start])
    if label is None:
        return
    for other in context.search.passages:
        if other.source is not passage.source or other.record is not None:
            continue
        for v in other.values:
            alike = (v.kind, v.unit) == (value.kind, value.unit) and v.number != value.number
            if alike and other.text[: v.start].endswith(label[0]):
                yield other, v


_LABEL = re.compile(r"\b[A-Za-z_][\w.]*[=:] ?$")
_NEAR_BY = re.compile(r"[^\n;]{0,80}")


def _derived(value: Value, one: Value, other: Value, passage: Passage) -> Iterator[Derivation]:
    if one.number is None or other.number is None:
        return
    span = (passage.span(),)
    gap = abs(one.number - other.number)
    if value.kind != "percent":
        shown = number_like(value, gap, one.unit)
        yield Derivation(
            "difference", shown, f"|{one.text} − {other.text}| = {shown.text}", span, exact=True
        )
        return
    for base, new in ((one, other), (other, one)):
        if base.number and new.number is not None:
            change = round(abs(new.number - base.number) / abs(base.number) * Decimal(100), 6)
            text = f"|{new.text} − {base.text}| / {base.text} = {change.normalize():f} %"
            yield Derivation("change", number_like(value, change), text, span)
