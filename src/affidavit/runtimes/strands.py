"""Strands Agents: a plugin for ``Agent``.

    agent = Agent(model=model, tools=[...], plugins=[GuardPlugin(Detector())])

A stream shows each sentence when it has been verified.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any, Unpack

from affidavit.errors import MissingExtra
from affidavit.guard import AnswerChecker, GuardOptions
from affidavit.models.llm import Completion, LanguageModel, Usage
from affidavit.runtimes.conversation import Conversation, Said, Shown
from affidavit.runtimes.own_model import model_of, tell_of_judge
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

_NO_USAGE = {"inputTokens": 0, "outputTokens": 0, "totalTokens": 0}


class GuardPlugin(Plugin):
    """Checks each call before its tool runs, and each answer before the agent takes it in."""

    name = "affidavit"

    def __init__(self, detector: AnswerChecker, **options: Unpack[GuardOptions]) -> None:
        super().__init__()
        self._detector, self._options = detector, options
        tell_of_judge("Strands Agents", detector)

    def init_agent(self, agent: Any) -> None:
        agent.add_hook(self._begin, BeforeInvocationEvent)
        agent.add_hook(self._check, BeforeToolCallEvent)
        agent.add_hook(self._end, AfterInvocationEvent)
        agent.add_middleware(InvokeModelStage, self._invoke)

    def _begin(self, event: Any) -> None:
        event.invocation_state[_key(event)] = Conversation(self._detector, self._options)

    def _check(self, event: Any) -> None:
        if feedback := event.invocation_state[_key(event)].check(_call(event.tool_use)):
            event.cancel_tool = feedback

    def _end(self, event: Any) -> None:
        event.invocation_state.pop(_key(event)).guard.finish()

    async def _invoke(self, context: Any, next_fn: Any) -> AsyncIterator[Any]:
        run: Conversation = context.invocation_state[_key(context)]
        run.follow(_conversation(context), map(_definition, context.tool_specs or ()))
        run.guard.own = _judge(context.model)
        if run.stopped:
            text = (await run.guard.agive_up()).text or ""
            yield _text_event(text)
            message: Any = {"role": "assistant", "content": [{"text": text}]}
            yield ModelStopReason("end_turn", message, _NO_USAGE, {"latencyMs": 0})
            return

        told: Any = {}
        if line := run.guard.instruction:
            told = {"system_prompt": _instructed(context.system_prompt, line)}

        def ask(shown: Shown) -> AsyncIterator[Any]:
            stream: AsyncIterator[Any] = next_fn(context.replace(messages=shown, **told))
            return stream

        async for came in run.astream(context.messages, ask, _words, list, _said, _exchange):
            if isinstance(came, str):
                yield _text_event(came)
                continue
            for event in came.response:
                if not isinstance(event, ModelStopReason) and not _is_text(event):
                    yield event
            stop = _stop(came.response)
            yield stop if came.text is None else _with_text(stop, came.text)


def _judge(model: Any) -> LanguageModel:
    async def ask(text: str) -> Completion:
        said, usage = "", None
        async for event in model.stream([{"role": "user", "content": [{"text": text}]}]):
            said += event.get("contentBlockDelta", {}).get("delta", {}).get("text", "")
            if used := event.get("metadata", {}).get("usage"):
                usage = Usage(used["inputTokens"], used["outputTokens"])
        return Completion(said, usage)

    config = model.get_config()
    named = config.get("model_id") if isinstance(config, Mapping) else None
    return model_of(named or type(model).__name__, ask)


def _instructed(prompt: Any, line: str) -> Any:
    """The system prompt with a line more, for this call alone."""
    if not prompt:
        return line
    return f"{prompt}\n\n{line}" if isinstance(prompt, str) else [*prompt, {"text": line}]


def _key(event: Any) -> str:
    """Where the run is kept in the state of the invocation, which the agents of a graph share."""
    return f"affidavit-{id(event.agent):x}"


def _words(event: Any) -> str:
    return str(event["data"]) if "data" in event else ""


def _is_text(event: Any) -> bool:
    """Whether an event has words of the draft in it: as such, or as the model's chunk."""
    delta = event.get("event", {}).get("contentBlockDelta", {}).get("delta", {})
    return "data" in event or "text" in delta


def _text_event(text: str) -> Any:
    return TypedEvent({"data": text, "delta": {"text": text}})


def _stop(events: Sequence[Any]) -> Any:
    return next(event for event in reversed(events) if isinstance(event, ModelStopReason))


def _said(events: Sequence[Any]) -> Said:
    stop = _stop(events)
    content = stop.message["content"]
    text = "".join(block["text"] for block in content if "text" in block)
    calls = any("toolUse" in block for block in content)
    return Said(text, calls=calls, cut_off=stop.stop_reason == "max_tokens")


def _exchange(events: Sequence[Any], feedback: str) -> Sequence[Any]:
    draft = {key: _stop(events).message[key] for key in ("role", "content")}
    return [draft, {"role": "user", "content": [{"text": feedback}]}]


def _with_text(came: Any, text: str) -> Any:
    """The end of a turn that says ``text`` in place of its own words."""
    content = came.message["content"]
    at = next((i for i, block in enumerate(content) if "text" in block), len(content))
    words = [{"text": text}] if text else []
    others = [block for block in content[at:] if "text" not in block]
    message = {**came.message, "content": [*content[:at], *words, *others]}
    return ModelStopReason(came.stop_reason, message, came.usage, came.metrics)


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
