"""OpenAI Agents SDK: a guarded model, or a provider of them.

    Runner.run(agent, question, run_config=RunConfig(model_provider=GuardedProvider(Detector())))

The guard stands at the model, so whatever a turn calls (function tools, MCP servers, handoffs) has been
checked before the SDK hears of it. Where the output is structured there is no place for a refusal: an
answer that is blocked raises :class:`~affidavit.errors.AnswerRefused`.
"""

from __future__ import annotations

import uuid
import weakref
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import aclosing
from typing import Any, TypeVar, Unpack

from pydantic import TypeAdapter

from affidavit.errors import AffidavitError, AnswerRefused, MissingExtra
from affidavit.guard import AnswerChecker, Guard, GuardOptions
from affidavit.models.judge import is_judging
from affidavit.runtimes.exchange import Broken, Exchange
from affidavit.runtimes.exchanges import Exchanges
from affidavit.runtimes.identity import Identity, identity_of
from affidavit.runtimes.own_model import JUDGE_SPAN, tell_of_judge
from affidavit.runtimes.verbs import Awaiting
from affidavit.runtimes.wire import Json, OpenAIResponsesWire

try:
    from agents import (
        FunctionTool,
        Handoff,
        Model,
        ModelProvider,
        ModelResponse,
        ModelSettings,
        MultiProvider,
        Usage,
        custom_span,
        get_current_trace,
    )
    from openai.types.responses import ResponseOutputItem, ResponseStreamEvent
except ImportError as error:
    raise MissingExtra("openai-agents", "openai-agents") from error

T = TypeVar("T")

_WIRE = OpenAIResponsesWire()
_of_traces: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()


class GuardedProvider(ModelProvider):
    """Guards the models of ``provider``, by default those that the SDK would take."""

    def __init__(
        self,
        detector: AnswerChecker,
        provider: ModelProvider | None = None,
        **options: Unpack[GuardOptions],
    ) -> None:
        self._provider = provider or MultiProvider()
        self._exchanges = Exchanges(detector, options)
        tell_of_judge("OpenAI Agents SDK", detector)

    def get_model(self, model_name: str | None) -> Model:
        # It is asked at every turn, and a run may go from one model to another.
        return _GuardedModel(self._provider.get_model(model_name), self._exchanges)

    async def aclose(self) -> None:
        await self._provider.aclose()


def guard_model(model: Model, detector: AnswerChecker, **options: Unpack[GuardOptions]) -> Model:
    """``model`` under guard, for an agent that is given its model as an object."""
    tell_of_judge("OpenAI Agents SDK", detector)
    return _GuardedModel(model, Exchanges(detector, options))


class _GuardedModel(Model):
    """The SDK hands a model the whole conversation each time; which run it is of, its trace says."""

    def __init__(self, model: Model, exchanges: Exchanges) -> None:
        self._model, self._exchanges = model, exchanges

    async def close(self) -> None:
        await self._model.close()

    def get_retry_advice(self, request: Any) -> Any:
        return self._model.get_retry_advice(request)

    async def get_response(self, *args: Any, **kwargs: Any) -> Any:
        asking = _Asking(self._model, args, kwargs)
        exchange = self._exchange(asking)
        if exchange is None:
            return await self._model.get_response(*args, **kwargs)
        response = await exchange.complete()
        asking.refuse_structured(exchange.guard, _WIRE.turn(response).text)
        return ModelResponse(
            output=asking.items(response["output"]),
            usage=asking.usage,
            response_id=response["id"] or None,
        )

    async def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        asking = _Asking(self._model, args, kwargs)
        exchange = self._exchange(asking)
        if exchange is None:
            async for event in self._model.stream_response(*args, **kwargs):
                yield event
            return
        events = TypeAdapter(ResponseStreamEvent)
        try:
            async with aclosing(exchange.stream()) as stream:
                async for event in stream:
                    if event["type"] == "response.output_text.delta":
                        asking.refuse_structured(exchange.guard, event["delta"])
                    yield events.validate_python(event)
        except Broken as broken:
            if "type" not in broken.event:
                raise AffidavitError(str(broken)) from broken
            yield events.validate_python(broken.event)  # the SDK knows what to make of it

    def _exchange(self, asking: _Asking) -> Exchange | None:
        return self._exchanges.begin(_WIRE, asking.body, asking, _identity())


def _identity() -> Identity:
    """The SDK asks a model in tasks of its own, and traces each run in a context that they inherit."""
    named = identity_of({}, in_process=True)
    trace = get_current_trace()
    if named.named or trace is None:
        return named
    return Identity(run=_of_traces.setdefault(trace, uuid.uuid4().hex))


class _Asking(Awaiting):
    """One call of the SDK: its arguments as JSON, and how the model behind is asked."""

    _NAMES = ("system_instructions", "input", "model_settings", "tools", "output_schema", "handoffs",
              "tracing")  # fmt: skip

    def __init__(self, model: Model, args: Sequence[Any], kwargs: dict[str, Any]) -> None:
        self._model = model
        self._asked = {**dict(zip(self._NAMES, args, strict=False)), **kwargs}
        self._originals: dict[int, tuple[Json, Any]] = {}
        self.usage = Usage()
        schema = self._asked["output_schema"]
        self.structured = schema is not None and not schema.is_plain_text()
        named = getattr(model, "model", None)
        known = {
            "model": named if isinstance(named, str) else type(model).__name__,
            "instructions": self._asked["system_instructions"],
            "previous_response_id": self._asked.get("previous_response_id"),
            "conversation": self._asked.get("conversation_id"),
        }
        self.body: Json = {
            "input": self._asked["input"],
            "tools": [
                _declared(tool) for tool in (*self._asked["tools"], *self._asked["handoffs"])
            ],
            **{key: value for key, value in known.items() if value},
        }

    async def beside(self, asking: Coroutine[Any, Any, T]) -> T:
        with custom_span(JUDGE_SPAN):
            return await asking

    async def send(self, body: Json) -> _Reply:
        if is_judging():
            return _Reply(self, self._model, self._question(body["input"]))
        again = {
            **self._asked,
            "system_instructions": body.get("instructions"),
            "input": body["input"],
            "previous_response_id": body.get("previous_response_id"),
        }
        return _Reply(self, self._model, again)

    def _question(self, text: str) -> dict[str, Any]:
        """The arguments of a call without tools and without the conversation, to where the agent's own calls go."""
        given = self._asked["model_settings"]
        reached = {"extra_headers": given.extra_headers, "extra_query": given.extra_query}
        return {
            "system_instructions": None,
            "input": text,
            "model_settings": ModelSettings(store=False, **reached),
            "tools": [],
            "output_schema": None,
            "handoffs": [],
            "tracing": self._asked["tracing"],
            "previous_response_id": None,
            "conversation_id": None,
            "prompt": None,
        }

    def taken(self, response: Any) -> Json:
        """A response of the model as JSON. Its items are remembered, to be handed on as they are."""
        self.usage.add(response.usage)
        output = [_json(item) for item in response.output]
        for made, item in zip(output, response.output, strict=True):
            self._originals[id(made)] = (made, item)
        used = response.usage
        return {
            "id": response.response_id or "",
            "status": "completed",
            "output": output,
            "usage": {
                "input_tokens": used.input_tokens,
                "input_tokens_details": _json(used.input_tokens_details),
                "output_tokens": used.output_tokens,
                "output_tokens_details": _json(used.output_tokens_details),
                "total_tokens": used.input_tokens + used.output_tokens,
            },
        }

    def items(self, output: Sequence[Json]) -> list[Any]:
        read = TypeAdapter(ResponseOutputItem)
        return [
            self._originals[id(item)][1]
            if id(item) in self._originals
            else read.validate_python(item)
            for item in output
        ]

    def refuse_structured(self, guard: Guard, text: str) -> None:
        report = guard.report
        if self.structured and report is not None and report.action == "block" and not guard.shadow:
            raise AnswerRefused(text, report)


class _Reply:
    """What the model said, in one piece or as events."""

    ok = True

    def __init__(self, asking: _Asking, model: Model, asked: dict[str, Any]) -> None:
        self._asking, self._model, self._asked = asking, model, asked

    async def json(self) -> Json:
        return self._asking.taken(await self._model.get_response(**self._asked))

    async def text(self) -> str:
        return ""

    async def events(self) -> AsyncIterator[Json]:
        async for event in self._model.stream_response(**self._asked):
            yield _json(event)

    async def close(self) -> None:
        pass


def _json(item: Any) -> Json:
    if isinstance(item, dict):
        return item
    dumped: Json = item.model_dump(mode="json", exclude_unset=True, warnings=False)
    return dumped


def _declared(tool: Any) -> Json:
    match tool:
        case FunctionTool():
            return {
                "type": "function",
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.params_json_schema,
            }
        case Handoff():
            return {
                "type": "function",
                "name": tool.tool_name,
                "description": tool.tool_description,
                "parameters": tool.input_json_schema,
            }
    return {"type": tool.name}
