"""Counts of things that stand in a list under that very name, and are not so many."""

from __future__ import annotations

import re

from affidavit.ledger.records import records_of
from affidavit.ledger.values import Value
from affidavit.ledger.words import is_negated, stem
from affidavit.stages.ground.checks.derived.derivation import tables
from affidavit.stages.ground.checks.derived.levels import level_noun, lines_at, logs
from affidavit.stages.ground.checks.lists.tallies import check_tallies
from affidavit.stages.ground.checks.values.value_verdict import ValueVerdict
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext


def miscounted(value: Value, claim: Claim, context: GroundContext) -> ValueVerdict | None:
    """A count of things that stand in a list under that very name, and are not so many.

    "Ten incidents" over nine rows of ``incidents``. Fewer may be a selection that the claim's words
    make, so only a number above the list's, or a whole list miscounted, is held against it.
    """
    n = value.number
    if value.kind not in ("number", "quantity") or n is None or not value.unit or n != int(n):
        return None
    if check_tallies(claim, context).verdict is not None:
        return None  # how many of them are so is another count, which has been made
    noun = stem(value.unit.split(" ")[-1])
    for table in tables(context):
        if noun != stem(table.name.split(" ")[-1] if table.name else ""):
            continue
        rows = len(table.rows)
        chosen = len(table.where(claim).rows)
        selects = " " in value.unit or chosen != rows or not _tells_all(claim)
        if n in (chosen, rows) or (selects and n < rows):
            continue
        span = table.passages[0].span()
        detail = f"{rows} {table.name} are listed, not {value.text}"
        return ValueVerdict(
            value, "contradicted", span, "contradicts_evidence", detail, derivable=False
        )
    return None


def _tells_all(claim: Claim) -> bool:
    """Whether a claim says how many there are, rather than how many of them are so: "two tasks haven't been
    started", "three remain"."""
    return bool(_THERE_ARE.search(claim.text)) and not is_negated(claim.text)


_THERE_ARE = re.compile(
    r"\bthere(?: (?:is|are|was|were|have been)|['’]s|['’]re)\b|\b(?:list(?:s|ed)?|found|returned|shows?|shown|contains?|includes?|"
    r"(?:has|have|had)(?! (?:(?:not|already|now|yet|all|only|just|since) )*(?:been|gone|\w+e[dn])\b)|holds?|gives?|total\w*|altogether|in all|came back|matched|recorded|registered|see|got)\b"
    r"|\b(?:all|the) [^\W\d_]+ (?:[^\W\d_]+ )?(?:is|are|was|were)\b",
    re.I,
)
_HOW_MANY = frozenset(
    "qty quantity count number amount nights guests people persons adults children seats tickets copies units items nodes "
    "replicas rooms places portions servings party".split()
)
"""Words of the names of arguments that say how many of a thing are wanted."""


def not_called_for(value: Value, claim: Claim, context: GroundContext) -> ValueVerdict | None:
    """A number in words of things that something was done with, where the only call that says how many says
    another: "I've put two packs in your cart" after ``add_to_cart(qty=3)``."""
    if (
        claim.kind != "action"
        or value.kind != "number"
        or not (value.unit and value.text.isalpha())
    ):
        return None
    done = [e for e in context.ledger.calls if e.outcome == "ok"]
    told = [
        (entry, cell)
        for entry in done
        for record in records_of(entry.call.arguments)
        for cell in record.cells
        if isinstance(cell.raw, int)
        and not isinstance(cell.raw, bool)
        and _HOW_MANY & set(cell.key.split())
    ]
    if len(told) != 1 or value.number in (told[0][1].raw, len(done)):
        return None
    entry, cell = told[0]
    detail = f"{entry.call.name} was called with {cell.key}: {cell.text}, not {value.text}"
    return ValueVerdict(
        value, "contradicted", None, "contradicts_evidence", detail, derivable=False
    )


def more_than_logged(value: Value, claim: Claim, context: GroundContext) -> ValueVerdict | None:
    """ "Three errors" over the one log of the run, which has one line at ERROR. Fewer may be some of them,
    and of several logs any may be meant."""
    noun = level_noun(value)
    found = logs(context) if noun is not None else []
    if noun is None or len(found) != 1 or value.number is None or is_negated(claim.text):
        return None
    at = lines_at(noun, found[0])
    if not at or value.number <= len(at):
        return None
    detail = f"{len(at)} lines are at {at[0][1]}, not {value.text}"
    return ValueVerdict(
        value, "contradicted", at[0][0].span(), "contradicts_evidence", detail, derivable=False
    )
