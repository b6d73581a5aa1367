"""The Pydantic AI adapter under the contract: ``Agent`` with its own ``FunctionModel``."""

import asyncio
import json
from typing import Any

import pytest
from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import DeltaToolCall, FunctionModel
from pydantic_ai.usage import RequestUsage

from affidavit.errors import AnswerRefused
from affidavit.runtimes.contract import SCENARIOS, Call, ModelTurn, Outcome, Scene, check
from affidavit.runtimes.contract.providers import PIECES
from affidavit.runtimes.contract.scenarios import INVENTED, INVENTS, LOOKS_UP, TRUE, detector_of
from affidavit.runtimes.frameworks import PYDANTIC_AI
from affidavit.runtimes.pydantic_ai import GuardCapability


def agent_of(scene: Scene, outcome: Outcome, **options: Any) -> Agent[Any, Any]:
    script = scene.script()

    def take(messages: Any, info: Any) -> ModelTurn:
        return script.answer(f"{info.instructions}\n{messages}", outcome)

    def respond(messages: Any, info: Any) -> ModelResponse:
        turn = take(messages, info)
        if turn.text and info.output_tools:
            name = info.output_tools[0].name
            return ModelResponse(parts=[ToolCallPart(name, {"total": turn.text})])
        words = [TextPart(turn.text)] if turn.text else []
        calls = [ToolCallPart(c.name, c.arguments, tool_call_id=c.id) for c in turn.calls]
        used = RequestUsage(input_tokens=10, output_tokens=5)
        finish = "length" if turn.cut_off else "stop"
        return ModelResponse(parts=[*words, *calls], usage=used, finish_reason=finish)

    async def stream(messages: Any, info: Any) -> Any:
        turn = take(messages, info)
        for piece in PIECES.findall(turn.text):
            yield piece
        for i, call in enumerate(turn.calls):
            arguments = json.dumps(call.arguments)
            yield {i: DeltaToolCall(call.name, arguments, tool_call_id=call.id)}

    agent: Agent[Any, Any] = Agent(
        FunctionModel(respond, stream_function=stream),
        instructions=scene.system,
        capabilities=[GuardCapability(scene.detector, **scene.options)],
        **options,
    )

    @agent.tool_plain
    def get_order(order_id: str) -> dict[str, Any]:
        """Look an order up by its number."""
        return outcome.get_order(order_id)

    return agent


class Run:
    async def play(self, scene: Scene, outcome: Outcome) -> None:
        result = await agent_of(scene, outcome).run(scene.question)
        outcome.shown.append(result.output)


class RunStream:
    async def play(self, scene: Scene, outcome: Outcome) -> None:
        async with agent_of(scene, outcome).run_stream(scene.question) as result:
            async for piece in result.stream_text(delta=True, debounce_by=None):
                outcome.shown.append(piece)


class Events:
    """Everything that the run says, as an interface would show it."""

    async def play(self, scene: Scene, outcome: Outcome) -> None:
        async with agent_of(scene, outcome).run_stream_events(scene.question) as events:
            async for event in events:
                part = getattr(event, "part", None) or getattr(event, "delta", None)
                kinds = {"part_start": "content", "part_delta": "content_delta"}
                if kind := kinds.get(event.event_kind):
                    if getattr(part, "part_kind", "") == "text" or hasattr(part, "content_delta"):
                        outcome.shown.append(getattr(part, kind))


SHOWS_EARLY = "what_is_verified_is_shown_before_the_answer_is_complete"
DRIVERS = {cls.__name__: cls for cls in (Run, RunStream, Events)}


@pytest.mark.parametrize("scenario", PYDANTIC_AI.keeps(SCENARIOS))
@pytest.mark.parametrize("driver", DRIVERS)
def test_contract(driver: str, scenario: str) -> None:
    if scenario == SHOWS_EARLY and driver == "Run":
        return
    check(scenario, DRIVERS[driver]())


class Bill(BaseModel):
    total: str


def test_structured_output_is_judged() -> None:
    outcome = Outcome()
    scene = Scene((LOOKS_UP, ModelTurn("$93.70"), ModelTurn("$45.18")), detector_of())
    result = asyncio.run(agent_of(scene, outcome, output_type=Bill).run(scene.question))
    assert result.output == Bill(total="$45.18")


def test_structured_output_that_stays_false_is_refused() -> None:
    scene = Scene((LOOKS_UP, ModelTurn("$93.70")), detector_of())
    with pytest.raises(AnswerRefused, match="can't give you"):
        asyncio.run(agent_of(scene, Outcome(), output_type=Bill).run(scene.question))


async def talk(scene: Scene, outcome: Outcome, *questions: str) -> list[str]:
    agent, answers, history = agent_of(scene, outcome), [], None
    for question in questions:
        result = await agent.run(question, message_history=history)
        answers.append(result.output)
        history = result.all_messages()
    return answers


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
