"""Ways from one to another: "from Gent to Lyon" over ``from: Lyon, to: Gent`` has each name right and the way wrong."""

from __future__ import annotations

import re

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell, records_of
from affidavit.ledger.values import Value, compare, read_cell
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.checks.values.value_verdict import ValueVerdict
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_FROM = re.compile(
    r"\b(?:from|von|de|desde|da|van)\s(?:the |your |account |warehouse |station )*[\"'“*`]*$", re.I
)
_TO = re.compile(
    r"[\"'”*`]*(?:\s\w+)?\s(?:to|into|nach|à|a|hasta|naar)\s(?:the |your |account |warehouse |station )*[\"'“*`]*",
    re.I,
)
_STARTS = frozenset("from origin source departure sender pickup dep".split())
_ENDS = frozenset("to destination dest target arrival recipient receiver dropoff arr".split())


def turned_round(value: Value, claim: Claim, context: GroundContext) -> ValueVerdict | None:
    """Where a record goes the other way than the claim says, and none goes as it says; else None."""
    if value.moment is not None or value.number is not None or claim.is_datum:
        return None
    after = next((v for v in claim.values if v.start >= value.end), None)
    if after is None or not _FROM.search(claim.text[: value.start]):
        return None
    if not _TO.fullmatch(claim.text[value.end : after.start]):
        return None
    turned: tuple[Passage, Cell] | None = None
    for passage in filter(is_result, context.search.passages):
        starts, ends = _held(passage, _STARTS), _held(passage, _ENDS)
        if _is_one(value, starts) and _is_one(after, ends):
            return None
        if _is_one(value, ends) and _is_one(after, starts):
            turned = turned or (passage, ends[0][0])
    for entry in context.ledger.calls if turned is None else ():
        for record in records_of(entry.call.arguments) if entry.outcome == "ok" else ():
            given = [(c, v) for c in record.cells for v in read_cell(c, record)]
            starts = [pair for pair in given if _STARTS & set(pair[0].key.split())]
            ends = [pair for pair in given if _ENDS & set(pair[0].key.split())]
            if _is_one(value, ends) and _is_one(after, starts):
                detail = f"{entry.call.name} was called to go to “{value.text}”"
                return ValueVerdict(
                    value, "contradicted", None, "contradicts_evidence", detail, derivable=False
                )
    if turned is None:
        return None
    span = turned[0].span(turned[1])
    detail = f"it goes to “{value.text}” and not from there: {span.text}"
    return ValueVerdict(
        value, "contradicted", span, "contradicts_evidence", detail, derivable=False
    )


def _held(passage: Passage, names: frozenset[str]) -> list[tuple[Cell, Value]]:
    return [(cell, v) for cell, v in passage.cell_values if names & set(cell.key.split())]


def _is_one(value: Value, held: list[tuple[Cell, Value]]) -> bool:
    return any(compare(value, other) == "same" for _, other in held)
