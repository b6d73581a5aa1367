"""Labels: a datum whose name is the label of one line of a slip, and whose value stands in another line.

``"overtime_hours": 11.5`` where "Overtime 6.5 h" is one line and "Leave remaining 11.5 days" another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from affidavit.ledger.search import Hit
from affidavit.ledger.values import Value, compare
from affidavit.ledger.values.units import time_unit
from affidavit.ledger.words import content_stems, named_in
from affidavit.stages.ground.checks.values.running_text import (
    Elsewhere,
    Sentence,
    is_running,
    sentences_of,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_SORTS = content_stems(
    "amount value number no nr date time name total sum count id code type unit price cost fee rate text note "
    "quantity qty level status first last next new old max min average mean left remaining per"
)
"""Words of a name that say what sort of value it is and not of what."""
_COUNTABLE = frozenset({"number", "quantity", "duration", "money", "percent"})


def under_another_label(
    value: Value, hits: Sequence[Hit], claim: Claim, context: GroundContext
) -> Elsewhere | None:
    """The line that a datum's name labels, with what it says instead; None where the value's own line has a
    word of the name as well, or no line has all of them."""
    exact = [hit for hit in hits if hit.match == "same"] or hits
    if value.number is None or (hits and not any(map(is_running, exact))):
        return None
    if any(hit.passage.record is not None and hit.passage.record.group for hit in exact):
        return None
    words = _name(claim).split()
    units = [unit for word in words if (unit := time_unit(word)) is not None]
    label = content_stems(" ".join(w for w in words if time_unit(w) is None)) - _SORTS
    if not label:
        return None
    held = [hit.passage for hit in exact] or context.search.passages
    sources = {p.source.id for p in held if p.source.kind == "tool_result"}
    lines = [line for source in sorted(sources) for line in _of_result(source, context)]
    own = [line for line in lines if _has(line, value, context)]
    if not own or any(named_in(label, line.stems) for line in own):
        return None
    for line in lines:
        if len(named_in(label, line.stems)) == len(label):
            for other in line.values:
                if _could_be(other, value, units, context):
                    return Elsewhere(own[0], line, other)
    return None


def _name(claim: Claim) -> str:
    """What a datum is called: its key, or the label of its row in a table of two columns."""
    if claim.json_path is not None:
        named = [step for step in claim.json_path if isinstance(step, str)]
        return named[-1].replace("_", " ").replace("-", " ") if named else ""
    return claim.cell.row if claim.cell is not None and len(claim.cell.cells) == 2 else ""


def _of_result(source: int, context: GroundContext) -> Sequence[Sentence]:
    """The lines of a result's running text, and its fields as lines."""
    return context.search.once(f"lines of {source}", lambda: list(_lines(source, context)))


def _lines(source: int, context: GroundContext) -> Iterator[Sentence]:
    for passage in context.search.passages:
        if passage.source.id != source:
            continue
        if passage.record is None:
            yield from sentences_of(passage)
        for cell, _, _ in passage.cells:
            yield Sentence(f"{cell.key} {cell.text}", "", passage)


def _has(line: Sentence, value: Value, context: GroundContext) -> bool:
    """Whether a line has a value, or its very figure in another unit: "11.5 days" of 11.5 hours."""
    if any(compare(value, held, today=context.today) == "same" for held in line.values):
        return True
    figure = re.search(r"\d[\d.,]*", value.text)
    return figure is not None and bool(
        re.search(rf"(?<![\d.,]){re.escape(figure[0])}(?![.,]?\d)", line.text)
    )


def _could_be(held: Value, value: Value, units: Sequence[object], context: GroundContext) -> bool:
    """Whether a value of the labelled line is of the sort that the name asks for."""
    if held.kind not in _COUNTABLE or held.number is None:
        return False
    if units:
        return held.kind == "duration" and time_unit(held.text.split()[-1]) in units
    alike = held.kind == value.kind or value.kind == "number"
    return alike and compare(value, held, today=context.today) == "different"
