"""Reports under another policy, without asking any model again.

What the witnesses found stays as it was. The scores are shifted to the rate of the new policy, what
they come to is read off its thresholds, and the gate decides anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from affidavit.audit.shift import score_at
from affidavit.errors import AffidavitError, PolicyError
from affidavit.policy import Policy, ProbePolicy
from affidavit.report import (
    CHECKER,
    CheckRecord,
    ClaimVerdict,
    HallucinationReport,
    ReasonCode,
    ToolCallValidation,
)
from affidavit.stages.gate import decide
from affidavit.stages.ground import relevance
from affidavit.stages.ground.verdict.explain import DOUBTFUL, EVEN

_FIXED: dict[str, str] = {
    "task_type": "it says which claims count at all; write its thresholds out under the same task type",
    "evidence_scope": "the claims would be held against other evidence",
    "entailment": "another model would have read the evidence",
    "checkers": "another model would have read the evidence of claims in doubt",
    "encoder": "other evidence would have been found",
    "judge": "the judge would have to be asked again",
    "groundedness": "the claims would have to be judged, or would not have been",
    "allow": "the calls would have to be verified again",
    "tools": "the calls would have to be verified again",
    "budgets": "other checks would have been left undone",
}
"""What no report can be replayed under another value of, and why."""

_FIXED_PROBES = tuple(name for name in ProbePolicy.model_fields if name != "required")
_FREE_IN_CREATIVE = ("prior", "emit_threshold")

_AGAINST: dict[tuple[str, str], ReasonCode] = {
    ("values", "missing"): "value_not_in_evidence",
    ("rows", "contradicts"): "contradicts_evidence",
    ("calls", "missing"): "action_not_performed",
    ("calls", "contradicts"): "action_not_performed",
    ("citations", "missing"): "source_not_retrieved",
    ("citations", "contradicts"): "contradicts_evidence",
    ("entailment", "contradicts"): "contradicts_evidence",
    (CHECKER, "contradicts"): "contradicts_evidence",
    ("judge", "contradicts"): "contradicts_evidence",
}
"""The reason code of a check's verdict that a claim is held to."""
_READERS = frozenset({"entailment", CHECKER})
"""What reads a claim as a whole, and can say no more of what is wrong than that something is."""


def policy_of_report(report: HallucinationReport) -> Policy:
    """The policy that a report was judged under. Raises :class:`AffidavitError` where it does not say."""
    if "prior" not in report.policy:
        raise AffidavitError(
            f"the report of run {report.run_id!r} does not say at which rate its scores hold "
            "(policy.prior): it was written by an earlier version; judge the run again"
        )
    try:
        return Policy.model_validate(report.policy)
    except ValueError as error:
        raise AffidavitError(
            f"the report of run {report.run_id!r} is under a policy that cannot be read: {error}"
        ) from error


def check_replayable(before: Policy, after: Policy) -> None:
    """Raise :class:`PolicyError` where reports under one policy do not tell what another would have said."""
    faults = [
        f"{name} ({_told(getattr(before, name))} in the reports, {_told(getattr(after, name))} in the policy): {why}"
        for name, why in _FIXED.items()
        if getattr(before, name) != getattr(after, name)
    ]
    faults += [
        f"probes.{name}: the model would have to be asked again"
        for name in _FIXED_PROBES
        if getattr(before.probes, name) != getattr(after.probes, name)
    ]
    if before.task_type == "creative":
        faults += [
            f"{name}: in creative work it decides which claims are free, and those have no score"
            for name in _FREE_IN_CREATIVE
            if getattr(before, name) != getattr(after, name)
        ]
    if faults:
        raise PolicyError("cannot be replayed, judge the runs again: " + "; ".join(faults))


def _told(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else "another value"


@dataclass
class Replay:
    """Puts reports under ``policy``. Reports of one audit share theirs, so that it is read once."""

    policy: Policy
    _raw: dict[str, Any] | None = None
    _before: Policy | None = None
    _dumped: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._dumped = self.policy.model_dump(mode="json")

    def __call__(self, report: HallucinationReport) -> HallucinationReport:
        """The report as it would have come out. Raises :class:`AffidavitError` where it cannot be told."""
        before = self._policy_before(report)
        claims = tuple(_claim(claim, before, self.policy) for claim in report.claims)
        made = decide(
            claims, _validations(report), report.consistency_probes, self.policy,
            revisions_used=len(report.attempts), probe_state=report.stages.get("probe"),
            cut_off=report.cut_off, judging=report.judge,
        )  # fmt: skip
        return report.model_copy(
            update={
                "claims": claims,
                "overall_score": made.overall_score,
                "action": made.action,
                "reasons": made.reasons,
                "nothing_scored": made.nothing_scored,
                "policy": self._dumped,
            }
        )

    def _policy_before(self, report: HallucinationReport) -> Policy:
        if self._before is None or report.policy != self._raw:
            before = policy_of_report(report)
            check_replayable(before, self.policy)
            self._before, self._raw = before, report.policy
        return self._before


def _validations(report: HallucinationReport) -> tuple[ToolCallValidation, ...]:
    """The calls that the gate looked at: none where the detector itself failed, and the fail mode decided alone."""
    ground = report.stages.get("ground")
    detector_failed = (
        "verify" not in report.stages and ground is not None and ground.state == "failed"
    )
    return () if detector_failed else report.tool_call_validations


def _claim(claim: ClaimVerdict, before: Policy, after: Policy) -> ClaimVerdict:
    """A claim at the rate and the threshold of the new policy; the same object where nothing differs."""
    same_line = before.emit_threshold == after.emit_threshold
    if (before.prior == after.prior and same_line) or not claim.is_scored:
        return claim
    score = score_at(claim, before.prior, after.prior)
    assert score is not None
    if claim.decided_by == relevance.NAME or relevance.is_cut(claim):
        return claim.model_copy(update={"score": score})  # its status is not read off its score
    told: dict[str, Any] = {}
    # A judge's word stands; any other check contradicts no claim that is likelier true than not.
    too_hard = claim.status == "contradicted" and score >= EVEN and claim.decided_by != "judge"
    if score >= after.emit_threshold:
        told = _borne_out(claim) if claim.status != "supported" else {}
    elif claim.status == "supported" or too_hard:
        told = _held_against(claim, score)
    return claim.model_copy(update={"score": score, **told})


def _borne_out(claim: ClaimVerdict) -> dict[str, Any]:
    found = _first(claim, lambda check: check.verdict == "supports" and bool(check.detail))
    told: dict[str, Any] = {"status": "supported", "reason": None}
    if found is None:
        return told | {"decided_by": "entailment", "explanation": "the results say so"}
    return told | _as_told(claim, found)


def _held_against(claim: ClaimVerdict, score: float) -> dict[str, Any]:
    found = _first(
        claim,
        lambda check: (
            check.verdict in ("contradicts", "missing")
            and bool(check.detail)
            and (check.score is None or check.score > EVEN)
        ),
    )
    # What is likelier true than not is contradicted by a judge's word alone.
    likely = score >= EVEN and not (found and found.name == "judge")
    if found is None or (likely and found.name in _READERS):
        return {
            "status": "unsupported", "reason": "not_entailed", "decided_by": "entailment",
            "explanation": DOUBTFUL,
        }  # fmt: skip
    denied = found.verdict == "contradicts" and not likely
    reason = _AGAINST.get((found.name, str(found.verdict)), "not_entailed")
    if reason == "contradicts_evidence" and not denied:
        reason = "not_entailed"
    elif reason == "contradicts_evidence" and claim.kind == "absence":
        reason = "false_absence"
    told = {"status": "contradicted" if denied else "unsupported", "reason": reason}
    return told | _as_told(claim, found)


def _as_told(claim: ClaimVerdict, found: CheckRecord) -> dict[str, Any]:
    return {
        "decided_by": found.name,
        "explanation": found.detail,
        "evidence_spans": found.evidence_spans or claim.evidence_spans,
    }


def _first(claim: ClaimVerdict, wanted: Callable[[CheckRecord], bool]) -> CheckRecord | None:
    return next((check for check in claim.checks if wanted(check)), None)
