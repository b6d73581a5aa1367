"""Pydantic AI: a capability for ``Agent``.

    agent = Agent(model, tools=[...], capabilities=[GuardCapability(Detector())])

A stream shows each sentence when it has been verified. Where the output is structured there is no place
for a refusal: an answer that is blocked raises :class:`~affidavit.errors.AnswerRefused`.
"""

from __future__ import annotations

import copy
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace
from itertools import islice
from typing import Any, Unpack

from affidavit._content import content_parts
from affidavit.errors import AnswerRefused, MissingExtra
from affidavit.formats.node import Node
from affidavit.formats.parts import tool_call
from affidavit.guard import AnswerChecker, GuardOptions
from affidavit.models.llm import Completion, LanguageModel, Usage
from affidavit.runtimes.conversation import Conversation, Said, Shown
from affidavit.runtimes.own_model import model_of, tell_of_judge
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
    from pydantic_ai.models import CompletedStreamedResponse, Model, ModelRequestParameters
    from pydantic_ai.models.wrapper import WrapperModel
except ImportError as error:
    raise MissingExtra("pydantic-ai-slim", "pydantic-ai") from error

Ask = Callable[[Shown], Awaitable[Any]]


class GuardCapability(AbstractCapability[Any]):
    """Checks each call before its tool runs, and each answer before the run takes it in."""

    def __init__(self, detector: AnswerChecker, **options: Unpack[GuardOptions]) -> None:
        self._detector, self._options = detector, options
        tell_of_judge("Pydantic AI", detector)
        self._run: Conversation | None = None

    async def for_run(self, ctx: Any) -> GuardCapability:  # noqa: ARG002
        own = copy.copy(self)
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
        feedback = None if self._run is None else await self._run.acheck(_call(call))
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
        asked = self._instructed(messages, model_request_parameters)

        async def ask(shown: Shown) -> Any:
            return await self.wrapped.request(shown, model_settings, asked)

        return await self._answered(messages, model_request_parameters, ask)

    @asynccontextmanager
    async def request_stream(
        self,
        messages: Any,
        model_settings: Any,
        model_request_parameters: Any,
        run_context: Any = None,
    ) -> AsyncIterator[Any]:
        latest: list[Any] = []
        asked = self._instructed(messages, model_request_parameters)

        async def chunks(shown: Shown) -> AsyncGenerator[Any]:
            async with self.wrapped.request_stream(
                shown, model_settings, asked, run_context
            ) as stream:
                latest[:] = [stream]
                async for event in stream:
                    yield event

        async def ask(shown: Shown) -> Any:
            async with aclosing(chunks(shown)) as events:
                async for _ in events:
                    pass
            return latest[-1].get()

        if self._run.stopped or model_request_parameters.output_mode != "text":
            response = await self._answered(messages, model_request_parameters, ask)
            yield CompletedStreamedResponse(
                response, model_request_parameters=model_request_parameters, replay_events=True
            )
            return
        self._follow(messages, model_request_parameters)
        whole = lambda _: latest[-1].get()  # noqa: E731
        turns = self._run.astream(messages, chunks, _added, whole, _read(()), _exchange)
        async with aclosing(turns) as said:
            yield _Stream(said, latest, model_request_parameters)

    def _instructed(self, messages: Sequence[Any], parameters: Any) -> Any:
        """The parameters with a line more among the instructions, for this call alone."""
        line = self._run.guard.instruction
        if not line:
            return parameters
        parts = parameters.instruction_parts
        if parts is None:  # then they would be taken from the last request that has some
            said = (getattr(message, "instructions", None) for message in reversed(messages))
            parts = [pai.InstructionPart(text) for text in islice(filter(None, said), 1)]
        return replace(parameters, instruction_parts=[*parts, pai.InstructionPart(line)])

    def _follow(self, messages: Sequence[Any], parameters: Any) -> None:
        tools = [*parameters.function_tools, *parameters.output_tools]
        self._run.follow(_messages(messages), map(_definition, tools))
        self._run.guard.own = _judge(self.wrapped)

    async def _answered(self, messages: Sequence[Any], parameters: Any, ask: Ask) -> Any:
        self._follow(messages, parameters)
        if self._run.stopped:
            refusal = await self._run.guard.agive_up()
            if parameters.output_mode != "text":
                raise AnswerRefused(refusal.text or "", refusal.report)
            return pai.ModelResponse([pai.TextPart(refusal.text)], model_name=self.model_name)
        outputs = [tool.name for tool in parameters.output_tools]
        settled = await self._run.aanswer(messages, ask, _read(outputs), _exchange)
        response, decision = settled.response, settled.decision
        if settled.text is None:
            return response
        if decision and (response.tool_calls or parameters.output_mode != "text"):
            if decision.action == "emit":
                return response
            raise AnswerRefused(settled.text, decision.report)
        parts = response.parts
        at = next((i for i, p in enumerate(parts) if isinstance(p, pai.TextPart)), len(parts))
        words = [pai.TextPart(settled.text)] if settled.text else []
        others = [part for part in parts[at:] if not isinstance(part, pai.TextPart)]
        return replace(response, parts=[*parts[:at], *words, *others])


def _judge(model: Model) -> LanguageModel:
    async def ask(text: str) -> Completion:
        question = pai.ModelRequest(parts=[pai.UserPromptPart(text)])
        response = await model.request([question], None, ModelRequestParameters())
        used = response.usage
        usage = Usage(used.input_tokens, used.output_tokens) if used.has_values() else None
        return Completion(response.text or "", usage)

    return model_of(model.model_name, ask)


class _Stream(CompletedStreamedResponse):
    """What has been verified of a streamed answer, as a stream of its own."""

    def __init__(self, said: AsyncIterator[Any], latest: Sequence[Any], parameters: Any) -> None:
        super().__init__(pai.ModelResponse([]), model_request_parameters=parameters)
        self._said, self._latest = said, latest

    async def _get_event_iterator(self) -> AsyncIterator[Any]:
        begun = False
        async for came in self._said:
            if isinstance(came, str):
                if not begun:  # providers want the thinking before the words it led to
                    for event in self._parts(self._latest[-1].get(), thinking=True):
                        yield event
                begun = True
                for event in self._parts_manager.handle_text_delta(
                    vendor_part_id="text", content=came
                ):
                    yield event
                continue
            if not begun:
                for event in self._parts(came.response, thinking=True):
                    yield event
            for event in self._parts(came.response, thinking=False):
                yield event
            self.response = came.response

    def get(self) -> Any:
        return replace(self.response, parts=self._parts_manager.get_parts())

    def _parts(self, response: Any, *, thinking: bool) -> Iterator[Any]:
        for part in response.parts:
            if isinstance(part, pai.ThinkingPart) == thinking and not isinstance(
                part, pai.TextPart
            ):
                yield self._parts_manager.handle_part(vendor_part_id=None, part=part)


def _added(event: Any) -> str:
    """The words that an event of the model's stream adds to the answer."""
    match event:
        case pai.PartStartEvent(part=pai.TextPart(content=text)):
            return str(text)
        case pai.PartDeltaEvent(delta=pai.TextPartDelta(content_delta=text)):
            return str(text)
    return ""


def _read(outputs: Sequence[str]) -> Callable[[Any], Said]:
    """``outputs`` are the tools whose call is the answer."""

    def read(response: Any) -> Said:
        for call in response.tool_calls:
            if call.tool_name in outputs:
                return Said(call.args_as_json_str())
        return Said(
            response.text or "",
            calls=bool(response.tool_calls),
            cut_off=response.finish_reason == "length",
        )

    return read


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
