"""The guard: the life of one agent run, from its first tool call to the answer that goes out.

A runtime tells it what happens and does as it says: it checks each call, records each result, and
checks the answer. Nothing that happens inside it reaches the agent but its decisions.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import uuid
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from affidavit._content import content_parts
from affidavit._sync import run_sync
from affidavit._threads import in_thread
from affidavit.cited import CITE_AS_YOU_WRITE, Cited, Marks
from affidavit.evidence import RunEvidence
from affidavit.formats.tools import Tools
from affidavit.guard.background import in_background
from affidavit.guard.bounded import within_budget
from affidavit.guard.checker import AnswerChecker, LateProber
from affidavit.guard.conclude import Manner, conclude, sent_back
from affidavit.guard.decision import AnswerDecision, CallDecision
from affidavit.guard.keepers import Keepers, Recorder
from affidavit.guard.risk import risk_line
from affidavit.guard.stream import AnswerStream
from affidavit.guard.toolset import Toolset
from affidavit.models.llm import LanguageModel
from affidavit.observer import unobserved
from affidavit.report import Attempt, HallucinationReport, ToolCallValidation
from affidavit.stages.gate import (
    RefusalTemplate,
    failed_report,
    failed_validation,
)
from affidavit.stages.verify import CallVerifier, call_feedback
from affidavit.thinking import spoken
from affidavit.trace import (
    Citation,
    Message,
    RunTrace,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)

_log = logging.getLogger("affidavit.guard")


class Guard:
    """The guard of one run: one question of the user, up to the answer that goes out.

    It is made with what was said so far (``messages``) and told what the run adds. Feedback and
    drafts are never to be recorded: they quote false claims, and a user turn is evidence.

    ``shadow`` judges and reports and touches nothing. ``mark`` adds a note to an answer that goes out
    with weakly supported claims. With ``cite`` the model is to put the call behind each statement that it writes, see
    :attr:`instruction`; None leaves that to the policy. With ``may_cite`` it may show a place in the results for a
    statement that was sent back, instead of correcting it; switch it off where what the model writes reaches the user
    otherwise than through the decision. ``recorders`` are told of every checked call and every report, those
    of drafts too; ``on_report`` is given one report, when the run has ended. Their errors are logged and
    go no further. ``own`` is the model that the run itself asks: it is asked about critical claims in doubt too, where
    ``policy.judge`` says so.

    ``tools`` are what the run declares, None where that is not known. ``known_tools`` are declarations that hold for
    tools of their names whatever a run declares of them, such as the OpenAPI document of what they call.
    """

    def __init__(
        self,
        detector: AnswerChecker,
        *,
        messages: Iterable[Message] = (),
        tools: Tools | None = None,
        run_id: str | None = None,
        model: str | None = None,
        shadow: bool = False,
        mark: bool = True,
        cite: bool | None = None,
        may_cite: bool = True,
        refusal_template: RefusalTemplate | str | None = None,
        on_report: Callable[[HallucinationReport], object] | None = None,
        recorders: Iterable[Recorder] = (),
        own: LanguageModel | None = None,
        known_tools: Tools = (),
    ) -> None:
        self.policy = detector.policy
        self.run_id = run_id or uuid.uuid4().hex
        self.shadow = shadow
        self.cite = (self.policy.cite if cite is None else cite) and not shadow
        """Whether the model is to cite as it writes. Nothing is touched in shadow mode."""
        self.validations: list[ToolCallValidation] = []
        self.attempts: list[Attempt] = []
        """The drafts that were sent back."""
        self.rejections: Counter[str] = Counter()
        """How often each tool has been called wrongly since it was last called rightly."""
        self.shown = ""
        """What the user has been shown of the answer so far, where it is streamed."""
        self.shown_citations: tuple[Citation, ...] = ()
        """What was cited in what has been shown."""
        self.cut_off = False
        """Whether the reply that is judged next broke off at the model's limit of tokens. Whoever reads
        the model's responses says so for each."""
        self.report: HallucinationReport | None = None
        """The last report."""
        self.metadata: dict[str, Any] = {"shadow": True} if shadow else {}
        """What else the record of the run should hold, such as how a search went: enters its trace."""
        self._detector = detector
        self._tools = Toolset(tools, known_tools)
        self._model = model
        self._manner = Manner(
            shadow=shadow, mark=mark, template=refusal_template, may_cite=may_cite
        )
        self._keepers = Keepers(recorders, on_report)
        self._evidence = RunEvidence(self.policy, own=own)
        self._verifier = CallVerifier(self._tools.all, self.policy, lenient=True)
        self._unread: Exception | None = None
        self._messages: list[Message] = []
        self._withheld: set[str] = set()
        self._sent = ""
        self._handed_on = False
        self._probing: asyncio.Task[HallucinationReport] | None = None
        # Tools of one turn may run in parallel threads.
        self._lock = threading.RLock()
        for message in messages:
            self.observe(message)

    @property
    def own(self) -> LanguageModel | None:
        """The model that the run itself asks, where its client is known."""
        return self._evidence.own

    @own.setter
    def own(self, model: LanguageModel | None) -> None:
        self._evidence.own = model

    @property
    def instruction(self) -> str:
        """A line for the model's system prompt, which is no part of the run; nothing where none is needed. Clients that
        are guarded add it by themselves."""
        return CITE_AS_YOU_WRITE if self.cite else ""

    def unmarked(self, text: str, *, complete: bool = True) -> Cited:
        """``text`` as the user is to see it, and the citations that were in it. Of a text that is not ``complete``,
        what may yet become a part of a citation is left out too."""
        with self._lock:
            quotes = self._manner.may_cite and bool(self.attempts)
            if self.shadow or not (self.cite or quotes):
                return Cited(text)
            calls = [call for message in self._messages for call in message.tool_calls]
        marks = Marks({call.id for call in calls}, {call.name for call in calls}, quotes=quotes)
        return marks.read(text, complete=complete)

    def declare(self, tools: Tools) -> None:
        """Tools that the run has from now on, where they change under way: another agent takes over,
        or some are loaded late. One of a name that is known takes its place, unless its schema is not told."""
        with self._lock:
            if changed := self._tools.declare(tools):
                self._verifier.declare(changed)

    def declare_called(self, messages: Iterable[Message]) -> None:
        """Tools that were run in ``messages`` and are not declared (any more) were tools all the same."""
        with self._lock:
            called = (call.name for message in messages for call in message.tool_calls)
            self.declare(self._tools.undeclared(called))

    def observe(self, message: Message) -> None:
        """Record something that was said: by the system, the user, or the model before its answer."""
        with self._lock:
            self._messages.append(message)
            try:
                self._verifier.observe(message)
            except Exception as error:
                # Where a call's values come from is no longer known: checking one has failed by now.
                _log.warning("a message of run %s could not be read", self.run_id, exc_info=True)
                self._unread = self._unread or error

    def check_call(self, call: ToolCallPart) -> CallDecision:
        """Judge a call before its tool is run. Its id must be its own within the run."""
        decision = self._decided(call)
        self._keepers.call(self.run_id, decision.validation)
        return decision

    async def acheck_call(self, call: ToolCallPart) -> CallDecision:
        """:meth:`check_call`, for asynchronous code: where the call's values are looked for in megabytes of results, the
        other runs of the loop do not wait for that."""
        return await in_thread(self.check_call, call)

    def _decided(self, call: ToolCallPart) -> CallDecision:
        with self._lock:
            validation, failed = self._verified(call)
            self.validations.append(validation)
            self._enter_call(call)
            stopped = validation.status == "rejected" or (
                failed and self.policy.fail_mode != "open"
            )
            # What the provider runs itself has been run by now.
            if not stopped or self.shadow or call.server_side:
                self.rejections[call.name] = 0
                return CallDecision(True, validation)
            self.rejections[call.name] += 1
            left = self.policy.max_call_retries + 1 - self.rejections[call.name]
            feedback = validation.note if failed else call_feedback(validation, retries_left=left)
            # The model is answered in the tool's place, so the run holds that answer too.
            self.record_result(call.id, feedback, is_error=True)
            self._withheld.add(call.id)
            return CallDecision(False, validation, feedback, give_up=left <= 0, stop=left < 0)

    def record_result(self, call_id: str, content: object, *, is_error: bool = False) -> None:
        """Record what a tool answered: text, JSON, or content parts.

        A call that was rejected has no result: what is recorded for it is left out.
        """
        with self._lock:
            if call_id in self._withheld:
                return
            part = ToolResultPart(id=call_id, content=content_parts(content), is_error=is_error)
            self.observe(Message(role="tool", parts=(part,)))
        # The result is read while the model is thinking, so that the answer pays for its claims alone.
        threading.Thread(target=self._read, args=(self.trace(""),), daemon=True).start()

    async def acheck_answer(
        self,
        answer: str,
        *,
        shown: int = 0,
        first_sentence: float | None = None,
        citations: Sequence[Citation] = (),
        last: bool = False,
    ) -> AnswerDecision:
        """Judge an answer before it goes out. ``citations`` are those that have been taken out of it already; of the
        ``last`` that can be had, what would be sent back is refused.

        Of a streamed one ``shown`` characters have been shown already, the first sentence of them
        ``first_sentence`` milliseconds after the draft began; see :meth:`stream`.
        """
        candidate = self._candidate(answer, citations)
        report = await self._judged(candidate, partial=False)
        if first_sentence is not None:
            timings = report.timings.model_copy(update={"first_sentence": round(first_sentence, 3)})
            report = report.model_copy(update={"timings": timings})
        if last and report.action == "revise":
            report = _blocked(report, "no further draft can be asked for")
        decision = self._conclude(report, report.answer[:shown])
        if self.shadow and decision.text == report.answer:  # nothing is touched, thinking included
            decision = replace(decision, text=answer, rest=answer[shown:])
        trace = self.trace(decision.report.answer)
        trace = trace.model_copy(update={"citations": candidate.citations})
        self._warn_of_risk(trace)
        self._log_stop(decision)
        await self._keepers.judged(decision.report, trace)
        if decision.action != "revise":
            self._probe_later(decision.report)
            self.finish()
        return decision

    def check_answer(self, answer: str, *, last: bool = False) -> AnswerDecision:
        """:meth:`acheck_answer`, from synchronous code."""
        return run_sync(self.acheck_answer(answer, last=last))

    def stream(self) -> AnswerStream:
        """A draft that is shown while it is being written, as far as it has been verified."""
        return AnswerStream(self)

    async def arevise(self, ask: Callable[[str | None], Awaitable[str]]) -> AnswerDecision:
        """Ask for an answer until one goes out or is refused.

        ``ask`` is given nothing at first, then the feedback on the draft before, and may call tools.
        """
        try:
            decision = await self.acheck_answer(await ask(None))
            while decision.action == "revise":
                decision = await self.acheck_answer(await ask(decision.feedback))
            return decision
        finally:
            self.finish()

    async def agive_up(self) -> AnswerDecision:
        """End a run whose model goes on calling tools wrongly: the user is told the refusal."""
        reason = "a tool was called wrongly more often than the policy allows"
        report = _blocked(await self.ajudge(""), reason)
        decision = self._conclude(report, self.shown)
        self._log_stop(decision)
        await self._keepers.judged(report, self.trace(""))
        self.finish()
        return decision

    def give_up(self) -> AnswerDecision:
        """:meth:`agive_up`, from synchronous code."""
        return run_sync(self.agive_up())

    def finish(self) -> None:
        """The run is over: hand on its report, if that has not been done and no probe is out.

        An adapter calls it where a run may end with a draft that was sent back and never came again.
        """
        with self._lock:
            report, waits = self.report, self._handed_on or self._probing is not None
            self._handed_on |= report is not None and not waits
        if report is not None and not waits:
            self._keepers.ended(report)

    def next_turn(self, *messages: Message) -> Guard:
        """The guard of the user's next question in the same conversation, ``messages`` being what is
        new. It knows what this run knew, and the answer that went out."""
        sent = self._sent
        said = (Message(role="assistant", parts=(TextPart(text=sent),)),) if sent else ()
        return Guard(
            self._detector,
            messages=(*self._messages, *said, *messages),
            tools=self._tools.all,
            model=self._model,
            shadow=self.shadow,
            mark=self._manner.mark,
            cite=self.cite,
            may_cite=self._manner.may_cite,
            refusal_template=self._manner.template,
            on_report=self._keepers.on_report,
            recorders=self._keepers.recorders,
            own=self.own,
            known_tools=tuple(self._tools.known.values()),
        )

    async def ajudge(
        self, answer: str, *, partial: bool = False, citations: Sequence[Citation] = ()
    ) -> HallucinationReport:
        """The report on a candidate answer, deciding nothing. ``partial`` is one still being written, ``citations`` are
        those that have been taken out of it already.

        A detector that raises, that is cancelled from within or that takes longer than the policy allows
        is a failed check, and the fail mode decides.
        """
        return await self._judged(self._candidate(answer, citations, partial=partial), partial)

    def _candidate(
        self, answer: str, citations: Sequence[Citation], *, partial: bool = False
    ) -> RunTrace:
        """The run with a candidate answer, without thinking and marks."""
        said = spoken(answer)
        read = self.unmarked(said.text)
        with self._lock:
            cut_off = not partial and (self.cut_off or said.unfinished)
            told = {"cut_off": cut_off, "citations": (*citations, *read.citations)}
            return self.trace(read.text).model_copy(update=told)

    async def _judged(self, trace: RunTrace, partial: bool) -> HallucinationReport:
        attempts = tuple(self.attempts)
        try:
            with unobserved() if partial else nullcontext():
                return await within_budget(
                    self._detector.acheck(
                        trace,
                        revisions_used=len(attempts),
                        attempts=attempts,
                        evidence=self._evidence,
                        probes=self.policy.probes.mode == "wait",
                    ),
                    self.policy.budgets.milliseconds,
                )
        except Exception as error:
            if not partial:
                _log.warning("the detector failed on run %s", self.run_id, exc_info=True)
            return failed_report(
                error,
                run_id=self.run_id,
                answer=trace.answer,
                policy=self.policy,
                validations=self.validations,
                attempts=attempts,
            )

    def judge(self, answer: str, *, partial: bool = False) -> HallucinationReport:
        """:meth:`ajudge`, from synchronous code."""
        return run_sync(self.ajudge(answer, partial=partial))

    def trace(self, answer: str) -> RunTrace:
        """The run as recorded so far, with a candidate answer."""
        return RunTrace(
            run_id=self.run_id,
            messages=tuple(self._messages),
            answer=answer,
            tools=self._tools.all,
            model=self._model,
            metadata=dict(self.metadata),
        )

    def _verified(self, call: ToolCallPart) -> tuple[ToolCallValidation, bool]:
        """The verdict on a call, and whether verifying it failed."""
        try:
            if self._unread is not None:
                raise self._unread
            return self._verifier.check(call), False
        except Exception as error:
            _log.warning("verifying a call failed in run %s", self.run_id, exc_info=True)
            return failed_validation(error, call), True

    def _read(self, trace: RunTrace) -> None:
        try:
            self._verifier.read()  # the model's next call may come before its answer
            self._evidence.read(trace)
        except Exception:  # it will be raised again, and follow the fail mode, when it is needed
            _log.debug("reading the results of run %s failed", self.run_id, exc_info=True)

    def _warn_of_risk(self, trace: RunTrace) -> None:
        if not self._evidence.is_read(trace):
            return  # nothing waits for results that could not be read
        try:
            risk = risk_line(self._evidence.ledger(trace), trace.answer)
        except Exception:  # results that cannot be read have failed the check already
            return
        if risk:
            _log.warning("%s", risk)

    def _log_stop(self, decision: AnswerDecision) -> None:
        """Why the answer, or this draft of it, ended as it did: shadow mode judges and lets it out."""
        report = decision.report
        score = "none" if report.nothing_scored else f"{report.overall_score:.4g}"
        _log.info(
            "run %s: stop_reason %s, score %s, revisions %d, query %r",
            self.run_id, report.stop_reason, score, len(report.attempts), self.trace("").question,
        )  # fmt: skip

    def _enter_call(self, call: ToolCallPart) -> None:
        """Record a call that the runtime has not recorded with the message it came in."""
        if not any(
            call.id == known.id for message in self._messages for known in message.tool_calls
        ):
            self.observe(Message(role="assistant", parts=(call,)))

    def _conclude(self, report: HallucinationReport, shown: str) -> AnswerDecision:
        """Turn a report into a decision, and remember what was decided."""
        with self._lock:
            decision = self._concluded(report, shown)
            self.report, self._sent = decision.report, decision.text or ""
            if decision.action == "revise":
                self.attempts.append(sent_back(decision))
            return decision

    def _concluded(self, report: HallucinationReport, shown: str) -> AnswerDecision:
        """The decision, in the deployment's own words where they do not fail."""
        try:
            return conclude(report, self.policy, self._manner, drafts=self.attempts, shown=shown)
        except Exception as error:
            _log.warning("concluding run %s failed", self.run_id, exc_info=True)
            failed = failed_report(
                error, run_id=self.run_id, answer=report.answer, policy=self.policy,
                validations=report.tool_call_validations, attempts=report.attempts,
            )  # fmt: skip
            plainly = Manner(shadow=self.shadow, mark=False)
            return conclude(failed, self.policy, plainly, drafts=(), shown=shown)

    def _probe_later(self, report: HallucinationReport) -> None:
        """Have an answer that went out probed in the background, where the policy says so."""
        late = report.action == "emit" and self.policy.probes.mode == "background"
        if late and isinstance(self._detector, LateProber):
            probing = self._probed(self._detector, report)
            self._probing = in_background(probing, report, self._probing_is_over)

    async def _probed(
        self, detector: LateProber, report: HallucinationReport
    ) -> HallucinationReport:
        trace = self.trace(report.answer)
        probed = await within_budget(detector.aprobe(trace, report, self._evidence), None)
        await self._keepers.judged(probed, trace)
        return probed

    def _probing_is_over(self, report: HallucinationReport) -> None:
        self.report, self._probing = report, None
        self.finish()


def _blocked(report: HallucinationReport, reason: str) -> HallucinationReport:
    return report.model_copy(update={"action": "block", "reasons": (reason, *report.reasons)})
