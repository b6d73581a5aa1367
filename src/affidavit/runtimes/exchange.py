"""One guarded request to a model API: asked again until what came may go to the caller.

The caller of a plain client runs its own tools, so it must only ever get calls that may run and
answers that may go out. Rejected calls and false drafts are answered here, in the model's own format,
and the caller sees what came of it: a response of the kind it asked for.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from affidavit.errors import AffidavitError
from affidavit.guard import AnswerDecision, AnswerStream, CallDecision, Guard
from affidavit.report import HallucinationReport
from affidavit.runtimes.marks import Mark
from affidavit.runtimes.sse import Garbled
from affidavit.runtimes.wire import Json, StreamReader, Turn, Wire
from affidavit.trace import Message, ToolCallPart, ToolResultPart, UnknownPart

_log = logging.getLogger("affidavit.runtimes")

NOT_RUN = (
    "This call was not run because another call of the same turn was rejected. Send it again if it is "
    "still needed."
)


class Reply(Protocol):
    """What the model API answered: JSON, or events where it streams."""

    @property
    def ok(self) -> bool: ...

    async def json(self) -> Json: ...

    async def text(self) -> str: ...

    def events(self) -> AsyncIterator[Json]: ...

    async def close(self) -> None: ...


class Host(Protocol):
    """Sends requests and asks the guard, waiting as its caller's code waits: in a thread or a loop."""

    async def send(self, body: Json) -> Reply: ...

    async def check_call(self, guard: Guard, call: ToolCallPart) -> CallDecision: ...

    async def check_answer(self, guard: Guard, answer: str) -> AnswerDecision: ...

    async def judge(self, guard: Guard, text: str) -> HallucinationReport: ...

    async def give_up(self, guard: Guard) -> AnswerDecision: ...

    async def feed(self, draft: AnswerStream, text: str) -> str: ...

    async def finish(self, draft: AnswerStream) -> AnswerDecision: ...

    async def interrupt(self, draft: AnswerStream) -> str: ...


class Broken(AffidavitError):
    """A stream of the model API did not come to its end. ``event`` is what the caller is to be sent in
    the place of the rest, in the API's own form."""

    def __init__(self, event: Json) -> None:
        super().__init__(f"a stream of the model API broke off: {json.dumps(event)}")
        self.event = event


class Failed(AffidavitError):
    """The model API answered with an error, which is the caller's to see as it came."""

    def __init__(self, reply: Reply) -> None:
        super().__init__("the model API answered with an error")
        self.reply = reply


class HandOver(Protocol):
    """Told of what the caller is given, before it is: the calls that it is to run, and the ids of the
    response, as the caller will know it and as the model API does."""

    def __call__(
        self, calls: tuple[ToolCallPart, ...], shown_id: str | None, own_id: str | None
    ) -> None: ...


class Unreadable(AffidavitError):
    """The model API answered with something that cannot be checked."""


@dataclass
class Exchange:
    """One request of the caller, and what is asked of the model to answer it."""

    wire: Wire
    guard: Guard
    host: Host
    body: Json
    hand_over: HandOver
    put_back: Callable[[], None] = lambda: None
    """Called where the model API answered with an error, and the caller may ask again."""
    let_out: Json | None = None
    """The response as the caller got it, once it has."""
    mark: Mark = field(default_factory=Mark)
    """What has become of the answer, for the caller to see."""
    _earlier: list[Json] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.mark.run_id = self.guard.run_id

    def spent(self, response: Json) -> None:
        """Count the tokens of ``response``, which the caller pays for and does not see."""
        self._earlier.append(response)

    async def complete(self) -> Json:
        """The response that the caller gets. Raises :class:`Failed`."""
        try:
            while True:
                reply = await self._sent(self.body)
                response = await self._whole(reply)
                turn = self._read(response)
                if turn.calls or turn.unfinished:
                    settled = await self._settle_calls(turn, response)
                    if settled is not None and turn.text.strip() and settled is response:
                        settled = await self._checked_preamble(turn, response)
                else:
                    settled = await self._settle_answer(turn, response)
                if settled is not None:
                    self._hand_over(turn, settled, response.get("id"))
                    self.let_out = self.wire.with_usage(settled, self._earlier)
                    return self.let_out
                self.spent(response)
        finally:
            self.guard.finish()

    async def stream(self) -> AsyncGenerator[Json]:
        """The events that the caller gets.

        Raises :class:`Failed` where the API answers with an error, :class:`Broken` where its stream does
        not come to its end; what connections raise passes as it is. What was verified has gone out by
        then, and nothing else.
        """
        writer = self.wire.writer()
        gap = seen = ""
        try:
            while True:
                reply = await self._sent(self.body)
                reader, draft = self.wire.reader(), self.guard.stream()
                shown_of_turn = False
                try:
                    async for event in reply.events():
                        if shown := await self._fed(draft, self._added(reader, event)):
                            for made in writer.text(gap + shown, reader):
                                yield made
                            seen += gap + shown
                            gap, shown_of_turn = "", True
                except Garbled as error:
                    raise self._broken(str(error)) from error
                except BaseException:
                    self.put_back()
                    raise
                finally:
                    await reply.close()
                if not reader.complete:
                    raise self._broken("the model API ended its answer before it was complete")
                response = reader.response
                turn = self._read(response)
                rest, settled = await self._settle_streamed(turn, response, draft)
                if rest:
                    for made in writer.text(gap + rest, reader):
                        yield made
                    seen += gap + rest
                    gap, shown_of_turn = "", True
                if settled is not None:
                    self._hand_over(turn, settled, writer.id or response.get("id"))
                    whole = self.wire.with_usage(settled, self._earlier)
                    self.let_out = self._as_seen(turn, whole, seen, writer.id)
                    for made in writer.finish(whole, reader):
                        yield made
                    return
                if turn.calls and shown_of_turn:
                    gap = "\n\n"  # what was said beside a rejected call stands by itself
                self.spent(response)
        finally:
            self.guard.finish()

    async def _sent(self, body: Json) -> Reply:
        try:
            reply = await self.host.send(body)
        except BaseException:
            self.put_back()
            raise
        if not reply.ok:
            self.put_back()
            raise Failed(reply)
        return reply

    async def _whole(self, reply: Reply) -> Json:
        try:
            return await reply.json()
        except BaseException as error:
            self.put_back()
            if isinstance(error, ValueError):
                told = f"the model API's answer could not be read: {error}"
                raise Unreadable(told) from error
            raise

    def _added(self, reader: StreamReader, event: Json) -> str:
        """The words that an event adds to the answer."""
        try:
            if (failure := self.wire.failure(event)) is not None:
                raise Broken(failure)
            return reader.feed(event)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            told = f"an event of the model API could not be read: {type(error).__name__}: {error}"
            raise self._broken(told) from error

    def _broken(self, why: str) -> Broken:
        self.put_back()
        _log.warning("a stream of the model API broke: %s", why)
        return Broken(self.wire.broken(why))

    def _as_seen(self, turn: Turn, response: Json, seen: str, shown_id: str | None) -> Json:
        """A streamed response as its caller has put it together."""
        if turn.text.strip() != seen.strip():
            response = self.wire.with_text(response, seen, ends=not turn.calls)
        return {**response, "id": shown_id} if shown_id else response

    def _read(self, response: Json) -> Turn:
        """What the model said. A response that cannot be read follows the fail mode, too."""
        try:
            return self.wire.turn(response)
        except Exception as error:  # it may be of any shape
            if self.guard.policy.fail_mode == "open":
                _log.warning("a response that could not be read was not checked: %s", error)
                return Turn(Message(role="assistant", parts=()), "")
            raise Unreadable(f"the model's response could not be read: {error}") from error

    async def _fed(self, draft: AnswerStream, text: str) -> str:
        return await self.host.feed(draft, text) if text else ""

    async def _settle_streamed(
        self, turn: Turn, response: Json, draft: AnswerStream
    ) -> tuple[str, Json | None]:
        """What is still to be shown of the turn, and the response where it is the caller's."""
        if turn.calls or turn.unfinished:
            draft.drop()
            settled = await self._settle_calls(turn, response)
            if settled is None:
                return "", None
            if settled is not response:
                refused = self.wire.turn(settled).text
                return (f"\n\n{refused}" if draft.released else refused), settled
            return await self.host.interrupt(draft), settled
        if not turn.text.strip():
            return "", response
        self._take_in(turn)
        decision = await self.host.finish(draft)
        if decision.action == "revise":
            self._send_back(response, decision)
            return "", None
        return decision.rest, self._as_decided(turn, response, decision)

    async def _settle_calls(self, turn: Turn, response: Json) -> Json | None:
        """The response, if all its calls may run; None where the model is to be asked again."""
        self.guard.declare(turn.tools)
        self.guard.observe(turn.message)
        decisions = {call.id: await self.host.check_call(self.guard, call) for call in turn.calls}
        if all(decision.run for decision in decisions.values()):
            return response
        self.mark.rejected_turns += 1
        exhausted = self.mark.rejected_turns > self.guard.policy.max_call_retries + 1
        if exhausted or any(decision.stop for decision in decisions.values()):
            self.mark.blocked = True
            refused = await self.host.give_up(self.guard)
            return self.wire.with_text(response, refused.text or "")
        for call_id, decision in decisions.items():
            if decision.run:
                self.guard.record_result(call_id, NOT_RUN, is_error=True)
        results = {call_id: d.feedback or NOT_RUN for call_id, d in decisions.items()}
        self._ask_again(self.wire.with_results(self.body, response, results))
        return None

    async def _settle_answer(self, turn: Turn, response: Json) -> Json | None:
        """The response, or one with the refusal; None where the draft was sent back."""
        if not turn.text.strip():
            return response
        self._take_in(turn)
        decision = await self.host.check_answer(self.guard, turn.text)
        if decision.action == "revise":
            self._send_back(response, decision)
            return None
        return self._as_decided(turn, response, decision)

    def _take_in(self, turn: Turn) -> None:
        """What the guard needs to know of the turn of the answer: what tools of the provider's own
        returned is evidence for it, and an answer may have broken off."""
        self.guard.cut_off = turn.cut_off
        kinds = (ToolCallPart, ToolResultPart, UnknownPart)
        parts = tuple(part for part in turn.message.parts if isinstance(part, kinds))
        if parts:
            self.guard.observe(Message(role="assistant", parts=parts))

    async def _checked_preamble(self, turn: Turn, response: Json) -> Json:
        """What is said beside a call is shown to users too: it goes out if an answer would."""
        if self.guard.shadow:
            return response
        report = await self.host.judge(self.guard, turn.text)
        if report.action != "emit":
            return self.wire.with_text(response, "", ends=False)
        seen = self.guard.unmarked(turn.text).text
        return response if seen == turn.text else self.wire.with_text(response, seen, ends=False)

    def _hand_over(self, turn: Turn, settled: Json, shown_id: str | None) -> None:
        calls = self.wire.turn(settled).calls if turn.calls else ()
        self.hand_over(calls, shown_id, settled.get("id"))

    def _send_back(self, response: Json, decision: AnswerDecision) -> None:
        assert decision.feedback is not None
        self.mark.revisions += 1
        self._ask_again(self.wire.with_feedback(self.body, response, decision.feedback))

    def _as_decided(self, turn: Turn, response: Json, decision: AnswerDecision) -> Json:
        self.mark.blocked = decision.action == "block"
        if decision.text is None or decision.text == turn.text:
            return response
        return self.wire.with_text(response, decision.text)

    def _ask_again(self, body: Mapping[str, object]) -> None:
        self.body = dict(body)
