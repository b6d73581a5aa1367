"""The smolagents adapter under the contract: both kinds of agent with a model that follows a script."""

import asyncio
from typing import Any

import pytest
from smolagents import CodeAgent, LogLevel, Tool, ToolCallingAgent
from smolagents.memory import FinalAnswerStep
from smolagents.models import (
    ChatMessage,
    ChatMessageStreamDelta,
    ChatMessageToolCall,
    ChatMessageToolCallFunction,
    MessageRole,
    Model,
)
from smolagents.monitoring import TokenUsage

from affidavit.models.judge import is_judging
from affidavit.runtimes.contract import SCENARIOS, Call, ModelTurn, Outcome, Scene, check
from affidavit.runtimes.contract.providers import PIECES
from affidavit.runtimes.contract.scenarios import (
    FALSE,
    LOOKS_UP,
    detector_of,
    look_alike_runs_do_not_mix,
)
from affidavit.runtimes.frameworks import SMOLAGENTS
from affidavit.runtimes.smolagents import guard_agent


class GetOrder(Tool):
    name = "get_order"
    description = "Look an order up by its number."
    inputs = {"order_id": {"type": "string", "description": "The order's number."}}  # noqa: RUF012
    output_type = "object"

    def __init__(self, outcome: Outcome) -> None:
        super().__init__()
        self.outcome = outcome

    def forward(self, order_id: str) -> Any:
        return self.outcome.get_order(order_id)


class CallingModel(Model):
    """For ToolCallingAgent: an answer is a call of ``final_answer``."""

    def __init__(self, scene: Scene, outcome: Outcome) -> None:
        super().__init__()
        self.script, self.outcome = scene.script(), outcome

    def generate(self, messages: Any, **kwargs: Any) -> ChatMessage:
        turn = self.take(messages)
        if is_judging():
            used = TokenUsage(input_tokens=10, output_tokens=5)
            return ChatMessage(role=MessageRole.ASSISTANT, content=turn.text, token_usage=used)
        return self.message(turn)

    def take(self, messages: Any) -> ModelTurn:
        return self.script.answer(str([m.content for m in messages]), self.outcome)

    def message(self, turn: ModelTurn) -> ChatMessage:
        calls = [(c.name, c.id, c.arguments) for c in turn.calls]
        if turn.text:
            calls.append(("final_answer", "answer", {"answer": turn.text}))
        made = [
            ChatMessageToolCall(
                id=call_id,
                type="function",
                function=ChatMessageToolCallFunction(name=name, arguments=arguments),
            )
            for name, call_id, arguments in calls
        ]
        return ChatMessage(role=MessageRole.ASSISTANT, content="", tool_calls=made)


class CodeModel(CallingModel):
    """For CodeAgent: calls and answers are code."""

    def message(self, turn: ModelTurn) -> ChatMessage:
        return ChatMessage(role=MessageRole.ASSISTANT, content=self.code(turn))

    def code(self, turn: ModelTurn) -> str:
        lines = [f"print(get_order({call.order_id!r}))" for call in turn.calls]
        lines += [f"final_answer({turn.text!r})"] if turn.text else []
        return "<code>\n" + "\n".join(lines) + "\n</code>"

    def generate_stream(self, messages: Any, **kwargs: Any) -> Any:
        for piece in PIECES.findall(self.code(self.take(messages))):
            yield ChatMessageStreamDelta(content=piece)


class Calling:
    agent: Any = ToolCallingAgent
    model: Any = CallingModel
    options: Any = {}  # noqa: RUF012

    async def play(self, scene: Scene, outcome: Outcome) -> None:
        agent = self.agent(
            tools=[GetOrder(outcome)],
            model=self.model(scene, outcome),
            instructions=scene.system,
            verbosity_level=LogLevel.OFF,
            **self.options,
        )
        guarded = guard_agent(agent, scene.detector, **scene.options)
        await asyncio.to_thread(self.run, guarded, scene, outcome)

    def run(self, agent: Any, scene: Scene, outcome: Outcome) -> None:
        outcome.shown.append(str(agent.run(scene.question)))


class Code(Calling):
    agent = CodeAgent
    model = CodeModel


class CodeStream(Code):
    options = {"stream_outputs": True}  # noqa: RUF012

    def __init__(self) -> None:
        self.streamed = ""

    def run(self, agent: Any, scene: Scene, outcome: Outcome) -> None:
        for step in agent.run(scene.question, stream=True):
            if isinstance(step, ChatMessageStreamDelta):
                self.streamed += step.content or ""
            elif isinstance(step, FinalAnswerStep):
                outcome.shown.append(str(step.output))


DRIVERS = {cls.__name__: cls for cls in (Calling, Code, CodeStream)}


@pytest.mark.parametrize("scenario", SMOLAGENTS.keeps(SCENARIOS))
@pytest.mark.parametrize("driver", DRIVERS)
def test_contract(driver: str, scenario: str) -> None:
    check(scenario, DRIVERS[driver]())


def test_many_look_alikes() -> None:
    """Each agent is a conversation by itself; all of them answer at once."""
    asyncio.run(look_alike_runs_do_not_mix(Calling(), at_once=200))


def test_a_step_that_was_sent_back_streams_nothing() -> None:
    driver, drafts = CodeStream(), ("It is $93.70.", "It is $45.18.")
    turns = (ModelTurn(calls=(Call("BL-204518", "1"),)), *map(ModelTurn, drafts))
    asyncio.run(driver.play(Scene(turns, detector_of()), Outcome()))
    assert "45.18" in driver.streamed
    assert "93.70" not in driver.streamed


def test_the_agent_given_stays_as_it_is() -> None:
    scene = Scene((ModelTurn("It is $93.70."),), detector_of())
    outcome = Outcome()
    agent = ToolCallingAgent(tools=[GetOrder(outcome)], model=CallingModel(scene, outcome))
    before = dict(vars(agent))
    guard_agent(agent, scene.detector)
    assert vars(agent) == before
    assert type(agent) is ToolCallingAgent


def test_what_a_member_reports_is_evidence() -> None:
    scene = Scene((ModelTurn("The total of order BL-204518 is $45.18."),), detector_of())
    outcome = Outcome()
    clerk = ToolCallingAgent(
        tools=[], model=CallingModel(scene, outcome), name="clerk", description="Knows the orders.",
        verbosity_level=LogLevel.OFF,
    )  # fmt: skip
    asks = ModelTurn(calls=(Asks("Find the total of BL-204518.", "1"),))
    boss = ToolCallingAgent(
        tools=[],
        model=CallingModel(Scene((asks, *scene.turns), scene.detector), outcome),
        managed_agents=[clerk],
        verbosity_level=LogLevel.OFF,
    )
    answer = guard_agent(boss, scene.detector).run(scene.question)
    assert answer == "The total of order BL-204518 is $45.18."


class Asks(Call):
    """A call of the member instead of the tool."""

    name = "clerk"

    @property
    def arguments(self) -> dict[str, Any]:
        return {"task": self.order_id}


def test_an_answer_given_when_the_steps_run_out_is_judged() -> None:
    turns = (ModelTurn(calls=(Call("BL-204518", "1"),)), ModelTurn("It is $93.70."))
    scene, outcome = Scene(turns, detector_of()), Outcome()
    model = CodeModel(scene, outcome)
    agent = CodeAgent(tools=[GetOrder(outcome)], model=model, verbosity_level=LogLevel.OFF)
    answer = guard_agent(agent, scene.detector).run(scene.question, max_steps=1)
    assert "93.70" not in str(answer)
    assert "can't give you" in str(answer)


class LostModel(CallingModel):
    """Its server is gone after the draft that was sent back."""

    def take(self, messages: Any) -> ModelTurn:
        if len(self.outcome.asked) == 2:
            raise ConnectionError("gone")
        return super().take(messages)


@pytest.mark.parametrize("stream", [False, True])
def test_a_run_that_fails_after_a_draft_was_sent_back_hands_on_its_report(stream: bool) -> None:
    outcome, reports = Outcome(), list[Any]()
    scene = Scene((LOOKS_UP, ModelTurn(FALSE)), detector_of())
    agent = ToolCallingAgent(
        tools=[GetOrder(outcome)],
        model=LostModel(scene, outcome),
        instructions=scene.system,
        verbosity_level=LogLevel.OFF,
    )
    guarded = guard_agent(agent, scene.detector, on_report=reports.append)
    with pytest.raises(Exception, match="gone"):
        list(guarded.run(scene.question, stream)) if stream else guarded.run(scene.question)
    assert [report.action for report in reports] == ["revise"]
