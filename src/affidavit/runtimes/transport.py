"""The guard as an HTTP transport of a model SDK's client.

It stands where every request of the SDK passes, so that nothing of it goes around the guard: plain
calls, streams, helpers that run tools, raw responses, clients of Azure. What the SDK hands its caller
are its own types, made from what the guard lets through.
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, TypeVar

from affidavit.guard import AnswerChecker, GuardOptions
from affidavit.runtimes.exchange import Exchange, Failed, Host, Unreadable
from affidavit.runtimes.exchanges import Exchanges, Unguardable
from affidavit.runtimes.sse import read_events, write_event
from affidavit.runtimes.verbs import Awaiting, Waiting
from affidavit.runtimes.wire import Json, Wire

T = TypeVar("T")
WireOf = Callable[[str], Wire | None]
"""The wire format of a request, by the path of its URL; None for what is none of the guard's business."""

_OF_THE_BODY = frozenset({"content-length", "content-encoding", "transfer-encoding"})


def guarded(client: Any, wire_of: WireOf, detector: AnswerChecker, options: GuardOptions) -> Any:
    """A copy of an SDK's client whose requests are guarded. ``client`` stays as it is."""
    return client.copy(http_client=guarded_http(client._client, wire_of, detector, options))


def guarded_http(
    inner: Any, wire_of: WireOf, detector: AnswerChecker, options: GuardOptions
) -> Any:
    """An HTTP client that sends through ``inner``, with the guard between."""
    library = inner_library(inner)
    # Told apart by what they are, not by name: Azure's clients and subclasses are either.
    asynchronous = isinstance(inner, library.AsyncClient)
    transport = (_AsyncTransport if asynchronous else _Transport)(
        library, inner, wire_of, detector, options
    )
    make = library.AsyncClient if asynchronous else library.Client
    return make(transport=transport, timeout=inner.timeout)


def inner_library(http_client: Any) -> Any:
    """The HTTP library of a client: recent SDKs are built on httpx2, those before on httpx."""
    for cls in type(http_client).__mro__:
        package = sys.modules.get(cls.__module__.partition(".")[0])
        if cls.__name__ in ("Client", "AsyncClient") and hasattr(package, "BaseTransport"):
            return package
    raise TypeError(f"{type(http_client).__name__} is not a client of httpx")


class _Transport:
    """For synchronous clients. The asynchronous core never has to wait here, and is run in steps."""

    def __init__(
        self,
        library: Any,
        inner: Any,
        wire_of: WireOf,
        detector: AnswerChecker,
        options: GuardOptions,
    ) -> None:
        self._library, self._inner, self._wire_of = library, inner, wire_of
        self._exchanges = Exchanges(detector, options)

    def handle_request(self, request: Any) -> Any:
        return _at_once(self._handle(request))

    def __enter__(self) -> _Transport:
        return self

    def __exit__(self, *exc: object) -> None:
        pass  # the connections are the caller's client's own

    def close(self) -> None:
        pass

    async def _handle(self, request: Any) -> Any:
        wire = self._wire_of(request.url.path) if request.method == "POST" else None
        body = _object(request.content) if wire else None
        if wire is None or body is None:
            return await self._send(request)
        try:
            exchange = self._exchanges.begin(wire, body, self._host(request))
        except Unguardable as fault:
            return self._library.Response(400, json=fault.body)
        if exchange is None:
            return await self._send(request)
        try:
            return await (self._streamed(exchange) if wire.streams(body) else self._whole(exchange))
        except Failed as failed:
            return failed.reply.response  # type: ignore[attr-defined]
        except Unreadable as unread:
            return self._library.Response(502, json=wire.error(str(unread)))

    async def _whole(self, exchange: Exchange) -> Any:
        response = await exchange.complete()
        return self._library.Response(200, json=response)

    async def _streamed(self, exchange: Exchange) -> Any:
        events = exchange.stream()
        # The first event tells whether there is a stream at all, or an error to hand on.
        first = await anext(events, None)

        async def content() -> AsyncIterator[bytes]:
            try:
                if first is not None:
                    yield write_event(first)
                async for event in events:
                    yield write_event(event)
                if end := exchange.wire.end_mark:
                    yield end
            except Failed as failed:
                # The status has gone out, so the error follows as the API would send it by then.
                told = await failed.reply.text()
                yield write_event(_object(told.encode()) or exchange.wire.error(told))
            except Unreadable as unread:
                yield write_event(exchange.wire.error(str(unread)))
            finally:
                await events.aclose()

        headers = {"content-type": "text/event-stream; charset=utf-8"}
        return self._library.Response(200, headers=headers, content=self._content(content()))

    def _content(self, chunks: AsyncIterator[bytes]) -> Any:
        return _in_steps(chunks)

    async def _send(self, request: Any) -> Any:
        return self._inner.send(request, stream=True)

    def _host(self, request: Any) -> Host:
        return _Host(self._library, self._inner, request)


class _AsyncTransport(_Transport):
    """For asynchronous clients."""

    async def handle_async_request(self, request: Any) -> Any:
        return await self._handle(request)

    async def __aenter__(self) -> _AsyncTransport:
        return self

    async def __aexit__(self, *exc: object) -> None:
        pass

    async def aclose(self) -> None:
        pass

    def _content(self, chunks: AsyncIterator[bytes]) -> Any:
        return chunks

    async def _send(self, request: Any) -> Any:
        return await self._inner.send(request, stream=True)

    def _host(self, request: Any) -> Host:
        return _AsyncHost(self._library, self._inner, request)


class _Reply:
    """What the model API answered, read through a synchronous client."""

    def __init__(self, response: Any) -> None:
        self.response = response

    @property
    def ok(self) -> bool:
        return bool(self.response.is_success)

    async def json(self) -> Json:
        self.response.read()
        return self._decoded()

    async def text(self) -> str:
        self.response.read()
        return str(self.response.text)

    async def events(self) -> AsyncIterator[Json]:
        async def chunks() -> AsyncIterator[bytes]:
            for chunk in self.response.iter_bytes():
                yield chunk

        async for event in read_events(chunks()):
            yield event

    async def close(self) -> None:
        self.response.close()

    def _decoded(self) -> Json:
        found = _object(self.response.content)
        if found is None:
            raise ValueError("the model API answered with something that is not a JSON object")
        return found


class _AsyncReply(_Reply):
    async def text(self) -> str:
        await self.response.aread()
        return str(self.response.text)

    async def json(self) -> Json:
        await self.response.aread()
        return self._decoded()

    async def events(self) -> AsyncIterator[Json]:
        async for event in read_events(self.response.aiter_bytes()):
            yield event

    async def close(self) -> None:
        await self.response.aclose()


class _Sender:
    """Sends the caller's request with other bodies."""

    def __init__(self, library: Any, inner: Any, request: Any) -> None:
        self._library, self._inner, self._request = library, inner, request

    def _asking(self, body: Json) -> Any:
        """The caller's request with another body."""
        request = self._request
        headers = [
            (k, v) for k, v in request.headers.multi_items() if k.lower() not in _OF_THE_BODY
        ]
        return self._library.Request(
            request.method,
            request.url,
            headers=headers,
            content=json.dumps(body, ensure_ascii=False).encode(),
            extensions=request.extensions,
        )


class _Host(Waiting, _Sender):
    async def send(self, body: Json) -> _Reply:
        return _Reply(self._inner.send(self._asking(body), stream=True))


class _AsyncHost(Awaiting, _Sender):
    async def send(self, body: Json) -> _Reply:
        return _AsyncReply(await self._inner.send(self._asking(body), stream=True))


def _object(content: bytes) -> Json | None:
    try:
        found = json.loads(content)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _at_once(coroutine: Any) -> Any:
    """The result of a coroutine that never waits."""
    try:
        coroutine.send(None)
    except StopIteration as done:
        return done.value
    raise RuntimeError("a synchronous exchange waited for a loop")


def _in_steps(chunks: AsyncIterator[T]) -> Iterator[T]:
    """An asynchronous iterator that never waits, as a plain one."""
    try:
        while True:
            try:
                yield _at_once(anext(chunks))
            except StopAsyncIteration:
                return
    finally:
        close = getattr(chunks, "aclose", None)
        if close is not None:
            _at_once(close())
