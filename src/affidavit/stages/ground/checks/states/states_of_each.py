"""One state that is told of several things: "the build and the unit tests passed"."""

from __future__ import annotations

import re

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell, Record
from affidavit.ledger.words import content_stems
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.checks.states.claimed import PREDICATE, is_denied
from affidavit.stages.ground.checks.states.held import compare_states, has_state
from affidavit.stages.ground.checks.states.vocabulary import STATUS_FIELD, states_in
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext


def states_of_each(
    claim: Claim, told: str, claimed: frozenset[tuple[int, int]], context: GroundContext
) -> Finding | None:
    """ "The build and the unit tests passed": the states of those things, or of the parts that each has; None where
    one of them is no thing that has a state."""
    predicate = next((m for m in PREDICATE.finditer(told) if states_in(m[0])), None)
    parts = _AND.split(told[: predicate.start()]) if predicate is not None else []
    called = [stems for part in parts if (stems := content_stems(part))]
    if len(called) < _SEVERAL or len(called) != len(parts):
        return None
    found = [_states_of(stems, context) for stems in called]
    if not all(found):
        return None
    denied = is_denied(told)
    verdicts = {compare_states(claimed, cell) for cells in found for _, cell in cells}
    if verdicts == {True} and not denied or verdicts == {False} and denied:
        spans = tuple(passage.span(cell) for cells in found for passage, cell in cells)
        detail = "; ".join(span.text for span in spans)
        return Finding(_NAME, "checked", "supports", 0.9, None, detail, spans=spans)
    other = next(
        ((p, c) for cells in found for p, c in cells if compare_states(claimed, c) is False), None
    )
    if other is None or denied or None in verdicts:
        return None
    span = other[0].span(other[1])
    return Finding(
        _NAME, "checked", "contradicts", 0.05, "contradicts_evidence", f"the evidence has {span.text}",
        spans=(span,),
    )  # fmt: skip


_AND = re.compile(r",\s*(?:and |both )?|\s(?:and|as well as|plus)\s|^\W*both ", re.I)
_SEVERAL = 2
_NAME = "states"
"""Whose finding it is: this is the part of that check for several things."""


def _states_of(stems: frozenset[str], context: GroundContext) -> list[tuple[Passage, Cell]]:
    """The status fields of the one thing that is called so, or of the parts that it has."""
    results = [p for p in context.search.passages if p.record is not None and is_result(p)]
    called = [p for p in results if p.record and content_stems(_name_of(p.record)) == stems]
    pointers = {(p.source.id, p.record.pointer) for p in called if p.record}
    if len(pointers) != 1:
        return []
    source, pointer = pointers.pop()
    inside = [
        p
        for p in results
        if p.source.id == source and p.record and _is_in(p.record.pointer, pointer)
    ]
    own = [p for p in inside if p.record and p.record.pointer == pointer]
    for group in (own, inside):
        cells = [
            (p, c) for p in group for c, _, _ in p.cells
            if isinstance(c.raw, str) and STATUS_FIELD.search(c.key) and has_state(c)
        ]  # fmt: skip
        if cells:
            return cells
    return []


def _is_in(pointer: str, outer: str) -> bool:
    return pointer == outer or pointer.startswith(outer.rstrip("/") + "/")


def _name_of(record: Record) -> str:
    """What a record is called: its first text that is no state and no number."""
    texts = (c.text for c in record.cells if isinstance(c.raw, str) and not states_in(c.text))
    return next((text for text in texts if not text.isdigit()), "")
