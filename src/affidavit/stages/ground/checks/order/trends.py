"""Direction: what rose and what fell, held against the earlier and the later figure of one row."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from affidavit.ledger.records import Record
from affidavit.ledger.words import content_stems, is_negated
from affidavit.stages.ground.checks.derived.aggregate import SUM
from affidavit.stages.ground.checks.derived.derivation import (
    Operand,
    Table,
    are_in_time,
    counts_nothing,
    in_time,
    measure_of,
    tables,
)
from affidavit.stages.ground.checks.derived.over_years import Yearly, pairs_of_years
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "trends"

UP = re.compile(
    r"\b(rose|risen|rises?|grew|grown|grows?|increas\w+|gained|climbed|went up|(?:is|was|are) up|growth|"
    r"improved|expanded|gestiegen|stieg\w*|subi\w+|aument\w+|augment\w+)\b",
    re.I,
)
DOWN = re.compile(
    r"\b(fell|fallen|falls?|shr[aiu]nk|decreas\w+|declin\w+|dropped|drops?(?!-)|lost|went down|"
    r"(?:is|was|are) down|reduced|lower(?:ed)? than before|gesunken|sank|baj\w+|diminu\w+|cal(?:ó|ato|ata|ati|ate|ano|ava))\b",
    re.I,
)
FLAT = re.compile(
    r"(?:\bnot|n['’]t|\bnever) (?:really |actually )?(?:chang(?:e|ed)|mov(?:e|ed)|budged?)\b"
    r"|\b(?:stay(?:s|ed)?|remain(?:s|ed)?|was|were|is|are|held|kept|has been|have been) (?:(?:exactly|completely|entirely) )?"
    r"(?:unchanged|the same|as (?:it was|before|high as before)|flat|level|constant)\b"
    r"|\bno change\b|\bunverändert\b|\binchang\w+|\bsin cambios\b|\binvariat\w+",
    re.I,
)
"""That a figure is what it was."""
_FASTEST = re.compile(r"\b(fastest|most|strongest|biggest|largest|steepest)\b", re.I)
_ONLY = re.compile(r"\bonly\b", re.I)


@dataclass(frozen=True, slots=True)
class _Change:
    """A row's earlier and later figure: two columns of one measure."""

    row: Record
    before: Operand
    after: Operand

    @property
    def by(self) -> Decimal:
        return self.after.number - self.before.number

    @property
    def ratio(self) -> Decimal:
        return (self.after.number - self.before.number) / abs(self.before.number or Decimal(1))

    def __str__(self) -> str:
        return f"{self.before.cell.key} {self.before} → {self.after.cell.key} {self.after}"


def check_trends(claim: Claim, context: GroundContext) -> Finding:
    """Compare the direction that a claim states with the two figures of the row it names."""
    up, down = bool(UP.search(claim.text)), bool(DOWN.search(claim.text))
    if up == down and _OTHER_WAY.search(claim.text):
        before = _told_before(context)
        up, down = before is False, before is True
    flat = bool(FLAT.search(claim.text)) and not up and not down
    driver = bool(_DRIVER.search(claim.text))
    if (up == down or SUM.search(claim.text)) and not flat and not driver:
        return Finding.skip(NAME, "states no direction")
    for table in tables(context):
        found = list(changes(table))
        named = [c for c in found if context.topic.names(context.rows.chain(c.before.passage))]
        if len(named) != 1 or len(found) < 2:
            continue
        if flat:
            return _judge_flat(named[0], claim)
        return _of_driver(named[0], found, claim) if driver else _judge(named[0], found, up, claim)
    if flat or driver:
        return Finding.skip(NAME, "no row that is named has an earlier and a later figure")
    said = content_stems(claim.statement)
    of_all = None if context.named.rows or claim.values else _of_all(said, up, claim, context)
    if of_all is not None:
        return of_all
    for old, new in pairs_of_years(claim, context):
        if old.label <= said and (finding := _by_years(old, new, up, claim)) is not None:
            return finding
    return Finding.skip(NAME, "no row that is named has an earlier and a later figure")


_OTHER_WAY = re.compile(
    r"\b(?:other|opposite|reverse) (?:way|direction)\b|\b(?:did|does|saw|showed|shows) the (?:opposite|reverse)\b|\bbuck(?:s|ed) the trend\b",
    re.I,
)
"""A direction that is told by the one before it: "EBIT went the other way"."""
_MORE, _LESS = (
    re.compile(r"\b(?:more|higher|above|up)\b", re.I),
    re.compile(r"\b(?:less|fewer|lower|below|down)\b", re.I),
)


def _told_before(context: GroundContext) -> bool | None:
    """Whether the direction that the answer told last is up; None where it told none."""
    for claim in reversed(context.before[-_NEAR:]):
        for rise, fall in ((UP, DOWN), (_MORE, _LESS)):
            up, down = bool(rise.search(claim.text)), bool(fall.search(claim.text))
            if up != down:
                return up
    return None


_NEAR = 3


_NO_SUM = content_stems(
    "price rate rates average avg mean percent pct share ratio score rating temperature temp level age index"
)
"""What is not added up over rows."""


def _of_all(said: frozenset[str], up: bool, claim: Claim, context: GroundContext) -> Finding | None:
    """The direction of all rows together, where no row is named and the measure is: "costs rose"."""
    for table in tables(context):
        found = list(changes(table))
        key = (
            content_stems(measure_of(found[0].before)[1] or found[0].before.cell.key)
            if found
            else frozenset()
        )
        if len(found) < 2 or len(found) < len(table.rows) or not key & said or key & _NO_SUM:
            continue
        total = sum((c.by for c in found), Decimal(0))
        if total == 0 or _FASTEST.search(claim.text) or _ONLY.search(claim.text):
            return None
        before, after = (
            sum(o.number for o in side)
            for side in zip(*((c.before, c.after) for c in found), strict=True)
        )
        detail = f"all {len(found)} together: {before} → {after}"
        spans = (found[0].before.span, found[0].after.span)
        if ((total > 0) == up) == (not is_negated(claim.text)):
            return Finding(NAME, "checked", "supports", 0.93, None, detail, spans=spans)
        return Finding(NAME, "checked", "contradicts", 0.05, "meaning_changed", detail, spans=spans)
    return None


def _judge(change: _Change, changes: list[_Change], up: bool, claim: Claim) -> Finding:
    same_way = [c for c in changes if (c.ratio > 0) == up and c.ratio != 0]
    holds = change in same_way
    if _FASTEST.search(claim.text):
        holds = holds and max(same_way, key=lambda c: abs(c.ratio)) is change
    if _ONLY.search(claim.text):
        holds = holds and same_way == [change]
    spans = (change.before.span, change.after.span)
    if holds == (not is_negated(claim.text)):
        return Finding(NAME, "checked", "supports", 0.93, None, str(change), spans=spans)
    return Finding(
        NAME, "checked", "contradicts", 0.05, "meaning_changed", str(change), spans=spans
    )


def _judge_flat(change: _Change, claim: Claim) -> Finding:
    """Whether both figures are the same; "the only one that did not change" is for others to say."""
    if _ONLY.search(claim.text):
        return Finding.skip(NAME, "speaks of the only one")
    spans = (change.before.span, change.after.span)
    if change.before.number == change.after.number:
        return Finding(NAME, "checked", "supports", 0.93, None, str(change), spans=spans)
    return Finding(
        NAME, "checked", "contradicts", 0.05, "meaning_changed", str(change), spans=spans
    )


_DRIVER = re.compile(
    r"\b(?:main|biggest|largest|primary|chief|principal|single biggest) (?:driver|contributor|contribution|factor|culprit|cause)\b"
    r"|\bcontributed (?:the )?most\b|\bdriven (?:mainly|mostly|primarily|chiefly|largely) by\b",
    re.I,
)
"""What made most of a change: "the main driver was egress"."""


def _of_driver(change: _Change, changes: list[_Change], claim: Claim) -> Finding:
    """Whether a row has most of what all rows together have changed by."""
    total = sum((c.by for c in changes), Decimal(0))
    most = max(changes, key=lambda c: c.by if total > 0 else -c.by)
    if total == 0 or [c.by for c in changes].count(most.by) > 1:
        return Finding.skip(NAME, "nothing has changed, or several by as much")
    spans = (most.before.span, most.after.span)
    if (most is change) == (not is_negated(claim.text)):
        return Finding(NAME, "checked", "supports", 0.93, None, str(most), spans=spans)
    return Finding(NAME, "checked", "contradicts", 0.05, "meaning_changed", str(most), spans=spans)


def _by_years(old: Yearly, new: Yearly, up: bool, claim: Claim) -> Finding | None:
    """The direction between two years of one label, where that is all that is claimed."""
    if old.value.number is None or new.value.number is None or old.value.number == new.value.number:
        return None
    if _FASTEST.search(claim.text) or _ONLY.search(claim.text):
        return None
    holds = ((new.value.number > old.value.number) == up) == (not is_negated(claim.text))
    detail, spans = (
        f"{old.year}: {old.value.text} → {new.year}: {new.value.text}",
        (old.span, new.span),
    )
    if holds:
        return Finding(
            NAME, "checked", "supports", 0.93, None, detail, spans=spans, settles="values"
        )
    return Finding(NAME, "checked", "contradicts", 0.05, "meaning_changed", detail, spans=spans)


def changes(table: Table) -> Iterator[_Change]:
    """For each row its first and last figure of the measure that most rows have twice."""
    for row in table.rows:
        figures = [
            Operand(passage, cell, value)
            for passage in table.shown.get(row.pointer, ())
            for cell, value in passage.cell_values
            if value.number is not None
            and value.kind in ("money", "number", "quantity")
            and not counts_nothing(cell)
        ]
        measures = {measure_of(o) for o in figures}
        for measure in sorted(measures):
            column = [o for o in figures if measure_of(o) == measure]
            if len(column) == 2 and are_in_time(*column):
                yield _Change(row, *in_time(*column))
                break
