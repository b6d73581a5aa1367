"""One thing held against another by a comparative: "Upper Sary is higher than the Imir Pass", "more errors than
warnings", "the first alert came before the second".

Both things are in the evidence, and a model that reads the row of one of them finds the comparison entailed. So
the two figures that it is of are looked up: of two rows of one list in the field that is meant, or of two fields
of one thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import permutations

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.values import Value, compare
from affidavit.ledger.words import content_stems, is_negated, named_in
from affidavit.stages.ground.checks.derived.derivation import (
    counts_nothing,
    is_result,
    like_measures,
    measured_as,
    tables,
)
from affidavit.stages.ground.checks.lists.named_row import named_row
from affidavit.stages.ground.checks.lists.superlatives import (
    COMPARATIVES,
    MEASURES,
    Superlative,
    measures,
    scale_of,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "compared"

_THAN = re.compile(r"\bthan\b", re.I)
_ORDER = re.compile(r"\b(?:before|after)\b", re.I)
_FEW_WORDS = 16
"""Words beyond which a sentence tells more than which of two came first."""
_BEFORE = Superlative("before", -1, frozenset({"moment"}))
_AFTER = Superlative("after", +1, frozenset({"moment"}))
_HEDGED = re.compile(
    r"\b(?:if|unless|would|should|must|could|(?-i:may)|might|can|whether|rather|other|no (?:more|less)|else|any\w*|usual\w*|"
    r"expected|normal\w*|ever|all|each|every|both|together|combined|(?:twice|half|times) (?:as )?)\b",
    re.I,
)
"""What sets no two things side by side, or more than two."""

_MOST_PASSAGES = 400
"""Passages beyond which no two fields of each are held against each other."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """Two figures of one measure, that of the first thing and that of the other."""

    key: str
    first: tuple[Passage, Cell, Value]
    other: tuple[Passage, Cell, Value]

    def is_more(self) -> bool | None:
        """Whether the first is the larger or later; None where they are alike or do not order."""
        one, two = scale_of(self.first[2]), scale_of(self.other[2])
        try:
            return None if one is None or two is None or one == two else one > two  # type: ignore[operator]
        except TypeError:
            return None


@dataclass(frozen=True, slots=True)
class _Said:
    """A comparison: what is compared, by what, and with what."""

    before: str
    word: Superlative
    between: str
    after: str


def check_compared(claim: Claim, context: GroundContext) -> Finding:
    """Hold "A is more … than B" against the two figures."""
    said = _read(claim)
    if said is None:
        return Finding.skip(NAME, "compares no two things")
    pairs = _meant(_of_rows(said, context), said)
    if not pairs and said.word not in (_BEFORE, _AFTER):
        pairs = list(_of_fields(said, context))
    verdicts = {pair.is_more() for pair in pairs}
    if len(verdicts) != 1:
        return Finding.skip(NAME, "not sure which two figures are compared")
    more = verdicts.pop()
    holds = more is not None and more == (said.word.direction > 0)
    if is_negated(said.before):
        holds = not holds
    pair = pairs[0]
    if holds and (wrong := _by_another(claim, pair)) is not None:
        return wrong
    spans = tuple(passage.span(cell) for passage, cell, _ in (pair.first, pair.other))
    detail = f"{pair.first[2].text} against {pair.other[2].text}, by {pair.key}"
    if holds:
        return Finding(
            NAME, "checked", "supports", 0.93, None, detail, spans=spans, settles="values"
        )
    return Finding(
        NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=spans
    )


_BY = re.compile(r"\s+(?P<degrees>degrees? )?(?P<word>[a-z]+)", re.I)


def _by_another(claim: Claim, pair: _Pair) -> Finding | None:
    """What is wrong about by how much one is more: "16 degrees warmer" of 16 and -3, which are 19 apart."""
    one, two = pair.first[2], pair.other[2]
    if one.number is None or two.number is None:
        return None
    apart = abs(one.number - two.number)
    for value in claim.values:
        word = _BY.match(claim.text, value.end)
        if value.number is None or value.bound or word is None:
            continue
        if not any(re.fullmatch(c.words, word["word"], re.I) for c in COMPARATIVES):
            continue
        if word["degrees"] and one.unit.startswith("°"):
            value = replace(value, kind=one.kind, unit=one.unit)
        if not like_measures(one, value) or _is_apart(value, apart, one):
            continue
        detail = f"{value.text} is said, {one.text} and {two.text} are {apart.normalize():f} apart"
        spans = tuple(passage.span(cell) for passage, cell, _ in (pair.first, pair.other))
        return Finding(
            NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=spans
        )
    return None


def _is_apart(value: Value, apart: Decimal, held: Value) -> bool:
    """Whether a stated difference is this one, as people round."""
    return compare(value, measured_as(value, apart, held)) in ("same", "rounded")


def _read(claim: Claim) -> _Said | None:
    if claim.is_datum or claim.kind in ("restatement", "action") or _HEDGED.search(claim.text):
        return None
    than = list(_THAN.finditer(claim.statement))
    if not than:
        return _in_time(claim.statement)
    if len(than) != 1:
        return None
    left, after = claim.statement[: than[0].start()], claim.statement[than[0].end() :]
    for comparative in COMPARATIVES:
        found = list(re.finditer(rf"\b(?:{comparative.words})\b", left, re.I))
        if found:
            last = found[-1]
            return _Said(left[: last.start()], comparative, left[last.end() :], after)
    return None


def _in_time(statement: str) -> _Said | None:
    """ "Mail went down before auth had trouble": the row of one was earlier than that of the other."""
    found = list(_ORDER.finditer(statement))
    if len(found) != 1:
        return None
    (at,) = found
    if "," in statement or len(statement.split()) > _FEW_WORDS:
        return None  # "…, which gives up after five attempts, and …" sets no two commits apart
    word = _AFTER if at[0].lower() == "after" else _BEFORE
    return _Said(statement[: at.start()], word, "", statement[at.end() :])


def _of_rows(said: _Said, context: GroundContext) -> list[_Pair]:
    """The figures that two rows of one list have in the same field."""
    found: list[_Pair] = []
    for table in tables(context):
        first = named_row(table, said.before, context) or named_row(table, said.between, context)
        second = named_row(table, said.after, context)
        if first and second and first[0].pointer != second[0].pointer:
            found += _pairs(first, second, said.word)
    return found


def _pairs(first: list[Passage], second: list[Passage], word: Superlative) -> Iterator[_Pair]:
    others = {(c.path, v.kind, v.unit): (p, c, v) for p in second for c, v in p.cell_values}
    for passage in first:
        for cell, value in passage.cell_values:
            other = others.get((cell.path, value.kind, value.unit))
            if other is not None and not counts_nothing(cell) and measures(word, value):
                yield _Pair(cell.key, (passage, cell, value), other)


def _meant(pairs: list[_Pair], said: _Said) -> list[_Pair]:
    """The figures of the field that the words are of: by what they measure, by its name, or the only one."""
    if said.word.fields:
        return [p for p in pairs if named_in(content_stems(p.key), said.word.fields)]
    words = content_stems(f"{said.before} {said.between} {said.after}")
    named = [len(named_in(content_stems(p.key) - MEASURES, words)) for p in pairs]
    if any(named):
        return [p for p, n in zip(pairs, named, strict=True) if n == max(named)]
    return pairs


def _of_fields(said: _Said, context: GroundContext) -> Iterator[_Pair]:
    """Two figures of one thing, the field of each named on its side of "than" alone."""
    left, right = content_stems(f"{said.before} {said.between}"), content_stems(said.after)
    shown = context.fitting if len(context.fitting) <= _MOST_PASSAGES else ()
    for passage in filter(is_result, shown):
        read = [
            (content_stems(cell.key), cell, value)
            for cell, value in passage.cell_values
            if value.kind == "number" and not counts_nothing(cell)
        ]
        for (key, cell, value), (rival, beside, held) in permutations(read, 2):
            apart, distinct = key - rival, rival - key
            alike = cell.path[:-1] == beside.path[:-1]
            if alike and apart and distinct and apart <= left - right and distinct <= right - left:
                first, other = (passage, cell, value), (passage, beside, held)
                yield _Pair(f"{cell.key} and {beside.key}", first, other)
