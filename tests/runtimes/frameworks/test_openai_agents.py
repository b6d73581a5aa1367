"""The adapter of the OpenAI Agents SDK under the contract: ``Runner`` with a scripted model."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
from agents import (
    Agent,
    Model,
    ModelProvider,
    ModelResponse,
    RunConfig,
    Runner,
    Usage,
    function_tool,
)
from openai.types.responses import (
    Response,
    ResponseCompletedEvent,
    ResponseCreatedEvent,
    ResponseFunctionToolCall,
    ResponseOutputItemAddedEvent,
    ResponseOutputItemDoneEvent,
    ResponseOutputMessage,
    ResponseOutputText,
    ResponseTextDeltaEvent,
)
from pydantic import BaseModel

from affidavit.errors import AnswerRefused
from affidavit.runtimes.contract import SCENARIOS, Call, ModelTurn, Outcome, Scene, check
from affidavit.runtimes.contract.providers import PIECES
from affidavit.runtimes.contract.scenarios import (
    FALSE,
    INVENTED,
    INVENTS,
    LOOKS_UP,
    TRUE,
    detector_of,
)
from affidavit.runtimes.frameworks import OPENAI_AGENTS
from affidavit.runtimes.openai_agents import GuardedProvider, guard_model


class ScriptedModel(Model):
    def __init__(self, scene: Scene, outcome: Outcome) -> None:
        self.script, self.outcome = scene.script(), outcome

    def take(self, asked: Any) -> list[Any]:
        turn = self.script.answer(json.dumps(asked, ensure_ascii=False), self.outcome)
        text = ResponseOutputText(type="output_text", text=turn.text, annotations=[])
        message = ResponseOutputMessage(
            id="msg_1", type="message", role="assistant", status="completed", content=[text]
        )
        calls = [
            ResponseFunctionToolCall(
                type="function_call",
                call_id=call.id,
                name=call.name,
                arguments=json.dumps(call.arguments),
            )
            for call in turn.calls
        ]
        return [*([message] if turn.text else []), *calls]

    async def get_response(self, *args: Any, **kwargs: Any) -> Any:
        output = self.take([kwargs["system_instructions"], kwargs["input"]])
        used = Usage(requests=1, input_tokens=10, output_tokens=5, total_tokens=15)
        return ModelResponse(output=output, usage=used, response_id=None)

    async def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        output = self.take([kwargs["system_instructions"], kwargs["input"]])
        told = {"id": "resp_1", "created_at": 0, "model": "m", "object": "response", "tools": [],
                "tool_choice": "auto", "parallel_tool_calls": False}  # fmt: skip
        yield ResponseCreatedEvent(
            type="response.created", sequence_number=0, response=Response(output=[], **told)
        )
        for i, item in enumerate(output):
            place = {"output_index": i, "sequence_number": 0}
            yield ResponseOutputItemAddedEvent(
                type="response.output_item.added", item=item, **place
            )
            if item.type == "message":
                for piece in PIECES.findall(item.content[0].text):
                    yield ResponseTextDeltaEvent(
                        type="response.output_text.delta",
                        content_index=0,
                        item_id="msg_1",
                        delta=piece,
                        logprobs=[],
                        **place,
                    )
            yield ResponseOutputItemDoneEvent(type="response.output_item.done", item=item, **place)
        yield ResponseCompletedEvent(
            type="response.completed", sequence_number=0, response=Response(output=output, **told)
        )


class Provider(ModelProvider):
    def __init__(self, model: Model) -> None:
        self.model = model

    def get_model(self, model_name: str | None) -> Model:
        return self.model


def agent_of(scene: Scene, outcome: Outcome, **options: Any) -> Agent:
    @function_tool
    def get_order(order_id: str) -> str:
        """Look an order up by its number."""
        return json.dumps(outcome.get_order(order_id))

    return Agent(name="shop", instructions=scene.system, tools=[get_order], **options)


def config(scene: Scene, outcome: Outcome) -> RunConfig:
    provider = Provider(ScriptedModel(scene, outcome))
    guarded = GuardedProvider(scene.detector, provider, **scene.options)
    return RunConfig(model_provider=guarded, tracing_disabled=True)


class Run:
    async def play(self, scene: Scene, outcome: Outcome) -> None:
        agent = agent_of(scene, outcome)
        result = await Runner.run(
            agent, scene.question, run_config=config(scene, outcome), max_turns=30
        )
        outcome.shown.append(result.final_output)


class Stream:
    async def play(self, scene: Scene, outcome: Outcome) -> None:
        agent = agent_of(scene, outcome)
        result = Runner.run_streamed(
            agent, scene.question, run_config=config(scene, outcome), max_turns=30
        )
        async for event in result.stream_events():
            if event.type == "raw_response_event" and isinstance(
                event.data, ResponseTextDeltaEvent
            ):
                outcome.shown.append(event.data.delta)
        assert result.final_output.strip() in "".join(outcome.shown)


class ModelOfItsOwn:
    async def play(self, scene: Scene, outcome: Outcome) -> None:
        model = guard_model(ScriptedModel(scene, outcome), scene.detector, **scene.options)
        agent = agent_of(scene, outcome, model=model)
        run_config = RunConfig(tracing_disabled=True)
        result = await Runner.run(agent, scene.question, run_config=run_config, max_turns=30)
        outcome.shown.append(result.final_output)


SHOWS_EARLY = "what_is_verified_is_shown_before_the_answer_is_complete"
DRIVERS = {cls.__name__: cls for cls in (Run, Stream, ModelOfItsOwn)}


@pytest.mark.parametrize("scenario", OPENAI_AGENTS.keeps(SCENARIOS))
@pytest.mark.parametrize("driver", DRIVERS)
def test_contract(driver: str, scenario: str) -> None:
    if scenario == SHOWS_EARLY and driver != "Stream":
        return
    check(scenario, DRIVERS[driver]())


class Bill(BaseModel):
    total: str


WRONG, RIGHT = ModelTurn('{"total": "$93.70"}'), ModelTurn('{"total": "$45.18"}')


def structured(*turns: ModelTurn) -> Any:
    outcome = Outcome()
    scene = Scene((LOOKS_UP, *turns), detector_of())
    agent = agent_of(scene, outcome, output_type=Bill)
    run = Runner.run(agent, scene.question, run_config=config(scene, outcome))
    return asyncio.run(run).final_output


def test_structured_output_is_judged() -> None:
    assert structured(WRONG, RIGHT) == Bill(total="$45.18")


def test_structured_output_that_stays_false_is_refused() -> None:
    with pytest.raises(AnswerRefused, match="can't give you"):
        structured(WRONG)


async def talk(scene: Scene, outcome: Outcome, *questions: str) -> list[str]:
    agent, answers = agent_of(scene, outcome), []
    told: list[Any] = []
    run_config = config(scene, outcome)
    for question in questions:
        told.append({"role": "user", "content": question})
        result = await Runner.run(agent, told, run_config=run_config)
        answers.append(result.final_output)
        told = result.to_input_list()
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


class HandsOver(Call):
    """A call that brings another agent."""

    name = "transfer_to_shop"

    @property
    def arguments(self) -> dict[str, Any]:
        return {}


def test_the_agent_that_takes_over_is_guarded_with_tools_of_its_own() -> None:
    outcome = Outcome()
    over = ModelTurn(calls=(HandsOver("", "call_h"),))
    scene = Scene((over, INVENTS, LOOKS_UP, ModelTurn(FALSE), ModelTurn(TRUE)), detector_of())
    desk = Agent(name="desk", handoffs=[agent_of(scene, outcome)])
    run = Runner.run(desk, scene.question, run_config=config(scene, outcome))
    assert asyncio.run(run).final_output == TRUE
    assert outcome.ran == ["BL-204518"]
