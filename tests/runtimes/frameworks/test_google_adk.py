"""The Google ADK adapter under the contract: a runner with a model that follows a script."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from google.adk.agents import Agent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.apps import App
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types

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
from affidavit.runtimes.frameworks import GOOGLE_ADK
from affidavit.runtimes.google_adk import GuardPlugin


class ScriptedLlm(BaseLlm):
    script: Any
    outcome: Any

    async def generate_content_async(
        self, llm_request: Any, stream: bool = False
    ) -> AsyncIterator[LlmResponse]:
        told = [c.model_dump() for c in llm_request.contents]
        request = f"{llm_request.config.system_instruction}\n{told}"
        turn = self.script.answer(request, self.outcome)
        if stream:
            for piece in PIECES.findall(turn.text):
                yield LlmResponse(content=_content(ModelTurn(piece)), partial=True)
        used = types.GenerateContentResponseUsageMetadata(
            prompt_token_count=10, candidates_token_count=5
        )
        stop = types.FinishReason.MAX_TOKENS if turn.cut_off else types.FinishReason.STOP
        yield LlmResponse(content=_content(turn), finish_reason=stop, usage_metadata=used)


def _content(turn: ModelTurn) -> types.Content:
    words = [types.Part(text=turn.text)] if turn.text else []
    calls = [types.FunctionCall(id=c.id, name=c.name, args=c.arguments) for c in turn.calls]
    return types.Content(
        role="model", parts=[*words, *(types.Part(function_call=call) for call in calls)]
    )


async def opened(scene: Scene, outcome: Outcome, *, desk: bool = False) -> Any:
    def get_order(order_id: str) -> dict[str, Any]:
        """Look an order up by its number."""
        return outcome.get_order(order_id)

    model = ScriptedLlm(model="scripted", script=scene.script(), outcome=outcome)
    agent = Agent(name="shop", model=model, instruction=scene.system, tools=[get_order])
    if desk:
        agent = Agent(name="desk", model=model, instruction="Hand over.", sub_agents=[agent])
    plugin = GuardPlugin(scene.detector, **scene.options)
    runner = InMemoryRunner(app=App(name="shop", root_agent=agent, plugins=[plugin]))
    return runner, await runner.session_service.create_session(app_name="shop", user_id="u")


class Run:
    mode = StreamingMode.NONE

    async def play(self, scene: Scene, outcome: Outcome) -> None:
        runner, session = await opened(scene, outcome)
        asked = types.Content(role="user", parts=[types.Part(text=scene.question)])
        async for event in runner.run_async(
            user_id="u",
            session_id=session.id,
            new_message=asked,
            run_config=RunConfig(streaming_mode=self.mode),
        ):
            parts = event.content.parts if event.content else []
            text = "".join(part.text or "" for part in parts)
            # The last event of a turn has its whole text, of which a part was shown.
            shown = "" if event.partial else "".join(outcome.shown)
            assert text.startswith(shown) or not text
            outcome.shown += [text.removeprefix(shown)] if text else []
        await runner.close()


class Stream(Run):
    mode = StreamingMode.SSE


SHOWS_EARLY = "what_is_verified_is_shown_before_the_answer_is_complete"
DRIVERS = {cls.__name__: cls for cls in (Run, Stream)}


@pytest.mark.parametrize("scenario", GOOGLE_ADK.keeps(SCENARIOS))
@pytest.mark.parametrize("driver", DRIVERS)
def test_contract(driver: str, scenario: str) -> None:
    if scenario == SHOWS_EARLY and driver != "Stream":
        return
    check(scenario, DRIVERS[driver]())


async def talk(scene: Scene, outcome: Outcome, *questions: str, desk: bool = False) -> list[str]:
    runner, session = await opened(scene, outcome, desk=desk)
    answers = []
    for question in questions:
        said = types.Content(role="user", parts=[types.Part(text=question)])
        async for event in runner.run_async(user_id="u", session_id=session.id, new_message=said):
            if event.is_final_response():
                answers.append(event.content.parts[0].text)
    await runner.close()
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


def test_the_model_is_reminded_of_a_draft_when_it_has_looked_further() -> None:
    outcome = Outcome()
    again = ModelTurn(calls=(Call("BL-204518", "call_2"),))
    scene = Scene((LOOKS_UP, ModelTurn(FALSE), again, ModelTurn(TRUE)), detector_of())
    assert asyncio.run(talk(scene, outcome, scene.question)) == [TRUE]
    assert "93.70" in outcome.asked[-1]


class HandsOver(Call):
    """A call that brings another agent."""

    name = "transfer_to_agent"

    @property
    def arguments(self) -> dict[str, Any]:
        return {"agent_name": "shop"}


def test_the_agent_that_takes_over_is_guarded_with_tools_of_its_own() -> None:
    outcome = Outcome()
    over = ModelTurn(calls=(HandsOver("", "call_h"),))
    scene = Scene((over, INVENTS, LOOKS_UP, ModelTurn(FALSE), ModelTurn(TRUE)), detector_of())
    assert asyncio.run(talk(scene, outcome, scene.question, desk=True)) == [TRUE]
    assert outcome.ran == ["BL-204518"]


@pytest.mark.parametrize("cut_off", [True, False])
def test_an_answer_that_broke_off_is_sent_back(cut_off: bool) -> None:
    outcome = Outcome()
    scene = Scene((LOOKS_UP, ModelTurn(TRUE, cut_off=cut_off), ModelTurn(TRUE)), detector_of())
    answers = asyncio.run(talk(scene, outcome, scene.question))
    assert answers == [TRUE]
    assert len(outcome.asked) == 2 + cut_off
