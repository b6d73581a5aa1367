"""The detector: one recorded run in, one report out. The one place that knows the order of the stages."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from importlib.metadata import version
from typing import Any, TypeVar

from affidavit._sync import run_sync
from affidavit._threads import in_thread
from affidavit.errors import AffidavitError, TraceError
from affidavit.evidence import RunEvidence
from affidavit.formats import read_run
from affidavit.ledger.ledger import Ledger
from affidavit.ledger.meaning import Meaning
from affidavit.ledger.risk import grounding_risk
from affidavit.models.embedding import Encoder, load_encoder
from affidavit.models.entailment import load_entailment_model
from affidavit.models.entailment.deadline import UntilDeadline
from affidavit.models.entailment.protocol import ClaimScorer, EntailmentModel
from affidavit.models.llm import load_language_model
from affidavit.models.llm.protocol import LanguageModel
from affidavit.observer import Observer, is_partial, observing
from affidavit.policy import Policy
from affidavit.report import (
    Attempt,
    ClaimVerdict,
    Coverage,
    HallucinationReport,
    Judging,
    StageState,
    Timings,
)
from affidavit.stages.gate import decide, failed_report
from affidavit.stages.ground import Grounding, ground
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.judging import ClaimJudge, Memory, Tab
from affidavit.stages.ground.split import split_claims
from affidavit.stages.ground.split.by_model import ClaimSplitter
from affidavit.stages.ground.uncited import uncited
from affidavit.stages.probe import ProbeOutcome, Samples, probe, to_probe, without
from affidavit.stages.probe.probe import Probed
from affidavit.thinking import spoken
from affidavit.trace import RunTrace

T = TypeVar("T")
OUT_OF_TIME = "the time that the policy allows for a check is used up"
NO_CLIENT = "nobody holds a client of the model that the run asks"
_LEAST = 0.25
"""Seconds that the run may be read for even where less is allowed: a check that has not so much as read
the answer could only say that all of it is unchecked."""


class OutOfTime(AffidavitError):
    """A run could not be read in the time that the policy allows for a check."""


class Detector:
    """Judges runs under one policy. Holds the models, no state of any run; safe to share by threads.

    ``entailment`` is an entailment model, or a name that overrides the policy's, ``checkers`` are further ones that are
    asked about claims in doubt; ``encoder`` is a sentence encoder, to search the evidence by meaning as well as by words;
    ``model`` is the language model that probes ask, or its name, None to skip them; ``judge`` a language model that is
    asked about the claims that Stage 2 leaves in doubt, in the place of the policy's ``judge.model``; ``splitter`` splits
    answers into claims, by rules unless given; ``observer`` sees each run being judged, and its stages.

    Raises:
        TypeError: ``policy`` is no :class:`~affidavit.Policy`.
        ScorerError, ModelError: no such model.
    """

    def __init__(
        self,
        policy: Policy | None = None,
        *,
        entailment: str | EntailmentModel | None = None,
        checkers: Sequence[str | EntailmentModel] | None = None,
        encoder: str | Encoder | None = None,
        model: str | LanguageModel | None = None,
        judge: str | LanguageModel | None = None,
        splitter: ClaimSplitter | None = None,
        observer: Observer | None = None,
    ) -> None:
        if policy is not None and not isinstance(policy, Policy):
            raise TypeError(
                f"policy must be a Policy, not {type(policy).__name__}: `Policy.load(path)` reads a file, "
                "`Policy.model_validate(mapping)` a mapping"
            )
        self.policy = policy or Policy()
        if isinstance(judge, str):
            self.policy = self.policy.with_judge(judge)
        self.entailment = load_entailment_model(entailment or self.policy.entailment)
        named = self.policy.checkers if checkers is None else checkers
        named = (named,) if isinstance(named, str) else named
        self.checkers = tuple(map(load_entailment_model, named))
        wanted = encoder or self.policy.encoder
        self.meaning = Meaning(load_encoder(wanted)) if wanted else None
        self.model = load_language_model(model) if isinstance(model, str) else model
        asked = self.policy.judge.model if judge is None or isinstance(judge, str) else judge
        self.judge = None if asked in (None, "own", "none") else load_language_model(asked)
        self._words = Memory()
        self.splitter = splitter
        self.observer = observer

    def check(self, trace: RunTrace | Mapping[str, Any]) -> HallucinationReport:
        """Judge a run, or the document of one as :func:`~affidavit.read_run` takes it.

        See :meth:`acheck`.
        """
        return run_sync(self.acheck(trace))

    async def acheck(
        self,
        trace: RunTrace | Mapping[str, Any],
        *,
        revisions_used: int = 0,
        attempts: Sequence[Attempt] = (),
        evidence: RunEvidence | None = None,
        probes: bool = True,
    ) -> HallucinationReport:
        """Judge a run: verify its calls, ground its answer, probe what is critical, decide.

        ``revisions_used`` counts the drafts sent back before this answer, ``attempts`` lists them.
        ``evidence`` is what has been read of the run before, where it is judged more than once.
        Without ``probes`` Stage 3 is left out, as a policy may say that it is done later. The trace is
        not changed. Thinking between tags in the answer is no part of it.
        """
        trace = _spoken(_read(trace))
        seen = observing(self.observer)
        with seen.run(trace) as judged:
            evidence = evidence or RunEvidence(self.policy)
            try:
                report = await self._judge(trace, revisions_used, attempts, evidence, probes, seen)
            except OutOfTime as error:
                report = failed_report(
                    error, run_id=trace.run_id, answer=trace.answer, policy=self.policy,
                    attempts=attempts,
                )  # fmt: skip
            judged(report)
            return report

    async def _judge(
        self,
        trace: RunTrace,
        revisions_used: int,
        attempts: Sequence[Attempt],
        evidence: RunEvidence,
        probes: bool,
        seen: Observer,
    ) -> HallucinationReport:
        clock = _Clock(self.policy.budgets.milliseconds)
        # A large result may be being read just now, and the other runs of this loop do not wait for it.
        with seen.stage("verify"):
            calls = await clock.limit(in_thread(evidence.calls, trace))
        clock.lap("verify")
        with seen.stage("ledger"):
            ledger = await clock.limit(in_thread(evidence.ledger, trace))
        clock.lap("ledger")
        claims = await clock.limit(self._split(trace))
        # Probes wait on another machine, so they run while this one is busy with Stage 2; unless
        # Stage 2 may find that there is nothing to ask.
        early = self.policy.probes.proven == "probe"
        probing = asyncio.ensure_future(
            self._probe(trace, claims, evidence, clock, probes)
        ) if early else None  # fmt: skip
        try:
            with seen.stage("ground"):
                grounding = await self._ground(trace, ledger, claims, clock)
                tab = evidence.tab(revisions_used)
                grounding, judging = await self._judged(grounding, trace, evidence, tab, clock)
            claims_judged = uncited(grounding.claims, grounding.cases)
            grounding = replace(grounding, claims=claims_judged)
        except BaseException:
            if probing is not None:
                probing.cancel()
            raise
        clock.lap("ground")
        probing = probing or asyncio.ensure_future(
            self._probe(trace, grounding.claims, evidence, clock, probes)
        )
        try:
            probed = await clock.limit(probing)
        except OutOfTime:
            probed = without("failed", OUT_OF_TIME)
        clock.lap("probe")
        with seen.stage("gate"):
            decision = decide(
                grounding.claims, calls, probed.probes, self.policy,
                revisions_used=revisions_used, probe_state=probed.state, cut_off=trace.cut_off,
                judging=judging,
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
            coverage=coverage(grounding),
            stages={
                "verify": StageState(
                    state="checked" if calls else "skipped", reason="" if calls else "no tool calls"
                ),
                "ground": grounding.state,
                "probe": probed.state,
                "gate": StageState(state="checked"),
            },
            judge=judging,
            timings=clock.timings(),
            policy=self.policy.model_dump(mode="json"),
            models=self._models(judging),
            detector=f"affidavit {version('affidavit')}",
            unknown_parts=trace.unknown_parts(),
            cut_off=trace.cut_off,
            attempts=tuple(attempts),
            grounding_risk=grounding_risk(ledger, trace.answer),
        )

    async def aprobe(
        self, trace: RunTrace, report: HallucinationReport, evidence: RunEvidence
    ) -> HallucinationReport:
        """``report`` with Stage 3, for an answer that did not wait for it.

        Its action is what it would have been.
        """
        clock = _Clock()
        probed = await self._probe(trace, report.claims, evidence, clock, wanted=True)
        clock.lap("probe")
        decision = decide(
            report.claims, report.tool_call_validations, probed.probes, self.policy,
            revisions_used=len(report.attempts), probe_state=probed.state,
            cut_off=report.cut_off, judging=report.judge,
        )  # fmt: skip
        timings = report.timings.model_copy(update={"probe": clock.timings().probe})
        return report.model_copy(
            update={
                "consistency_probes": probed.probes,
                "action": decision.action,
                "reasons": decision.reasons,
                "stages": {**report.stages, "probe": probed.state},
                "timings": timings,
            }
        )

    async def _ground(
        self, trace: RunTrace, ledger: Ledger, claims: Sequence[Claim], clock: _Clock
    ) -> Grounding:
        """Stage 2, for as long as the policy allows."""
        model, *checkers = (clock.until_deadline(m) for m in (self.entailment, *self.checkers))
        grounding = in_thread(
            ground, trace.answer, ledger, self.policy, model, claims,
            citations=trace.citations, meaning=self.meaning, checkers=checkers,
        )  # fmt: skip
        try:
            return await asyncio.wait_for(grounding, clock.left())
        except TimeoutError:
            if clock.left() != 0:
                raise  # not ours
            return unfinished(claims)

    async def _judged(
        self,
        grounding: Grounding,
        trace: RunTrace,
        evidence: RunEvidence,
        tab: Tab,
        clock: _Clock,
    ) -> tuple[Grounding, Judging | None]:
        """Stage 2 with a judge heard on what it leaves in doubt, where there is one."""
        wanted = self.policy.judge
        model = self.judge or (evidence.own if wanted.asks_own else None)
        if wanted.when == "never" or (model is None and wanted.model != "own"):
            return grounding, None
        if model is None:
            return grounding, Judging(model="own", state="skipped", reason=NO_CLIENT)
        judge = ClaimJudge(model, self.policy, self._words, own=self.judge is None)
        asks = bool(judge.doubtful(grounding))
        with observing(self.observer).stage("judge") if asks else nullcontext():
            judged = await judge.judge(
                grounding, trace.question, tab, seconds=clock.left(), spare=int(is_partial())
            )
        return judged.grounding, judged.judging

    async def _split(self, trace: RunTrace) -> list[Claim]:
        if self.splitter is None:  # by rules: it never waits, and may have much to read
            return await in_thread(split_claims, trace.answer, question=trace.question)
        return await self.splitter.split(trace.answer, question=trace.question)

    async def _probe(
        self,
        trace: RunTrace,
        claims: Sequence[Probed],
        evidence: RunEvidence,
        clock: _Clock,
        wanted: bool,
    ) -> ProbeOutcome:
        if not wanted:
            return without("skipped", "left for the background")
        samples: Samples | str = ""
        if to_probe(claims, self.policy):
            samples = evidence.samples(trace, self.model)
        with observing(self.observer).stage("probe"):
            return await probe(
                trace, claims, samples, self.policy, self.entailment, timeout=clock.left()
            )

    def _models(self, judging: Judging | None) -> dict[str, str]:
        models = {"entailment": self.entailment.name}
        if self.checkers:
            models["checkers"] = ", ".join(checker.name for checker in self.checkers)
        if self.meaning is not None:
            models["encoder"] = self.meaning.encoder.name
        if judging is not None and judging.model:
            models["judge"] = judging.model
        return models | ({"probe": self.model.name} if self.model is not None else {})


def _read(run: object) -> RunTrace:
    """The run that a check was given."""
    if isinstance(run, RunTrace):
        return run
    if isinstance(run, Mapping):
        return read_run(run)
    raise TraceError(
        f"expected a RunTrace, or a run as a dict; got {type(run).__name__} "
        "(load_run reads a file, read_run a document)"
    )


def _spoken(trace: RunTrace) -> RunTrace:
    """The run with an answer that holds no thinking."""
    said = spoken(trace.answer)
    if not said.thought:
        return trace
    cut_off = trace.cut_off or said.unfinished
    # Where citations stand is told in characters of the answer with its thinking.
    return trace.model_copy(update={"answer": said.text, "cut_off": cut_off, "citations": ()})


def coverage(grounding: Grounding) -> Coverage:
    """How much of an answer was judged, and how much of the evidence was read for it."""
    claims = grounding.claims
    exempt = sum(c.status == "exempt" for c in claims)
    unchecked = sum(c.status == "unchecked" for c in claims)
    scored = len(claims) - exempt - unchecked
    share = scored / (scored + unchecked) if scored + unchecked else 1.0
    return Coverage(
        claims=len(claims), scored=scored, exempt=exempt, unchecked=unchecked, share=round(share, 4),
        passages=grounding.passages, unread=grounding.unread,
    )  # fmt: skip


def unfinished(claims: Sequence[Claim]) -> Grounding:
    """Stage 2 where its time was up: no claim has been checked."""
    verdicts = tuple(
        ClaimVerdict(
            text=claim.text, start=claim.start, end=claim.end, kind=claim.kind,
            critical=claim.critical, status="unchecked", score=None, evidence_spans=(),
            reason="check_failed", explanation=OUT_OF_TIME,
        )
        for claim in claims
    )  # fmt: skip
    return Grounding(verdicts, StageState(state="failed", reason=OUT_OF_TIME))


class _Clock:
    """Laps in milliseconds, and what is left of the time allowed."""

    def __init__(self, allowed: float | None = None) -> None:
        self._start = self._last = time.perf_counter()
        self._laps: dict[str, float] = {}
        self.deadline = None if allowed is None else self._start + allowed / 1000

    def left(self) -> float | None:
        """Seconds, never below 0; None where any time is allowed."""
        return None if self.deadline is None else max(self.deadline - time.perf_counter(), 0.0)

    def until_deadline(self, model: EntailmentModel) -> EntailmentModel:
        """``model``, which is asked no more when the time is up; a claim's evidence is not split for one that reads all of it."""
        if self.deadline is None or isinstance(model, ClaimScorer):
            return model
        return UntilDeadline(model, self.deadline)

    async def limit(self, reading: Awaitable[T]) -> T:
        """What ``reading`` comes to, within the time that is left, but for at least as long as it takes
        to say which claims there are. Raises :class:`OutOfTime`."""
        left = self.left()
        try:
            return await asyncio.wait_for(reading, None if left is None else max(left, _LEAST))
        except TimeoutError as error:
            if self.left() != 0:
                raise  # not ours
            raise OutOfTime(OUT_OF_TIME) from error

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self._laps[name] = round((now - self._last) * 1000, 3)
        self._last = now

    def timings(self) -> Timings:
        return Timings(**self._laps, total=round((self._last - self._start) * 1000, 3))
