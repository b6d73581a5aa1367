"""Events: rows of one thing's story, each with its own time, of which one sentence may tell several.

"It got to the depot at 21:52 and went out for delivery at 7:35" is of two rows, and "the restart count is
now 7" of the last row of the pod that an earlier row was told of.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from affidavit.ledger.ledger import Passage
from affidavit.ledger.search import Hit
from affidavit.ledger.values import Value, fold
from affidavit.stages.ground.checks.values.outdated import first_cell
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext
from affidavit.stages.ground.topic import Group, Row

_CUT = re.compile(
    r"[,;]\s|\s[-–—]\s|\b(?:and|but|then|while|before|after|which|when|where|since|until|followed)\b",
    re.I,
)
"""Where a clause ends and another event may be told."""


def of_own_event(
    value: Value, hits: Sequence[Hit], claim: Claim, context: GroundContext
) -> list[Hit]:
    """The hits in events that a value may be told of although the claim, or the one before it, names
    another event: its own clause names none other, or they are of one and the same thing."""
    events = [hit for hit in hits if is_event(hit.passage)]
    if not events:
        return []
    told = _told_apart(value, events, claim, context)
    return told or [hit for hit in events if _of_same_thing(hit, claim, context)]


def is_event(passage: Passage) -> bool:
    """Whether a row is one of a log or a history: it opens with its time."""
    record = passage.record
    first = first_cell(record) if record is not None and record.group else None
    return first is not None and any(
        cell.path == first.path and held.moment is not None for cell, held in passage.cell_values
    )


def _told_apart(
    value: Value, events: Sequence[Hit], claim: Claim, context: GroundContext
) -> list[Hit]:
    """The events of a value, where the claim gives a like value of another event in another clause and
    the value's own clause names no event, or this one."""
    cuts = [0, *(m.start() for m in _CUT.finditer(claim.text)), len(claim.text)]
    left = max(cut for cut in cuts if cut <= value.start)
    right = min((cut for cut in cuts if cut >= value.end), default=len(claim.text))
    paths = {hit.cell.path for hit in events if hit.cell is not None}
    elsewhere = [
        hit
        for other in claim.values
        if not left <= other.start < right
        for hit in context.search.hits(other, today=context.today)
        if hit.cell is not None and hit.cell.path in paths
    ]
    own = {id(hit.passage) for hit in events}
    if not any(is_event(hit.passage) and id(hit.passage) not in own for hit in elsewhere):
        return []
    clause = claim.text[left : value.start] + " " + claim.text[value.end : right]
    named = context.rows.named_by(clause)
    return [hit for hit in events if named.fits(context.rows.chain(hit.passage))]


def _of_same_thing(hit: Hit, claim: Claim, context: GroundContext) -> bool:
    """Whether an event is of the thing that another one was told of, whose number or name the answer gives;
    an event that the claim names itself is the one that it is of."""
    chain = context.rows.chain(hit.passage)
    group = chain[0][0] if chain else None
    if group is None or group in context.named.rows:
        return False
    answer = f" {fold(context.answer)} "
    for row in context.firm.rows.get(group, ()):
        for passage in _passages_of((group, row), context):
            for cell, _, _ in passage.cells:
                shared = any(
                    c.path == cell.path and c.text == cell.text for c, _, _ in hit.passage.cells
                )
                if shared and _is_thing(cell.text) and _names(cell.text, answer):
                    return True
    return False


def _passages_of(place: tuple[Group, Row], context: GroundContext) -> list[Passage]:
    return [p for p in context.fitting if place in context.rows.chain(p)[:1]]


def _is_thing(text: str) -> bool:
    """Whether a cell tells one thing from others: a code, or a name of several words; not a level."""
    return any(map(str.isdigit, text)) or len(text.split()) > 1


def _names(text: str, answer: str) -> bool:
    """Whether the answer gives a name, or its last part: ``pod/search-58b44`` is called search-58b44."""
    parts = (text, text.rpartition("/")[2])
    return any(len(part) > 3 and f" {fold(part)} " in answer for part in parts)
