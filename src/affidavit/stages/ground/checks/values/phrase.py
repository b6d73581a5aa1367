"""Where a value stands in its claim: the words about it, and whether it is part of a sum."""

from __future__ import annotations

import re

from affidavit.ledger.values import Value
from affidavit.ledger.words import content_stems
from affidavit.stages.ground.claim import Claim

_SEGMENT = re.compile(r"[,;:()]|\s(?:and|but|y|und|et|e|with|plus|or)\s|\s[-–—]\s")
_IN_SUM = re.compile(r"\s*(?:\([^()]*\)\s*)?[+−–×*=-]\s*[€$£¥\d(]")


def is_operand(value: Value, claim: Claim) -> bool:
    """Whether a value stands in an equation: "$32 + $54 = $86"."""
    ahead = claim.text[: value.start].replace("**", "")
    before = re.search(r"[+−–×*=-]\s*[^\w\s]?$", ahead)
    return bool(before or _IN_SUM.match(claim.text[value.end :]))


def local_stems(claim: Claim, value: Value) -> frozenset[str]:
    """The words nearest to a value: its own phrase, its column and its field, not the whole claim."""
    label = ""
    if claim.cell is not None:
        label = claim.cell.column
    if claim.json_path:
        label = " ".join(str(step) for step in claim.json_path)
    stems = content_stems(f"{label} {phrase_around(claim, value)} {value.unit}")
    return stems or content_stems(claim.statement)


def phrase_around(claim: Claim, value: Value) -> str:
    """The words before and after a value, up to the next comma or conjunction."""
    cuts = [0, *(m.end() for m in _SEGMENT.finditer(claim.text)), len(claim.text)]
    left = max(cut for cut in cuts if cut <= value.start)
    right = min((cut for cut in cuts if cut >= value.end), default=len(claim.text))
    if _FRONTED.fullmatch(claim.text[:left]):
        left = 0
    return claim.text[left : value.start] + " " + claim.text[value.end : right]


_FRONTED = re.compile(
    r"\W*(?:and |but )?(?:for|in|at|on|with|as for|as to|of|from|under|within|regarding|concerning|when it comes to)\b[^,;:()\d]{2,50},",
    re.I,
)
"""What a claim opens with that its value is of: "for theft, the deductible is $500"."""
