"""Passed or failed: a limit and a measure in one record, ``{"type": "maximum", "threshold": 3.5, "actual": 3.12}``.

No field says that the test was passed; the two figures do. Where a field says it, or several records that may be
meant come out differently, nothing is decided.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.words import is_negated
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.checks.states.vocabulary import STATUS_FIELD, states_in
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "passed"

_PASSED = re.compile(
    r"\b(?:(?:is|are|was|were|has been|have been) (?:passed|met|satisfied|fulfilled|kept)|pass(?:es|ed)?|meets?|met|satisf(?:y|ies|ied)|fulfil(?:s|led)?|"
    r"compl(?:y|ies|ied)|compliant|(?:within|inside) (?:(?:the|its|their) )?(?:limits?|covenants?|budget|tolerance|spec\w*|bounds|range)|in spec)\b",
    re.I,
)
_FAILED = re.compile(
    r"\b(?:fail(?:s|ed)?|breach(?:es|ed)?|violat(?:es|ed)|in (?:breach|violation)|miss(?:es|ed)|"
    r"(?:out of|outside) (?:(?:the|its|their) )?(?:limits?|covenants?|budget|tolerance|spec\w*|bounds|range)|over (?:the )?(?:limit|budget)|exceed(?:s|ed)?)\b",
    re.I,
)
_SO = re.compile(r",? (?:so|therefore|thus|hence|which means(?: that)?|meaning(?: that)?)\b")
_SUPPOSED = re.compile(
    r"\b(?:if|unless|would|could|might|(?-i:may)|must|should|will|when|until|to)\b", re.I
)
_LIMIT = re.compile(
    r"(?:^| )(?P<name>threshold|limit|max|maximum|min|minimum|cap|ceiling|floor|required|allowed|permitted|upper|lower)(?: (?:limit|value|allowed|required))?$"
)
_ACTUAL = re.compile(
    r"(?:^| )(?:actual|measured|current|observed|reading|value|result|used|spent|achieved|found)(?: value)?$"
)
_MOST = re.compile(
    r"\b(?:max(?:imum)?|cap|ceiling|upper|allowed|permitted|at most|no more than|lte?|le|less than)\b|<",
    re.I,
)
_LEAST = re.compile(
    r"\b(?:min(?:imum)?|floor|lower|required|at least|no less than|gte?|ge|greater than)\b|>", re.I
)
_NEAR = 4
"""Claims back in which a limit that was told still says which record is meant."""


@dataclass(frozen=True, slots=True)
class _Test:
    """A limit, what was measured, and which side of the limit it has to be on."""

    limit: Decimal
    actual: Decimal
    side: Literal["most", "least"]
    span: EvidenceSpan

    @property
    def passed(self) -> bool:
        return self.actual <= self.limit if self.side == "most" else self.actual >= self.limit


def check_passed(claim: Claim, context: GroundContext) -> Finding:
    """Hold "so the test was passed" against the limit and the measure of the record that is spoken of."""
    so = _SO.search(claim.text)
    said = claim.text[so.end() :] if so else claim.text
    passed, failed = _PASSED.search(said), _FAILED.search(said)
    if claim.is_datum or claim.kind != "fact" or bool(passed) == bool(failed):
        return Finding.skip(NAME, "says of no test that it was passed or failed")
    figures = [v for v in claim.values if v.number is not None or v.moment]
    if _SUPPOSED.search(said) or any(so is None or v.start > so.end() for v in figures):
        return Finding.skip(NAME, "has a figure of its own, or says what would be")
    # "11.2 % of at most 12 %, so it was passed": the figures before it say which test is meant
    tests = list(_tests(context))
    told = {v.number for c in (*context.before[-_NEAR:], claim) for v in c.values}
    tests = [test for test in tests if test.limit in told or test.actual in told] or tests
    if len({test.passed for test in tests}) != 1:
        return Finding.skip(NAME, "no limit beside a measure, or several that come out differently")
    test = tests[0]
    detail = f"{test.actual.normalize():f} against {test.span.text}"
    if test.passed == (bool(passed) != is_negated(said)):
        return Finding(
            NAME, "checked", "supports", 0.9, None, detail, detail, (test.span,),
            settles="values" if figures else "all",
        )  # fmt: skip
    return Finding(
        NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail, detail, (test.span,)
    )


def _tests(context: GroundContext) -> Iterator[_Test]:
    for passage in context.fitting:
        if is_result(passage) and passage.record is not None and not _says_itself(passage):
            numbers = [
                (c, Decimal(str(c.raw)))
                for c, _, _ in passage.cells
                if isinstance(c.raw, int | float) and not isinstance(c.raw, bool)
            ]
            limits = [(c, n) for c, n in numbers if _LIMIT.search(c.key)]
            actual = [n for c, n in numbers if _ACTUAL.search(c.key)]
            if len(limits) == len(actual) == 1 and (side := _side(limits[0][0], passage)):
                yield _Test(limits[0][1], actual[0], side, passage.span(limits[0][0]))


def _side(limit: Cell, passage: Passage) -> Literal["most", "least"] | None:
    """On which side of the limit is right: by its name, or by a field that says what kind of limit it is."""
    kinds = [
        c.text for c, _, _ in passage.cells
        if isinstance(c.raw, str) and re.search(r"(?:^| )(?:type|kind|operator|op|comparison|direction|rule)$", c.key)
    ]  # fmt: skip
    for text in (limit.key, *kinds):
        most, least = bool(_MOST.search(text)), bool(_LEAST.search(text))
        if most != least:
            return "most" if most else "least"
    return None


def _says_itself(passage: Passage) -> bool:
    """Whether a record says of itself how it came out."""
    return any(
        c.flag is not None
        or STATUS_FIELD.search(c.key)
        and isinstance(c.raw, str)
        and states_in(c.text)
        for c, _, _ in passage.cells
    )
