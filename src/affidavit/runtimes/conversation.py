"""A guard in step with a runtime that shows the whole conversation each time it asks the model.

Most agent frameworks do. Their adapters have two hooks: around the model (``follow``, then ``answer``)
and before a tool (``check``).
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Sequence,
)
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from affidavit.formats.tools import Tools, declared
from affidavit.guard import (
    AnswerChecker,
    AnswerDecision,
    AnswerStream,
    CallDecision,
    Guard,
    GuardOptions,
)
from affidavit.report import HallucinationReport
from affidavit.trace import Message, TextPart, ToolCallPart, ToolResultPart

_log = logging.getLogger("affidavit.runtimes")

C = TypeVar("C")
R = TypeVar("R")
Shown = list[Any]
"""Messages of the runtime's own type, as the model is shown them."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the model said in one turn: an answer, or words beside tool calls. ``cut_off`` is one that broke off at the limit of
    tokens."""

    text: str
    calls: bool = False
    cut_off: bool = False


@dataclass(frozen=True, slots=True)
class Settled(Generic[R]):
    """A turn that goes on to the runtime. ``text`` takes the place of its words; None leaves them.

    ``decision`` is that on an answer; a turn that calls tools has none.
    """

    response: R
    text: str | None = None
    decision: AnswerDecision | None = None


class Conversation:
    """One run: its guard, and what of it the runtime itself does not keep.

    A draft that was sent back stays out of the runtime's history, or it would be shown and saved. The
    model is reminded of it whenever it is asked again in the same run.
    """

    def __init__(self, detector: AnswerChecker, options: GuardOptions) -> None:
        self._detector, self._options = detector, options
        self._guard: Guard | None = None
        self._said: Counter[tuple[str, str]] = Counter()
        self._known: set[tuple[str, str]] = set()
        self._asides: list[tuple[int, Sequence[Any]]] = []
        self.stopped = False
        """Whether the model goes on calling tools wrongly: its next turn is the refusal."""

    @property
    def guard(self) -> Guard:
        """The guard of the run."""
        if self._guard is None:
            self._guard = Guard(self._detector, **self._options)
        return self._guard

    def follow(
        self,
        messages: Iterable[Message],
        tools: Tools | None = None,
    ) -> None:
        """Take in what the conversation holds and the guard has not heard of yet.

        What cannot be read is left out where the policy fails open; otherwise its error is raised.
        """
        try:
            self._tell(messages, tools)
        except Exception as error:
            if self._detector.policy.fail_mode != "open":
                raise
            _log.warning("a part of a conversation could not be read: %s", error)

    def _tell(
        self,
        messages: Iterable[Message],
        tools: Tools | None,
    ) -> None:
        if tools is not None:
            self.guard.declare(declared(tools))
        seen: Counter[tuple[str, str]] = Counter()
        for message in messages:
            self._tell_calls(message)
            fresh = tuple(part for part in message.parts if self._is_new(message, part, seen))
            if message.role == "assistant":  # what the provider fetched itself stays in its place
                said, results = fresh, []
            else:
                results = [part for part in fresh if isinstance(part, ToolResultPart)]
                said = tuple(part for part in fresh if part not in results)
            for result in results:
                self.guard.record_result(result.id, result.content, is_error=result.is_error)
            if said:
                self.guard.observe(Message(role=message.role, parts=said))
        self._said |= seen

    def _tell_calls(self, message: Message) -> None:
        """A call that was run without being checked here is from before: an agent's or a run's."""
        if any(("call", call.id) not in self._known for call in message.tool_calls):
            self.guard.declare_called([message])

    def check(self, call: ToolCallPart) -> str | None:
        """What to answer the model in the tool's place; None where the tool may run."""
        return self._feedback(call, self.guard.check_call(call))

    async def acheck(self, call: ToolCallPart) -> str | None:
        """:meth:`check`, for asynchronous code."""
        return self._feedback(call, await self.guard.acheck_call(call))

    def _feedback(self, call: ToolCallPart, decision: CallDecision) -> str | None:
        self._known.add(("call", call.id))
        self.stopped = self.stopped or decision.stop
        return None if decision.run else decision.feedback

    async def aanswer(
        self,
        shown: Sequence[Any],
        ask: Callable[[Shown], Awaitable[R]],
        said: Callable[[R], Said],
        exchange: Callable[[R, str], Sequence[Any]],
        draft: AnswerStream | None = None,
    ) -> Settled[R]:
        """Ask the model until what it says may go on.

        ``shown`` is the conversation, ``said`` reads a response, and ``exchange`` makes messages of a
        draft and the feedback on it. ``draft`` is given where the first response was streamed and has
        been shown as far as it was verified.
        """
        streamed = draft
        while True:
            response = await ask(self.reminded(shown))
            turn = said(response)
            if turn.calls:
                if draft is not None:
                    await draft.ainterrupt()
                report = await self.guard.ajudge(turn.text, partial=True) if turn.text else None
                return self._beside_calls(response, turn, report)
            if not turn.text.strip():
                return Settled(response)
            self.guard.cut_off = turn.cut_off
            if draft is None:
                decision = await self.guard.acheck_answer(turn.text)
            else:
                if draft is not streamed:
                    await draft.afeed(turn.text)
                decision = await draft.afinish()
                draft = self.guard.stream()
            if decision.feedback is None:
                return _settled(response, turn, decision)
            self._asides.append((len(shown), exchange(response, decision.feedback)))

    async def astream(
        self,
        shown: Sequence[Any],
        ask: Callable[[Shown], AsyncIterator[C]],
        words: Callable[[C], str],
        whole: Callable[[Sequence[C]], R],
        said: Callable[[R], Said],
        exchange: Callable[[R, str], Sequence[Any]],
    ) -> AsyncGenerator[str | Settled[R]]:
        """:meth:`aanswer` of a model that streams: what may be shown, as it is verified; last the turn.

        ``words`` are those that a chunk adds, and ``whole`` makes a response of all chunks.
        """
        while True:
            draft, chunks, told = self.guard.stream(), list[C](), ""
            async for chunk in ask(self.reminded(shown)):
                chunks.append(chunk)
                if (added := words(chunk)) and (piece := await draft.afeed(added)):
                    told += piece
                    yield piece
            response = whole(chunks)
            turn = said(response)
            if turn.calls or not turn.text.strip():
                if piece := await draft.ainterrupt():
                    yield piece
                told += piece
                yield Settled(response, None if told == turn.text else told)
                return
            self.guard.cut_off = turn.cut_off
            decision = await draft.afinish()
            if decision.feedback is None:
                if decision.rest:
                    yield decision.rest
                yield _settled(response, turn, decision)
                return
            self._asides.append((len(shown), exchange(response, decision.feedback)))

    def answer(
        self,
        shown: Sequence[Any],
        ask: Callable[[Shown], R],
        said: Callable[[R], Said],
        exchange: Callable[[R, str], Sequence[Any]],
    ) -> Settled[R]:
        """:meth:`aanswer`, from synchronous code: the model is asked in the caller's thread."""
        while True:
            response = ask(self.reminded(shown))
            turn = said(response)
            if turn.calls:
                report = self.guard.judge(turn.text, partial=True) if turn.text else None
                return self._beside_calls(response, turn, report)
            if not turn.text.strip():
                return Settled(response)
            self.guard.cut_off = turn.cut_off
            decision = self.guard.check_answer(turn.text)
            if decision.feedback is None:
                return _settled(response, turn, decision)
            self._asides.append((len(shown), exchange(response, decision.feedback)))

    def _beside_calls(
        self, response: R, turn: Said, report: HallucinationReport | None
    ) -> Settled[R]:
        """Words beside a call are shown to users too: they go out if an answer would."""
        if report is None or self.guard.shadow:
            return Settled(response)
        seen = self.guard.unmarked(turn.text).text if report.action == "emit" else ""
        return Settled(response, None if seen == turn.text else seen)

    def reminded(self, shown: Sequence[Any]) -> Shown:
        """The conversation as the model should see it: with the drafts sent back in their places."""
        whole = list(shown)
        for position, said in reversed(self._asides):
            whole[position:position] = said
        return whole

    def _is_new(self, message: Message, part: object, seen: Counter[tuple[str, str]]) -> bool:
        match part:
            case ToolCallPart():
                key = ("call", part.id)
            case ToolResultPart():
                key = ("result", part.id)
            case TextPart():
                # The same words may be said twice; runtimes name their messages in no reliable way.
                said = (message.role, part.text)
                seen[said] += 1
                return seen[said] > self._said[said]
            case _:
                key = ("part", repr(part))
        new = key not in self._known
        self._known.add(key)
        return new


def _settled(response: R, turn: Said, decision: AnswerDecision) -> Settled[R]:
    text = None if decision.text == turn.text else decision.text
    return Settled(response, text, decision)
