"""The examination: the agent is asked under each condition, and the checklist read off what it did."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Mapping

from affidavit._content import content_parts
from affidavit._sync import run_sync
from affidavit.detector import Detector
from affidavit.grounding.doctor.checklist import Condition, Finding, Observed, findings
from affidavit.grounding.doctor.examinee import Examinee, Reply, Tools
from affidavit.grounding.doctor.substitutes import (
    Call,
    Outcome,
    Watch,
    nothing,
    rate_limit,
    replaced,
    timeout,
)
from affidavit.grounding.result import as_json
from affidavit.trace import (
    Message,
    RunTrace,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)

_OUTCOMES: Mapping[Condition, Outcome | None] = {
    "well": None,
    "empty": nothing,
    "timeout": timeout,
    "rate_limit": rate_limit,
    "missing": None,
}


def examine(
    examinee: Examinee,
    detector: Detector | None = None,
    *,
    on_condition: Callable[[Condition], object] = lambda condition: None,
) -> list[Finding]:
    """:func:`aexamine`, from synchronous code."""
    return run_sync(aexamine(examinee, detector, on_condition=on_condition))


async def aexamine(
    examinee: Examinee,
    detector: Detector | None = None,
    *,
    on_condition: Callable[[Condition], object] = lambda condition: None,
) -> list[Finding]:
    """Ask the agent under five conditions and go through the checklist.

    The agent is asked five times, with its real model; its tools are called for real under two of the
    conditions. ``on_condition`` is told before each. Raises TypeError for an ``ask`` that returns
    something else than it should; what the agent itself raises is a finding.
    """
    detector = detector or Detector()
    seen: dict[Condition, Observed] = {}
    for condition, outcome in _OUTCOMES.items():
        on_condition(condition)
        question = examinee.missing if condition == "missing" else examinee.question
        tools = examinee.tools if outcome is None else replaced(examinee.tools, outcome)
        seen[condition] = await _observed(examinee, question, tools, detector)
    return list(findings(examinee, seen))


async def _observed(
    examinee: Examinee, question: str, tools: Tools, detector: Detector
) -> Observed:
    watch = Watch()
    reply, error = Reply(""), None
    try:
        answer = await _asked(examinee, question, watch.watched(tools))
    except Exception as raised:
        error = raised
    else:
        reply = Reply.of(answer)
    trace = _trace(question, tuple(watch.calls), reply)
    return Observed(question, reply, tuple(watch.calls), await detector.acheck(trace), error)


async def _asked(examinee: Examinee, question: str, tools: Tools) -> object:
    if inspect.iscoroutinefunction(examinee.ask):
        return await examinee.ask(question, tools)
    # A plain function may block, or wait for a loop of its own.
    answer = await asyncio.to_thread(examinee.ask, question, tools)
    return await answer if inspect.isawaitable(answer) else answer


def _trace(question: str, calls: tuple[Call, ...], reply: Reply) -> RunTrace:
    """The run as it was watched, whatever the agent recorded of it."""
    messages = [Message(role="user", parts=(TextPart(text=question),))]
    for n, call in enumerate(calls):
        made = ToolCallPart(id=str(n), name=call.tool, arguments=as_json(call.arguments))
        content = content_parts(call.result if call.error is None else type(call.error).__name__)
        failed = call.error is not None
        if reply.result is not None and n == len(calls) - 1:
            # The model got this instead of what the tool returned.
            content, failed = content_parts(reply.result), reply.result.is_error
        result = ToolResultPart(id=str(n), content=content, is_error=failed)
        messages += [
            Message(role="assistant", parts=(made,)),
            Message(role="tool", parts=(result,)),
        ]
    return RunTrace(run_id="doctor", messages=tuple(messages), answer=reply.text)
