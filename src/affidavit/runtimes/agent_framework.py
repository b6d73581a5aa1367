"""Microsoft Agent Framework: a middleware for ``Agent``.

    agent = Agent(client=client, tools=[...], middleware=[GuardMiddleware(Detector())])

A stream shows each sentence when it has been verified. Where a ``response_format`` is asked for there is no
place for a refusal: an answer that is blocked raises :class:`~affidavit.errors.AnswerRefused`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from typing import Any, Unpack

from affidavit._content import content_parts
from affidavit.errors import AnswerRefused, MissingExtra
from affidavit.formats.node import Node
from affidavit.formats.parts import tool_call
from affidavit.guard import AnswerChecker, GuardOptions
from affidavit.models.llm import Completion, LanguageModel, Usage
from affidavit.runtimes.conversation import Conversation, Said, Settled, Shown
from affidavit.runtimes.own_model import model_of, tell_of_judge
from affidavit.trace import (
    Message,
    Part,
    ReasoningPart,
    Role,
    TextPart,
    ToolDefinition,
    ToolResultPart,
    UnknownPart,
)

try:
    import agent_framework as af
except ImportError as error:
    raise MissingExtra("agent-framework-core", "agent-framework") from error

Next = Callable[[], Awaitable[None]]

_REJECTED = {"affidavit": "rejected"}
"""Marks the answer to a call that was not run: sessions keep it, and it is no evidence later on."""


class GuardMiddleware(af.AgentMiddleware):
    """Checks each call before its tool runs, and each answer before the agent takes it in."""

    def __init__(self, detector: AnswerChecker, **options: Unpack[GuardOptions]) -> None:
        self._detector, self._options = detector, options
        tell_of_judge("Microsoft Agent Framework", detector)

    async def process(self, context: Any, call_next: Next) -> None:
        run = Conversation(self._detector, self._options)
        given = context.client_kwargs.get("middleware") or ()
        own = [_FunctionGuard(run), _ChatGuard(run)]
        context.client_kwargs = {**context.client_kwargs, "middleware": [*given, *own]}
        if context.stream:
            context.stream_cleanup_hooks.append(lambda: run.guard.finish())
            await call_next()
            return
        try:
            await call_next()
        finally:
            run.guard.finish()


class _FunctionGuard(af.FunctionMiddleware):
    def __init__(self, run: Conversation) -> None:
        self._run = run

    async def process(self, context: Any, call_next: Next) -> None:
        arguments = context.arguments
        if hasattr(arguments, "model_dump"):
            arguments = arguments.model_dump(mode="json")
        call = tool_call(context.metadata["call_id"], context.function.name, Node(arguments))
        feedback = await self._run.acheck(call)
        if feedback is None:
            await call_next()
        else:
            context.result = [af.Content.from_text(feedback, additional_properties=_REJECTED)]


class _ChatGuard(af.ChatMiddleware):
    def __init__(self, run: Conversation) -> None:
        self._run = run

    async def process(self, context: Any, call_next: Next) -> None:
        run, shown = self._run, list(context.messages)
        options = context.options or {}
        run.follow(_messages(shown, options), map(_definition, options.get("tools") or ()))
        run.guard.own = _judge(context.client, options.get("model"))
        if line := run.guard.instruction:
            told = "\n\n".join(part for part in (options.get("instructions"), line) if part)
            context.options = {**options, "instructions": told}
        structured = bool(options.get("response_format"))
        if run.stopped:
            decision = await run.guard.agive_up()
            if structured:
                raise AnswerRefused(decision.text or "", decision.report)
            refusal = af.ChatResponse(messages=[af.Message("assistant", [decision.text])])
            context.result = _stream(refusal) if context.stream else refusal
        elif context.stream and not structured:
            context.result = self._streamed(context, shown, call_next)
        else:
            response = await self._answered(context, shown, call_next, structured=structured)
            context.result = _stream(response) if context.stream else response

    async def _answered(
        self, context: Any, shown: Shown, call_next: Next, *, structured: bool
    ) -> Any:
        async def ask(messages: Shown) -> Any:
            context.messages = messages
            await call_next()
            came = context.result
            return await came.get_final_response() if context.stream else came

        settled = await self._run.aanswer(shown, ask, _said, _exchange)
        context.messages = shown
        if structured and settled.decision is not None:
            if settled.decision.action == "emit":
                return settled.response
            raise AnswerRefused(settled.text or "", settled.decision.report)
        return settled.response if settled.text is None else _with_text(settled)

    def _streamed(self, context: Any, shown: Shown, call_next: Next) -> Any:
        """A stream that asks the model when it is read, and shows what has been verified."""
        ended: list[Any] = []

        async def ask(messages: Shown) -> AsyncIterator[Any]:
            context.messages = messages
            await call_next()
            async for update in context.result:
                yield update

        async def updates() -> AsyncIterator[Any]:
            whole = af.ChatResponse.from_updates
            async for came in self._run.astream(shown, ask, _words, whole, _said, _exchange):
                if isinstance(came, str):
                    yield af.ChatResponseUpdate(contents=[af.Content.from_text(came)])
                    continue
                response = came.response if came.text is None else _with_text(came)
                ended.append(response)
                async for update in _updates(response):
                    update.contents = [c for c in update.contents if c.type != "text"]
                    yield update

        return af.ResponseStream(updates(), finalizer=lambda _: ended[-1])


def _judge(client: Any, model: str | None) -> LanguageModel:
    async def ask(text: str) -> Completion:
        options = {"model": model} if model else {}
        response = await client.get_response([af.Message("user", [text])], options=options)
        used = response.usage_details or {}
        counts = used.get("input_token_count"), used.get("output_token_count")
        usage = Usage(*(count or 0 for count in counts)) if any(counts) else None
        return Completion(_said(response).text, usage)

    named = model or getattr(client, "model", None)
    return model_of(named if isinstance(named, str) else type(client).__name__, ask)


def _words(update: Any) -> str:
    return "".join(content.text for content in update.contents if content.type == "text")


def _said(response: Any) -> Said:
    contents = [content for message in response.messages for content in message.contents]
    text = "".join(content.text for content in contents if content.type == "text")
    calls = any(content.type == "function_call" for content in contents)
    return Said(text, calls=calls, cut_off=response.finish_reason == "length")


def _exchange(response: Any, feedback: str) -> Sequence[Any]:
    return [*response.messages, af.Message("user", [feedback])]


def _with_text(settled: Settled[Any]) -> Any:
    """The response with another text in place of its own, put together anew: it is not ours."""
    response = settled.response
    contents = [content for message in response.messages for content in message.contents]
    at = next((i for i, c in enumerate(contents) if c.type == "text"), len(contents))
    words = [af.Content.from_text(settled.text)] if settled.text else []
    others = [content for content in contents[at:] if content.type != "text"]
    return af.ChatResponse(
        messages=[af.Message("assistant", [*contents[:at], *words, *others])],
        response_id=response.response_id,
        conversation_id=response.conversation_id,
        model=response.model,
        created_at=response.created_at,
        finish_reason=response.finish_reason,
        usage_details=response.usage_details,
    )


def _stream(response: Any) -> Any:
    return af.ResponseStream(_updates(response), finalizer=lambda _: response)


async def _updates(response: Any) -> AsyncIterator[Any]:
    for message in response.messages:
        yield af.ChatResponseUpdate(
            contents=message.contents,
            role=message.role,
            author_name=message.author_name,
            message_id=message.message_id,
            response_id=response.response_id,
            conversation_id=response.conversation_id,
            model=response.model,
            created_at=response.created_at,
            finish_reason=response.finish_reason,
        )


def _messages(messages: Sequence[Any], options: Any) -> Iterator[Message]:
    if instructions := options.get("instructions"):
        yield Message(role="system", parts=(TextPart(text=instructions),))
    for message in messages:
        parts = tuple(part for part in map(_part, message.contents) if part is not None)
        yield Message(role=_ROLES.get(str(message.role), "user"), parts=parts)


_ROLES: dict[str, Role] = {"system": "system", "assistant": "assistant", "tool": "tool"}


def _part(content: Any) -> Part | None:
    match content.type:
        case "text":
            return TextPart(text=content.text)
        case "text_reasoning":
            return ReasoningPart(text=content.text or "")
        case "function_call":
            return tool_call(content.call_id, content.name, Node(content.arguments or {}))
        case "function_result":
            items = content.items or ()
            texts = tuple(TextPart(text=i.text) for i in items if i.type == "text")
            rejected = any("affidavit" in i.additional_properties for i in items)
            return ToolResultPart(
                id=content.call_id,
                content=texts or content_parts(content.result),
                is_error=rejected or content.exception is not None,
            )
        case "usage":
            return None
        case kind:
            return UnknownPart(kind=kind, raw=repr(content))


def _definition(tool: Any) -> ToolDefinition:
    if isinstance(tool, af.FunctionTool):
        return ToolDefinition(
            name=tool.name, description=tool.description, input_schema=tool.parameters()
        )
    name = tool.get("type") if isinstance(tool, dict) else getattr(tool, "name", None)
    return ToolDefinition(name=name or type(tool).__name__)
