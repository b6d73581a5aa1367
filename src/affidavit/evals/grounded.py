"""The assertion that an answer is grounded, and what it says where the answer is not."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from os import PathLike
from typing import TYPE_CHECKING, Any

from affidavit._excerpt import excerpt
from affidavit.policy import Policy
from affidavit.report import ClaimVerdict, HallucinationReport

if TYPE_CHECKING:
    from affidavit.detector import Detector
    from affidavit.trace import RunTrace

_LONGEST = 240


def assert_grounded(
    run: RunTrace | Mapping[str, Any] | str | PathLike[str] | HallucinationReport,
    *,
    detector: Detector | None = None,
    allow: Collection[str] = ("emit",),
) -> HallucinationReport:
    """Fail unless the answer of a run may go out; gives back the report.

    ``run`` is a run, the document of one, a file that holds one, or a report that was made before.
    ``allow`` names the actions that pass. The failure names each claim that is held against the answer,
    with its evidence, and each rejected call.
    """
    __tracebackhide__ = True
    report = run if isinstance(run, HallucinationReport) else report_on(run, detector)
    if report.action not in allow:
        raise AssertionError(told(report))
    return report


def report_on(
    run: RunTrace | Mapping[str, Any] | str | PathLike[str], detector: Detector | None = None
) -> HallucinationReport:
    """The report on a run, however it is held; by a detector with the default policy unless given."""
    from affidavit.formats import load_run

    if isinstance(run, str | PathLike):
        run = load_run(run)
    return (detector or detector_for(None)).check(run)


def detector_for(policy: Policy | None) -> Detector:
    """The detector under a policy, made once: each new one loads its models again."""
    return _detector((policy or Policy()).model_dump_json())


@lru_cache(maxsize=8)
def _detector(policy: str) -> Detector:
    from affidavit.detector import Detector

    return Detector(Policy.model_validate_json(policy))


def told(report: HallucinationReport) -> str:
    """A report as text: the decision and why, and what is held against the answer."""
    return "\n".join(_lines(report))


def _lines(report: HallucinationReport) -> Iterator[str]:
    word = {"emit": "may go out", "revise": "must be revised", "block": "must not go out"}
    score = "nothing scored" if report.nothing_scored else f"score {report.overall_score:.2f}"
    yield f"run {report.run_id}: the answer {word[report.action]} ({report.action}, {score})"
    for reason in report.reasons:
        yield f"  because {reason}"
    for claim in report.claims:
        if claim.is_held_against or claim.status == "unchecked":
            yield from _claim(claim)
    for call in report.tool_call_validations:
        if call.status == "rejected" and call.corrected_by is None:
            faults = "; ".join(error.message for error in call.errors)
            yield f"  ✗ rejected call {call.tool}: {faults}"


def _claim(claim: ClaimVerdict) -> Iterator[str]:
    score = "" if claim.score is None else f" {claim.score:.2f}"
    reason = f" {claim.reason}" if claim.reason else ""
    sign = "?" if claim.status == "unchecked" else "✗"
    yield f"  {sign} {claim.status}{score}{reason}: {excerpt(claim.text, _LONGEST)}"
    if claim.explanation:
        yield f"      {excerpt(claim.explanation, _LONGEST)}"
    for span in claim.evidence_spans:
        where = " ".join(
            part for part in (span.tool or span.source, span.call_id, span.pointer) if part
        )
        yield f"      → {where}: {excerpt(span.text, _LONGEST)}"
