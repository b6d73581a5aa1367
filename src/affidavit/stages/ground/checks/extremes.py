"""Superlatives: "the largest", "the first", "the cheapest available"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, time
from decimal import Decimal
from typing import TypeAlias

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.search import Hit
from affidavit.ledger.values import Value
from affidavit.ledger.words import content_stems, named_in, stem
from affidavit.stages.ground.checks.derived.derivation import Table, counts_nothing, tables
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
_TO_BECOME = re.compile(
    r"\b(?:modify|exchange|change|swap|switch|replace|upgrade|downgrade)\b[^.;:]*\b(?:to|for|with|into) (?:the|an?|its|your)\b"
    r"(?: \w+){0,2} ?(?:[\w-]+est\b|most\b|least\b)",
    re.I,
)
"""What is proposed: "modify the tablet to the lowest-priced variant"."""
Scale: TypeAlias = Decimal | datetime | time


@dataclass(frozen=True, slots=True)
class _Point:
    passage: Passage
    cell: Cell | None
    scale: Scale


def check_extremes(claim: Claim, context: GroundContext) -> Finding:
    """Hold a superlative against the column it ranges over."""
    if _TO_BECOME.search(claim.text):
        return Finding.skip(NAME, "speaks of what something is to be changed to")
    for pattern, direction, measures in _SUPERLATIVES:
        # In brackets it qualifies something else: "(already the cheapest available)".
        found = re.search(rf"\b(?:{pattern})\b", re.sub(r"\([^)]*\)", "", claim.text), re.I)
        if found:
            finding = _check_superlative(
                claim, context, direction, measures, found[0]
            ) or _check_row(claim, context, direction, measures, found[0])
            if finding is not None:
                return finding
    return Finding.skip(NAME, "no superlative that a list could decide")


def _check_superlative(
    claim: Claim, context: GroundContext, direction: int, measures: frozenset[str], word: str
) -> Finding | None:
    """The value that is called the largest is the largest of its column."""
    phrase = _phrase(claim.text, word)
    for value in claim.values:
        if value.number is None and value.moment is None:
            continue
        if not _measured(value, measures) or value.text.isalpha():
            continue  # "the lowest of the three" counts what it ranges over
        against: Finding | None = None
        columns: dict[tuple[object, ...], list[_Point]] = {}
        for hit in context.search.hits(value, today=context.today):
            if hit.cell is not None and counts_nothing(hit.cell):
                continue
            if hit.cell is not None and stem(word) in content_stems(hit.cell.key):
                return None  # ``last_check`` is the name of a field
            table = _table_of(hit, context)
            if table is not None and _names_another_field(phrase, hit, table):
                continue
            if hit.cell is None or table is None:
                column = _lines(hit, claim, context) if hit.cell is None else []
            else:
                key = (table, hit.cell.path, hit.value.kind)
                if key not in columns:
                    columns[key] = _column(hit.cell, hit.value, table, phrase, claim)
                column = columns[key]
            mine = next(
                (p for p in column if p.passage is hit.passage and p.cell is hit.cell), None
            )
            if mine is None and column and table is not None and _singles_out(phrase, table):
                span = hit.passage.span(hit.cell)
                detail = f"{span.text} is none of the{phrase.rstrip()}s"
                against = against or Finding(
                    NAME,
                    "checked",
                    "contradicts",
                    0.05,
                    "contradicts_evidence",
                    detail,
                    spans=(span,),
                )
                continue
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
            if table is not None and _qualified(phrase, table):
                continue
            detail = f"“{value.text}” is not the {end} of {len(column)}: {span.text}"
            against = against or Finding(
                NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=(span,)
            )
        if against is not None:  # it is the largest of none of the lists that hold it
            return against
    return None


def _measured(value: Value, measures: frozenset[str]) -> bool:
    """Whether a superlative of this sort can be about a value: the cheapest is a price."""
    if "moment" in measures:
        return value.moment is not None
    return value.number is not None and (value.kind in measures or "number" in measures)


def _check_row(
    claim: Claim, context: GroundContext, direction: int, measures: frozenset[str], word: str
) -> Finding | None:
    """A row that is said to have the lowest rent, without the figure, has it."""
    said = content_stems(claim.statement)
    phrase = word + _phrase(claim.text, word)
    topic = context.rows.named_by(claim.statement.replace(phrase, " "))
    for table in tables(context):
        named = [
            p for p in table.passages
            if any(r in topic.rows.get(g, ()) for g, r in context.rows.chain(p)[:1])
        ]  # fmt: skip
        if len({p.record.pointer for p in named if p.record}) != 1 or len(table.rows) < 2:
            continue
        for passage in named:
            for cell, value in passage.cell_values:
                if not named_in(content_stems(cell.key) - _MEASURES, said) or _scale(value) is None:
                    continue
                if not _measured(value, measures) or counts_nothing(cell):
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


def _phrase(text: str, word: str) -> str:
    """What a superlative ranges over: "cheapest available green model" of "… is now $5"."""
    rest = text[text.index(word) + len(word) :]
    if related := _RELATED.match(rest):
        return related[0]
    end = _PHRASE_END.search(rest)
    return rest[: end.start()] if end else rest


_RELATED = re.compile(
    r"[^,;:(.!?–—]{0,60}? (?:that|which) (?:is|are|has|have) [^,;:(.!?–—]{1,60}?(?= (?:is|are|costs?)\b)"
)
"""As in "highest resolution that is waterproof is 4K"."""
_PHRASE_END = re.compile(
    r"[,;:(.!?–—]| (?:is|are|was|were|has|have|had|costs?|at|for|with|to|from|and|which|that|ist|es|est)\b"
)


def _table_of(hit: Hit, context: GroundContext) -> Table | None:
    known = context.search.once(
        "table of",
        lambda: {p.id: table for table in reversed(tables(context)) for p in table.passages},
    )
    return known.get(hit.passage.id)


def _names_another_field(phrase: str, hit: Hit, table: Table) -> bool:
    """ "Lowest-priced … 20-hour": the price is meant, where the rows have one."""
    said = content_stems(phrase)
    cells = [column[0].cell for column in table.columns.values()]
    keys = {cell.key for cell in cells if not counts_nothing(cell)}
    named = {key for key in keys if named_in(content_stems(key) - _MEASURES, said)}
    return hit.cell is not None and bool(named) and hit.cell.key not in named


def _singles_out(phrase: str, table: Table) -> bool:
    return bool(table.rows_that_say(phrase))


def _qualified(phrase: str, table: Table) -> bool:
    """Whether the superlative ranges over some of the rows only, by words that no field shows:
    "the cheapest that meets your needs"."""
    told = content_stems(" ".join([table.name, *(p.text for p in table.passages)]))
    return bool(content_stems(phrase) - _RANGED - named_in(content_stems(phrase), told))


_RANGED = content_stems(
    "one two three of all option choice model variant version item product result row entry list priced "
    "price rated available offered shown found here there currently"
)


def _column(cell: Cell, value: Value, table: Table, phrase: str, claim: Claim) -> list[_Point]:
    """The column of a value in the rows that a superlative ranges over."""
    rows = table.that_say(phrase)
    if len(rows.rows) == len(table.rows):
        chosen = table.where(claim)
        # A row that is itself named ("INC-7 was the longest") must not be compared with itself alone.
        rows = chosen if len(chosen.rows) > 1 else table
    return [
        _Point(p, c, scale)
        for p in rows.passages
        for c, v in p.cell_values
        if c.path == cell.path and v.kind == value.kind and (scale := _scale(v)) is not None
    ]


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
