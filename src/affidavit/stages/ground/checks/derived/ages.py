"""How old somebody or something is on a day: born on 2 September 2012, so 13 on 13 July 2026; and the day on which
they are first so old."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import MAXYEAR, date
from decimal import Decimal

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
_OLD = re.compile(
    r"[\s-]*(?:years?|yrs?)?[\s-]*(?:old|of age)\b|\s?(?:st|nd|rd|th)?\s(?:birthday|anniversary)\b",
    re.I,
)
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
    """The whole years from a birth, or a beginning, to the day that the answer speaks of, or to today; or that day."""
    if value.moment is not None:
        yield from _birthdays(claim, context)
    years = _age(value, claim)
    if years is None:
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
                    "age", number_like(value, value.number or Decimal(years)), text, (begun.span,)
                )


def _age(value: Value, claim: Claim) -> int | None:
    """The whole years of a value that a claim tells as an age."""
    years = value.face if value.kind == "duration" and value.face_unit == "year" else value.number
    if years is None or not 0 <= years < _OLDEST or years != int(years):
        return None
    if value.kind not in ("number", "duration"):
        return None
    is_age = _BEFORE.search(claim.text[: value.start]) or _OLD.match(claim.text[value.end :])
    return int(years) if is_age else None


def _birthdays(claim: Claim, context: GroundContext) -> Iterator[Derivation]:
    """The day of each age that the claim tells: "turns five", "her 5th birthday"."""
    for years in filter(None, (_age(said, claim) for said in claim.values)):
        for begun in _begun(context):
            day = begun.moment.date
            if day is not None and _in_year(day) != _LEAP and day.year + years <= MAXYEAR:
                day = day.replace(year=day.year + years)
                moment = Moment(day.year, day.month, day.day)
                shown = Value("moment", str(day), 0, 10, moment=moment)
                text = f"{begun.text} + {years} years = {day}"
                yield Derivation("age", shown, text, (begun.span,), exact=True)


_LEAP = (2, 29)


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
