"""Ranges: "7 to 9 days" is not borne out by "5 to 7 days", though each speaks of 7."""

from __future__ import annotations

import re
from typing import Literal

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
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
    if hit.cell is not None and value.kind in _MEASURED and not claim.is_datum:
        named = {
            _named_end(claim.text[: value.start], claim.text[value.end :]),
            _of_field(hit.cell, hit.passage),
        }
        return ends == {"low", "high"} or named == {"low", "high"}
    return ends == {"low", "high"}


_LOW = r"(?:minimum|minimal|min\.?|at least|lowest|no less than|not less than)"
_HIGH = r"(?:maximum|maximal|max\.?|at most|highest|no more than|not more than)"
_AHEAD = re.compile(rf"\b(?:(?P<low>{_LOW})|(?P<high>{_HIGH}))(?=\W)[^,;:.]{{0,40}}$", re.I)
_BEHIND = re.compile(
    rf"\W*(?:\w+ )?(?:is|are) (?:the )?(?:(?P<low>{_LOW})|(?P<high>{_HIGH}))(?!\w)", re.I
)
_LOW_FIELD = frozenset("min minimum lowest lower".split())
_HIGH_FIELD = frozenset("max maximum highest upper".split())


def _named_end(ahead: str, behind: str) -> Literal["low", "high", ""]:
    """Which end the words around a value say that it is: "the minimum is 8"; neither where they say both."""
    match = _AHEAD.search(ahead) or _BEHIND.match(behind)
    if match is None or {m.lastgroup for m in _EITHER.finditer(ahead)} == {"low", "high"}:
        return ""
    return "low" if match["low"] else "high"


_EITHER = re.compile(rf"\b(?:(?P<low>{_LOW})|(?P<high>{_HIGH}))(?=\W)", re.I)


def _of_field(cell: Cell, passage: Passage) -> Literal["low", "high", ""]:
    """Which end a field holds, by its name or that of its record: ``max_c``, ``max: {value: 8}``."""
    place = passage.record.place if passage.record is not None else ""
    words = {*cell.key.split(), *place.split()[-1:]}
    low, high = bool(words & _LOW_FIELD), bool(words & _HIGH_FIELD)
    if low == high:
        return ""
    return "low" if low else "high"


def _end(value: Value, text: str) -> Literal["low", "high", ""]:
    if value.kind not in _MEASURED or text[value.start : value.end] != value.text:
        return ""
    if _AFTER.match(text, value.end):
        return "low"
    return "high" if _BEFORE.search(text, max(0, value.start - 8), value.start) else ""
