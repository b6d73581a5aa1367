"""Extremes of what no field holds: "the lowest cost per conversion" of rows that have a spend and conversions."""

from __future__ import annotations

import re
from decimal import Decimal

from affidavit.ledger.words import content_stems, named_in, stem
from affidavit.stages.ground.checks.derived.derivation import Table, tables
from affidavit.stages.ground.checks.derived.per_unit import Ratio, ratios_of
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "extremes"

_PER = re.compile(r"(?P<of>[\w -]*?)\bper (?P<unit>[a-z]+)", re.I)


def check_ratio(
    claim: Claim, context: GroundContext, direction: int, rank: int, phrase: str
) -> Finding | None:
    """Compute the ratio for every row and see where the row that is named stands; None where a field holds
    it, "price per night" of ``eur_per_night``."""
    per = _PER.search(phrase)
    if per is None:
        return None
    unit = stem(per["unit"])
    known = tables(context)
    if any(_holds(table, unit) for table in known):
        return None
    topic = context.rows.named_by(claim.statement.replace(phrase, " "))
    for table in known:
        ratios = ratios_of(table, per["of"], per["unit"])
        named = [
            ratio for ratio in ratios
            if any(r in topic.rows.get(g, ()) for g, r in context.rows.chain(ratio.part.passage)[:1])
        ]  # fmt: skip
        if len(ratios) > 1 and len(named) == 1:
            return _judge(named[0], ratios, direction, rank)
    return Finding.skip(NAME, f"no row has what is per {per['unit']}")


def _holds(table: Table, unit: str) -> bool:
    keys = {column[0].cell.key for column in table.columns.values()}
    return any(
        "per" in key.split() and named_in(frozenset({unit}), content_stems(key)) for key in keys
    )


def _judge(mine: Ratio, ratios: list[Ratio], direction: int, rank: int) -> Finding | None:
    ordered: list[Decimal] = sorted({ratio.result for ratio in ratios}, reverse=direction > 0)
    if len(ordered) < rank:
        return None
    spans = (mine.part.span, mine.whole.span)
    detail = f"{mine} among {len(ratios)}"
    if mine.result == ordered[rank - 1]:
        return Finding(NAME, "checked", "supports", 0.93, None, detail, detail, spans)
    best = next(ratio for ratio in ratios if ratio.result == ordered[rank - 1])
    detail = f"{mine}, and {best} elsewhere"
    spans = (best.part.span, best.whole.span)
    return Finding(
        NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, detail, spans
    )
