"""What a labelled figure was in one year and in the next: "ASSESSED 2025 $312,400", "ASSESSED 2026 $298,900"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from affidavit.ledger.ledger import Passage
from affidavit.ledger.values import Value, parse_values
from affidavit.ledger.words import content_stems
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.aggregate import SUM
from affidavit.stages.ground.checks.derived.change import CHANGE, DIFFERENCE
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Table,
    is_result,
    may_be_told,
    number_like,
    text_results,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_YEAR = re.compile(r"(?<![\d.,-])(?P<year>(?:19|20)\d\d)(?![\d-]|[.,]\d)")
_PART = re.compile(r"[\n;]|\.(?:\s|$)")
_MEASURES = frozenset({"money", "number", "quantity"})
_LONGEST = 60
"""Longest label in front of a year, in characters."""
_UP = re.compile(r"\b(?:up|rose|risen|rises?|grew|grows?|increas\w+|gain\w*|more|higher|dearer|extra|longer|heavier|larger|bigger)\b", re.I)  # fmt: skip
_DOWN = re.compile(r"\b(?:down|fell|falls?|fallen|drop\w*|declin\w+|decreas\w+|less|fewer|lower|cheaper|sav\w+|reduc\w+|smaller|shorter|lighter)\b", re.I)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Yearly:
    """A figure under a label, and the year that it is of."""

    label: frozenset[str]
    year: int
    value: Value
    span: EvidenceSpan


def over_years(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """What the labelled figure that the claim names has gained or lost between two years."""
    percent = value.kind == "percent"
    if value.number is None or not (CHANGE if percent else DIFFERENCE).search(claim.statement):
        return
    for old, new in pairs_of_years(claim, context):
        if old.value.number is None or new.value.number is None:
            continue
        change = new.value.number - old.value.number
        if not change or not is_directed(claim.text, change):
            continue
        text = f"{new.value.text} − {old.value.text}"
        if percent and old.value.number:
            share = round(abs(change) / abs(old.value.number) * 100, 6)
            shown = number_like(value, share)
            yield Derivation("change", shown, f"({text}) / {old.value.text} = {shown.text} %", (old.span, new.span))  # fmt: skip
        elif may_be_told(new.value, value):
            shown = number_like(value, abs(change), new.value.unit if new.value.kind != "number" else "")  # fmt: skip
            text = f"{text} = {change.normalize():f}"
            yield Derivation("difference", shown, text, (old.span, new.span), exact=True)


def is_yearly(claim: Claim, value: Value, context: GroundContext) -> bool:
    """Whether a value is said to be what a figure that the evidence has by the year went up or down by."""
    if value.number is None or not CHANGE.search(claim.statement) or SUM.search(claim.statement):
        return False
    return any(
        value.kind == "percent" or may_be_told(new.value, value)
        for _, new in pairs_of_years(claim, context)
    )


def is_directed(text: str, change: Decimal) -> bool:
    """Whether a text does not say the other direction."""
    up, down = _UP.search(text), _DOWN.search(text)
    return not (up and not down and change < 0) and not (down and not up and change > 0)


def pairs_of_years(claim: Claim, context: GroundContext) -> Iterator[tuple[Yearly, Yearly]]:
    """The earlier and the later figure of the label that shares most words with the claim: of the years that
    it names, else of the last two."""
    said = content_stems(claim.statement)
    told = context.search.once("figures by year", lambda: _by_label(context))
    ranked = [(len(label & said), figures) for label, figures in told.items()]
    best = max((named for named, _ in ranked), default=0)
    named = [figures for n, figures in ranked if n == best] if best else []
    if len(named) != 1:
        return
    years = {int(m["year"]) for m in _YEAR.finditer(claim.text)}
    figures = sorted(named[0], key=lambda f: f.year)
    chosen = [f for f in figures if f.year in years]
    pair = chosen if len(chosen) == 2 else figures[-2:]
    if len(pair) == 2:
        yield pair[0], pair[1]


def _by_label(context: GroundContext) -> dict[frozenset[str], list[Yearly]]:
    """The figures of each label that has them for several years, one for each."""
    found: dict[tuple[int, frozenset[str]], dict[int, list[Yearly]]] = {}
    figures = [
        (passage.source.id, figure)
        for passage in filter(is_result, context.search.passages)
        for figure in _of_record(passage)
    ]
    for source, shown in text_results(context):
        figures += ((source.id, figure) for figure in _of_text(source.text, shown))
    for number, figure in figures:
        years = found.setdefault((number, figure.label), defaultdict(list))
        years[figure.year].append(figure)
    told: dict[frozenset[str], list[Yearly]] = {}
    for (_, label), by_year in found.items():
        single = [f for f in by_year.values() if len({v.value.number for v in f}) == 1]
        if len(single) == len(by_year) > 1:
            told[label] = [f[0] for f in single]
    return told


def _of_record(passage: Passage) -> Iterator[Yearly]:
    """Fields with a year in their name: ``pupils_2024``."""
    for cell, value in passage.cell_values:
        year = _YEAR.search(cell.key.replace("_", " "))
        if year is not None and value.number is not None and value.kind in _MEASURES:
            label = content_stems(_YEAR.sub(" ", cell.key))
            if label:
                yield Yearly(label, int(year["year"]), value, passage.span(cell))


def _of_text(text: str, shown: Sequence[Passage]) -> Iterator[Yearly]:
    """Lines and sentences that open with a label and a year, and have one figure behind it."""
    for part in _PART.split(text):
        year = _YEAR.search(part)
        if year is None or not 0 < len(part[: year.start()].strip()) <= _LONGEST:
            continue
        label = content_stems(part[: year.start()])
        values = _measured(part, year.end())
        if label and not any(map(str.isdigit, part[: year.start()])) and len(values) == 1:
            span = next((p.span() for p in shown if part.strip() in p.text), shown[0].span())
            yield Yearly(label, int(year["year"]), values[0], span)


def _measured(part: str, behind: int) -> Sequence[Value]:
    return [
        v
        for v in parse_values(part)
        if v.start >= behind and v.number is not None and v.kind in _MEASURES
    ]
