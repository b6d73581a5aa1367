"""A guard in step with a runtime that shows the whole conversation at each model call."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

import pytest

from affidavit.policy import Policy
from affidavit.report import HallucinationReport
from affidavit.runtimes.contract import QUESTION, TOOL, Call
from affidavit.runtimes.contract.scenarios import detector_of
from affidavit.runtimes.conversation import Conversation, Said, Settled
from affidavit.trace import Message, TextPart, ToolCallPart, ToolDefinition, ToolResultPart

ORDER, INVENTED = "BL-204518", "BL-999999"
TRUE, FALSE = f"The total of order {ORDER} is $45.18.", f"The total of order {ORDER} is $93.70."
ASKED = Message(role="user", parts=(TextPart(text=QUESTION),))


def called(order: str, call_id: str = "1") -> ToolCallPart:
    call = Call(order, call_id)
    return ToolCallPart(id=call.id, name=call.name, arguments=call.arguments)


def turn(call: ToolCallPart, result: str, *, is_error: bool = False) -> list[Message]:
    part = ToolResultPart(id=call.id, content=(TextPart(text=result),), is_error=is_error)
    return [Message(role="assistant", parts=(call,)), Message(role="tool", parts=(part,))]


def looked_up() -> list[Message]:
    return [ASKED, *turn(called(ORDER), f'{{"order_id": "{ORDER}", "total": "$45.18"}}')]


def run_of(*history: Message, **options: Any) -> Conversation:
    run = Conversation(detector_of(), options)
    run.follow(history, [TOOL])
    return run


def read(response: str) -> Said:
    """Responses are texts here; one that calls a tool begins with a mark."""
    return Said(response.removeprefix("CALL "), calls=response.startswith("CALL "))


def words(chunk: str) -> str:
    return read(chunk).text


def exchange(response: str, feedback: str) -> list[str]:
    return [response, feedback]


class Model:
    """Answers from a script and keeps what it was shown."""

    def __init__(self, *script: str) -> None:
        self.script = iter(script)
        self.shown: list[list[str]] = []

    def __call__(self, shown: list[str]) -> str:
        self.shown.append(shown)
        return next(self.script)

    async def ask(self, shown: list[str]) -> str:
        return self(shown)

    async def stream(self, shown: list[str]) -> AsyncIterator[str]:
        for word in re.findall(r"\S+\s*", self(shown)):
            yield word


def plainly(run: Conversation, model: Model, shown: Sequence[str]) -> Settled[str]:
    return run.answer(shown, model, read, exchange)


def awaited(run: Conversation, model: Model, shown: Sequence[str]) -> Settled[str]:
    return asyncio.run(run.aanswer(shown, model.ask, read, exchange))


def streamed(run: Conversation, model: Model, shown: Sequence[str]) -> Settled[str]:
    async def last() -> Settled[str]:
        whole = "".join
        async for came in run.astream(shown, model.stream, words, whole, read, exchange):
            if isinstance(came, Settled):
                return came
        raise AssertionError("the turn never ended")

    return asyncio.run(last())


ways = pytest.mark.parametrize("ask", [plainly, awaited, streamed])


@ways
def test_a_draft_that_was_sent_back_stays_before_what_came_after_it(ask: Any) -> None:
    run, model = run_of(*looked_up()), Model(FALSE, "CALL ", TRUE)
    ask(run, model, ["question", "call", "result"])
    later = ["question", "call", "result", "another call", "its result"]
    settled = ask(run, model, later)
    assert settled.decision is not None
    assert settled.decision.action == "emit"
    *_, last = model.shown
    assert [*last[:3], *last[5:]] == later
    assert FALSE in last[3]
    assert "93.70" in last[4]


@ways
def test_false_words_beside_a_call_do_not_go_out(ask: Any) -> None:
    settled = ask(run_of(*looked_up()), Model(f"CALL {FALSE}"), ["question"])
    assert (settled.text, settled.decision) == ("", None)


@ways
def test_true_words_beside_a_call_go_out(ask: Any) -> None:
    settled = ask(run_of(*looked_up()), Model(f"CALL {TRUE}"), ["question"])
    assert settled.text in (None, TRUE)


@ways
def test_shadow_mode_leaves_words_beside_a_call(ask: Any) -> None:
    settled = ask(run_of(*looked_up(), shadow=True), Model(f"CALL {FALSE}"), ["question"])
    assert settled.text is None


@ways
def test_an_empty_turn_goes_on_as_it_came(ask: Any) -> None:
    settled = ask(run_of(ASKED), Model(""), ["question"])
    assert (settled.text, settled.decision) == (None, None)


def test_what_is_shown_again_is_taken_in_once() -> None:
    run = run_of(*looked_up())
    run.follow(looked_up())
    run.follow([*looked_up(), ASKED])
    messages = run.guard.trace("x").messages
    assert [message.role for message in messages] == ["user", "assistant", "tool", "user"]


def test_the_feedback_on_a_rejected_call_is_no_evidence_when_it_comes_back() -> None:
    run = run_of(ASKED)
    feedback = run.check(called(INVENTED))
    assert feedback is not None
    run.follow([ASKED, *turn(called(INVENTED), feedback)])
    results = [
        p for m in run.guard.trace("x").messages for p in m.parts if p.type == "tool_call_response"
    ]
    assert [result.is_error for result in results] == [True]
    assert run.guard.check_answer(f"Order {INVENTED} has shipped.").action != "emit"


def test_the_run_stops_when_the_model_goes_on_calling_wrongly() -> None:
    run = run_of(ASKED)

    def calls() -> Iterator[bool]:
        for n in range(run.guard.policy.max_call_retries + 2):
            assert run.check(called(INVENTED, str(n)))
            yield run.stopped

    *before, last = calls()
    assert not any(before)
    assert last


@pytest.mark.parametrize("ask", [plainly, awaited])
def test_a_run_that_ends_on_a_draft_is_reported(ask: Any) -> None:
    reports: list[HallucinationReport] = []
    run = run_of(*looked_up(), on_report=reports.append)
    ask(run, Model(FALSE, "CALL "), ["question"])
    assert reports == []
    run.guard.finish()
    assert [report.answer for report in reports] == [FALSE]


OTHER = ToolDefinition(name="get_invoice", input_schema=TOOL.input_schema)


def test_tools_may_change_under_way() -> None:
    run = run_of(ASKED)
    call = called(ORDER).model_copy(update={"name": OTHER.name})
    assert run.check(call)
    run.follow([ASKED], [OTHER])
    assert run.check(call.model_copy(update={"id": "2"})) is None
    assert run.check(called(ORDER, "3")) is None


def unreadable() -> Iterator[Message]:
    yield ASKED
    raise ValueError("a part of a kind that nobody knows")


def test_what_cannot_be_read_follows_the_fail_mode() -> None:
    with pytest.raises(ValueError, match="nobody knows"):
        run_of().follow(unreadable())
    run = Conversation(detector_of(Policy(fail_mode="open")), {})
    run.follow(unreadable(), [TOOL])
    assert run.check(called(ORDER)) is None
