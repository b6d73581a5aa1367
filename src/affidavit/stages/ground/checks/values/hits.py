"""What a hit is to the value it was found for: equal to it, of a sort that could be confused, numbering the same noun."""

from __future__ import annotations

import re

from affidavit.ledger.search import Hit
from affidavit.ledger.values import Value, compare, fold
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext


def numbered_alike(hit: Hit, claim: Claim) -> bool:
    """Whether a cell and the claim number the same noun: "from desk 4" of ``Faro Airport, desk 4``."""
    if hit.cell is None or not isinstance(hit.cell.raw, str):
        return False
    said = f" {fold(claim.text)} "
    return any(
        f" {fold(m[0])} " in said
        for m in _NUMBERED.finditer(hit.cell.raw)
        if hit.value.text in m[0]
    )


_NUMBERED = re.compile(r"[^\W\d_]{3,} (?:no\. ?|nr\. ?|#)?\d+\w?\b")


def is_measure(value: Value, hit: Hit) -> bool:
    """Whether two fields could be confused over this value: amounts and dates can, names cannot."""
    return (
        value.number is not None
        or value.moment is not None
        or (
            value.kind == hit.value.kind == "identifier"
            and (value.key.isdigit() or len(value.key) <= GRADE)
        )
    )


GRADE = 3
"""Signs of a code so short that several things may have it: a level B1, a seat 12A, a gate."""


def is_held(said: Value, held: Value, context: GroundContext) -> bool:
    """Whether a value that was said is one that the evidence has, rounded or not."""
    return compare(said, held, today=context.today) in ("same", "rounded")
