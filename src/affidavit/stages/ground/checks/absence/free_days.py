"""Free days: "nothing is planned for Friday" over a plan whose row for Friday says "no rehearsal".

What the plan has on other days is no matter, and a day that no row is of stays open.
"""

from __future__ import annotations

import re

from affidavit.ledger.ledger import Passage
from affidavit.ledger.values import Moment, Value, compare
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

_NOTHING = re.compile(
    r"\b(?:nothing|not? (?:anything|events?|appointments?|entries|meetings?|plans)|n['’]t (?:anything|any \w+))\b[^.;]*\b(?:for|on|until|this|that|next|is|are|was)\b"
    r"|\b(?:is|was|are|['’]s|stays?|remains?|have|has|keeps?)\s(?:completely |entirely |still |all )?(?:free|empty|clear|off|a day off|a rest day|open)\b(?! (?:to|for|of|from|until|at)\b)"
    r"|\b(?:free|day off|rest day)\W*$|^\W*[A-Za-z, \d]+\b(?:free|off)\W*$",
    re.I,
)
"""That a day has nothing on it."""
_EMPTY = re.compile(
    r"\W*(?:no (?:[\w-]+ ){0,2}[\w-]+|none|nothing(?: \w+)?|free|off|closed|rest(?: day)?|day off|holiday|vacant|empty|n/?a|cancelled|canceled|frei|libre|libero|livre|vrij|"
    r"kein\w* \w+|ruhetag|repos|descanso|riposo)?\W*",
    re.I,
)
"""What a row says of a day with nothing on it, beside the day itself."""


def free_day(claim: Claim, context: GroundContext) -> Finding | None:
    """Hold "nothing on Friday" against the rows of Friday; None where it says none such, or no row is of it."""
    days = [v for v in claim.values if _is_day(v)]
    if len(days) != 1 or not _NOTHING.search(claim.text):
        return None
    rows = [p for p in context.search.passages if is_result(p) and _is_of(p, days[0], context)]
    if not rows:
        return None
    busy = next((p for p in rows if not _EMPTY.fullmatch(_rest(p, days[0], context))), None)
    if busy is None:
        detail = f"“{_rest(rows[0], days[0], context).strip()}”: {rows[0].text[:120]}"
        spans = tuple(p.span() for p in rows[:3])
        return Finding(
            "absence", "checked", "supports", 0.93, None, detail, spans=spans, settles="all"
        )
    if len(claim.values) > 1 or not re.search(r"\bnothing\b|n['’]t anything", claim.text, re.I):
        return None  # "no meeting on Friday" may be of a Friday with other things on it
    detail = f"there is {busy.text[:120]}"
    return Finding(
        "absence", "checked", "contradicts", 0.05, "false_absence", detail, spans=(busy.span(),)
    )


def _is_day(value: Value) -> bool:
    at = value.moment
    return at is not None and at.clock is None and (at.day is not None or at.weekday is not None)


def _is_of(passage: Passage, day: Value, context: GroundContext) -> bool:
    """Whether a row begins with that day."""
    if passage.record is None or not passage.record.group:
        return False
    return any(
        cell is passage.cells[0][0] and _same(day, value, context)
        for cell, value in passage.cell_values
    )


def _same(day: Value, value: Value, context: GroundContext) -> bool:
    if value.moment is None or value.moment == Moment(clock=value.moment.clock):
        return False
    return compare(day, value, today=context.today) in ("same", "rounded")


def _rest(passage: Passage, day: Value, context: GroundContext) -> str:
    """What a row says beside the day: the texts of its cells that are none of the day."""
    dated = {id(cell) for cell, value in passage.cell_values if _same(day, value, context)}
    return " ".join(
        cell.text for cell, _, _ in passage.cells if id(cell) not in dated and not cell.is_blank
    )
