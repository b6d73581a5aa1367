"""Ranges: "7 to 9 days" is not borne out by "5 to 7 days", though each speaks of 7."""

from __future__ import annotations

import re
from typing import Literal

from affidavit.ledger.search import Hit
from affidavit.ledger.values import Value
from affidavit.stages.ground.claim import Claim

_TO = r"\s?(?:-|–|—|\bto\b|\bbis\b|\bà\b)\s?[€$£¥]?"
_BEFORE = re.compile(rf"\d{_TO}$")
_AFTER = re.compile(rf"{_TO}\d")
_MEASURED = frozenset({"number", "money", "percent", "quantity", "duration"})


def is_other_end(value: Value, hit: Hit, claim: Claim) -> bool:
    """Whether a value opens a range of the claim and closes one of the evidence, or the reverse."""
    text = hit.passage.text if hit.cell is None else hit.cell.text
    ends = {_end(value, claim.text), _end(hit.value, text)}
    return ends == {"low", "high"}


def _end(value: Value, text: str) -> Literal["low", "high", ""]:
    if value.kind not in _MEASURED or text[value.start : value.end] != value.text:
        return ""
    if _AFTER.match(text, value.end):
        return "low"
    return "high" if _BEFORE.search(text, max(0, value.start - 8), value.start) else ""
