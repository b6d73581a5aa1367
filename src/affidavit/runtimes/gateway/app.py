"""The gateway: takes requests of the Anthropic and OpenAI APIs, and sends them on with the guard between.

It is a proxy whose own HTTP client is a guarded one, so that it holds what the SDK adapters hold.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from affidavit.errors import MissingExtra
from affidavit.guard import AnswerChecker, GuardOptions
from affidavit.runtimes.anthropic import wire_of as anthropic_wire
from affidavit.runtimes.openai import wire_of as openai_wire
from affidavit.runtimes.transport import guarded_http
from affidavit.runtimes.wire import Wire

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response as AnyResponse

# Of one connection (RFC 9110, section 7.6.1); and what the client that sends makes anew.
_HOP_BY_HOP = frozenset(
    "connection keep-alive proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade "
    "host content-length".split()
)
_TIMEOUT = 600.0
"""Seconds a model may take; the SDKs' own default."""


@dataclass(frozen=True)
class Upstreams:
    """Where the model APIs are: what stands before ``/v1/…``."""

    anthropic: str = "https://api.anthropic.com"
    openai: str = "https://api.openai.com"

    def of(self, path: str, headers: Any) -> str:
        """Where a request belongs: Anthropic's API has a path, and its clients a header, of their own."""
        theirs = anthropic_wire(path) is not None or "anthropic-version" in headers
        return (self.anthropic if theirs else self.openai).rstrip("/") + path


def gateway(
    detector: AnswerChecker,
    options: GuardOptions | None = None,
    *,
    upstreams: Upstreams | None = None,
    http_client: Any = None,
) -> Starlette:
    """The gateway as an ASGI application. ``http_client`` is an asynchronous client of httpx to send
    with; by default one is made. Callers' keys are sent on as they come, and kept nowhere."""
    try:
        import httpx2
        from starlette.applications import Starlette
        from starlette.routing import Route
    except ImportError as error:
        raise MissingExtra(error.name or "starlette", "gateway") from error
    inner = http_client or httpx2.AsyncClient(timeout=_TIMEOUT)
    to = upstreams or Upstreams()
    client = guarded_http(inner, _wire_of, detector, options or {})

    async def forward(request: Request) -> AnyResponse:
        return await _forward(client, to, request)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        if http_client is None:
            await inner.aclose()

    methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    return Starlette(routes=[Route("/{path:path}", forward, methods=methods)], lifespan=lifespan)


def _wire_of(path: str) -> Wire | None:
    return anthropic_wire(path) or openai_wire(path)


async def _forward(client: Any, to: Upstreams, request: Request) -> AnyResponse:
    from httpx2 import HTTPError
    from starlette.responses import JSONResponse, Response, StreamingResponse

    url = to.of(request.url.path, request.headers)
    asked = client.build_request(
        request.method,
        url,
        params=request.query_params.multi_items(),
        headers=[(k, v) for k, v in request.headers.items() if k.lower() not in _HOP_BY_HOP],
        content=await request.body(),
    )
    try:
        answer = await client.send(asked, stream=True)
    except HTTPError as error:
        told = {"message": f"affidavit: {url}: {type(error).__name__}", "type": "api_error"}
        return JSONResponse({"type": "error", "error": told}, status_code=502)
    headers = {k: v for k, v in answer.headers.items() if k.lower() not in _HOP_BY_HOP}
    if answer.is_closed:  # the guard has made it whole
        return Response(answer.content, answer.status_code, headers)

    async def body() -> AsyncIterator[bytes]:
        try:
            async for chunk in answer.aiter_raw():
                yield chunk
        finally:
            await answer.aclose()

    return StreamingResponse(body(), status_code=answer.status_code, headers=headers)
