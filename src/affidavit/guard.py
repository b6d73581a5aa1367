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
from dataclasses import dataclass
from typing import Protocol

from affidavit._content import content_parts
from affidavit._sync import run_sync
from affidavit.policy import Policy
from affidavit.report import Action, Attempt, HallucinationReport, ToolCallValidation
from affidavit.stages.gate import (
    RefusalTemplate,
    annotate,
    deletes_only,
    failed_report,
    failed_validation,
    refusal,
    revision_feedback,
)
from affidavit.stages.verify import CallVerifier, call_feedback
from affidavit.trace import Message, RunTrace, ToolCallPart, ToolDefinition, ToolResultPart

_log = logging.getLogger("affidavit.guard")

ONLY_DELETES = "the revision only leaves out what the draft before it said; it corrects nothing"


class AnswerChecker(Protocol):
    """What judges an answer: a detector."""

    @property
    def policy(self) -> Policy: ...

    async def acheck(
        self, trace: RunTrace, *, revisions_used: int = 0, attempts: Sequence[Attempt] = ()
    ) -> HallucinationReport: ...


class Recorder(Protocol):
    """What is told of a run as it happens: a run log. It may be slow; it must be safe in threads."""

    def call(self, run_id: str, validation: ToolCallValidation) -> object:
        """A call was checked, accepted or rejected."""
        ...

    def report(self, report: HallucinationReport, trace: RunTrace) -> object:
        """An answer, or a draft of it, was judged."""
        ...


@dataclass(frozen=True, slots=True)
class CallDecision:
    """Whether to run a tool, and what to tell the model where not.

    ``give_up`` says that the tool has been called wrongly more often than the policy allows: the
    runtime should stop offering retries.
    """

    run: bool
    validation: ToolCallValidation
    feedback: str = ""
    give_up: bool = False


@dataclass(frozen=True, slots=True)
class AnswerDecision:
    """What to do with an answer: send ``text`` to the user, or ``feedback`` back to the model.

    In shadow mode ``action`` is always emit and ``report.action`` is what it would have been.
    """

    action: Action
    report: HallucinationReport
    text: str | None = None
    feedback: str | None = None
    deletes_only: bool = False


class Guard:
    """The guard of one run.

    It is made with what was said so far (``messages``) and told what the run adds. Feedback and
    drafts are never to be recorded: they quote false claims, and a user turn is evidence.

    ``shadow`` judges and reports and touches nothing. ``recorders`` are told of every checked call and
    every report, those of drafts too, and ``on_report`` of every report; their errors are logged and go
    no further.
    """

    def __init__(
        self,
        detector: AnswerChecker,
        *,
        messages: Iterable[Message] = (),
        tools: Iterable[ToolDefinition] | None = None,
        run_id: str | None = None,
        model: str | None = None,
        shadow: bool = False,
        mark: bool = True,
        refusal_template: RefusalTemplate | str | None = None,
        on_report: Callable[[HallucinationReport], object] | None = None,
        recorders: Iterable[Recorder] = (),
    ) -> None:
        self.policy = detector.policy
        self.run_id = run_id or uuid.uuid4().hex
        self.validations: list[ToolCallValidation] = []
        self.attempts: list[Attempt] = []
        self._detector = detector
        self._tools = None if tools is None else tuple(tools)
        self._model, self._shadow, self._mark = model, shadow, mark
        self._template, self._on_report = refusal_template, on_report
        self._recorders = tuple(recorders)
        self._verifier = CallVerifier(self._tools, self.policy, lenient=True)
        self._messages: list[Message] = []
        self._withheld: set[str] = set()
        self._rejections: Counter[str] = Counter()
        self._draft: HallucinationReport | None = None
        # Tools of one turn may run in parallel threads.
        self._lock = threading.RLock()
        for message in messages:
            self.observe(message)

    def observe(self, message: Message) -> None:
        """Record something that was said: by the system, the user, or the model before its answer."""
        with self._lock:
            self._messages.append(message)
            self._verifier.observe(message)

    def check_call(self, call: ToolCallPart) -> CallDecision:
        """Judge a call before its tool is run. Its id must be its own within the run."""
        decision = self._decided(call)
        for recorder in self._recorders:
            self._told(recorder.call, self.run_id, decision.validation)
        return decision

    def _decided(self, call: ToolCallPart) -> CallDecision:
        with self._lock:
            validation, failed = self._verified(call)
            self.validations.append(validation)
            self._enter_call(call)
            stopped = validation.status == "rejected" or (
                failed and self.policy.fail_mode != "open"
            )
            # What the provider runs itself has been run by now.
            if not stopped or self._shadow or call.server_side:
                self._rejections[call.name] = 0
                return CallDecision(True, validation)
            self._rejections[call.name] += 1
            left = self.policy.max_call_retries + 1 - self._rejections[call.name]
            feedback = validation.note if failed else call_feedback(validation, retries_left=left)
            # The model is answered in the tool's place, so the run holds that answer too.
            self.record_result(call.id, feedback, is_error=True)
            self._withheld.add(call.id)
            return CallDecision(False, validation, feedback, give_up=left <= 0)

    def record_result(self, call_id: str, content: object, *, is_error: bool = False) -> None:
        """Record what a tool answered: text, JSON, or content parts.

        A call that was rejected has no result: what is recorded for it is left out.
        """
        with self._lock:
            if call_id not in self._withheld:
                part = ToolResultPart(id=call_id, content=content_parts(content), is_error=is_error)
                self.observe(Message(role="tool", parts=(part,)))

    async def acheck_answer(self, answer: str) -> AnswerDecision:
        """Judge an answer before it goes out."""
        with self._lock:
            trace, attempts = self.trace(answer), tuple(self.attempts)
        try:
            report = await self._detector.acheck(
                trace, revisions_used=len(attempts), attempts=attempts
            )
        except Exception as error:
            _log.warning("the detector failed on run %s", self.run_id, exc_info=True)
            report = failed_report(
                error,
                run_id=self.run_id,
                answer=answer,
                policy=self.policy,
                validations=self.validations,
                attempts=attempts,
            )
        with self._lock:
            decision = self._conclude(report)
        await self._hand_on(decision.report, trace)
        return decision

    def check_answer(self, answer: str) -> AnswerDecision:
        """Judge an answer before it goes out, from synchronous code."""
        return run_sync(self.acheck_answer(answer))

    async def arevise(self, ask: Callable[[str | None], Awaitable[str]]) -> AnswerDecision:
        """Ask for an answer until one goes out or is refused.

        ``ask`` is given nothing at first, then the feedback on the draft before, and may call tools.
        """
        decision = await self.acheck_answer(await ask(None))
        while decision.action == "revise":
            decision = await self.acheck_answer(await ask(decision.feedback))
        return decision

    def trace(self, answer: str) -> RunTrace:
        """The run as recorded so far, with a candidate answer."""
        return RunTrace(
            run_id=self.run_id,
            messages=tuple(self._messages),
            answer=answer,
            tools=self._tools,
            model=self._model,
        )

    def _verified(self, call: ToolCallPart) -> tuple[ToolCallValidation, bool]:
        """The verdict on a call, and whether verifying it failed."""
        try:
            return self._verifier.check(call), False
        except Exception as error:
            _log.warning("verifying a call failed in run %s", self.run_id, exc_info=True)
            return failed_validation(error, call), True

    def _enter_call(self, call: ToolCallPart) -> None:
        """Record a call that the runtime has not recorded with the message it came in."""
        if not any(
            call.id == known.id for message in self._messages for known in message.tool_calls
        ):
            self.observe(Message(role="assistant", parts=(call,)))

    def _conclude(self, report: HallucinationReport) -> AnswerDecision:
        """Turn a report into a decision, and remember what was decided."""
        shorter = self._draft is not None and deletes_only(self._draft, report.answer)
        if shorter:
            report = report.model_copy(update={"reasons": (*report.reasons, ONLY_DELETES)})
        if self._shadow:
            return AnswerDecision("emit", report, text=report.answer, deletes_only=shorter)
        match report.action:
            case "emit":
                text = annotate(report, self.policy) if self._mark else report.answer
                return AnswerDecision("emit", report, text=text, deletes_only=shorter)
            case "block":
                text = refusal(report, self._template)
                return AnswerDecision("block", report, text=text, deletes_only=shorter)
            case "revise":
                feedback = revision_feedback(report, self.policy)
                self._draft = report
                sent_back = Attempt(
                    answer=report.answer,
                    action="revise",
                    overall_score=report.overall_score,
                    feedback=feedback,
                    deletes_only=shorter,
                )
                self.attempts.append(sent_back)
                return AnswerDecision("revise", report, feedback=feedback, deletes_only=shorter)

    async def _hand_on(self, report: HallucinationReport, trace: RunTrace) -> None:
        if self._on_report is not None:
            self._told(self._on_report, report)
        if self._recorders:
            # A log on another machine must not hold up the other runs of this event loop.
            await asyncio.to_thread(self._record, report, trace)

    def _record(self, report: HallucinationReport, trace: RunTrace) -> None:
        for recorder in self._recorders:
            self._told(recorder.report, report, trace)

    def _told(self, tell: Callable[..., object], *what: object) -> None:
        try:
            tell(*what)
        except Exception:
            _log.warning("handing on what came of run %s failed", self.run_id, exc_info=True)
