"""Superlatives: "the largest", "the first", "the cheapest available"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TypeAlias

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.search import Hit
from affidavit.ledger.values import Value, parse_values
from affidavit.ledger.values.currencies import CODES
from affidavit.ledger.words import content_stems, is_negated, named_in, stem
from affidavit.stages.ground.checks.derived.derivation import Table, counts_nothing, tables
from affidavit.stages.ground.checks.lists.at_no_end import at_no_end
from affidavit.stages.ground.checks.lists.named_row import parts_meant
from affidavit.stages.ground.checks.lists.ratios import check_ratio
from affidavit.stages.ground.checks.lists.superlatives import (
    MEASURES,
    MONEY,
    SUPERLATIVES,
    Scale,
    Superlative,
    measures,
    scale_of,
)
from affidavit.stages.ground.checks.order.grades import best_grade
from affidavit.stages.ground.claim import Claim, bare_words
from affidavit.stages.ground.finding import Finding, GroundContext, Verdict

NAME = "extremes"
_RANK = re.compile(r"\b(?P<rank>second|2nd|third|3rd|fourth|4th|fifth|5th|next)[- ]$", re.I)
_RANKS = {"second": 2, "2nd": 2, "next": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5}  # fmt: skip
_NOT_ONE = re.compile(
    r"(?:\b(?:than|one of|among|some of|amongst|beyond|above|below|under|over|short of|shy of|meets?|met|reach(?:es|ed)?|hits?|by|possible)\b(?: (?:the|its|our|your|their|that))?|"
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|\d+|few|joint|tied))\s+$",
    re.I,
)
"""Before a superlative: what is compared with it, or several that share it."""
_TO_BECOME = re.compile(
    r"\b(?:modify|exchange|change|swap|switch|replace|upgrade|downgrade)\b[^.;:]*\b(?:to|for|with|into) (?:the|an?|its|your)\b"
    r"(?: \w+){0,2} ?(?:[\w-]+est\b|most\b|least\b)",
    re.I,
)
"""What is proposed: "modify the tablet to the lowest-priced variant"."""


@dataclass(frozen=True, slots=True)
class _Point:
    passage: Passage
    cell: Cell | None
    scale: Scale


def check_extremes(claim: Claim, context: GroundContext) -> Finding:
    """Hold a superlative against the column it ranges over."""
    if _TO_BECOME.search(claim.text):
        return Finding.skip(NAME, "speaks of what something is to be changed to")
    parts = _ANOTHER.split(claim.text.rstrip(" ."))
    if len(parts) > 1:
        return _of_each(parts, claim, context)
    return _of_one(claim, context)


_ANOTHER = re.compile(
    r",\s+(?:and |while |but )?(?=[A-Z0-9][\w'’& -]{1,40}? (?:(?:is|was|has|had) )?(?:the |its )?(?:[a-z]+est|most [a-z]+|least [a-z]+)(?:$|,| [a-z]+(?:$|,)))"
)
"""Where a clause goes on about another thing's superlative: "Ash is the cheapest, Elm the fastest"."""


def _of_each(parts: Sequence[str], claim: Claim, context: GroundContext) -> Finding:
    """Each thing's own superlative; all must hold."""
    found = [
        _of_one(
            replace(claim, text=part, statement=part, values=tuple(parse_values(part))), context
        )
        for part in parts
    ]
    against = next((f for f in found if f.verdict == "contradicts"), None)
    if against is not None:
        return against
    if all(f.verdict == "supports" for f in found):
        spans = tuple(span for f in found for span in f.spans)
        return replace(found[0], detail="; ".join(f.detail for f in found), spans=spans)
    return Finding.skip(NAME, "not every superlative could be decided")


def _of_one(claim: Claim, context: GroundContext) -> Finding:
    text = re.sub(r"\([^)]*\)", "", claim.text)
    graded = best_grade(claim, context)
    if graded is not None:
        verdict: Verdict = "supports" if graded.holds else "contradicts"
        detail = f"{graded.spans[0].text}; at that end stands {graded.spans[1].text}"
        return Finding(
            NAME, "checked", verdict, 0.93 if graded.holds else 0.05,
            None if graded.holds else "contradicts_evidence", detail, spans=graded.spans,
        )  # fmt: skip
    for superlative in SUPERLATIVES:
        # In brackets it qualifies something else: "(already the cheapest available)".
        found = re.search(rf"\b(?:{superlative.words})\b", text, re.I)
        if found is None:
            continue
        ranked = _RANK.search(text[: found.start()])
        before = text[: ranked.start() if ranked else found.start()]
        several = re.search(r"\band\b.*\b(?:are|were)\b", before)
        if several or _NOT_ONE.search(before) or (found[0].lower() == "last" and ranked):
            return Finding.skip(NAME, "speaks of several, or of what is compared with an extreme")
        rank = _RANKS[ranked["rank"].lower()] if ranked else 1
        rank += found[0].lower().startswith("runner")
        sought = _Sought(superlative, found[0], rank)
        per = _PER.match(text[found.end() :])
        ratio = (
            check_ratio(claim, context, superlative.direction, sought.rank, found[0] + per[0])
            if per
            else None
        )
        if ratio is not None:
            return _as_denied(ratio, claim, before)
        finding = _check_superlative(claim, context, sought) or _check_row(claim, context, sought)
        if finding is not None:
            return _as_denied(finding, claim, before)
        if rank == 1 and not is_negated(claim.text):
            ranging = _phrase(claim.text, found[0])
            others = claim.statement.replace(found[0] + ranging, " ")
            refused = at_no_end(NAME, found[0], superlative, others, ranging, context)
            if refused is not None:
                return refused
    return Finding.skip(NAME, "no superlative that a list could decide")


_PER = re.compile(r"[\w -]{0,40}?\bper [a-z]+", re.I)
"""Behind a superlative, what it is of: "lowest cost per order"."""


def _as_denied(finding: Finding, claim: Claim, before: str) -> Finding:
    """ "X is not the cheapest" holds where X is not."""
    if finding.verdict is None or not is_negated(" ".join(before.split()[-4:])):
        return finding
    if finding.verdict == "contradicts":
        return replace(finding, verdict="supports", score=0.93, reason=None, settles="values")
    return replace(
        finding, verdict="contradicts", score=0.05, reason="contradicts_evidence", settles="all"
    )


@dataclass(frozen=True, slots=True)
class _Sought:
    """A superlative as it stands in a claim, and which from that end: 2 for "the second cheapest"."""

    superlative: Superlative
    word: str
    rank: int

    @property
    def direction(self) -> int:
        return self.superlative.direction

    @property
    def measures(self) -> frozenset[str]:
        return self.superlative.measures

    @property
    def end(self) -> str:
        end = "largest" if self.direction > 0 else "smallest"
        return end if self.rank == 1 else f"number {self.rank} from the {end}"

    def best(self, scales: Sequence[Scale]) -> Scale | None:
        """The scale at the end, or so many from it; None where there are not so many. Raises TypeError for
        moments with and without a zone, which do not order."""
        ordered = sorted(set(scales), reverse=self.direction > 0)
        return ordered[self.rank - 1] if len(ordered) >= self.rank else None

    def is_of(self, cell: Cell) -> bool:
        """Whether the words can be of this field."""
        fields = self.superlative.fields
        return not fields or bool(named_in(content_stems(cell.key), fields))


def _check_superlative(claim: Claim, context: GroundContext, sought: _Sought) -> Finding | None:
    """The value that is called the largest is the largest of its column."""
    word = sought.word
    phrase = _phrase(claim.text, word)
    for value in claim.values:
        if value.number is None and value.moment is None:
            continue
        if not measures(sought.superlative, value) or value.text.isalpha():
            continue  # "the lowest of the three" counts what it ranges over
        against: Finding | None = None
        columns: dict[tuple[object, ...], list[_Point]] = {}
        for hit in context.search.hits(value, today=context.today):
            if hit.cell is not None and (counts_nothing(hit.cell) or not sought.is_of(hit.cell)):
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
                best = sought.best([p.scale for p in column])
            except TypeError:
                continue
            if best is None:
                continue
            if best != mine.scale and table is not None:
                # Of the rows that were asked for, or told of just before, it may be.
                column, best = _among_meant(mine, column, table, sought, context) or (column, best)
            there = next(p for p in column if p.scale == best)
            is_best = best == mine.scale
            span = there.passage.span(there.cell)
            end = sought.end
            if is_best:
                detail = f"{value.text} is the {end} of {len(column)}"
                return Finding(
                    NAME, "checked", "supports", 0.95, None, detail, spans=(span,), settles="values"
                )
            if table is not None and _qualified(phrase, table):
                continue
            kinds = list(_kinds(mine, column)) if table and not phrase.strip() else []
            if any(sought.best([p.scale for p in kind]) == mine.scale for kind in kinds):
                return None  # the last of its kind: the words may speak of that kind alone
            detail = f"“{value.text}” is not the {end} of {len(column)}: {span.text}"
            against = against or Finding(
                NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=(span,)
            )
        if against is not None:  # it is the largest of none of the lists that hold it
            return against
    return None


def _check_row(claim: Claim, context: GroundContext, sought: _Sought) -> Finding | None:
    """A row that is said to have the lowest rent, without the figure, has it."""
    said = content_stems(claim.statement)
    ranging = _phrase(claim.text, sought.word)
    topic = context.rows.named_by(claim.statement.replace(sought.word + ranging, " "))
    for table in tables(context):
        named = [
            p for p in table.passages
            if any(r in topic.rows.get(g, ()) for g, r in context.rows.chain(p)[:1])
        ]  # fmt: skip
        if len({p.record.pointer for p in named if p.record}) != 1 or len(table.rows) < 2:
            continue
        read = [(p, cell, value) for p in named for cell, value in p.cell_values]
        if any(_is_called_so(cell, ranging, sought) for _, cell, _ in read):
            return None
        measured = [
            (p, cell, value)
            for p, cell, value in read
            if scale_of(value) is not None
            and (
                measures(sought.superlative, value) or sought.measures == MONEY and _is_price(cell)
            )
            and not counts_nothing(cell)
            and sought.is_of(cell)
        ]
        meant = _best_named([one for one in measured if _is_meant(one[1], said, sought)], said)
        if not meant and sought.superlative.sole and _is_sole(measured, ranging, table):
            meant = measured
        rows = table.that_say(ranging)
        ranged = rows if any(p in rows.passages for p, _, _ in meant) else table
        for passage, cell, value in meant:
            found = [
                _at_end(passage, cell, value, rows, sought)
                for rows in (ranged, *parts_meant(ranged, context))
                if passage in rows.passages
            ]
            borne_out = (f for f in found if f is not None and f.verdict == "supports")
            if (finding := next(borne_out, found[0] if found else None)) is not None:
                return finding
    return None


_Measured: TypeAlias = tuple[Passage, Cell, Value]


def _best_named(fields: Sequence[_Measured], said: frozenset[str]) -> list[_Measured]:
    """The fields of which the claim says most words: the stand fee, and not the price, of "the highest stand fee"."""
    keys = [content_stems(cell.key) for _, cell, _ in fields]
    named = [(len(key & said), len(named_in(key, said))) for key in keys]
    return [one for one, n in zip(fields, named, strict=True) if n == max(named)]


def _among_meant(
    mine: _Point, column: list[_Point], table: Table, sought: _Sought, context: GroundContext
) -> tuple[list[_Point], Scale] | None:
    """The part of a column in which a point is the extreme, of rows that may be meant, with the extreme."""
    for rows in parts_meant(table, context):
        part = [point for point in column if point.passage in rows.passages]
        if mine in part and len(part) > 1 and sought.best([p.scale for p in part]) == mine.scale:
            return part, mine.scale
    return None


def _is_called_so(cell: Cell, phrase: str, sought: _Sought) -> bool:
    """Whether a superlative is part of the name of a field: "its last visit" is ``last_visit``, and no visit
    is the last of several; the first train of a line is its ``first``."""
    key = content_stems(cell.key)
    rest = key - content_stems(sought.word) - MEASURES
    return stem(sought.word) in key and (not rest or bool(named_in(rest, content_stems(phrase))))


def _is_price(cell: Cell) -> bool:
    """Whether a field's name says that its number is an amount: ``eur_per_night``."""
    return any(word.upper() in CODES or word in _PRICES for word in cell.key.split())


_PRICES = frozenset("price cost fare fee".split())


def _is_meant(cell: Cell, said: frozenset[str], sought: _Sought) -> bool:
    if sought.superlative.fields:
        return True
    return bool(named_in(content_stems(cell.key) - MEASURES, said))


def _is_sole(measured: Sequence[tuple[Passage, Cell, Value]], phrase: str, table: Table) -> bool:
    """Whether one field alone has the measure, and the superlative is of all rows: "the cheapest"."""
    whole = len({cell.path for _, cell, _ in measured}) == 1
    return whole and not _qualified(phrase, table)


def _at_end(
    passage: Passage, cell: Cell, value: Value, table: Table, sought: _Sought
) -> Finding | None:
    if passage.pointer in table.totals:
        return None
    scales = [
        scale
        for p in table.passages
        if p.pointer not in table.totals
        for c, v in p.cell_values
        if c.path == cell.path and v.kind == value.kind and (scale := scale_of(v)) is not None
    ]
    try:
        best = sought.best(scales) if len(scales) > 1 else None
    except TypeError:
        return None
    if best is None:
        return None
    span = passage.span(cell)
    detail = f"{span.text} among {len(scales)}"
    if scale_of(value) == best:
        return Finding(NAME, "checked", "supports", 0.93, None, detail, spans=(span,))
    return Finding(
        NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=(span,)
    )


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
    named = {key for key in keys if named_in(content_stems(key) - MEASURES, said)}
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
        if p.pointer not in table.totals
        for c, v in p.cell_values
        if c.path == cell.path and v.kind == value.kind and (scale := scale_of(v)) is not None
    ]


def _kinds(mine: _Point, column: Sequence[_Point]) -> Iterator[list[_Point]]:
    """The rows that share something with a value's own: "it was restarted three times, last at 9:13" is of
    the restarts, and "last" without a noun says not of what."""
    if isinstance(mine.scale, Decimal):
        return
    for cell, _, _ in mine.passage.cells:
        alike = [
            point
            for point in column
            if any(c.path == cell.path and c.text == cell.text for c, _, _ in point.passage.cells)
        ]
        if 1 < len(alike) < len(column) and isinstance(cell.raw, str):
            yield alike


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
                scale = scale_of(first) if first else None
                if scale is not None:
                    found.append(_Point(passage, None, scale))
    return found
