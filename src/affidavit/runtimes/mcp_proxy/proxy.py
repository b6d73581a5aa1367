"""The proxy itself: everything passes through unchanged but a call that is rejected, which the client is
answered in the server's place.

It works on the protocol's messages, so that what it knows nothing of (sampling, progress, notifications,
methods still to come) passes through as well.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from pydantic import TypeAdapter

from affidavit.errors import MissingExtra
from affidavit.formats.node import Node
from affidavit.formats.parts import result_value
from affidavit.runtimes.mcp_proxy.calls import CONTEXT, READING, Calls

_log = logging.getLogger("affidavit.mcp_proxy")

Json = dict[str, Any]


class Streams(Protocol):
    """What a transport of the ``mcp`` package yields: where messages come from, and where they go."""

    def __getitem__(self, index: int) -> Any: ...


@dataclass(frozen=True)
class _Asked:
    """A request of the client that the server has yet to answer."""

    method: str
    params: Json
    call_id: str = ""


class Proxy:
    """Between one client and one server."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._open: dict[object, _Asked] = {}
        self._asked_client: dict[object, str] = {}
        self._typed = False
        """Whether results carry a ``resultType``, as they must since the protocol of 2026."""

    async def run(self, client: Streams, server: Streams) -> None:
        """Pass messages on until either side ends."""
        import anyio

        async with anyio.create_task_group() as tasks:

            async def towards_server() -> None:
                async for message in client[0]:
                    answer = self.from_client(message)
                    await (server[1].send(message) if answer is None else client[1].send(answer))
                tasks.cancel_scope.cancel()

            async def towards_client() -> None:
                async for message in server[0]:
                    self.from_server(message)
                    await client[1].send(message)
                tasks.cancel_scope.cancel()

            tasks.start_soon(towards_server)
            tasks.start_soon(towards_client)

    def from_client(self, message: Any) -> Any | None:
        """What to answer the client at once; None to pass the message on."""
        said = _json(message)
        method, params = said.get("method"), said.get("params") or {}
        if method is None:
            self._told_by_user(said)
        elif method == "tools/call":
            return self._called(message, said, params)
        elif "id" in said:
            self._open[said["id"]] = _Asked(method, params)
        return None

    def from_server(self, message: Any) -> None:
        """Learn from what the server says."""
        said = _json(message)
        if "method" in said:
            if "id" in said:
                self._asked_client[said["id"]] = said["method"]
            return
        asked = self._open.pop(said.get("id"), None)
        result = said.get("result")
        self._typed = self._typed or (isinstance(result, dict) and "resultType" in result)
        if asked is None:
            return
        if asked.method == "tools/call":
            self._returned(asked.call_id, result, said.get("error"))
        elif asked.method == "tools/list" and isinstance(result, dict):
            self._calls.declare(result.get("tools") or [], more="cursor" in asked.params)
        elif asked.method in READING and isinstance(result, dict):
            self._calls.read(asked.method, asked.params, result.get(READING[asked.method]))

    def _called(self, message: Any, said: Json, params: Json) -> Any | None:
        told = (params.get("_meta") or {}).get(CONTEXT, ())
        for text in [told] if isinstance(told, str) else told:
            self._calls.said(str(text))
        call_id, decision = self._calls.check(
            str(params.get("name")), params.get("arguments") or {}
        )
        if decision.run:
            self._open[said.get("id")] = _Asked("tools/call", params, call_id)
            return None
        content = [{"type": "text", "text": decision.feedback}]
        typed = {"resultType": "complete"} if self._typed else {}
        return _reply(message, {"content": content, "isError": True, **typed})

    def _returned(self, call_id: str, result: Any, error: Any) -> None:
        if not isinstance(result, dict):
            self._calls.returned(call_id, error, failed=True)
            return
        structured = result.get("structuredContent")
        content = Node(result.get("content") if structured is None else structured)
        self._calls.returned(call_id, result_value(content), failed=bool(result.get("isError")))

    def _told_by_user(self, said: Json) -> None:
        """What the user filled in where the server asked. What its model wrote vouches for nothing."""
        asked = self._asked_client.pop(said.get("id"), "")
        content = (said.get("result") or {}).get("content")
        if asked == "elicitation/create" and isinstance(content, dict):
            self._calls.said("\n".join(f"{name}: {value}" for name, value in content.items()))


def _json(message: Any) -> Json:
    """A message as JSON; a transport's own failure, which it sends as an exception, as nothing."""
    if isinstance(message, Exception):
        return {"method": "", "error": str(message)}
    said: Json = message.message.model_dump(by_alias=True, exclude_unset=True, mode="json")
    return said


def _reply(message: Any, result: Json) -> Any:
    from mcp.types import JSONRPCMessage

    body = {"jsonrpc": "2.0", "id": _json(message)["id"], "result": result}
    return type(message)(TypeAdapter(JSONRPCMessage).validate_python(body))


@asynccontextmanager
async def started(command: list[str]) -> AsyncIterator[Streams]:
    """A server as a process; its standard error is this one's."""
    try:
        from mcp import StdioServerParameters
        from mcp.client.stdio import stdio_client
    except ImportError as error:
        raise MissingExtra("mcp", "mcp") from error
    import os

    parameters = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ))
    async with stdio_client(parameters) as streams:
        yield streams


@asynccontextmanager
async def own_stdio() -> AsyncIterator[Streams]:
    """The client, at this process's standard input and output."""
    from mcp.server.stdio import stdio_server

    async with stdio_server() as streams:
        yield streams
