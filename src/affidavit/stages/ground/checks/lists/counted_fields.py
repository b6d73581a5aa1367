"""Counts that bear the name of a field: "three assists" of a player whose ``assists`` is 2.

A small number stands in some field of any row. One that is followed by the very name of a field of the
row that the claim names is of that field alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from affidavit.ledger.ledger import Passage
from affidavit.ledger.words import content_stems, is_negated, stem
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.checks.values.phrase import phrase_around
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "counted_fields"

_NARROWED = re.compile(
    r"\b(?:per|combined|average[ds]?|season|last|first|second|third|fourth|half|quarter|more|fewer|less|apiece|each|"
    r"together|altogether|totall?(?:ing|s|ed)?|overall|in all|all told|in sum|(?:which|that|they|these|this) mak(?:es?|ing)|m(?:ak(?:es?|ing)|ade) up|add(?:s|ing)? up|com(?:es?|ing) to|sums? (?:up )?to|"
    r"by|lead|margin|gap|difference|ahead|behind|short|clear|shy|away|apart|at least|at most|over|under|about|another|other|next|straight|of (?:his|her|its|their|the|those|these|which))\b",
    re.I,
)
"""Words by which a count is of a part, of several, or of another time: "12 points in the first half"."""
_PART = re.compile(
    r"\b(?:free|available|empty|vacant|unused|spare|remaining|open|taken|occupied|used|sold|new|old|extra|additional|missing|broken)\b",
    re.I,
)
"""Of what is counted, a part: "18 free beds" are no ``beds``."""
_OUT_OF = re.compile(
    r"\d\s(?:out )?of (?:the |a (?:total|maximum|possible) of |a possible )?$", re.I
)
_ONE = re.compile(r"\b(?P<one>an?) (?P<noun>[a-z]+)\b(?! of\b)", re.I)


@dataclass(frozen=True, slots=True)
class _Count:
    """A number and the noun it counts."""

    text: str
    number: Decimal
    noun: str


def check_counted_fields(claim: Claim, context: GroundContext) -> Finding:
    """Hold each count against the field of its name in the rows that the claim names."""
    if claim.is_datum or is_negated(claim.text):
        return Finding.skip(NAME, "a datum, or a denial")
    counts = list(_counts(claim))
    rows = list(_named_rows(claim, context)) if counts else []
    for count in counts:
        held = [
            (passage, cell, value)
            for passage in rows
            for cell, value in passage.cell_values
            if value.kind == "number" and content_stems(cell.key) == {count.noun}
            if value.text == cell.text  # ``flight: KV 117`` counts none
        ]
        if held and all(value.number != count.number for _, _, value in held):
            span = held[0][0].span(held[0][1])
            detail = f"“{count.text}”, where the evidence has {span.text}"
            return Finding(
                NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, spans=(span,)
            )
    return Finding.skip(NAME, "counts nothing that a row named here has a field for")


def _counts(claim: Claim) -> Iterator[_Count]:
    told = [v for v in claim.values if v.kind == "number" and v.number is not None and v.unit]
    for value in told:
        if _PART.search(value.unit):
            continue
        if _OUT_OF.search(claim.text[: value.start]):
            continue  # "49 of 60 points": the second is what there were to have
        if not value.bound and not _NARROWED.search(phrase_around(claim, value)):
            noun = stem(value.unit.split(" ")[-1])
            yield _Count(f"{value.text} {value.unit}", value.number or Decimal(0), noun)
    # "Six rebounds and a steal": beside other counts an article is a one.
    for one in _ONE.finditer(claim.text) if told else ():
        if re.search(r"(?:,|\band|\bplus|\bwith)\s+$", claim.text[: one.start()]):
            yield _Count(one[0], Decimal(1), stem(one["noun"]))


def _named_rows(claim: Claim, context: GroundContext) -> Iterator[Passage]:
    """The passages of the rows that the claim names itself."""
    named = context.named.widened_by(context.rows.mentioned(claim.text))
    for passage in context.rows.fitting(named):
        chain = context.rows.chain(passage) if is_result(passage) else ()
        if chain and chain[0][1] in named.rows.get(chain[0][0], ()):
            yield passage
