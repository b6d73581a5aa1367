"""The model API behind a guarded client: its replies, and how it is asked again.

Each comes twice, for a client that waits in its thread and for one that waits in a loop.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any, TypeVar

from affidavit._threads import in_own_thread
from affidavit.runtimes.aws_frames import read_frames
from affidavit.runtimes.identity import RUN_HEADER
from affidavit.runtimes.sse import read_events
from affidavit.runtimes.verbs import Awaiting, Waiting, at_once
from affidavit.runtimes.wire import Json

T = TypeVar("T")
Sign = Callable[[Any], Any]
"""Signs a request over its body, as its client does: a coroutine where the client is asynchronous."""

_OF_THE_BODY = frozenset({"content-length", "content-encoding", "transfer-encoding"})
_SIGNATURE = frozenset(
    {"authorization", "x-amz-date", "x-amz-security-token", "x-amz-content-sha256"}
)
_BY_AMAZON = "AWS4-"


def decoded_object(content: bytes) -> Json | None:
    """A JSON object, None where it is anything else."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def is_signed(headers: Any) -> bool:
    """Whether a request is signed over its body, so that it cannot be sent with another one."""
    return str(headers.get("authorization", "")).startswith(_BY_AMAZON)


def without_run(library: Any, request: Any) -> Any:
    """The request as the model API should have it: it has no use for the name of a run."""
    if RUN_HEADER not in request.headers:
        return request
    headers = [(k, v) for k, v in request.headers.multi_items() if k.lower() != RUN_HEADER]
    return library.Request(
        request.method,
        request.url,
        headers=headers,
        stream=request.stream,
        extensions=request.extensions,
    )


class Reply:
    """What the model API answered, read through a synchronous client."""

    def __init__(self, response: Any, framing: str) -> None:
        self.response = response
        self._events = read_frames if framing == "aws" else read_events

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

        async for event in self._events(chunks()):
            yield event

    async def close(self) -> None:
        self.response.close()

    def _decoded(self) -> Json:
        found = decoded_object(self.response.content)
        if found is None:
            raise ValueError("the model API answered with something that is not a JSON object")
        return found


class AsyncReply(Reply):
    async def text(self) -> str:
        await self.response.aread()
        return str(self.response.text)

    async def json(self) -> Json:
        await self.response.aread()
        return self._decoded()

    async def events(self) -> AsyncIterator[Json]:
        async for event in self._events(self.response.aiter_bytes()):
            yield event

    async def close(self) -> None:
        await self.response.aclose()


class _Sender:
    """Sends the caller's request with other bodies."""

    def __init__(
        self, library: Any, inner: Any, request: Any, *, sign: Sign | None, framing: str
    ) -> None:
        self._library, self._inner, self._request = library, inner, request
        self._sign = sign if is_signed(request.headers) else None
        self._framing = framing

    def _asking(self, body: Json) -> Any:
        """The caller's request with another body."""
        request = self._request
        left_out = _OF_THE_BODY | {RUN_HEADER} | (_SIGNATURE if self._sign else frozenset())
        headers = [(k, v) for k, v in request.headers.multi_items() if k.lower() not in left_out]
        return self._library.Request(
            request.method,
            request.url,
            headers=headers,
            content=json.dumps(body, ensure_ascii=False).encode(),
            extensions=request.extensions,
        )


class Upstream(Waiting, _Sender):
    async def beside(self, asking: Coroutine[Any, Any, T]) -> T:
        # The client waits in its thread, and the guard's loop must not.
        return await in_own_thread(at_once, asking)

    async def send(self, body: Json) -> Reply:
        request = self._asking(body)
        if self._sign is not None:
            self._sign(request)
        return Reply(self._inner.send(request, stream=True), self._framing)


class AsyncUpstream(Awaiting, _Sender):
    async def beside(self, asking: Coroutine[Any, Any, T]) -> T:
        return await asking

    async def send(self, body: Json) -> Reply:
        request = self._asking(body)
        if self._sign is not None:
            await self._sign(request)
        return AsyncReply(await self._inner.send(request, stream=True), self._framing)
