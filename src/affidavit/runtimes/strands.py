"""Strands Agents: a plugin for ``Agent``.

    agent = Agent(model=model, tools=[...], plugins=[GuardPlugin(Detector())])

Streams are held back until the answer is judged.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, Unpack

from affidavit.errors import MissingExtra
from affidavit.guard import AnswerChecker, GuardOptions
from affidavit.runtimes.conversation import Conversation, Said, Shown
from affidavit.trace import (
    ContentPart,
    DataPart,
    Message,
    Part,
    ReasoningPart,
    TextPart,
    ToolCallPart,
    ToolDefinition,
    ToolResultPart,
    UnknownPart,
)

try:
    from strands.hooks import AfterInvocationEvent, BeforeInvocationEvent, BeforeToolCallEvent
    from strands.middleware import InvokeModelStage, ModelStopReason, TypedEvent
    from strands.plugins import Plugin
except ImportError as error:
    raise MissingExtra("strands-agents", "strands") from error

_KEY = "affidavit"
"""Where the run is kept in the state that Strands hands through one invocation."""


class GuardPlugin(Plugin):
    """Checks each call before its tool runs, and each answer before the agent takes it in."""

    name = "affidavit"

    def __init__(self, detector: AnswerChecker, **options: Unpack[GuardOptions]) -> None:
        super().__init__()
        self._detector, self._options = detector, options

    def init_agent(self, agent: Any) -> None:
        agent.add_hook(self._begin, BeforeInvocationEvent)
        agent.add_hook(self._check, BeforeToolCallEvent)
        agent.add_hook(self._end, AfterInvocationEvent)
        agent.add_middleware(InvokeModelStage, self._invoke)

    def _begin(self, event: Any) -> None:
        event.invocation_state[_KEY] = Conversation(self._detector, self._options)

    def _check(self, event: Any) -> None:
        if feedback := event.invocation_state[_KEY].check(_call(event.tool_use)):
            event.cancel_tool = feedback

    def _end(self, event: Any) -> None:
        event.invocation_state.pop(_KEY).guard.finish()

    async def _invoke(self, context: Any, next_fn: Any) -> AsyncIterator[Any]:
        run: Conversation = context.invocation_state[_KEY]
        run.follow(_conversation(context), map(_definition, context.tool_specs or ()))
        if run.stopped:
            for event in _events((await run.guard.agive_up()).text or "", None):
                yield event
            return

        async def ask(shown: Shown) -> list[Any]:
            return [event async for event in next_fn(context.replace(messages=shown))]

        settled = await run.aanswer(context.messages, ask, _said, _exchange)
        came, text = settled.response, settled.text
        for event in came if text is None else _events(text, _stop(came)):
            yield event


def _stop(events: Sequence[Any]) -> Any:
    return next(event for event in reversed(events) if isinstance(event, ModelStopReason))


def _said(events: Sequence[Any]) -> Said:
    content = _stop(events).message["content"]
    text = "".join(block["text"] for block in content if "text" in block)
    return Said(text, calls=any("toolUse" in block for block in content))


def _exchange(events: Sequence[Any], feedback: str) -> Sequence[Any]:
    draft = {key: _stop(events).message[key] for key in ("role", "content")}
    return [draft, {"role": "user", "content": [{"text": feedback}]}]


def _events(text: str, came: Any) -> Iterator[Any]:
    """The events of a turn that says ``text`` in place of what came."""
    words = [{"text": text}] if text else []
    if words:
        yield TypedEvent({"data": text, "delta": words[0]})
    if came is None:
        usage = {"inputTokens": 0, "outputTokens": 0, "totalTokens": 0}
        message: Any = {"role": "assistant", "content": words}
        yield ModelStopReason("end_turn", message, usage, {"latencyMs": 0})
    else:
        others = [block for block in came.message["content"] if "text" not in block]
        message = {**came.message, "content": [*words, *others]}
        yield ModelStopReason(came.stop_reason, message, came.usage, came.metrics)


def _conversation(context: Any) -> Iterator[Message]:
    prompt = context.system_prompt
    blocks = [{"text": prompt}] if isinstance(prompt, str) else prompt or []
    yield Message(role="system", parts=tuple(_parts(blocks)))
    for message in context.messages:
        yield Message(role=message["role"], parts=tuple(_parts(message["content"])))


def _parts(blocks: Sequence[Any]) -> Iterator[Part]:
    for block in blocks:
        match block:
            case {"text": str(text)}:
                yield TextPart(text=text)
            case {"toolUse": use}:
                yield _call(use)
            case {"toolResult": result}:
                yield ToolResultPart(
                    id=result["toolUseId"],
                    content=tuple(map(_content, result["content"])),
                    is_error=result.get("status") == "error",
                )
            case {"reasoningContent": {"reasoningText": {"text": text}}}:
                yield ReasoningPart(text=text)
            case {"cachePoint": _}:
                pass
            case _:
                yield UnknownPart(kind=next(iter(block), ""), raw=repr(block))


def _content(block: Any) -> ContentPart:
    if "text" in block:
        return TextPart(text=block["text"])
    if "json" in block:
        return DataPart(value=block["json"])
    return UnknownPart(kind=next(iter(block), ""), raw=repr(block))


def _call(use: Any) -> ToolCallPart:
    return ToolCallPart(id=use["toolUseId"], name=use["name"], arguments=use["input"])


def _definition(spec: Any) -> ToolDefinition:
    schema = spec["inputSchema"]
    return ToolDefinition(
        name=spec["name"],
        description=spec.get("description", ""),
        input_schema=schema.get("json", schema),
    )
