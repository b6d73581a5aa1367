"""What was searched for: the day, the place or the price that a call gave as its bounds.

"I found no mail since Monday, 5 October" is borne out by a search with ``since: 2026-10-05``. A call's
arguments show what was asked, and nothing else: that the deed was signed on 5 October they do not show.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.records import Cell, records_of
from affidavit.ledger.values import Value, compare, read_cell
from affidavit.stages.ground.checks.values.value_verdict import ValueVerdict
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_SEARCHED = re.compile(
    r"\b(?:searched|looked|checked|queried|filtered|scanned|went through|asked for|search|query|lookup)\b|"
    r"\b(?:no|not|none|nothing|nobody|any|n['’]t)\b[^.;]*\b(?:found|find|finds|returned|came up|came back|turned up|matched|match|matches|"
    r"came in|arrived|results?|hits?)\b|"
    r"\b(?:found|find|see|seeing|get|got|have|there (?:is|are|was|were|['’]s)|came up with|turned up|returned|shows?|lists?|has)\b[^.;]{0,20}\b(?:no|not|none|nothing|nobody|any)\b",
    re.I,
)
"""A report of a search, or of its having found nothing."""
_BOUND = re.compile(
    r"\b(?:since|from|after|before|until|till|up to|by|between|to|and|through|for|in|on|at|near|around|within|under|over|above|below|of|"
    r"about|with|matching|than|between the|on the|since the|week of|starting|ending)\s(?:the )?[\"“'‘(`]?$",
    re.I,
)
"""Before what a search was bounded by."""


def searched_for(value: Value, claim: Claim, context: GroundContext) -> ValueVerdict | None:
    """Where a call that succeeded asked for a value that a report of a search gives as its bound."""
    if claim.is_datum:
        return None
    if value.moment is not None and (found := _day_of_list(value, claim, context)) is not None:
        return found
    if not _SEARCHED.search(claim.text) or not _BOUND.search(claim.text[: value.start]):
        return None
    for cell, asked in _asked(context):
        if compare(value, asked, today=context.today) == "same":
            detail = f"{value.text} = {cell.key}: {cell.text}, as it was searched for"
            return ValueVerdict(value, "found", None, None, detail, derivable=False)
    return None


def _day_of_list(value: Value, claim: Claim, context: GroundContext) -> ValueVerdict | None:
    """The day that a tool was asked for, where its result has times and no day of its own: each of them is of
    that day, as the events of ``list_events(date="2026-03-19")`` are."""
    others = [v for v in claim.values if v is not value and v.kind != "name"]
    for entry in context.ledger.calls:
        source = entry.result
        if source is None or entry.outcome != "ok":
            continue
        if not any(
            compare(value, asked, today=context.today) == "same" and asked.moment is not None
            for record in records_of(entry.call.arguments)
            for cell in record.cells
            for asked in read_cell(cell, record)
        ):
            continue
        held = [v for p in context.search.passages if p.source.id == source.id for v in p.values]
        dated = any(v.moment is not None and v.moment.day is not None for v in held)
        told = any(
            compare(v, other, today=context.today) == "same" for v in others for other in held
        )
        if told and not dated:
            detail = f"{value.text}: what {entry.call.name} was asked for"
            return ValueVerdict(value, "found", None, None, detail, derivable=False)
    return None


def _asked(context: GroundContext) -> list[tuple[Cell, Value]]:
    """The values of the arguments of every call that did not fail."""

    def read() -> Iterator[tuple[Cell, Value]]:
        for entry in context.ledger.calls:
            if entry.outcome not in ("ok", "empty"):
                continue
            for record in records_of(entry.call.arguments):
                for cell in record.cells:
                    for value in read_cell(cell, record):
                        yield cell, value

    return context.search.once("values asked for", lambda: list(read()))
