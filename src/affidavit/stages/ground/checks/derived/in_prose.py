"""Differences and changes between two figures that stand side by side in running text: "2,480, down from 2,760"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from affidavit.ledger.ledger import Passage
from affidavit.ledger.values import Value
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
