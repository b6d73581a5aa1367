"""What judges answers for a guard: the detector, or anything of its shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from affidavit.evidence import RunEvidence
from affidavit.policy import Policy
from affidavit.report import Attempt, HallucinationReport
from affidavit.trace import RunTrace


class AnswerChecker(Protocol):
    """What judges an answer: a detector."""

    @property
    def policy(self) -> Policy: ...

    async def acheck(
        self,
        trace: RunTrace,
        *,
        revisions_used: int = 0,
        attempts: Sequence[Attempt] = (),
        evidence: RunEvidence | None = None,
        probes: bool = True,
    ) -> HallucinationReport: ...


@runtime_checkable
class LateProber(Protocol):
    """What can carry out Stage 3 when the answer is out."""

    async def aprobe(
        self, trace: RunTrace, report: HallucinationReport, evidence: RunEvidence
    ) -> HallucinationReport:
        """``report`` with its probes."""
        ...
