"""The gate's reasoning: where each score lies among the thresholds, and what each rule had before it.

The decision itself is the report's. What is said here of the rules is read from the same report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from affidavit.policy import Policy
from affidavit.report import Action, HallucinationReport, StageState

COLUMNS = 50
"""Columns of dots between 0 and 1: scores 0.02 apart do not touch."""

_NOT_RUN = StageState(state="skipped", reason="not run")


@dataclass(frozen=True, slots=True)
class Dot:
    """A scored claim on the scale; ``level`` counts from the scale upwards where several stand close."""

    claim: int
    score: float
    level: int


@dataclass(frozen=True, slots=True)
class Step:
    """One question of the gate, its answer in the report's figures, and whether it decided."""

    action: Action
    question: str
    findings: tuple[str, ...]
    decided: bool


@dataclass(frozen=True, slots=True)
class GateView:
    """Thresholds are None where the report's policy does not say them."""

    block: float | None
    revise: float | None
    emit: float | None
    dots: tuple[Dot, ...]
    overall: float | None
    steps: tuple[Step, ...]

    @property
    def tallest(self) -> int:
        return max((dot.level + 1 for dot in self.dots), default=0)


def gate_of(report: HallucinationReport) -> GateView:
    """The gate as it stood before this report."""
    block, revise, emit = (
        _threshold(report, name)
        for name in ("block_threshold", "revise_threshold", "emit_threshold")
    )
    asked: tuple[tuple[Action, str, Iterator[str]], ...] = (
        ("block", "Must it be blocked?", _against(report, block)),
        ("emit", "If not, may it be emitted?", _for(report, emit)),
        ("revise", "If neither, what is to be revised?", _amiss(report, revise, emit)),
    )
    return GateView(
        block=block,
        revise=revise,
        emit=emit,
        dots=tuple(_dots(report)),
        overall=None if report.nothing_scored else report.overall_score,
        steps=tuple(
            Step(
                action,
                question,
                (*findings, *_beside_claims(report, action)),
                action == report.action,
            )
            for action, question, findings in asked
        ),
    )


def _told(report: HallucinationReport, name: str) -> Any:
    return report.policy.get(name, Policy.model_fields[name].default)


def _threshold(report: HallucinationReport, name: str) -> float | None:
    value = _told(report, name)
    return float(value) if isinstance(value, int | float) else None


def _dots(report: HallucinationReport) -> Iterator[Dot]:
    standing: Counter[int] = Counter()
    for number, claim in enumerate(report.claims, 1):
        if claim.score is None or claim.status == "exempt":
            continue
        column = round(claim.score * COLUMNS)
        yield Dot(number, claim.score, standing[column])
        standing[column] += 1


def _against(report: HallucinationReport, block: float | None) -> Iterator[str]:
    if block is not None:
        below = [
            f"claim {n} ({c.score:.2f})"
            for n, c in enumerate(report.claims, 1)
            if c.critical and c.score is not None and c.status != "exempt" and c.score < block
        ]
        yield f"Critical claims below {block:g}: {', '.join(below) or 'none'}."
    unchecked = [n for n, c in enumerate(report.claims, 1) if c.status == "unchecked"]
    if unchecked:
        named = ", ".join(map(str, unchecked))
        mode = _told(report, "fail_mode")
        yield f"Claims that could not be checked: {named}; the fail mode is {mode}."
    most = report.policy.get("max_revisions")
    if report.attempts:
        of = f" of {most}" if isinstance(most, int) else ""
        yield f"Revisions used: {len(report.attempts)}{of}."


def _for(report: HallucinationReport, emit: float | None) -> Iterator[str]:
    if report.nothing_scored:
        yield "No claim was scored."
    elif emit is not None:
        sign = "≥" if report.overall_score >= emit else "<"
        how = str(report.policy.get("aggregation", "minimum")).replace("_", " ")
        yield f"Overall score ({how}): {report.overall_score:.2f} {sign} {emit:g}."
    diverging = sum(probe.diverges for probe in report.consistency_probes)
    if report.consistency_probes:
        yield f"Probes that diverge: {diverging or 'none'}."
    standing = sum(c.counts_against for c in report.tool_call_validations)
    yield f"Rejected calls of the final turn that stand uncorrected: {standing or 'none'}."


def _amiss(report: HallucinationReport, revise: float | None, emit: float | None) -> Iterator[str]:
    if revise is None or emit is None:
        return
    scored = [
        (n, c.score)
        for n, c in enumerate(report.claims, 1)
        if c.score is not None and c.status != "exempt"
    ]
    low = [f"claim {n}" for n, score in scored if score < revise]
    weak = [f"claim {n}" for n, score in scored if revise <= score < emit]
    yield f"Below {revise:g}, named as unsupported: {', '.join(low) or 'none'}."
    yield f"From {revise:g} to {emit:g}, named as weakly supported: {', '.join(weak) or 'none'}."


def _beside_claims(report: HallucinationReport, action: Action) -> Iterator[str]:
    """What calls for an action by the policy, whatever the scores are."""
    probes = report.stages.get("probe", _NOT_RUN)
    required = dict(_told(report, "probes")).get("required")
    if action == "block" and required and probes.state != "checked":
        yield f"Probes are required and were {probes.state}: {probes.reason or 'no reason given'}."
    if action == "block" and report.judge is not None and report.judge.state == "failed":
        mode = _told(report, "fail_mode")
        yield f"The judge failed: {report.judge.reason}; the fail mode is {mode}."
    uncited = [str(n) for n, claim in enumerate(report.claims, 1) if claim.is_uncited]
    if uncited and action == _told(report, "uncited"):
        yield f"Claims without a source, in an answer that gives some: {', '.join(uncited)}."
    if report.cut_off and action == _told(report, "cut_off"):
        yield "The reply broke off at the model's limit of tokens."
