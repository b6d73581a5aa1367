"""Grades and classes, which are ordered though they are no numbers: a C+ is short of "B or better".

In the order that the evidence gives them, "best to worst: A, A-, B+, …", or else that of school marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from affidavit.ledger.words import content_stems, is_negated
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.derivation import is_result, tables
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_GRADE = r"(?P<grade>[A-Z]{1,4}[a-z]?[0-9]?[+\-–−]?)(?![\w+])"
_OR_BETTER = rf"{_GRADE} or (?:better|higher|above)"
_AT_LEAST = rf"(?:at least|minimum(?: of)?|no (?:less|lower|worse) than|or better than)(?: an?)?(?: grade(?: of)?)? {_GRADE}"
_LIMIT = re.compile(rf"(?<![\w+-])(?:{_OR_BETTER}|{_AT_LEAST.replace('grade>', 'least>')})")
_HELD = re.compile(
    rf"\b(?:got|get|gets|received?|earned|achieved|scored|reached|holds?|have|has|had|finished with|is|was|at|rated|graded|grade(?: of)?|class)"
    rf"(?: only| just| a| an| the)* {_GRADE}"
)
_MARKS = tuple(f"{letter}{sign}" for letter in "ABCDEF" for sign in ("+", "", "-"))
"""The marks of schools, the best first."""
_SCALE = re.compile(
    r"\b(?:best to worst|highest to lowest|high to low|descending|worst to best|lowest to highest|low to high|ascending)\b\W*"
    r"(?P<listed>(?:[A-Z][\w+\-–−]{0,3}(?:\s*[,>/<]\s*|$|\s*[;.\n])){3,})"
)
_RISING = re.compile(r"worst to best|lowest to highest|low to high|ascending", re.I)
_NEAR = 4


@dataclass(frozen=True, slots=True)
class Graded:
    """Whether what is held reaches what is asked for, and both as they were told."""

    meets: bool
    shown: str


def graded(claim: Claim, context: GroundContext) -> Graded | None:
    """Hold the grade that the answer tells last against the grade that it tells as the least; None where it does
    not tell both, or tells several."""
    told = [*context.before[-_NEAR:], claim]
    scale = next(_scales(context), _MARKS)
    limits = {_plain(g) for c in told for m in _LIMIT.finditer(c.text) for g in m.groups() if g}
    held = {_plain(m["grade"]) for c in told for m in _HELD.finditer(_LIMIT.sub(" ", c.text))}
    limits, held = limits & set(scale), held & set(scale)
    if len(limits) != 1 or len(held) != 1:
        return None
    (least,), (own,) = limits, held
    return Graded(scale.index(own) <= scale.index(least), f"{own} against {least} or better")


def _plain(grade: str) -> str:
    return grade.replace("–", "-").replace("−", "-")


def _scales(context: GroundContext) -> Iterator[Sequence[str]]:
    """The orders of grades that results give, the best first."""
    for passage in filter(is_result, context.search.passages):
        for match in _SCALE.finditer(passage.text):
            grades = [_plain(g) for g in re.split(r"[,>/<;.\s]+", match["listed"]) if g]
            yield grades[::-1] if _RISING.search(match[0]) else grades


_BEST = re.compile(
    r"\b(?P<end>best|highest|top|worst|lowest) (?P<field>(?:[\w-]+ )?(?:class|grade|rating|label|mark))\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class BestGrade:
    """Whether the row that is spoken of has the best grade of its list, or the worst, and the cells of both."""

    holds: bool
    spans: tuple[EvidenceSpan, ...]


def best_grade(claim: Claim, context: GroundContext) -> BestGrade | None:
    """ "It has the best energy class", of a column of letters; None where no one row is spoken of."""
    said = _BEST.search(claim.text)
    if said is None or is_negated(claim.text):
        return None
    field = content_stems(said["field"])
    scale = next(_scales(context), _MARKS)
    for table in tables(context):
        column = [
            (passage, cell)
            for passage in table.passages
            for cell, _, _ in passage.cells
            if content_stems(cell.key) >= field and _plain(cell.text) in scale
        ]
        own = [(p, c) for p, c in column if context.topic.names(context.rows.chain(p)[:1])]
        if len(column) < len(table.rows) or len(own) != 1 or len(column) < _FEWEST:
            continue
        places = [scale.index(_plain(cell.text)) for _, cell in column]
        end = min(places) if said["end"].lower() in ("best", "highest", "top") else max(places)
        there = column[places.index(end)]
        holds = scale.index(_plain(own[0][1].text)) == end
        return BestGrade(holds, tuple(p.span(c) for p, c in (own[0], there)))
    return None


_FEWEST = 2
