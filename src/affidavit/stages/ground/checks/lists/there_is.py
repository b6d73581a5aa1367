"""That exact one exists: the marks told just before, held against the rows of a list.

"Requested: maple, 34 inch, graphic. That exact variant exists" is so where one row has all three, whether or not
it is to be had.
"""

from __future__ import annotations

import re
from itertools import islice

from affidavit.ledger.records import Record
from affidavit.ledger.words import is_negated
from affidavit.stages.ground.checks.derived.derivation import Table, tables
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "there_is"

_EXISTS = re.compile(
    r"\b(?:that|this|the) (?:(?:exact|very|same|specific|requested|desired|precise) )*(?:variant|option|item|combination|model|version|configuration|edition|size|one)"
    r" (?:does |indeed |also |still )*(?:exists?|is (?:indeed |also |still )?(?:listed|in (?:the|our) (?:catalog(?:ue)?|range|list(?:ing)?)))\b",
    re.I,
)
_LINES = re.compile(r"\\n|\n|(?<=[.!?])\s")
_BACK = 2
"""How many lines back the marks may stand."""


def check_there_is(claim: Claim, context: GroundContext) -> Finding:
    """Look for a row with all the marks of the line before."""
    if claim.is_datum or is_negated(claim.text) or not _EXISTS.search(claim.text):
        return Finding.skip(NAME, "does not say that just such a one exists")
    told = (line for line in reversed(_LINES.split(context.answer[: claim.start])) if line.strip())
    chosen = [t for t in tables(context) if len(t.rows) > 1]
    for line in islice((line for line in told if re.search(r"\w{3}", line)), _BACK):
        found = [(table, rows) for table in chosen if (rows := _with_marks(table, line))]
        if found:
            table, rows = found[-1]
            spans = tuple(p.span() for p in table.passages if p.pointer == rows[0].pointer)[:1]
            detail = f"{spans[0].text[:120]}" if spans else table.name
            return Finding(NAME, "checked", "supports", 0.9, None, detail, spans=spans)
        if any(table.rows_that_say(line) == () for table in chosen):
            detail = "no row has all that was told before"
            return Finding(NAME, "checked", "missing", 0.3, "not_entailed", detail)
    return Finding.skip(NAME, "no row was found by the marks told before")


def _with_marks(table: Table, line: str) -> tuple[Record, ...]:
    """The rows with every mark of a line, of which at least two tell them apart; all others lack one."""
    rows = table.rows_that_say(line) or ()
    return rows if 0 < len(rows) < max(2, len(table.rows) // 2) else ()
