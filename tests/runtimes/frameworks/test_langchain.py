"""The LangChain adapter under the contract: ``create_agent`` with a scripted chat model."""

import asyncio
import json
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.structured_output import ToolStrategy
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import BaseModel

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
from affidavit.runtimes.frameworks import LANGCHAIN
from affidavit.runtimes.langchain import GuardMiddleware


class ScriptedChat(BaseChatModel):
    """LangChain's chat model, answering from a script, whole or in pieces."""

    script: Any
    outcome: Any

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self

    def _next(self, messages: Any) -> AIMessage:
        request = json.dumps([str(m.content) for m in messages], ensure_ascii=False)
        turn = self.script.answer(request, self.outcome)
        calls = [{"name": c.name, "args": c.arguments, "id": c.id} for c in turn.calls]
        used = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
        about = {"finish_reason": "length" if turn.cut_off else "stop"}
        return AIMessage(
            content=turn.text, tool_calls=calls, usage_metadata=used, response_metadata=about
        )

    def _generate(self, messages: Any, stop: Any = None, run_manager: Any = None, **kw: Any) -> Any:
        return ChatResult(generations=[ChatGeneration(message=self._next(messages))])

    def _stream(self, messages: Any, stop: Any = None, run_manager: Any = None, **kw: Any) -> Any:
        message = self._next(messages)
        chunks = [AIMessageChunk(content=piece) for piece in PIECES.findall(message.content)]
        for i, call in enumerate(message.tool_calls):
            told = {"name": call["name"], "id": call["id"], "args": json.dumps(call["args"])}
            chunks.append(AIMessageChunk(content="", tool_call_chunks=[{**told, "index": i}]))
        for chunk in chunks:
            generation = ChatGenerationChunk(message=chunk)
            if run_manager:
                run_manager.on_llm_new_token(str(chunk.content), chunk=generation)
            yield generation


def agent_of(scene: Scene, outcome: Outcome, **options: Any) -> Any:
    def get_order(order_id: str) -> dict[str, Any]:
        """Look an order up by its number."""
        return outcome.get_order(order_id)

    return create_agent(
        ScriptedChat(script=scene.script(), outcome=outcome),
        [get_order],
        system_prompt=scene.system,
        middleware=[GuardMiddleware(scene.detector, **scene.options)],
        checkpointer=InMemorySaver(),
        **options,
    )


def asked(scene: Scene) -> Any:
    return {"messages": [{"role": "user", "content": scene.question}]}


THREAD: Any = {"configurable": {"thread_id": "1"}}


def words(messages: Any) -> list[str]:
    return [m.text for m in messages if m.type in ("ai", "AIMessageChunk") and m.text]


class Invoke:
    async def play(self, scene: Scene, outcome: Outcome) -> None:
        state = await agent_of(scene, outcome).ainvoke(asked(scene), THREAD)
        outcome.shown += words(state["messages"])


class Sync:
    async def play(self, scene: Scene, outcome: Outcome) -> None:
        agent = agent_of(scene, outcome)
        state = await asyncio.to_thread(agent.invoke, asked(scene), THREAD)
        outcome.shown += words(state["messages"])


class StreamMessages:
    async def play(self, scene: Scene, outcome: Outcome) -> None:
        agent = agent_of(scene, outcome)
        async for message, _ in agent.astream(asked(scene), THREAD, stream_mode="messages"):
            outcome.shown += words([message])


class SyncStream:
    async def play(self, scene: Scene, outcome: Outcome) -> None:
        def stream() -> None:
            agent = agent_of(scene, outcome)
            for update in agent.stream(asked(scene), THREAD, stream_mode="updates"):
                for node, wrote in update.items():
                    outcome.shown += words((wrote or {}).get("messages", ())) * (node == "model")

        await asyncio.to_thread(stream)


DRIVERS = {cls.__name__: cls for cls in (Invoke, Sync, StreamMessages, SyncStream)}


@pytest.mark.parametrize("scenario", LANGCHAIN.keeps(SCENARIOS))
@pytest.mark.parametrize("driver", DRIVERS)
def test_contract(driver: str, scenario: str) -> None:
    check(scenario, DRIVERS[driver]())


async def talk(scene: Scene, outcome: Outcome, *questions: str) -> list[str]:
    agent, answers = agent_of(scene, outcome), []
    for question in questions:
        state = await agent.ainvoke({"messages": [{"role": "user", "content": question}]}, THREAD)
        answers.append(state["messages"][-1].text)
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


def test_events_have_no_tokens_of_a_draft() -> None:
    scene, outcome = Scene((LOOKS_UP, ModelTurn(FALSE), ModelTurn(TRUE)), detector_of()), Outcome()

    async def tokens() -> list[str]:
        events = agent_of(scene, outcome).astream_events(asked(scene), THREAD, version="v2")
        kinds = ("on_chat_model_stream", "on_chain_stream")
        return [str(e["data"]) async for e in events if e["event"] in kinds]

    told = asyncio.run(tokens())
    assert not any("93.70" in token for token in told)
    assert any(TRUE in token for token in told)


class Bill(BaseModel):
    total: str


@pytest.mark.parametrize("drafts", [("$93.70", "$45.18"), ("$93.70", "$92.70", "$91.70")])
def test_structured_output_is_judged(drafts: tuple[str, ...]) -> None:
    """An answer in a schema is a call of a tool of that name."""
    calls = [ModelTurn(calls=(Answers(total, str(n)),)) for n, total in enumerate(drafts)]
    scene, outcome = Scene((LOOKS_UP, *calls), detector_of()), Outcome()
    agent = agent_of(scene, outcome, response_format=ToolStrategy(Bill))
    state = agent.invoke(asked(scene), THREAD)
    if "$45.18" in drafts:
        assert state["structured_response"] == Bill(total="$45.18")
    else:
        assert state.get("structured_response") is None
        assert "can't give you" in state["messages"][-1].text


class Answers(Call):
    """The answer as a call."""

    name = "Bill"

    @property
    def arguments(self) -> dict[str, Any]:
        return {"total": self.order_id}


def test_a_run_resumed_from_a_checkpoint_is_followed_anew() -> None:
    scene, outcome = Scene((LOOKS_UP, ModelTurn(FALSE), ModelTurn(TRUE)), detector_of()), Outcome()
    agent = agent_of(scene, outcome, interrupt_before=["tools"])
    agent.invoke(asked(scene), THREAD)
    assert outcome.ran == []
    state = agent.invoke(None, THREAD)
    assert outcome.ran == ["BL-204518"]
    assert state["messages"][-1].text == TRUE


@pytest.mark.parametrize("cut_off", [True, False])
def test_an_answer_that_broke_off_is_sent_back(cut_off: bool) -> None:
    outcome = Outcome()
    scene = Scene((LOOKS_UP, ModelTurn(TRUE, cut_off=cut_off), ModelTurn(TRUE)), detector_of())
    answers = asyncio.run(talk(scene, outcome, scene.question))
    assert answers == [TRUE]
    assert len(outcome.asked) == 2 + cut_off
