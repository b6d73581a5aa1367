"""The proxy as an exchange's host: its first reply is there already, others go over its routing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Coroutine
from typing import Any, TypeVar

from affidavit.models.judge import is_judging
from affidavit.runtimes.own_model import JUDGE_SPAN
from affidavit.runtimes.sse import read_events
from affidavit.runtimes.verbs import Awaiting
from affidavit.runtimes.wire import AnthropicWire, Json, OpenAIChatWire, Wire

T = TypeVar("T")

# What a request of the proxy carries along for accounting, which holds for what is asked again, too.
_TOLD = ("metadata", "litellm_metadata")
_KEPT = (*_TOLD, "user_api_key_dict", "api_key", "api_base")


class ProxyHost(Awaiting):
    """Asks by the proxy's router where it runs, else by the library."""

    def __init__(self, wire: Wire, data: Json, first: Any) -> None:
        self._wire, self._data = wire, data
        self._first: Any | None = first
        asked = (data.get("proxy_server_request") or {}).get("body") or data
        # Other hooks may have changed what the caller sent.
        self.body: Json = {k: data.get(k, asked[k]) for k in asked}

    async def beside(self, asking: Coroutine[Any, Any, T]) -> T:
        return await asking

    async def send(self, body: Json) -> Reply:
        if self._first is not None:
            first, self._first = self._first, None
            return Reply(first)
        carried = {k: self._data[k] for k in _KEPT if k in self._data and k not in body}
        if is_judging():
            carried |= {k: _as_judge(carried[k]) for k in _TOLD if k in carried}
        return Reply(await self._ask()(**carried, **body))

    def _ask(self) -> Any:
        import litellm

        router = _router()
        if isinstance(self._wire, OpenAIChatWire):
            return router.acompletion if router else litellm.acompletion
        if isinstance(self._wire, AnthropicWire):
            return router.aanthropic_messages if router else litellm.anthropic_messages
        return router.aresponses if router else litellm.aresponses


def _as_judge(told: Any) -> Json:
    """What loggers are told of a request, where it is a question to a judge."""
    told = told or {}
    seen = told.get("spend_logs_metadata") or {}
    named = {"generation_name": JUDGE_SPAN, "spend_logs_metadata": {**seen, "affidavit": "judge"}}
    return {**told, **named}


class Reply:
    """A response of LiteLLM: an object, or an iterator of chunks. Its errors are exceptions."""

    ok = True

    def __init__(self, response: Any) -> None:
        self._response = response

    async def json(self) -> Json:
        return as_json(self._response)

    async def text(self) -> str:
        return ""

    async def events(self) -> AsyncIterator[Json]:
        async for event in _events(self._response):
            yield event

    async def close(self) -> None:
        if close := getattr(self._response, "aclose", None):
            await close()


def as_json(response: Any) -> Json:
    """A response as its wire format has it."""
    if isinstance(response, dict):
        return response
    found: Json = response.model_dump(mode="json", exclude_none=True)
    return found


async def _events(chunks: AsyncIterator[Any]) -> AsyncIterator[Json]:
    """Chat chunks come as objects, the events of Anthropic as the bytes of its stream."""

    async def raw(first: Any) -> AsyncIterator[bytes]:
        yield _bytes(first)
        async for chunk in chunks:
            yield _bytes(chunk)

    async for chunk in chunks:
        if isinstance(chunk, bytes | str):
            async for event in read_events(raw(chunk)):
                yield event
        else:
            yield as_json(chunk)


def _bytes(chunk: bytes | str) -> bytes:
    return chunk if isinstance(chunk, bytes) else chunk.encode()


def _router() -> Any:
    """The router of the proxy that this process runs, if it does."""
    import sys

    proxy = sys.modules.get("litellm.proxy.proxy_server")
    return getattr(proxy, "llm_router", None)
