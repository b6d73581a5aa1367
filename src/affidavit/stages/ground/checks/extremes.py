"""Superlatives and comparisons: "the largest", "the first", "less than the minimum"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time
from decimal import Decimal
from typing import TypeAlias

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.search import Hit
from affidavit.ledger.values import Value
from affidavit.ledger.words import content_stems, named_in, stem
from affidavit.stages.ground.checks.derived.derivation import tables
from affidavit.stages.ground.claim import Claim, bare_words
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "extremes"

# The words that ask for an extreme, the end of the scale they mean, and what they measure.
_SUPERLATIVES: tuple[tuple[str, int, frozenset[str]], ...] = (
    (r"largest|biggest|highest|greatest|maximum|largest|größte\w*|höchste\w*|mayor|plus (?:grande?|haute?)", +1, frozenset({"number"})),
    (r"longest", +1, frozenset({"duration", "number", "quantity"})),
    (r"most expensive|dearest|priciest|teuerste\w*", +1, frozenset({"money"})),
    (r"smallest|lowest|least|minimum|kleinste\w*|niedrigste\w*|menor", -1, frozenset({"number"})),
    (r"shortest", -1, frozenset({"duration", "number", "quantity"})),
    (r"cheapest|least expensive|günstigste\w*|billigste\w*|más barat\w+", -1, frozenset({"money"})),
    (r"fastest|quickest", -1, frozenset({"duration"})),
    (r"latest|most recent|newest|last|letzte\w*|neueste\w*|última?", +1, frozenset({"moment"})),
    (r"earliest|oldest|first|soonest|erste\w*|früheste\w*|primer[ao]?", -1, frozenset({"moment"})),
)  # fmt: skip
_MORE = re.compile(
    r"\b(more than|above|over|exceeds?|longer than|higher than|greater than|at least)\b", re.I
)
_LESS = re.compile(
    r"\b(less than|below|under|shorter than|lower than|fewer than|within|at most)\b", re.I
)

Scale: TypeAlias = Decimal | datetime | time


@dataclass(frozen=True, slots=True)
class _Point:
    passage: Passage
    cell: Cell | None
    scale: Scale


def check_extremes(claim: Claim, context: GroundContext) -> Finding:
    """Hold a superlative against the column it ranges over, a comparison against its other side."""
    compared = _check_comparison(claim, context)
    if compared is not None:
        return compared
    for pattern, direction, measures in _SUPERLATIVES:
        # In brackets it qualifies something else: "(already the cheapest available)".
        found = re.search(rf"\b(?:{pattern})\b", re.sub(r"\([^)]*\)", "", claim.text), re.I)
        if found:
            finding = _check_superlative(
                claim, context, direction, measures, found[0]
            ) or _check_row(claim, context, direction, measures)
            if finding is not None:
                return finding
    return Finding.skip(NAME, "no superlative or comparison that a list could decide")


def _check_superlative(
    claim: Claim, context: GroundContext, direction: int, measures: frozenset[str], word: str
) -> Finding | None:
    """The value that is called the largest is the largest of its column."""
    for value in claim.values:
        if value.number is None and value.moment is None:
            continue
        if not _measured(value, measures) or value.text.isalpha():
            continue  # "the lowest of the three" counts what it ranges over
        against: Finding | None = None
        for hit in context.search.hits(value, today=context.today):
            if hit.cell is not None and _IDENTIFYING.search(hit.cell.key):
                continue
            if hit.cell is not None and stem(word) in content_stems(hit.cell.key):
                return None  # ``last_check`` is the name of a field
            column = _column(hit, claim, context)
            mine = next(
                (p for p in column if p.passage is hit.passage and p.cell is hit.cell), None
            )
            if mine is None or len(column) < 2:
                continue
            try:
                best = max(column, key=lambda p: p.scale) if direction > 0 else min(
                    column, key=lambda p: p.scale
                )  # fmt: skip
                is_best = best.scale == mine.scale
            except TypeError:  # moments with and without a zone do not order
                continue
            span = best.passage.span(best.cell)
            end = "largest" if direction > 0 else "smallest"
            if is_best:
                detail = f"{value.text} is the {end} of {len(column)}"
                return Finding(
                    NAME, "checked", "supports", 0.95, None, detail, spans=(span,), settles="values"
                )
            detail = f"“{value.text}” is not the {end} of {len(column)}: {span.text}"
            against = against or Finding(
                NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=(span,)
            )
        if against is not None:  # it is the largest of none of the lists that hold it
            return against
    return None


_IDENTIFYING = re.compile(r"(?:^| )(?:id|number|no|code|zip|sku|ref)$")
"""Fields whose digits count nothing."""


def _measured(value: Value, measures: frozenset[str]) -> bool:
    """Whether a superlative of this sort can be about a value: the cheapest is a price."""
    if "moment" in measures:
        return value.moment is not None
    return value.number is not None and (value.kind in measures or "number" in measures)


def _check_row(
    claim: Claim, context: GroundContext, direction: int, measures: frozenset[str]
) -> Finding | None:
    """A row that is said to have the lowest rent, without the figure, has it."""
    said = content_stems(claim.statement)
    for table in tables(context):
        named = [
            p for p in table.passages
            if any(r in context.named.rows.get(g, ()) for g, r in context.rows.chain(p)[:1])
        ]  # fmt: skip
        if len({p.record.pointer for p in named if p.record}) != 1 or len(table.rows) < 2:
            continue
        for passage in named:
            for cell, value in passage.cell_values:
                if not named_in(content_stems(cell.key) - _MEASURES, said) or _scale(value) is None:
                    continue
                if not _measured(value, measures) or _IDENTIFYING.search(cell.key):
                    continue
                column = [
                    (scale, p, c)
                    for p in table.passages
                    for c, v in p.cell_values
                    if c.path == cell.path
                    and v.kind == value.kind
                    and (scale := _scale(v)) is not None
                ]
                if len(column) < 2:
                    continue
                scales = [scale for scale, _, _ in column]
                try:
                    best = max(scales) if direction > 0 else min(scales)
                except TypeError:
                    continue
                span = passage.span(cell)
                detail = f"{span.text} among {len(column)}"
                if _scale(value) == best:
                    return Finding(NAME, "checked", "supports", 0.93, None, detail, spans=(span,))
                return Finding(
                    NAME,
                    "checked",
                    "contradicts",
                    0.05,
                    "contradicts_evidence",
                    detail,
                    spans=(span,),
                )
    return None


_MEASURES = content_stems("amount value number date time per of")


def _column(hit: Hit, claim: Claim, context: GroundContext) -> list[_Point]:
    if hit.cell is None:
        return _lines(hit, claim, context)
    for table in tables(context):
        if hit.passage not in table.passages:
            continue
        chosen = table.where(claim)
        # A row that is itself named ("INC-7 was the longest") must not be compared with itself alone.
        rows = chosen if len(chosen.rows) > 1 else table
        return [
            _Point(p, c, scale)
            for p in rows.passages
            for c, v in p.cell_values
            if c.path == hit.cell.path
            and v.kind == hit.value.kind
            and (scale := _scale(v)) is not None
        ]
    return []


def _lines(hit: Hit, claim: Claim, context: GroundContext) -> list[_Point]:
    """Lines of the same text that speak of what the claim speaks of, as well as the hit's own does."""
    if hit.value.moment is None:
        return []
    said = content_stems(bare_words(claim))
    mine = len(content_stems(hit.passage.text) & said)
    if mine == 0:
        return []
    found = []
    for passage in context.search.passages:
        if passage.source is hit.passage.source and passage.record is None:
            if passage is hit.passage or len(content_stems(passage.text) & said) >= mine:
                first = next((v for v in passage.values if v.moment is not None), None)
                scale = _scale(first) if first else None
                if scale is not None:
                    found.append(_Point(passage, None, scale))
    return found


def _scale(value: Value) -> Scale | None:
    if value.moment is None:
        return value.number
    if value.moment.date is None:
        return value.moment.clock
    return datetime.combine(value.moment.date, value.moment.clock or time())


def _check_comparison(claim: Claim, context: GroundContext) -> Finding | None:
    """ "Less than the minimum connection time": the value before it against the field it names."""
    more, less = _MORE.search(claim.text), _LESS.search(claim.text)
    sign = more or less
    if sign is None:
        return None
    after = claim.text[sign.end() :]
    values = [v for v in claim.values if v.start < sign.start() and v.number is not None]
    given = [v for v in claim.values if v.start >= sign.end() and v.number is not None]
    if given:
        return _against_stated(given[0], values, bool(more), sign[0], claim, context)
    values = values or [
        v for earlier in reversed(context.before) if earlier.sentence >= claim.sentence - 1
        for v in reversed(earlier.values) if v.number is not None
    ]  # fmt: skip
    field = _named_field(after, context, values)
    if field is None or not values:
        return None
    passage, cell, other, value = field
    assert value.number is not None and other.number is not None
    holds = value.number > other.number if more else value.number < other.number
    if sign[0].lower() in _INCLUSIVE:
        holds = holds or value.number == other.number
    span = passage.span(cell)
    detail = f"{value.text} against {span.text}"
    if holds:
        return Finding(NAME, "checked", "supports", 0.95, None, detail, spans=(span,))
    return Finding(NAME, "checked", "contradicts", 0.04, "meaning_changed", detail, spans=(span,))


def _against_stated(
    limit: Value,
    values: Sequence[Value],
    more: bool,
    sign: str,
    claim: Claim,
    context: GroundContext,
) -> Finding | None:
    """ "This is above the 0.5 % limit", said of the 0.2 % of the sentence before."""
    if values or not _REFERS.match(claim.text):
        return None  # "more than 50" is a bound on a value, and the values check reads it
    before = [v for c in context.before[-2:] for v in c.values]
    like = [
        v for v in before if (v.kind, v.unit) == (limit.kind, limit.unit) and v.number is not None
    ]
    if not like or limit.number is None:
        return None
    subject = like[-1]
    assert subject.number is not None
    holds = subject.number > limit.number if more else subject.number < limit.number
    holds = holds or (subject.number == limit.number and sign.lower() in _INCLUSIVE)
    detail = f"{subject.text} against {limit.text}"
    if holds:
        return Finding(NAME, "checked", "supports", 0.93, None, detail, settles="values")
    return Finding(NAME, "checked", "contradicts", 0.05, "meaning_changed", detail)


_REFERS = re.compile(r"\W*(?:and |so |which |but )*(?:this|that|it|which|they|these|both)\b", re.I)
_INCLUSIVE = ("within", "at most", "at least")


def _named_field(
    words: str, context: GroundContext, values: Sequence[Value]
) -> tuple[Passage, Cell, Value, Value] | None:
    said = content_stems(words)
    best: tuple[int, tuple[Passage, Cell, Value, Value]] | None = None
    for passage in context.search.passages:
        for cell, other in passage.cell_values:
            for value in values[:4]:
                if other.number is None or (other.kind, other.unit) != (value.kind, value.unit):
                    continue
                direct = content_stems(cell.key) & said
                named = len(named_in(content_stems(cell.key), said))
                if len(direct) >= 1 and named >= 2 and (best is None or named > best[0]):
                    best = (named, (passage, cell, other, value))
    return best[1] if best else None
