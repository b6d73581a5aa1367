"""The adapter of Microsoft Agent Framework under the contract: ``Agent`` with a scripted client."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from agent_framework import (
    Agent,
    BaseChatClient,
    ChatMiddlewareLayer,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    FunctionInvocationLayer,
    Message,
    ResponseStream,
    UsageDetails,
    tool,
)

from affidavit.runtimes.agent_framework import GuardMiddleware
from affidavit.runtimes.contract import SCENARIOS, Call, ModelTurn, Outcome, Scene, Script, check
from affidavit.runtimes.contract.providers import PIECES
from affidavit.runtimes.contract.scenarios import INVENTED, INVENTS, LOOKS_UP, TRUE, detector_of
from affidavit.runtimes.frameworks import AGENT_FRAMEWORK


class ScriptedClient(FunctionInvocationLayer, ChatMiddlewareLayer, BaseChatClient):  # type: ignore[misc]
    def __init__(self, script: Script, outcome: Outcome) -> None:
        super().__init__()
        self.script, self.outcome = script, outcome

    def _inner_get_response(self, *, messages: Any, stream: bool, options: Any, **kw: Any) -> Any:
        told = [options.get("instructions"), *(message.to_dict() for message in messages)]
        request = json.dumps(told, ensure_ascii=False, default=str)
        turn = self.script.answer(request, self.outcome)
        return self._stream(turn) if stream else self._whole(turn)

    async def _whole(self, turn: ModelTurn) -> ChatResponse:
        words = [Content.from_text(turn.text)] if turn.text else []
        message = Message("assistant", [*words, *_calls(turn)])
        used = UsageDetails(input_token_count=10, output_token_count=5)
        finish = "length" if turn.cut_off else "stop"
        return ChatResponse(messages=[message], usage_details=used, finish_reason=finish)

    def _stream(self, turn: ModelTurn) -> ResponseStream:
        async def updates() -> AsyncIterator[ChatResponseUpdate]:
            for piece in PIECES.findall(turn.text):
                yield ChatResponseUpdate(contents=[Content.from_text(piece)], role="assistant")
            for call in _calls(turn):
                yield ChatResponseUpdate(contents=[call], role="assistant")

        return ResponseStream(updates(), finalizer=ChatResponse.from_updates)


def _calls(turn: ModelTurn) -> list[Content]:
    return [Content.from_function_call(c.id, c.name, arguments=c.arguments) for c in turn.calls]


def agent_of(scene: Scene, outcome: Outcome) -> Agent:
    @tool(approval_mode="never_require")
    def get_order(order_id: str) -> str:
        """Look an order up by its number."""
        return json.dumps(outcome.get_order(order_id))

    return Agent(
        client=ScriptedClient(scene.script(), outcome),
        instructions=scene.system,
        tools=[get_order],
        middleware=[GuardMiddleware(scene.detector, **scene.options)],
    )


class Run:
    async def play(self, scene: Scene, outcome: Outcome) -> None:
        response = await agent_of(scene, outcome).run(scene.question)
        outcome.shown.append(response.text)


class Stream:
    async def play(self, scene: Scene, outcome: Outcome) -> None:
        async for update in agent_of(scene, outcome).run(scene.question, stream=True):
            outcome.shown.append(update.text)


SHOWS_EARLY = "what_is_verified_is_shown_before_the_answer_is_complete"
DRIVERS = {cls.__name__: cls for cls in (Run, Stream)}


@pytest.mark.parametrize("scenario", AGENT_FRAMEWORK.keeps(SCENARIOS))
@pytest.mark.parametrize("driver", DRIVERS)
def test_contract(driver: str, scenario: str) -> None:
    if scenario == SHOWS_EARLY and driver != "Stream":
        return
    check(scenario, DRIVERS[driver]())


async def talk(scene: Scene, outcome: Outcome, *questions: str) -> list[str]:
    agent = agent_of(scene, outcome)
    session = agent.create_session()
    return [(await agent.run(question, session=session)).text for question in questions]


def test_a_rejected_call_makes_its_number_no_better_known() -> None:
    outcome, again = Outcome(), ModelTurn(calls=(Call(INVENTED, "call_9"),))
    scene = Scene((INVENTS, LOOKS_UP, ModelTurn(TRUE), again, ModelTurn(TRUE)), detector_of())
    asyncio.run(talk(scene, outcome, scene.question, "And the other one?"))
    assert "BL-204518" in outcome.ran
    assert INVENTED not in outcome.ran


def test_the_next_answer_may_rest_on_what_was_found_before() -> None:
    scene = Scene((LOOKS_UP, ModelTurn(TRUE), ModelTurn(TRUE)), detector_of())
    answers = asyncio.run(talk(scene, Outcome(), scene.question, "What was it again?"))
    assert answers == [TRUE, TRUE]


@pytest.mark.parametrize("cut_off", [True, False])
def test_an_answer_that_broke_off_is_sent_back(cut_off: bool) -> None:
    outcome = Outcome()
    scene = Scene((LOOKS_UP, ModelTurn(TRUE, cut_off=cut_off), ModelTurn(TRUE)), detector_of())
    answers = asyncio.run(talk(scene, outcome, scene.question))
    assert answers == [TRUE]
    assert len(outcome.asked) == 2 + cut_off
