"""The Strands adapter under the contract: ``Agent`` with a model that follows a script."""

import asyncio
import json
from typing import Any

import pytest
from strands import Agent, tool
from strands.models import Model

from affidavit.runtimes.contract import SCENARIOS, Call, ModelTurn, Outcome, Scene, Script, check
from affidavit.runtimes.contract.providers import PIECES
from affidavit.runtimes.contract.scenarios import INVENTED, INVENTS, LOOKS_UP, TRUE, detector_of
from affidavit.runtimes.frameworks import STRANDS
from affidavit.runtimes.strands import GuardPlugin


class ScriptedModel(Model):
    def __init__(self, script: Script, outcome: Outcome) -> None:
        self.script, self.outcome = script, outcome

    def update_config(self, **config: Any) -> None:
        pass

    def get_config(self) -> Any:
        return {}

    def structured_output(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError

    async def stream(
        self, messages: Any, tools: Any = None, system: Any = None, **kwargs: Any
    ) -> Any:
        told = json.dumps([system, *messages], ensure_ascii=False)
        turn = self.script.answer(told, self.outcome)
        yield {"messageStart": {"role": "assistant"}}
        if turn.text:
            yield {"contentBlockStart": {"start": {}}}
            for piece in PIECES.findall(turn.text):
                yield {"contentBlockDelta": {"delta": {"text": piece}}}
            yield {"contentBlockStop": {}}
        for call in turn.calls:
            use = {"toolUseId": call.id, "name": call.name}
            yield {"contentBlockStart": {"start": {"toolUse": use}}}
            arguments = {"toolUse": {"input": json.dumps(call.arguments)}}
            yield {"contentBlockDelta": {"delta": arguments}}
            yield {"contentBlockStop": {}}
        ended = "max_tokens" if turn.cut_off else "end_turn"
        yield {"messageStop": {"stopReason": "tool_use" if turn.calls else ended}}
        used = {"inputTokens": 10, "outputTokens": 5, "totalTokens": 15}
        yield {"metadata": {"usage": used, "metrics": {"latencyMs": 1}}}


def agent_of(scene: Scene, outcome: Outcome) -> Agent:
    @tool
    def get_order(order_id: str) -> Any:
        """Look an order up by its number.

        Args:
            order_id: The order's number.
        """
        found = outcome.get_order(order_id)
        return {"status": "success", "content": [{"json": found}]}

    return Agent(
        model=ScriptedModel(scene.script(), outcome),
        tools=[get_order],
        system_prompt=scene.system,
        callback_handler=None,
        plugins=[GuardPlugin(scene.detector, **scene.options)],
    )


class Invoke:
    async def play(self, scene: Scene, outcome: Outcome) -> None:
        result = await agent_of(scene, outcome).invoke_async(scene.question)
        outcome.shown.append(str(result))


class Called:
    async def play(self, scene: Scene, outcome: Outcome) -> None:
        result = await asyncio.to_thread(agent_of(scene, outcome), scene.question)
        outcome.shown.append(str(result))


class Stream:
    async def play(self, scene: Scene, outcome: Outcome) -> None:
        async for event in agent_of(scene, outcome).stream_async(scene.question):
            if "data" in event:
                outcome.shown.append(event["data"])


SHOWS_EARLY = "what_is_verified_is_shown_before_the_answer_is_complete"
DRIVERS = {cls.__name__: cls for cls in (Invoke, Called, Stream)}


@pytest.mark.parametrize("scenario", STRANDS.keeps(SCENARIOS))
@pytest.mark.parametrize("driver", DRIVERS)
def test_contract(driver: str, scenario: str) -> None:
    if scenario == SHOWS_EARLY and driver != "Stream":
        return
    check(scenario, DRIVERS[driver]())


async def talk(scene: Scene, outcome: Outcome, *questions: str) -> list[str]:
    agent = agent_of(scene, outcome)
    return [str(await agent.invoke_async(question)).strip() for question in questions]


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
