"""smolagents: a guarded copy of an agent.

    agent = guard_agent(ToolCallingAgent(tools=[...], model=model), Detector())

What ``run`` returns has been checked, and what a step streams is held back until the step is done. The
agent's memory, its log and the steps that ``run(stream=True)`` yields hold drafts that were sent back.
Code is guarded where it runs in this process: a remote executor takes the tools with it.
"""

from __future__ import annotations

import copy
import uuid
from collections.abc import Callable, Iterator
from typing import Any, TypeVar, Unpack, cast

from pydantic_core import to_json, to_jsonable_python

from affidavit.errors import MissingExtra
from affidavit.formats.node import Node
from affidavit.formats.parts import tool_call
from affidavit.guard import AnswerChecker, Guard, GuardOptions
from affidavit.models.llm import Completion, LanguageModel, Usage
from affidavit.runtimes.cited_writing import warn_of_cite
from affidavit.runtimes.own_model import model_of, tell_of_judge
from affidavit.trace import Message, TextPart, ToolDefinition

try:
    from smolagents import MultiStepAgent
    from smolagents.agents import ActionOutput
    from smolagents.models import ChatMessage, MessageRole
    from smolagents.utils import AgentError
except ImportError as error:
    raise MissingExtra("smolagents", "smolagents") from error

A = TypeVar("A", bound=MultiStepAgent)

_NO_SCHEMA = ("any", "image", "audio")


def guard_agent(agent: A, detector: AnswerChecker, **options: Unpack[GuardOptions]) -> A:
    """A copy of ``agent`` whose calls and answers are checked; ``agent`` itself stays as it is."""
    warn_of_cite("smolagents", detector, options)
    tell_of_judge("smolagents", detector)
    own: Any = _like(agent, type(f"Guarded{type(agent).__name__}", (_Guarded, type(agent)), {}))
    own.memory = copy.deepcopy(agent.memory)
    own.tools = {name: own.guarded_tool(tool) for name, tool in agent.tools.items()}
    own.managed_agents = {
        name: own.recorded_member(member) for name, member in agent.managed_agents.items()
    }
    if hasattr(agent, "python_executor"):
        own.python_executor = own.create_python_executor()
    tools = [_definition(tool) for tool in (*agent.tools.values(), *agent.managed_agents.values())]
    own.new_guard = lambda messages: Guard(detector, messages=messages, tools=tools, **options)
    own.run_guard, own.stopped = None, False
    return cast("A", own)


class _Guarded:
    """What a guarded agent does otherwise than its class."""

    run_guard: Guard | None
    new_guard: Callable[[list[Message]], Guard]
    stopped: bool

    def run(self: Any, task: str, *args: Any, **kwargs: Any) -> Any:
        told = dict(zip(_IN_ORDER, args, strict=False)) | kwargs
        reset, given = told.get("reset", True), told.get("additional_args")
        asked = _said("user", task if given is None else f"{task}\n{given}")
        if self.run_guard is None or reset:
            system = [_said("system", self.instructions)] if self.instructions else []
            self.run_guard = self.new_guard([*system, asked])
        else:
            self.run_guard = self.run_guard.next_turn(asked)
        self.run_guard.own = _judge(self.model)
        self.stopped = False
        if told.get("stream"):
            return _ended(super().run(task, *args, **kwargs), self.run_guard)  # type: ignore[misc]
        try:
            return super().run(task, *args, **kwargs)  # type: ignore[misc]
        finally:
            self.run_guard.finish()

    def _step_stream(self: Any, memory_step: Any) -> Iterator[Any]:
        if self.stopped:
            yield ActionOutput(output=self.run_guard.give_up().text, is_final_answer=True)
            return
        judged = self._judged(super()._step_stream(memory_step))  # type: ignore[misc]
        yield from (judged if self.run_guard.shadow else list(judged))

    def _judged(self: Any, outputs: Iterator[Any]) -> Iterator[Any]:
        for output in outputs:
            if isinstance(output, ActionOutput) and output.is_final_answer:
                output.output = self._checked(output.output)
            yield output

    def provide_final_answer(self: Any, task: str) -> ChatMessage:
        """The answer where the steps have run out: nothing is asked again, so it goes or is refused."""
        message = super().provide_final_answer(task)  # type: ignore[misc]
        decision = self.run_guard.check_answer(_text(message.content), last=True)
        return ChatMessage(role=MessageRole.ASSISTANT, content=decision.text)

    def guarded_tool(self: Any, tool: Any) -> Any:
        """A copy of ``tool`` that asks the guard before it runs."""
        if tool.name == "final_answer":
            return tool
        own = copy.copy(tool)

        def forward(*args: Any, **kwargs: Any) -> Any:
            arguments = {**dict(zip(tool.inputs, args, strict=False)), **kwargs}
            call = tool_call(
                uuid.uuid4().hex, tool.name, Node(to_jsonable_python(arguments, fallback=str))
            )
            decision = self.run_guard.check_call(call)
            self.stopped = self.stopped or decision.stop
            if not decision.run:
                raise ValueError(decision.feedback)
            return self._recorded(call.id, lambda: tool.forward(*args, **kwargs))

        own.forward = forward
        return own

    def recorded_member(self: Any, member: Any) -> Any:
        """A copy of a managed agent whose report is recorded as a result. Its own answers are its own
        guard's business."""

        def call(_: Any, task: str, **kwargs: Any) -> Any:
            asked = tool_call(uuid.uuid4().hex, member.name, Node({"task": task}))
            self.run_guard.observe(Message(role="assistant", parts=(asked,)))
            return self._recorded(asked.id, lambda: member(task, **kwargs))

        return _like(member, type(type(member).__name__, (type(member),), {"__call__": call}))

    def _recorded(self: Any, call_id: str, run: Callable[[], Any]) -> Any:
        try:
            result = run()
        except Exception as error:
            self.run_guard.record_result(call_id, str(error), is_error=True)
            raise
        self.run_guard.record_result(call_id, result)
        return result

    def _checked(self: Any, answer: Any) -> Any:
        decision = self.run_guard.check_answer(_text(answer))
        if decision.action == "revise":
            raise AgentError(decision.feedback, self.logger)
        unchanged = decision.action == "emit" and not isinstance(answer, str)
        return answer if unchanged else decision.text


_IN_ORDER = ("stream", "reset", "images", "additional_args")
"""What an agent's ``run`` takes behind the task."""


def _ended(steps: Iterator[Any], guard: Guard) -> Iterator[Any]:
    """The steps of a run, however it ends: its report is handed on."""
    try:
        yield from steps
    finally:
        guard.finish()


def _judge(model: Any) -> LanguageModel:
    def ask(text: str) -> Completion:
        question = ChatMessage(role=MessageRole.USER, content=[{"type": "text", "text": text}])
        message = model([question])
        said = message.content or ""
        if not isinstance(said, str):
            said = "".join(block.get("text", "") for block in said)
        used = getattr(message, "token_usage", None)
        return Completion(said, Usage(used.input_tokens, used.output_tokens) if used else None)

    return model_of(getattr(model, "model_id", None) or type(model).__name__, ask)


def _like(agent: Any, cls: type) -> Any:
    """A copy of ``agent`` of another class."""
    own: Any = object.__new__(cls)
    own.__dict__.update(agent.__dict__)
    return own


def _said(role: Any, text: str) -> Message:
    return Message(role=role, parts=(TextPart(text=text),))


def _text(answer: Any) -> str:
    return answer if isinstance(answer, str) else to_json(answer, fallback=str).decode()


def _definition(tool: Any) -> ToolDefinition:
    """smolagents has a dialect of its own: an input may be ``any``, an image or ``nullable``."""
    properties: dict[str, Any] = {}
    for name, told in tool.inputs.items():
        schema = {key: value for key, value in told.items() if key in ("description", "enum")}
        if told["type"] not in _NO_SCHEMA:
            kinds = told["type"] if isinstance(told["type"], list) else [told["type"]]
            schema["type"] = [*kinds, "null"] if told.get("nullable") else kinds
        properties[name] = schema
    required = [name for name, told in tool.inputs.items() if not told.get("nullable")]
    return ToolDefinition(
        name=tool.name,
        description=tool.description,
        input_schema={"type": "object", "properties": properties, "required": required},
    )
