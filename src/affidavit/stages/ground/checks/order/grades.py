"""Grades and classes, which are ordered though they are no numbers: a C+ is short of "B or better".

In the order that the evidence gives them, "best to worst: A, A-, B+, …", or else that of school marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from affidavit.stages.ground.checks.derived.derivation import is_result
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
