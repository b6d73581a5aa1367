"""A total with its parts beside it: "90 minutes: 60 for the drive and 30 for the ferry"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from affidavit.ledger.values import Value
from affidavit.stages.ground.checks.derived.derivation import Derivation, Table, number_like
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_OPENS = re.compile(
    r"\s*(?:[\w ]{0,30}?)(?::|\(|[–—]|,? (?:of which|made up of|consisting of|comprising|that is|i\.e\.,?|namely|split into))\s*"
    r"(?:[\w ]{0,24}?\s)?[€$£¥]?$",
    re.I,
)
"""From a total to the first of its parts."""
_JOINS = re.compile(r"(?:\+|,|;|\band\b|\bplus\b|&)", re.I)
_OTHER = re.compile(r"\b(?:or|not|instead|than|from|to|before|down|up|of)\b", re.I)
"""Between two figures that are no parts of one whole: "up to 15 or 35"."""


def breakdown(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The sum of the figures that the claim breaks its value into, each of which is in the evidence."""
    if value.number is None or claim.is_datum:
        return
    after = [v for v in claim.values if v.start >= value.end and v.number is not None]
    if len(after) < 2 or not _OPENS.fullmatch(claim.text[value.end : after[0].start]):
        return
    parts = _joined(claim.text, after)
    like = [_measured_as(part, value) for part in parts]
    if len(like) < 2 or any(part is None for part in like):
        return
    told = [part for part in like if part is not None]
    if not all(context.search.hits(part, today=context.today) for part in told):
        return
    total = sum((part.number or Decimal(0) for part in told), Decimal(0))
    shown = number_like(value, total)
    text = f"{' + '.join(part.text for part in parts)} = {shown.text}"
    spans = tuple(
        hit.passage.span(hit.cell)
        for part in told
        for hit in context.search.hits(part, today=context.today)[:1]
    )
    yield Derivation("sum", shown, text, spans, exact=True)


def _joined(text: str, values: Sequence[Value]) -> list[Value]:
    parts = [values[0]]
    for part in values[1:]:
        between = text[parts[-1].end : part.start]
        if not _JOINS.search(between) or _OTHER.search(re.sub(r"\bfor [^,+]*", " ", between)):
            break
        parts.append(part)
    return parts


def _measured_as(part: Value, whole: Value) -> Value | None:
    """A part in the measure of the whole: of "50 minutes: 15 for …" the 15 are minutes."""
    if (part.kind, part.unit) == (whole.kind, whole.unit) or part.kind == whole.kind == "number":
        return part
    factor = whole.number / whole.face if whole.number and whole.face else Decimal(1)
    if part.kind != "number" or part.unit and whole.face is None or part.number is None:
        return None
    return replace(
        part, kind=whole.kind, unit=whole.unit, number=part.number * factor, face=part.number,
        face_unit=whole.face_unit,
    )  # fmt: skip
