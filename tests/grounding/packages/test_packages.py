"""With the real packages: LangChain and MCP messages, and what the HTTP clients raise."""

from __future__ import annotations

import asyncio
import http.server
import json
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import aiohttp
import httpx
import pytest
import requests
from langchain_core.messages import ToolMessage
from langchain_core.tools import StructuredTool
from mcp.types import CallToolResult

from affidavit.grounding.messages import to_langchain, to_mcp
from affidavit.grounding.result import GroundedResult, not_found, success, technical_error
from affidavit.grounding.tool import grounded_tool
from affidavit.ledger.grounded import read_grounded
from affidavit.trace import DataPart, TextPart

RESULTS = [
    success([{"id": "W1"}], source="orders"),
    not_found(source="orders", detail="secret"),
    technical_error("rate_limit", source="orders", retry_after=3, detail="secret"),
]


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: r.state)
def test_a_langchain_tool_message(result: GroundedResult) -> None:
    message = to_langchain(result, "call_1")
    assert isinstance(message, ToolMessage)
    assert message.status == ("error" if result.is_error else "success")
    assert message.artifact is result
    assert isinstance(message.content, str) and "secret" not in message.content
    reading = read_grounded([TextPart(text=message.content)])
    assert reading is not None and reading.state == result.state


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: r.state)
def test_an_mcp_tool_result(result: GroundedResult) -> None:
    sent = json.loads(to_mcp(result).model_dump_json(by_alias=True))
    assert sent["isError"] == result.is_error
    assert "secret" not in json.dumps(sent)
    (block,) = sent["content"]
    parts = [TextPart(text=block["text"]), DataPart(value=sent["structuredContent"])]
    reading = read_grounded(parts)
    assert reading is not None and reading.state == result.state


def test_results_of_these_packages_are_read_by_their_flags() -> None:
    block = {"type": "text", "text": "W1: 9"}
    failed = CallToolResult.model_validate({"content": [block], "isError": True})
    fine = CallToolResult.model_validate({"content": [block]})
    broken = ToolMessage("boom", tool_call_id="1", status="error")
    told = ToolMessage("W1: 9", tool_call_id="1")
    states = [grounded_tool(lambda v=v: v)().state for v in (failed, fine, broken, told)]
    assert states == ["technical_error", "success", "technical_error", "success"]
    assert grounded_tool(lambda: fine)().content == grounded_tool(lambda: told)().content == "W1: 9"


def test_a_langchain_tool_can_be_made_of_a_grounded_one() -> None:
    @grounded_tool
    def get_order(order: str) -> Any:
        """Look up an order."""
        return {"id": order}

    tool = StructuredTool.from_function(get_order)
    assert list(tool.args) == ["order"]
    assert tool.invoke({"order": "W1"}).content == {"id": "W1"}
    call = {"type": "tool_call", "name": "get_order", "id": "1", "args": {"order": "W1"}}
    message = tool.invoke(call)  # as an agent's tool node does
    assert isinstance(message, ToolMessage) and isinstance(message.content, str)
    reading = read_grounded([TextPart(text=message.content)])
    assert reading is not None and reading.content == {"id": "W1"}


class _Server(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        status = int(self.path.strip("/"))
        self.send_response(status)
        self.send_header("Retry-After", "7")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Server) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


@pytest.fixture(scope="module")
def silent() -> Iterator[str]:
    """A server that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"


def _httpx(url: str) -> object:
    return httpx.get(url, timeout=0.2, trust_env=False).raise_for_status().json()


def _httpx_unraised(url: str) -> object:
    return httpx.get(url, timeout=0.2, trust_env=False)


def _requests(url: str) -> object:
    session = requests.Session()
    session.trust_env = False
    response = session.get(url, timeout=0.2)
    response.raise_for_status()
    return response.json()


def _urllib(url: str) -> object:
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
            url, timeout=0.2
        ) as r:
            return r.read()
    except urllib.error.HTTPError as error:
        error.close()
        raise


async def _aiohttp(url: str) -> object:
    patience = aiohttp.ClientTimeout(total=0.2)
    async with (
        aiohttp.ClientSession(timeout=patience, raise_for_status=True) as session,
        session.get(url) as response,
    ):
        return await response.json()


CLIENTS = [_httpx, _httpx_unraised, _requests, _urllib, _aiohttp]


def _asked(client: Callable[..., object | Awaitable[object]], url: str) -> GroundedResult:
    result = grounded_tool(client)(url)
    return asyncio.run(result) if asyncio.iscoroutine(result) else result  # type: ignore[return-value]


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize(
    ("status", "state", "fault", "wait"),
    [
        (401, "technical_error", "authorization", None),
        (404, "not_found", None, None),
        (429, "technical_error", "rate_limit", 7),
        (503, "technical_error", "unavailable", 7),
    ],
)
def test_http_statuses(
    client: Any, server: str, status: int, state: str, fault: str | None, wait: float | None
) -> None:
    result = _asked(client, f"{server}/{status}")
    assert (result.state, result.fault, result.retry_after) == (state, fault, wait)
    # What was not found is named, and what was asked for is an address here; a fault names none.
    assert state == "not_found" or "127.0.0.1" not in str(result)


@pytest.mark.parametrize("client", CLIENTS)
def test_timeouts(client: Any, silent: str) -> None:
    assert _asked(client, silent).fault == "timeout"


@pytest.mark.parametrize("client", CLIENTS)
def test_connections_refused(client: Any) -> None:
    with socket.socket() as closed:  # bound and not listening
        closed.bind(("127.0.0.1", 0))
        result = _asked(client, f"http://127.0.0.1:{closed.getsockname()[1]}/")
    assert result.fault == "unavailable"
    assert "refused" in result.detail.lower() or "connect" in result.detail.lower()
