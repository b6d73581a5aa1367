"""The guard's verbs for an exchange, as its caller's code waits: in a thread, or in a loop."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeVar

from affidavit.guard import AnswerDecision, AnswerStream, CallDecision, Guard
from affidavit.report import HallucinationReport
from affidavit.trace import ToolCallPart

T = TypeVar("T")


def at_once(coroutine: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that never waits for a loop."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    coroutine.close()
    raise RuntimeError("a synchronous exchange waited for a loop")


class Waiting:
    """For synchronous callers: nothing is ever awaited, and the caller's thread waits."""

    async def check_call(self, guard: Guard, call: ToolCallPart) -> CallDecision:
        return guard.check_call(call)

    async def check_answer(self, guard: Guard, answer: str) -> AnswerDecision:
        return guard.check_answer(answer)

    async def judge(self, guard: Guard, text: str) -> HallucinationReport:
        return guard.judge(text, partial=True)

    async def give_up(self, guard: Guard) -> AnswerDecision:
        return guard.give_up()

    async def feed(self, draft: AnswerStream, text: str) -> str:
        return draft.feed(text)

    async def finish(self, draft: AnswerStream) -> AnswerDecision:
        return draft.finish()

    async def interrupt(self, draft: AnswerStream) -> str:
        return draft.interrupt()


class Awaiting:
    """For asynchronous callers."""

    async def check_call(self, guard: Guard, call: ToolCallPart) -> CallDecision:
        return await guard.acheck_call(call)

    async def check_answer(self, guard: Guard, answer: str) -> AnswerDecision:
        return await guard.acheck_answer(answer)

    async def judge(self, guard: Guard, text: str) -> HallucinationReport:
        return await guard.ajudge(text, partial=True)

    async def give_up(self, guard: Guard) -> AnswerDecision:
        return await guard.agive_up()

    async def feed(self, draft: AnswerStream, text: str) -> str:
        return await draft.afeed(text)

    async def finish(self, draft: AnswerStream) -> AnswerDecision:
        return await draft.afinish()

    async def interrupt(self, draft: AnswerStream) -> str:
        return await draft.ainterrupt()
