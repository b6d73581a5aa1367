"""The LangChain adapter under the contract: ``create_agent`` with a scripted chat model."""

import asyncio
import json
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langgraph.checkpoint.memory import InMemorySaver

from affidavit.runtimes.contract import SCENARIOS, Call, ModelTurn, Outcome, Scene, Script, check
from affidavit.runtimes.contract.providers import PIECES
from affidavit.runtimes.contract.scenarios import INVENTED, INVENTS, LOOKS_UP, TRUE, detector_of
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
        self.outcome.asked.append(
            json.dumps([str(m.content) for m in messages], ensure_ascii=False)
        )
        turn = self.script.next()
        calls = [{"name": c.name, "args": c.arguments, "id": c.id} for c in turn.calls]
        return AIMessage(content=turn.text, tool_calls=calls)

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


def agent_of(scene: Scene, outcome: Outcome) -> Any:
    def get_order(order_id: str) -> dict[str, Any]:
        """Look an order up by its number."""
        return outcome.get_order(order_id)

    return create_agent(
        ScriptedChat(script=Script(scene.turns), outcome=outcome),
        [get_order],
        system_prompt=scene.system,
        middleware=[GuardMiddleware(scene.detector, **scene.options)],
        checkpointer=InMemorySaver(),
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
