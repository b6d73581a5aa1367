"""A report as evaluation results: one of the run, one of each claim.

What was said in the run (a claim's words, evidence, explanations that quote them) is content, and is
left out unless it is to be captured; what leaves then is redacted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from affidavit.records.telemetry import names
from affidavit.report import ClaimVerdict, HallucinationReport

Attributes = dict[str, str | bool | int | float | list[str]]
Redact = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One evaluation result. ``score`` is None where nothing was scored: it is no zero. ``key`` tells
    the results of one run apart."""

    name: str
    key: str
    label: str
    score: float | None
    explanation: str
    failed: bool = False
    details: Attributes = field(default_factory=dict)

    def attributes(self) -> Attributes:
        """As a ``gen_ai.evaluation.result`` event has them."""
        given: Attributes = {names.EVALUATION_NAME: self.name, names.EVALUATION_LABEL: self.label}
        if self.score is not None:
            given[names.EVALUATION_SCORE] = self.score
        if self.explanation:
            given[names.EVALUATION_EXPLANATION] = self.explanation
        if self.failed:
            given[names.ERROR_TYPE] = "check_failed"
        return given | self.details


def evaluations(report: HallucinationReport, redact: Redact | None) -> Iterator[Evaluation]:
    """The results of a report. ``redact`` is applied to content; None leaves content out."""
    yield Evaluation(
        name=names.RUN_EVALUATION,
        key="run",
        label=report.action,
        score=None if report.nothing_scored else report.overall_score,
        explanation=_of_run(report, redact),
        details={names.RUN_ID: report.run_id},
    )
    for index, claim in enumerate(report.claims):
        yield Evaluation(
            name=names.CLAIM_EVALUATION,
            key=f"claim {index + 1}",
            label=claim.status,
            score=claim.score,
            explanation=_of_claim(claim, redact),
            failed=claim.reason == "check_failed",
            details=_details(index, claim, redact) | {names.RUN_ID: report.run_id},
        )


def _of_run(report: HallucinationReport, redact: Redact | None) -> str:
    if redact is not None:
        return redact("; ".join(report.reasons))
    counts = Counter(claim.status for claim in report.claims)
    told = ", ".join(f"{n} {status}" for status, n in counts.items())
    return told or "no claims"


def _of_claim(claim: ClaimVerdict, redact: Redact | None) -> str:
    if redact is not None and claim.explanation:
        return redact(claim.explanation)
    return claim.reason or ""


def _details(index: int, claim: ClaimVerdict, redact: Redact | None) -> Attributes:
    details: Attributes = {
        names.CLAIM_INDEX: index,
        names.CLAIM_KIND: claim.kind,
        names.CLAIM_CRITICAL: claim.critical,
        names.CLAIM_START: claim.start,
        names.CLAIM_END: claim.end,
    }
    if claim.reason:
        details[names.REASON] = claim.reason
    if claim.decided_by:
        details[names.CLAIM_DECIDED_BY] = claim.decided_by
    if redact is not None:
        details[names.CLAIM_TEXT] = redact(claim.text)
        details[names.CLAIM_EVIDENCE] = [redact(span.text) for span in claim.evidence_spans]
    return details
