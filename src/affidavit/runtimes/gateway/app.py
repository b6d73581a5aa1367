"""The gateway: takes requests of the Anthropic and OpenAI APIs, and sends them on with the guard between.

It is a proxy whose own HTTP client is a guarded one, so that it holds what the SDK adapters hold.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from affidavit.errors import MissingExtra
from affidavit.guard import AnswerChecker, GuardOptions
from affidavit.report import HallucinationReport
from affidavit.runtimes.anthropic_routes import ROUTES as ANTHROPIC
from affidavit.runtimes.gateway.metrics import CONTENT_TYPE, Metrics
from affidavit.runtimes.openai_routes import ROUTES as OPENAI
from affidavit.runtimes.routes import Routes
from affidavit.runtimes.transport import Paths, guarded_http

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response as AnyResponse

_log = logging.getLogger("affidavit.runtimes")

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
        """Where a request belongs."""
        theirs = routes_of(path, headers) is ANTHROPIC
        return (self.anthropic if theirs else self.openai).rstrip("/") + path


def gateway(
    detector: AnswerChecker,
    options: GuardOptions | None = None,
    *,
    upstreams: Upstreams | None = None,
    http_client: Any = None,
    allow_unguarded: Iterable[str] = (),
) -> Starlette:
    """The gateway as an ASGI application. ``http_client`` is an asynchronous client of httpx to send
    with; by default one is made. Callers' keys are sent on as they come, and kept nowhere.

    Requests of one run are known by the header ``x-affidavit-run``: the name of one question of one user,
    up to its answer. Each request without it is judged by what it holds. A path whose answers cannot be
    checked is refused, unless ``allow_unguarded`` has it.

    ``/health`` and ``/metrics`` are its own. What was held back is marked: see
    :mod:`affidavit.runtimes.marks`.
    """
    try:
        import httpx2
        from starlette.applications import Starlette
        from starlette.responses import JSONResponse, Response
        from starlette.routing import Route
    except ImportError as error:
        raise MissingExtra(error.name or "starlette", "gateway") from error
    inner = http_client or httpx2.AsyncClient(timeout=_TIMEOUT)
    to = upstreams or Upstreams()
    paths = Paths(_routes, allow_unguarded=tuple(allow_unguarded), in_process=False)
    metrics = Metrics()
    client = guarded_http(inner, paths, detector, _counting(options or {}, metrics))

    async def forward(request: Request) -> AnyResponse:
        answer = await _forward(client, to, request)
        metrics.answered(answer.status_code)
        return answer

    async def health(_: Request) -> AnyResponse:
        return JSONResponse({"status": "ok"})

    async def counts(_: Request) -> AnyResponse:
        return Response(metrics.text(), media_type=CONTENT_TYPE)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        if http_client is None:
            await inner.aclose()

    methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    routes = [
        Route("/health", health),
        Route("/metrics", counts),
        Route("/{path:path}", forward, methods=methods),
    ]
    return Starlette(routes=routes, lifespan=lifespan)


def _counting(options: GuardOptions, metrics: Metrics) -> GuardOptions:
    """The options, with every report counted before it is handed on."""
    given = options.get("on_report")

    def judged(report: HallucinationReport) -> None:
        metrics.judged(report)
        if given is not None:
            given(report)

    return {**options, "on_report": judged}


def routes_of(path: str, headers: Any) -> Routes:
    """The API that a request is of: Anthropic's has a path, and its clients a header, of their own."""
    theirs = "/v1/messages" in path or "anthropic-version" in headers
    return ANTHROPIC if theirs else OPENAI


def _routes(request: Any) -> Routes:
    return routes_of(request.url.path, request.headers)


def _unanswered(routes: Routes, why: str) -> dict[str, Any]:
    """That a model API did not answer, in the form of that API."""
    if routes.error is None:
        return {"error": {"message": why, "type": "api_error"}}
    return routes.error().broken(why)


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
        why = f"{url} did not answer: {type(error).__name__}{f': {error}' if str(error) else ''}"
        _log.warning(why)
        return JSONResponse(_unanswered(_routes(asked), why), status_code=502)
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
