"""Multiples: "three times as much as the North", "more than all the others together"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from affidavit.ledger.words import content_stems, is_negated, named_in
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.derivation import (
    Operand,
    Table,
    counts_nothing,
    tables,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "multiples"

_TIMES = re.compile(
    r"(?P<bound>(?:well |far )?(?:more than|over|less than|under|not quite|almost|nearly|about|around|roughly|some|approximately) )?"
    r"(?P<n>twice|double|half|(?:\d+(?:\.\d+)?|two|three|four|five|six|seven|eight|nine|ten) times)\s+"
    r"(?:as (?P<how>\w+)(?: [\w-]+){0,3}? as|the (?P<what>[\w-]+(?: [\w-]+)?) of|that of)\s+(?P<other>[^,;.]+)",
    re.I,
)
_OTHERS = re.compile(
    r"\b(?P<sign>more|fewer|less|higher|lower)\b(?: [\w-]+){0,3}? than (?:all )?(?:of )?the (?:other|rest)[\w ]*?\b"
    r"(?:together|combined|put together|taken together)\b|"
    r"\b(?P<all>more|fewer|less)\b(?: [\w-]+){0,3}? than all (?:the )?(?:others?|[\w-]+ )[\w ]*?\b(?:together|combined)\b",
    re.I,
)
_FACTORS: dict[str, Decimal | int] = {"twice": 2, "double": 2, "half": Decimal("0.5"), "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}  # fmt: skip
_MONEY = frozenset("expensive dear costly pricey cheap".split())
_HEDGED = re.compile(r"\b(?:if|would|could|should|might|unless)\b", re.I)
_NEAR, _ROUGH = Decimal("0.1"), Decimal("0.2")
"""How far a ratio may be from "three times", and from "about three times"."""


def check_multiples(claim: Claim, context: GroundContext) -> Finding:
    """Hold a multiple against the two rows that the claim names, or one of them against all others."""
    skipped = Finding.skip(NAME, "sets no two rows in a ratio")
    if claim.is_datum or is_negated(claim.text) or _HEDGED.search(claim.text):
        return skipped
    times, others = _TIMES.search(claim.text), _OTHERS.search(claim.text)
    if times is None and others is None:
        return skipped
    verdicts: list[tuple[bool, str, tuple[EvidenceSpan, ...]]] = []
    for table in tables(context):
        if times is not None:
            verdicts += _in_ratio(times, table, claim, context)
        elif others is not None:
            verdicts += _against_rest(others, table, claim, context)
    if not verdicts or len({holds for holds, _, _ in verdicts}) != 1:
        return skipped
    holds, detail, spans = verdicts[0]
    if holds:
        return Finding(NAME, "checked", "supports", 0.92, None, detail, detail, spans, "values")
    return Finding(
        NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, detail, spans
    )


def _in_ratio(
    times: re.Match[str], table: Table, claim: Claim, context: GroundContext
) -> Iterator[tuple[bool, str, tuple[EvidenceSpan, ...]]]:
    one = _row_called(claim.text[: times.start()], table)
    other = _row_called(times["other"], table)
    if one is None or other is None or one == other:
        return
    word = times["n"].split()[0].lower()
    factor = Decimal(_FACTORS.get(word) or word)
    how = (times["how"] or "").lower()
    for column in _columns(table, claim, money=how in _MONEY):
        by_row = {o.passage.pointer: o for o in column}
        if one in by_row and other in by_row and by_row[other].number:
            a, b = by_row[one], by_row[other]
            ratio = a.number / b.number
            text = f"{a} / {b} = {round(ratio, 3).normalize():f}"
            yield _is_so(ratio, factor, (times["bound"] or "").lower()), text, (a.span, b.span)


def _is_so(ratio: Decimal, factor: Decimal, bound: str) -> bool:
    if "more than" in bound or bound.startswith("over"):
        return ratio > factor
    if "less than" in bound or bound.startswith("under"):
        return ratio < factor
    if bound.startswith(("almost", "nearly", "not quite")):
        return factor * (1 - _ROUGH) <= ratio <= factor
    return abs(ratio / factor - 1) <= (_ROUGH if bound else _NEAR)


def _against_rest(
    others: re.Match[str], table: Table, claim: Claim, context: GroundContext
) -> Iterator[tuple[bool, str, tuple[EvidenceSpan, ...]]]:
    one = _row_called(claim.text[: others.start()], table)
    sign = (others["sign"] or others["all"]).lower()
    for column in _columns(table, claim, money=False) if one is not None else ():
        mine = [o for o in column if o.passage.pointer == one]
        rest = [o for o in column if o.passage.pointer not in (one, *table.totals)]
        if len(mine) == 1 and len(rest) > 1:
            total = sum((o.number for o in rest), Decimal(0))
            text = f"{mine[0]} against {' + '.join(map(str, rest[:8]))} = {total.normalize():f}"
            above = mine[0].number > total
            yield above == (sign in ("more", "higher")), text, (mine[0].span, rest[0].span)


def _row_called(text: str, table: Table) -> str | None:
    """The pointer of the only row that a text names."""
    rows = table.rows_that_say(text) or ()
    called = {row.pointer for row in rows} if len(rows) == 1 else table.called_in(text)
    return next(iter(called)) if len(called) == 1 else None


def _columns(table: Table, claim: Claim, *, money: bool) -> Sequence[list[Operand]]:
    """The column that the claim names; else the only one there is, of prices where a price is meant."""
    said = content_stems(claim.statement)
    found: dict[object, list[Operand]] = {}
    for column in table.columns.values():
        first = column[0]
        fits = first.value.kind == "money" or not money
        if fits and not counts_nothing(first.cell) and len(column) == len(table.rows):
            found.setdefault(first.cell.path, column)
    named = [c for c in found.values() if named_in(content_stems(c[0].cell.key), said)]
    if named:
        return named
    return list(found.values()) if len(found) == 1 else []
