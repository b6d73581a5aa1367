"""Conformance: whether a detector says of known runs what is right to say.

A pair of twins is right when everything expected of both holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Literal

from pydantic import BaseModel, ConfigDict

from affidavit.audit.cases import Case, Expectations
from affidavit.detector import Detector
from affidavit.formats import read_run
from affidavit.models.entailment.protocol import EntailmentModel
from affidavit.policy import Policy
from affidavit.report import ClaimStatus, ClaimVerdict, HallucinationReport


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Failure(_Model):
    """An expectation that does not hold, and what came instead."""

    expected: str
    got: str


class CaseResult(_Model):
    id: str
    pair: str
    twin: Literal["good", "bad", "partial"]
    family: str
    acted: bool
    """Whether the gate did with the answer what is expected of it, whatever was said of its claims."""
    failures: tuple[Failure, ...]

    @property
    def right(self) -> bool:
        return not self.failures


class Share(_Model):
    """How many of how many."""

    right: int
    total: int

    def __str__(self) -> str:
        return f"{self.right} / {self.total}"


class Score(_Model):
    """What came out right of a set of cases: good answers and faulty ones by what the gate did with them, and pairs by
    everything that is expected of both twins."""

    good: Share
    faulty: Share
    pairs: Share


class Conformance(_Model):
    """The results of many cases."""

    cases: tuple[CaseResult, ...]

    def pairs(self) -> dict[str, bool]:
        """Whether each pair is wholly right."""
        right: dict[str, bool] = {}
        for case in self.cases:
            right[case.pair] = right.get(case.pair, True) and case.right
        return right

    def families(self) -> dict[str, Score]:
        """The score of each family."""
        names = sorted({case.family for case in self.cases})
        return {name: self._score(c for c in self.cases if c.family == name) for name in names}

    def score(self) -> Score:
        """The score of all cases."""
        return self._score(self.cases)

    def _score(self, cases: Iterable[CaseResult]) -> Score:
        own, right = tuple(cases), self.pairs()
        return Score(
            good=_share(case.acted for case in own if case.twin == "good"),
            faulty=_share(case.acted for case in own if case.twin == "bad"),
            pairs=_share(right[pair] for pair in {case.pair for case in own}),
        )

    @property
    def failed_ids(self) -> tuple[str, ...]:
        return tuple(case.id for case in self.cases if not case.right)


def _share(rights: Iterable[bool]) -> Share:
    counted = list(rights)
    return Share(right=sum(counted), total=len(counted))


def run_cases(
    cases: Iterable[Case], *, entailment: str | EntailmentModel | None = None
) -> Iterator[CaseResult]:
    """Judge each case's run with its own policy and no model for probes."""
    detectors: dict[str, Detector] = {}
    for case in cases:
        key = repr(sorted(case.policy.items()))
        if key not in detectors:
            detectors[key] = Detector(Policy.model_validate(case.policy), entailment=entailment)
        yield judge(case, detectors[key].check(read_run(case.run, run_id=case.id)))


def judge(case: Case, report: HallucinationReport) -> CaseResult:
    """Hold one report against what is expected of its case."""
    return CaseResult(
        id=case.id,
        pair=case.pair,
        twin=case.twin,
        family=case.family,
        acted=report.action in case.expect.action,
        failures=tuple(_failures(case.expect, report)),
    )


def _failures(expect: Expectations, report: HallucinationReport) -> Iterator[Failure]:
    if report.action not in expect.action:
        got = f"{report.action}: {'; '.join(report.reasons)}" if report.reasons else report.action
        yield Failure(expected=f"action {' or '.join(expect.action)}", got=got)
    yield from _claim_failures(report, "supported", expect.supported, {"supported"}, all)
    yield from _claim_failures(
        report, "unsupported", expect.unsupported, {"unsupported", "contradicted"}, any
    )
    yield from _claim_failures(report, "exempt", expect.exempt, {"exempt"}, all)
    yield from _call_failures(report, "rejected", expect.rejected_calls)
    yield from _call_failures(report, "accepted", expect.accepted_calls)
    probe = report.stages.get("probe")
    if probe is None or probe.state != "skipped" or not probe.reason:
        got = "nothing" if probe is None else f"{probe.state}: {probe.reason or 'no reason'}"
        yield Failure(expected="probes reported as skipped, with the reason", got=got)


def _claim_failures(
    report: HallucinationReport,
    word: str,
    substrings: Iterable[str],
    statuses: set[ClaimStatus],
    quantifier: Callable[[Iterable[bool]], bool],
) -> Iterator[Failure]:
    for substring in substrings:
        readings = [claims_at(report, *span) for span in _occurrences(report.answer, substring)]
        held = any(
            bool(claims) and quantifier(claim.status in statuses for claim in claims)
            for claims in readings
        )
        if not held:
            claims = [claim for reading in readings for claim in reading]
            got = "; ".join(map(_told, claims)) or "no claim there"
            yield Failure(expected=f"{word}: {substring!r}", got=got)


def claims_at(report: HallucinationReport, start: int, end: int) -> list[ClaimVerdict]:
    """The claims that answer for a stretch of the answer.

    The smallest claim that holds all of it; where none does, every claim that overlaps it.
    """
    whole = [c for c in report.claims if c.start <= start and end <= c.end]
    if whole:
        smallest = min(c.end - c.start for c in whole)
        return [c for c in whole if c.end - c.start == smallest]
    return [c for c in report.claims if c.start < end and start < c.end]


def _occurrences(text: str, substring: str) -> Iterator[tuple[int, int]]:
    at = text.find(substring)
    while at >= 0:
        yield at, at + len(substring)
        at = text.find(substring, at + 1)


def _told(claim: ClaimVerdict) -> str:
    score = "" if claim.score is None else f" {claim.score:.2f}"
    reason = f" ({claim.reason})" if claim.reason else ""
    by = f" by {claim.decided_by}" if claim.decided_by else ""
    return f"{claim.status}{score}{reason}{by}: {claim.text!r}"


def _call_failures(
    report: HallucinationReport, status: Literal["accepted", "rejected"], call_ids: Iterable[str]
) -> Iterator[Failure]:
    """A call expected to be accepted may also be unchecked: it must only not be rejected."""
    by_id = {v.call_id: v for v in report.tool_call_validations}
    for call_id in call_ids:
        found = by_id.get(call_id)
        if found is None:
            yield Failure(expected=f"call {call_id} {status}", got="no such call in the report")
        elif (found.status == "rejected") != (status == "rejected"):
            errors = "; ".join(error.message for error in found.errors)
            got = f"{found.status}: {errors}" if errors else found.status
            yield Failure(expected=f"call {call_id} {status}", got=got)
