"""The guard as an HTTP transport of a model SDK's client.

It stands where every request of the SDK passes, so that nothing of it goes around the guard: plain
calls, streams, helpers that run tools, raw responses, clients of Azure and other clouds. What the SDK
hands its caller are its own types, made from what the guard lets through. A path that it does not know
is refused: see :mod:`affidavit.runtimes.routes`.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from affidavit.guard import AnswerChecker, GuardOptions
from affidavit.models.judge import is_judging
from affidavit.runtimes import aws_frames
from affidavit.runtimes.exchange import Broken, Exchange, Failed, Host, Unreadable
from affidavit.runtimes.exchanges import Exchanges, Unguardable
from affidavit.runtimes.identity import Identity, identity_of
from affidavit.runtimes.own_model import tell_of_judge
from affidavit.runtimes.released import Released
from affidavit.runtimes.routes import NO_TABLE, WEBSOCKET, Route, Routes, allowed, below
from affidavit.runtimes.sse import write_event
from affidavit.runtimes.upstream import (
    AsyncUpstream,
    Sign,
    Upstream,
    decoded_object,
    is_signed,
    without_run,
)
from affidavit.runtimes.verbs import at_once
from affidavit.runtimes.wire import Json, Wire

_log = logging.getLogger("affidavit.runtimes")

T = TypeVar("T")
METHOD_OVERRIDE = "x-http-method-override"
RoutesOf = Callable[[Any], Routes]
"""The routes of the API that a request is for."""


@dataclass(frozen=True)
class Paths:
    """What a guarded client does with the paths of its API."""

    routes_of: RoutesOf
    base: str = ""
    """The path of the API's address, below which its own paths begin."""
    allow_unguarded: tuple[str, ...] = ()
    """Patterns of paths that the deployment lets go past the guard."""
    in_process: bool = True
    """Whether the code that asks is that which runs here: not so in a gateway."""


def guarded(
    client: Any,
    routes: Routes,
    detector: AnswerChecker,
    options: GuardOptions,
    allow_unguarded: Iterable[str] = (),
) -> Any:
    """A copy of an SDK's client whose requests are guarded. ``client`` stays as it is."""
    tell_of_judge(type(client).__name__, detector)
    paths = Paths(lambda _: routes, client.base_url.path, tuple(allow_unguarded))
    http = guarded_http(
        client._client, paths, detector, options, getattr(client, "_prepare_request", None)
    )
    return without_websockets(client.copy(http_client=http), paths)


def guarded_http(
    inner: Any,
    paths: Paths,
    detector: AnswerChecker,
    options: GuardOptions,
    sign: Sign | None = None,
) -> Any:
    """An HTTP client that sends through ``inner``, with the guard between. ``sign`` signs requests that
    came signed over their body."""
    library = inner_library(inner)
    # Told apart by what they are, not by name: Azure's clients and subclasses are either.
    asynchronous = isinstance(inner, library.AsyncClient)
    transport = (_AsyncTransport if asynchronous else _Transport)(
        library, inner, paths, Exchanges(detector, options), sign
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


NO_WEBSOCKETS = (
    "affidavit: what a model says over a WebSocket cannot be guarded; "
    f"allow_unguarded=[{WEBSOCKET!r}] lets it go past"
)


class _NoWebSockets:
    """Stands where a client has the address of its WebSockets, and is quoted in the error that follows."""

    def __repr__(self) -> str:
        return NO_WEBSOCKETS


def refuses_websockets(http_client: Any) -> bool:
    """Whether an HTTP client is one of :func:`guarded_http` whose deployment has not opened WebSockets."""
    transport = getattr(http_client, "_transport", None)
    return isinstance(transport, _Transport) and not transport.opens_websockets


def without_websockets(client: Any, paths: Paths) -> Any:
    """``client``, with no address for connections that do not go over its HTTP client."""
    if hasattr(client, "websocket_base_url") and WEBSOCKET not in paths.allow_unguarded:
        client.websocket_base_url = _NoWebSockets()
    return client


class _Transport:
    """For synchronous clients. The asynchronous core never has to wait here, and is run in steps."""

    def __init__(
        self, library: Any, inner: Any, paths: Paths, exchanges: Exchanges, sign: Sign | None
    ) -> None:
        self._library, self._inner, self._paths = library, inner, paths
        self._exchanges, self._sign = exchanges, sign
        self._released = Released()

    @property
    def opens_websockets(self) -> bool:
        return WEBSOCKET in self._paths.allow_unguarded

    def handle_request(self, request: Any) -> Any:
        return at_once(self._handle(request))

    def __enter__(self) -> _Transport:
        return self

    def __exit__(self, *exc: object) -> None:
        pass  # the connections are the caller's client's own

    def close(self) -> None:
        pass

    async def _handle(self, request: Any) -> Any:
        if (
            is_judging()
        ):  # a judge asked over a guarded client: what it says is for the guard itself
            return await self._send(request)
        routes, path = self._paths.routes_of(request), request.url.path
        route = routes.of(request.method, path, base=self._paths.base)
        if METHOD_OVERRIDE in request.headers:  # what was asked for is not what the line says
            route = Route("unknown")
        identity = identity_of(request.headers, in_process=self._paths.in_process)
        match route.standing:
            case "guarded":
                assert route.wire is not None
                return await self._guarded(request, route, route.wire, identity)
            case "harmless":
                if route.id is not None:
                    self._released.forget(identity, route.id)
                return await self._send(request)
            case "kept":
                kept = self._kept(request, route, identity)
                if kept is not None:
                    return kept
        if allowed(self._paths.allow_unguarded, path, self._paths.base):
            return await self._send(request)
        return self._refused(request, routes, route)

    async def _guarded(self, request: Any, route: Route, wire: Wire, identity: Identity) -> Any:
        body = decoded_object(await self._body(request))
        if body is None:
            told = wire.error("a guarded request is a JSON object, sent as it is")
            return self._library.Response(400, json=told)
        if is_signed(request.headers) and self._sign is None:
            told = wire.error("a request that is signed over its body cannot be asked again")
            return self._library.Response(400, json=told)
        try:
            exchange = self._exchanges.begin(
                wire, body, self._host(request, route.framing), identity
            )
        except Unguardable as fault:
            return self._library.Response(400, json=fault.body)
        if exchange is None:
            return await self._send(request)
        try:
            if wire.streams(body):
                return await self._streamed(exchange, body, route.framing, identity)
            response = await exchange.complete()
        except Failed as failed:
            return failed.reply.response  # type: ignore[attr-defined]
        except Unreadable as unread:
            _log.warning("%s", unread)
            # The request is not at fault.
            return self._library.Response(502, json=wire.broken(str(unread)))
        response = self._marked(exchange, response)
        self._released.keep(identity, wire, body, response)
        return self._library.Response(200, headers=exchange.mark.headers(), json=response)

    async def _streamed(
        self, exchange: Exchange, body: Json, framing: str, identity: Identity
    ) -> Any:
        events = exchange.stream()
        write = aws_frames.write_frame if framing == "aws" else write_event
        kind = aws_frames.CONTENT_TYPE if framing == "aws" else "text/event-stream; charset=utf-8"
        first: Json | None = None
        broken: Broken | None = None
        try:
            # The first event tells whether there is a stream at all, or an error to hand on.
            first = await anext(events, None)
        except Broken as error:
            broken = error

        async def content() -> AsyncIterator[bytes]:
            try:
                if broken is not None:
                    raise broken
                held: Json | None = None
                async for event in _from(first, events):
                    if held is not None:
                        yield write(held)
                        held = None
                    if exchange.let_out is None:
                        yield write(event)
                    else:  # of those after the decision, the last carries the mark
                        held = event
                if held is not None:
                    yield write(self._marked(exchange, held))
                self._released.keep(identity, exchange.wire, body, exchange.let_out)
                if end := exchange.wire.end_mark:
                    yield end
            except Broken as error:
                yield write(error.event)
            except Failed as failed:
                # The status has gone out, so the error follows as the API would send it by then.
                told = await failed.reply.text()
                yield write(decoded_object(told.encode()) or exchange.wire.broken(told))
            except Unreadable as unread:
                yield write(exchange.wire.broken(str(unread)))
            except self._library.HTTPError as error:
                if self._paths.in_process:
                    raise  # as it would reach the caller of the SDK without a guard
                lost = f"the connection to the model API was lost ({type(error).__name__})"
                yield write(exchange.wire.broken(lost))
            finally:
                await events.aclose()

        headers = {"content-type": kind, **exchange.mark.headers()}
        return self._library.Response(200, headers=headers, content=self._content(content()))

    def _marked(self, exchange: Exchange, body: Json) -> Json:
        """With the mark in its body, where it crosses to other code: an SDK's own types may not have it."""
        return body if self._paths.in_process else exchange.mark.on(body)

    def _kept(self, request: Any, route: Route, identity: Identity) -> Any:
        """The answer as it was let out, None where this client did not let it out."""
        assert route.wire is not None
        response = self._released.get(identity, route.wire, route.id or "")
        if response is None or request.url.params.get("stream") == "true":
            return None
        return self._library.Response(200, json=response)

    def _refused(self, request: Any, routes: Routes, route: Route) -> Any:
        path = request.url.path
        why = route.why or NO_TABLE
        if route.standing == "kept":
            why = "nothing is known here of an answer that was let out under this id, or it was asked for as a stream"  # fmt: skip
        name = below(path.strip("/"), self._paths.base)
        told = (
            f"{request.method} {path} is refused by the guarded client: {why}; "
            f"allow_unguarded=[{name!r}] lets it go past the guard"
        )
        body = routes.error().error(told) if routes.error else {"error": {"message": told}}
        return self._library.Response(403, json=body)

    def _content(self, chunks: AsyncIterator[bytes]) -> Any:
        return _in_steps(chunks)

    async def _body(self, request: Any) -> bytes:
        content: bytes = request.read()
        return content

    async def _send(self, request: Any) -> Any:
        return self._inner.send(without_run(self._library, request), stream=True)

    def _host(self, request: Any, framing: str) -> Host:
        return Upstream(self._library, self._inner, request, sign=self._sign, framing=framing)


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

    async def _body(self, request: Any) -> bytes:
        content: bytes = await request.aread()
        return content

    async def _send(self, request: Any) -> Any:
        return await self._inner.send(without_run(self._library, request), stream=True)

    def _host(self, request: Any, framing: str) -> Host:
        return AsyncUpstream(self._library, self._inner, request, sign=self._sign, framing=framing)


async def _from(first: Json | None, rest: AsyncIterator[Json]) -> AsyncIterator[Json]:
    """What was taken out of an iterator already, and the rest of it."""
    if first is not None:
        yield first
    async for event in rest:
        yield event


async def _next(chunks: AsyncIterator[T]) -> T:
    return await anext(chunks)


def _in_steps(chunks: AsyncIterator[T]) -> Iterator[T]:
    """An asynchronous iterator that never waits, as a plain one."""
    try:
        while True:
            try:
                yield at_once(_next(chunks))
            except StopAsyncIteration:
                return
    finally:
        close = getattr(chunks, "aclose", None)
        if close is not None:
            at_once(close())
