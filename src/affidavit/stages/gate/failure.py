"""What is said where the checking itself broke down."""

from __future__ import annotations

from collections.abc import Sequence

from affidavit.policy import Policy
from affidavit.report import (
    Attempt,
    ClaimVerdict,
    Coverage,
    HallucinationReport,
    StageState,
    ToolCallValidation,
)
from affidavit.stages.gate.decide import decide
from affidavit.trace import ToolCallPart


def failed_report(
    error: Exception,
    *,
    run_id: str,
    answer: str,
    policy: Policy,
    validations: Sequence[ToolCallValidation] = (),
    attempts: Sequence[Attempt] = (),
) -> HallucinationReport:
    """What is known where the detector raised: the whole answer is one claim whose check failed.

    That claim counts as critical, since nobody knows what is in it, and the fail mode decides alone.
    """
    claim = ClaimVerdict(
        text=answer,
        evidence_spans=(),
        score=None,
        critical=True,
        status="unchecked",
        start=0,
        end=len(answer),
        reason="check_failed",
    )
    failed = StageState(state="failed", reason=f"{type(error).__name__}: {error}")
    skipped = StageState(state="skipped", reason="the detector failed")
    made = decide([claim], (), (), policy, revisions_used=len(attempts), probe_state=skipped)
    return HallucinationReport(
        run_id=run_id,
        claims=(claim,),
        tool_call_validations=tuple(validations),
        consistency_probes=(),
        overall_score=made.overall_score,
        action=made.action,
        answer=answer,
        reasons=made.reasons,
        nothing_scored=True,
        coverage=Coverage(claims=1, scored=0, exempt=0, unchecked=1, share=0.0),
        stages={"ground": failed, "probe": skipped, "gate": StageState(state="checked")},
        policy=policy.model_dump(mode="json"),
        attempts=tuple(attempts),
    )


def failed_validation(error: Exception, call: ToolCallPart) -> ToolCallValidation:
    """The verdict on a call where verifying it raised."""
    return ToolCallValidation(
        tool=call.name,
        args=call.arguments,
        status="unchecked",
        call_id=call.id,
        note=f"This call could not be checked and was not run ({type(error).__name__}).",
    )
