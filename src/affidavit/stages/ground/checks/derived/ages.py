"""How old somebody or something is on a day: born on 2 September 2012, so 13 on 13 July 2026."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from affidavit.ledger.ledger import Passage
from affidavit.ledger.values import Moment, Value, parse_values
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Table,
    is_result,
    number_like,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_BEFORE = re.compile(
    r"\b(?:is|are|am|be|was|were|being|turns?|turned|turning|reach(?:es|ed)?|aged?|age of|['’](?:s|re|m))"
    r"(?: (?:only|just|already|still|now|about|not|then|at least|over|under|an?))*\s*$",
    re.I,
)
"""In front of an age: "will be 13", "turns 14"."""
_OLD = re.compile(r"[\s-]*(?:years?|yrs?)?[\s-]*(?:old|of age)\b", re.I)
_BEGUN = re.compile(
    r"\b(?:born|birth|dob|birthda(?:y|te)|geboren|née?|nacid[oa]|nacimiento|naissance|founded|established|built|opened|"
    r"commissioned|registered|registration|manufactured|planted)\b",
    re.I,
)
"""The field, or the word beside a date, from which an age is counted."""
_SENTENCE = re.compile(r"[;\n]|(?<=[.!?])\s")
_NEAR = 3
_OLDEST = 1000


@dataclass(frozen=True, slots=True)
class _Begun:
    moment: Moment
    text: str
    span: EvidenceSpan


def ages(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The whole years from a birth, or a beginning, to the day that the answer speaks of, or to today."""
    years = value.face if value.kind == "duration" and value.face_unit == "year" else value.number
    if years is None or not 0 <= years < _OLDEST or years != years.to_integral_value():
        return
    if value.kind not in ("number", "duration"):
        return
    if not (_BEFORE.search(claim.text[: value.start]) or _OLD.match(claim.text[value.end :])):
        return
    told = [v.moment for c in (*context.before[-_NEAR:], claim) for v in c.values if v.moment]
    days = [m for m in told if m.date is not None] or [
        Moment(year=d.year, month=d.month, day=d.day) for d in (context.today,) if d is not None
    ]
    for begun in _begun(context):
        for day in days:
            old = _years(begun.moment, day)
            if old is not None and old == years:
                text = f"{begun.text} to {day.date}: {old} years"
                yield Derivation(
                    "age", number_like(value, value.number or years), text, (begun.span,)
                )


def _begun(context: GroundContext) -> Iterator[_Begun]:
    for passage in context.fitting:
        if passage.source.kind == "user" or is_result(passage):
            yield from _of(passage)


def _of(passage: Passage) -> Iterator[_Begun]:
    if passage.record is None:
        for text in _SENTENCE.split(passage.text):
            if _BEGUN.search(text):
                yield from _dates(text, passage.span())
    for cell, held in passage.cell_values:
        if held.moment is not None and _BEGUN.search(cell.key):
            yield _Begun(held.moment, cell.text, passage.span(cell))


def _dates(text: str, span: EvidenceSpan) -> Iterator[_Begun]:
    for value in parse_values(text):
        if value.moment is not None and value.moment.year is not None:
            yield _Begun(value.moment, value.text, span)


def _years(begun: Moment, day: Moment) -> int | None:
    """The whole years between; of a year alone the difference of the years."""
    if begun.year is None or day.year is None:
        return None
    if begun.date is None or day.date is None:
        return day.year - begun.year
    return day.year - begun.year - (_in_year(day.date) < _in_year(begun.date))


def _in_year(day: date) -> tuple[int, int]:
    return day.month, day.day
