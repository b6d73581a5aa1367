"""Pydantic AI: a capability for ``Agent``.

    agent = Agent(model, tools=[...], capabilities=[GuardCapability(Detector())])

Streams are held back until the answer is judged. Where the output is structured there is no place
for a refusal: an answer that is blocked raises :class:`~affidavit.errors.AnswerRefused`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, Unpack

from affidavit._content import content_parts
from affidavit.errors import AnswerRefused, MissingExtra
from affidavit.formats.node import Node
from affidavit.formats.parts import tool_call
from affidavit.guard import AnswerChecker, GuardOptions
from affidavit.runtimes.conversation import Conversation, Said, Shown
from affidavit.trace import (
    Message,
    Part,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolDefinition,
    ToolResultPart,
    UnknownPart,
)

try:
    from pydantic_ai import messages as pai
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.exceptions import ToolFailed
    from pydantic_ai.models import CompletedStreamedResponse, Model
    from pydantic_ai.models.wrapper import WrapperModel
except ImportError as error:
    raise MissingExtra("pydantic-ai-slim", "pydantic-ai") from error

Ask = Callable[[Shown], Awaitable[Any]]


class GuardCapability(AbstractCapability[Any]):
    """Checks each call before its tool runs, and each answer before the run takes it in."""

    def __init__(self, detector: AnswerChecker, **options: Unpack[GuardOptions]) -> None:
        self._detector, self._options = detector, options
        self._run: Conversation | None = None

    async def for_run(self, ctx: Any) -> GuardCapability:  # noqa: ARG002
        own = GuardCapability(self._detector, **self._options)
        own._run = Conversation(self._detector, self._options)
        return own

    def get_wrapper_model(self, model: Model) -> Model | None:
        return None if self._run is None else _GuardedModel(model, self._run)

    async def wrap_run(self, ctx: Any, *, handler: Callable[[], Awaitable[Any]]) -> Any:  # noqa: ARG002
        try:
            return await handler()
        finally:
            if self._run is not None:
                self._run.guard.finish()

    async def before_tool_execute(self, ctx: Any, *, call: Any, tool_def: Any, args: Any) -> Any:  # noqa: ARG002
        feedback = None if self._run is None else self._run.check(_call(call))
        if feedback is not None:
            raise ToolFailed(feedback)
        return args


class _GuardedModel(WrapperModel):
    """A model whose drafts are judged, and revised, before anyone else sees them."""

    def __init__(self, wrapped: Model, run: Conversation) -> None:
        super().__init__(wrapped)
        self._run = run

    async def request(
        self, messages: Any, model_settings: Any, model_request_parameters: Any
    ) -> Any:
        async def ask(shown: Shown) -> Any:
            return await self.wrapped.request(shown, model_settings, model_request_parameters)

        return await self._answered(messages, model_request_parameters, ask)

    @asynccontextmanager
    async def request_stream(
        self,
        messages: Any,
        model_settings: Any,
        model_request_parameters: Any,
        run_context: Any = None,
    ) -> AsyncIterator[Any]:
        async def ask(shown: Shown) -> Any:
            async with self.wrapped.request_stream(
                shown, model_settings, model_request_parameters, run_context
            ) as stream:
                async for _ in stream:
                    pass
                return stream.get()

        response = await self._answered(messages, model_request_parameters, ask)
        yield CompletedStreamedResponse(
            response, model_request_parameters=model_request_parameters, replay_events=True
        )

    async def _answered(self, messages: Sequence[Any], parameters: Any, ask: Ask) -> Any:
        outputs = {tool.name for tool in parameters.output_tools}
        tools = [*parameters.function_tools, *parameters.output_tools]
        self._run.follow(_messages(messages), map(_definition, tools))
        if self._run.stopped:
            refusal = await self._run.guard.agive_up()
            if parameters.output_mode != "text":
                raise AnswerRefused(refusal.text or "", refusal.report)
            return pai.ModelResponse([pai.TextPart(refusal.text)], model_name=self.model_name)

        def read(response: Any) -> Said:
            for call in response.tool_calls:
                if call.tool_name in outputs:
                    return Said(call.args_as_json_str())
            return Said(response.text or "", calls=bool(response.tool_calls))

        settled = await self._run.aanswer(messages, ask, read, _exchange)
        response, decision = settled.response, settled.decision
        if settled.text is None:
            return response
        if decision and (response.tool_calls or parameters.output_mode != "text"):
            if decision.action == "emit":
                return response
            raise AnswerRefused(settled.text, decision.report)
        others = [part for part in response.parts if not isinstance(part, pai.TextPart)]
        words = [pai.TextPart(settled.text)] if settled.text else []
        return replace(response, parts=[*words, *others])


def _exchange(response: Any, feedback: str) -> Sequence[Any]:
    return [response, pai.ModelRequest(parts=[pai.UserPromptPart(feedback)])]


def _definition(tool: Any) -> ToolDefinition:
    return ToolDefinition(
        name=tool.name,
        description=tool.description or "",
        input_schema=tool.parameters_json_schema,
    )


def _call(part: Any) -> ToolCallPart:
    return tool_call(
        part.tool_call_id,
        part.tool_name,
        Node(part.args or {}),
        server_side=isinstance(part, pai.NativeToolCallPart),
    )


def _messages(messages: Sequence[Any]) -> Iterator[Message]:
    for message in messages:
        if instructions := getattr(message, "instructions", None):
            yield Message(role="system", parts=(TextPart(text=instructions),))
        for part in message.parts:
            role = _ROLES.get(part.part_kind, "assistant" if message.kind == "response" else "user")
            if read := tuple(_parts(part)):
                yield Message(role=role, parts=read)


_ROLES: dict[str, Role] = {"system-prompt": "system", "tool-return": "tool", "retry-prompt": "tool"}


def _parts(part: Any) -> Iterator[Part]:
    match part:
        case pai.BaseToolCallPart():
            yield _call(part)
        case pai.BaseToolReturnPart():
            failed = part.outcome != "success"
            content = content_parts(part.content)
            yield ToolResultPart(id=part.tool_call_id, content=content, is_error=failed)
        case pai.SystemPromptPart() | pai.TextPart():
            yield TextPart(text=part.content)
        case pai.ThinkingPart():
            yield ReasoningPart(text=part.content)
        case pai.UserPromptPart():
            asked = [part.content] if isinstance(part.content, str) else part.content
            for item in asked:
                text = getattr(item, "content", item)
                yield (
                    TextPart(text=text)
                    if isinstance(text, str)
                    else UnknownPart(kind=type(item).__name__, raw=repr(item))
                )
