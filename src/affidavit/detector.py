"""The detector: one recorded run in, one report out. The one place that knows the order of the stages."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from importlib.metadata import version

from affidavit._sync import run_sync
from affidavit.ledger.ledger import Ledger
from affidavit.models.entailment import load_entailment_model
from affidavit.models.entailment.protocol import EntailmentModel
from affidavit.models.llm.protocol import LanguageModel
from affidavit.policy import Policy
from affidavit.report import (
    Attempt,
    ClaimVerdict,
    Coverage,
    HallucinationReport,
    StageState,
    Timings,
    ToolCallValidation,
)
from affidavit.stages.gate import decide
from affidavit.stages.ground import ground
from affidavit.stages.ground.split import split_claims
from affidavit.stages.probe import probe
from affidavit.stages.verify import verify_run
from affidavit.trace import RunTrace


class Detector:
    """Judges runs under one policy. Holds the models, no state of any run; safe to share by threads.

    ``entailment`` is an entailment model, or a name that overrides the policy's; ``model`` is the
    language model that probes ask, None to skip them.
    """

    def __init__(
        self,
        policy: Policy | None = None,
        *,
        entailment: str | EntailmentModel | None = None,
        model: LanguageModel | None = None,
    ) -> None:
        self.policy = policy or Policy()
        self.entailment = load_entailment_model(entailment or self.policy.entailment)
        self.model = model

    def check(self, trace: RunTrace) -> HallucinationReport:
        """Judge a run. See :meth:`acheck`."""
        return run_sync(self.acheck(trace))

    async def acheck(
        self,
        trace: RunTrace,
        *,
        validations: Sequence[ToolCallValidation] | None = None,
        revisions_used: int = 0,
        attempts: Sequence[Attempt] = (),
    ) -> HallucinationReport:
        """Judge a run: verify its calls, ground its answer, probe what is critical, decide.

        ``validations`` are Stage 1's verdicts where a guard has already given them, call by call.
        ``revisions_used`` counts the drafts sent back before this answer, ``attempts`` lists them.
        The trace is not changed.
        """
        clock = _Clock()
        calls = tuple(validations) if validations is not None else verify_run(trace, self.policy)
        clock.lap("verify")
        rejected = frozenset(call.call_id for call in calls if call.status == "rejected")
        ledger = Ledger.of(trace, rejected=rejected)
        clock.lap("ledger")
        claims = split_claims(trace.answer, question=trace.question)
        # Probes wait on another machine, so they run while this one is busy with Stage 2.
        probing = asyncio.ensure_future(
            probe(trace, claims, self.model, self.policy, self.entailment, rejected=rejected)
        )
        try:
            grounding = await asyncio.to_thread(
                ground, trace.answer, ledger, self.policy, self.entailment, claims
            )
        except BaseException:
            probing.cancel()
            raise
        clock.lap("ground")
        probed = await probing
        clock.lap("probe")
        decision = decide(
            grounding.claims, calls, probed.probes, self.policy,
            revisions_used=revisions_used, probe_state=probed.state,
        )  # fmt: skip
        clock.lap("gate")
        return HallucinationReport(
            run_id=trace.run_id,
            claims=grounding.claims,
            tool_call_validations=calls,
            consistency_probes=probed.probes,
            overall_score=decision.overall_score,
            action=decision.action,
            answer=trace.answer,
            reasons=decision.reasons,
            nothing_scored=decision.nothing_scored,
            coverage=coverage(grounding.claims),
            stages={
                "verify": StageState(
                    state="checked" if calls else "skipped", reason="" if calls else "no tool calls"
                ),
                "ground": grounding.state,
                "probe": probed.state,
                "gate": StageState(state="checked"),
            },
            timings=clock.timings(),
            policy=self.policy.model_dump(mode="json"),
            models=self._models(),
            detector=f"affidavit {version('affidavit')}",
            unknown_parts=trace.unknown_parts(),
            attempts=tuple(attempts),
        )

    def _models(self) -> dict[str, str]:
        models = {"entailment": self.entailment.name}
        return models | ({"probe": self.model.name} if self.model is not None else {})


def coverage(claims: Sequence[ClaimVerdict]) -> Coverage:
    """How much of an answer was judged."""
    exempt = sum(c.status == "exempt" for c in claims)
    unchecked = sum(c.status == "unchecked" for c in claims)
    scored = len(claims) - exempt - unchecked
    share = scored / (scored + unchecked) if scored + unchecked else 1.0
    return Coverage(
        claims=len(claims), scored=scored, exempt=exempt, unchecked=unchecked, share=round(share, 4)
    )


class _Clock:
    """Laps in milliseconds."""

    def __init__(self) -> None:
        self._start = self._last = time.perf_counter()
        self._laps: dict[str, float] = {}

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self._laps[name] = round((now - self._last) * 1000, 3)
        self._last = now

    def timings(self) -> Timings:
        return Timings(**self._laps, total=round((self._last - self._start) * 1000, 3))
