"""LangChain and LangGraph: a middleware for ``create_agent``.

    agent = create_agent(model, tools, middleware=[GuardMiddleware(Detector())])

Drafts are held back in every stream mode of the graph, and answers come in one piece. ``astream_events``
has no tokens under guard, and shows the inside of a model call when it ends, drafts too.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, Unpack

from pydantic_core import to_json

from affidavit.errors import MissingExtra
from affidavit.guard import AnswerChecker, GuardOptions
from affidavit.models.llm import Completion, LanguageModel, Usage
from affidavit.runtimes.conversation import Conversation, Said, Settled, Shown
from affidavit.runtimes.own_model import JUDGE_SPAN, model_of, tell_of_judge
from affidavit.trace import (
    ContentPart,
    Message,
    Part,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    UnknownPart,
)

try:
    from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
    from langchain.agents.middleware.types import PrivateStateAttr, ToolCallRequest
    from langchain_core.messages import (
        AIMessage,
        BaseMessage,
        HumanMessage,
        SystemMessage,
        ToolMessage,
    )
    from langchain_core.utils.function_calling import convert_to_openai_tool
    from langgraph.channels import UntrackedValue
    from langgraph.constants import TAG_NOSTREAM
except ImportError as error:
    raise MissingExtra("langchain", "langchain-agents") from error

_ROLES: dict[str, Role] = {"system": "system", "human": "user", "ai": "assistant", "tool": "tool"}
_NOT_READ = ("tool_call", "tool_call_chunk", "invalid_tool_call", "reasoning")


class _Ticket(str):
    """Carries the run through the state of the graph, which servers write out as JSON."""

    run: Conversation


class _State(AgentState[Any]):
    # In memory only: a run resumed from a checkpoint is followed anew from its messages.
    affidavit: Annotated[str, UntrackedValue, PrivateStateAttr]


class GuardMiddleware(AgentMiddleware):
    """Checks each call before its tool runs, and each answer before it enters the agent's state.

    A draft is sent back inside the model call, so neither the state nor a checkpoint ever holds it.
    """

    state_schema = _State

    def __init__(self, detector: AnswerChecker, **options: Unpack[GuardOptions]) -> None:
        super().__init__()
        self._detector, self._options = detector, options
        tell_of_judge("LangChain", detector)

    def before_agent(self, state: Any, runtime: Any) -> dict[str, Any]:  # noqa: ARG002
        ticket = _Ticket("run")
        ticket.run = Conversation(self._detector, self._options)
        return {"affidavit": ticket}

    def after_agent(self, state: Any, runtime: Any) -> None:  # noqa: ARG002
        self._run(state).guard.finish()

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]
    ) -> Any:
        call = request.tool_call
        refused = _refused(call, self._run(request.state).check(_call(call)))
        return handler(request) if refused is None else refused

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Any]]
    ) -> Any:
        call = request.tool_call
        refused = _refused(call, await self._run(request.state).acheck(_call(call)))
        return await handler(request) if refused is None else refused

    def wrap_model_call(
        self, request: ModelRequest, handler: Callable[[ModelRequest], ModelResponse]
    ) -> Any:
        run, held = self._followed(request)
        run.guard.own = _judge(request.model)
        if run.stopped:
            return AIMessage(content=run.guard.give_up().text)

        def ask(shown: Shown) -> ModelResponse:
            return handler(held.override(messages=shown))

        return _sent(run.answer(request.messages, ask, _said, _exchange))

    async def awrap_model_call(
        self, request: ModelRequest, handler: Callable[[ModelRequest], Awaitable[ModelResponse]]
    ) -> Any:
        run, held = self._followed(request)
        run.guard.own = _async_judge(request.model)
        if run.stopped:
            return AIMessage(content=(await run.guard.agive_up()).text)

        async def ask(shown: Shown) -> ModelResponse:
            return await handler(held.override(messages=shown))

        return _sent(await run.aanswer(request.messages, ask, _said, _exchange))

    def _followed(self, request: ModelRequest) -> tuple[Conversation, ModelRequest]:
        """The run, and the request with a model that streams nothing before it was judged."""
        run = self._run(request.state)
        system = [request.system_message] if request.system_message else []
        tools = map(convert_to_openai_tool, request.tools)
        run.follow(map(_message, [*system, *request.messages]), tools)
        if run.guard.shadow:
            return run, request
        held = request.override(model=_silent(request.model))
        if line := run.guard.instruction:
            held = held.override(system_message=_instructed(request.system_message, line))
        return run, held

    def _run(self, state: Any) -> Conversation:
        ticket = state.get("affidavit")
        if isinstance(ticket, _Ticket):
            return ticket.run
        run = Conversation(self._detector, self._options)
        run.follow(map(_message, state["messages"]))
        return run


def _refused(call: Any, feedback: str | None) -> ToolMessage | None:
    if feedback is None:
        return None
    return ToolMessage(content=feedback, tool_call_id=call["id"], name=call["name"], status="error")


def _instructed(system: SystemMessage | None, line: str) -> SystemMessage:
    """The system message with a line more, for this call alone."""
    if system is None:
        return SystemMessage(content=line)
    if isinstance(system.content, str):
        return system.model_copy(update={"content": f"{system.content}\n\n{line}"})
    content = [*system.content, {"type": "text", "text": line}]
    return system.model_copy(update={"content": content})


def _silent(model: Any) -> Any:
    """The model with nothing of what it says in a stream of the graph."""
    tags = [*(model.tags or []), TAG_NOSTREAM]
    return model.model_copy(update={"tags": tags, "disable_streaming": True})


def _judge(model: Any) -> LanguageModel:
    def ask(text: str) -> Completion:
        return _completion(_silent(model).invoke(text, {"run_name": JUDGE_SPAN}))

    return model_of(_name(model), ask)


def _async_judge(model: Any) -> LanguageModel:
    async def ask(text: str) -> Completion:
        return _completion(await _silent(model).ainvoke(text, {"run_name": JUDGE_SPAN}))

    return model_of(_name(model), ask)


def _name(model: Any) -> str:
    named = getattr(model, "model_name", None) or getattr(model, "model", None)
    return named if isinstance(named, str) else type(model).__name__


def _completion(message: AIMessage) -> Completion:
    used = message.usage_metadata
    return Completion(
        message.text, Usage(used["input_tokens"], used["output_tokens"]) if used else None
    )


def _said(response: ModelResponse) -> Said:
    if response.structured_response is not None:
        return Said(to_json(response.structured_response, fallback=str).decode())
    message = response.result[-1]
    about = message.response_metadata
    return Said(
        message.text,
        calls=bool(getattr(message, "tool_calls", None)),
        # By the names of OpenAI and of Anthropic; Google's is "MAX_TOKENS".
        cut_off=str(about.get("finish_reason") or about.get("stop_reason")).lower()
        in ("length", "max_tokens"),
    )


def _exchange(response: ModelResponse, feedback: str) -> Sequence[BaseMessage]:
    return [*response.result, HumanMessage(content=feedback)]


def _sent(settled: Settled[ModelResponse]) -> ModelResponse:
    response, decision = settled.response, settled.decision
    if settled.text is None:
        return response
    if response.structured_response is not None:
        refused = decision is not None and decision.action == "block"
        return ModelResponse([AIMessage(content=settled.text)]) if refused else response
    message = response.result[-1]
    others = (
        []
        if isinstance(message.content, str)
        else [
            block
            for block in message.content
            if isinstance(block, dict) and block.get("type") != "text"
        ]
    )
    text = [{"type": "text", "text": settled.text}] if settled.text else []
    content = [*others, *text] if others else settled.text
    return ModelResponse([message.model_copy(update={"content": content})])


def _call(call: Any) -> ToolCallPart:
    return ToolCallPart(id=call["id"] or "", name=call["name"], arguments=call["args"])


def _message(message: BaseMessage) -> Message:
    content: list[ContentPart] = [
        TextPart(text=block["text"])
        if block["type"] == "text"
        else UnknownPart(kind=block["type"], raw=str(block))
        for block in message.content_blocks
        if block["type"] not in _NOT_READ
    ]
    calls = map(_call, getattr(message, "tool_calls", ()))
    parts: tuple[Part, ...] = (*content, *calls)
    if isinstance(message, ToolMessage):
        failed = message.status == "error"
        result = ToolResultPart(id=message.tool_call_id, content=tuple(content), is_error=failed)
        parts = (result,)
    return Message(role=_ROLES.get(message.type, "user"), parts=parts)
