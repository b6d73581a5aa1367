"""Bounds that a figure keeps: "more than €150 in the account" of ``balance: 182.40``, however far it is from it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.values import Value
from affidavit.ledger.words import content_stems, named_in
from affidavit.stages.ground.checks.derived.aggregate import EACH, MEAN, SUM
from affidavit.stages.ground.checks.derived.change import DIFFERENCE, is_part
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Operand,
    Table,
    counts_nothing,
    like_measures,
    things,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_BEYOND = re.compile(
    r"(?:(?<!no )(?<!not )\b(?:more|less|fewer|greater|higher|lower) than|\b(?:over|under|above|below|exceed(?:s|ed|ing)?)|"
    r"\b(?:mehr|weniger) als|\b(?:über|unter)|\b(?:plus|moins) de|\b(?:más|menos) de|\b(?:più|meno) di)(?: the)?\s*$",
    re.I,
)
"""Before a figure that something is on one side of. "Within 30 days" and "at least 18" are rules of their own, and not
borne out by a time that is shorter or an age that is higher."""
_OF_ALL = re.compile(r"\b(?:all|every\w*|both|none|together|combined|altogether|most|any)\b", re.I)
"""What is said of several figures, which no one of them keeps for the others."""
_AWAY = re.compile(
    r"\W*(?:before|after|ago|late|early|earlier|later|old|apart|ahead|behind|over|under|above|below|short|of|until|till|since|from)\b",
    re.I,
)
"""Behind a figure that is itself how far something is from something else."""


def bounded(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The field that the claim names, or the only one of the measure in the thing that is spoken of, on the side of
    the value that the claim says."""
    if not value.bound or value.number is None or claim.is_datum or is_part(value, claim):
        return
    if not _BEYOND.search(claim.text[: value.start]):
        return
    rest = claim.text[value.end :]
    if _OF_ALL.search(claim.text) or _AWAY.match(rest) or DIFFERENCE.search(rest):
        return
    if any(words.search(claim.text) for words in (EACH, MEAN, SUM)):
        return
    fields = _meant(claim, value, context)
    more = value.bound == "min"
    if not fields or not all(
        field.number != value.number and (field.number > value.number) == more for field in fields
    ):
        return
    sign = ">" if more else "<"
    cell = fields[0].cell
    text = f"{cell.key}: {cell.text} {sign} {value.text}"
    yield Derivation("bound", value, text, tuple(field.span for field in fields[:4]))


def _meant(claim: Claim, value: Value, context: GroundContext) -> list[Operand]:
    """The fields of the value's measure in the one thing that is spoken of: those that the claim names, else the only
    one there is."""
    said = content_stems(claim.statement)
    own: dict[tuple[object, ...], Operand] = {}
    rows: set[str] = set()
    for operand in (operand for thing in things(context) for operand in thing):
        if _is_alike(operand.value, value) and not counts_nothing(operand.cell):
            own.setdefault((operand.passage.id, *operand.cell.path), operand)
            rows.add(operand.passage.pointer)
    if len(rows) > 1:
        return []
    named = [o for o in own.values() if named_in(content_stems(o.cell.key), said)]
    if named or value.kind == "number":
        return named if len({o.cell.path for o in named}) == 1 else []
    return list(own.values()) if len(own) == 1 else []


def _is_alike(held: Value, value: Value) -> bool:
    """Whether two are of one measure; beside an amount a number without a currency, and beside a length none."""
    kinds = {held.kind, value.kind}
    return like_measures(held, value) and (len(kinds) == 1 or kinds == {"number", "money"})
