"""The Google GenAI SDK: look-alike runs, paths around the guard, an API that fails in mid-answer."""

import asyncio
import json
import random
import warnings
from collections.abc import AsyncIterator, Iterator
from importlib import import_module
from typing import Any

import pytest
from google import genai
from google.genai import errors, types

from affidavit.errors import AffidavitError
from affidavit.runtimes.contract import TOOL
from affidavit.runtimes.contract.look_alikes import (
    QUESTION,
    OwnEvidence,
    answer_of,
    limit_of,
    system_of,
)
from affidavit.runtimes.google_genai import guarded_http_options
from affidavit.runtimes.google_routes import ROUTES
from affidavit.runtimes.routes import NO_TABLE
from tests.runtimes.every_method import call, methods

try:
    httpx: Any = import_module("httpx2")
except ImportError:
    httpx = import_module("httpx")

USERS = 200
# Whose paths are the names that they are given; those made up here are of nothing.
NAMED = {
    "file_search_stores.documents.get", "file_search_stores.documents.list",
    "file_search_stores.get", "file_search_stores.import_file", "models.update", "tunings.cancel",
    "tunings.get",
}  # fmt: skip


def client_of(checker: OwnEvidence, respond: Any, **how: Any) -> genai.Client:
    given = types.HttpOptions(
        httpx_client=httpx.Client(transport=httpx.MockTransport(respond)),
        httpx_async_client=httpx.AsyncClient(transport=httpx.MockTransport(respond)),
    )
    options = guarded_http_options(checker, given)
    return genai.Client(http_options=options, **(how or {"api_key": "k"}))


def candidate(*parts: Any, finish: str | None = "STOP") -> Any:
    found: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}, "index": 0}
    return {"candidates": [found | ({"finishReason": finish} if finish else {})]}


def test_many_runs_of_one_client_at_once() -> None:
    checker, shuffle = OwnEvidence(), random.Random(3)

    async def respond(request: Any) -> Any:
        for _ in range(shuffle.randrange(4)):
            await asyncio.sleep(0)
        user, body = int(request.headers["x-user"]), request.content.decode()
        other = answer_of((user + 1) % USERS)
        part: Any = {"functionCall": {"name": TOOL.name, "args": {"order_id": "BL-204518"}}}
        if other in body:
            part = {"text": answer_of(user)}
        elif "shipped" in body:
            part = {"text": other}
        return httpx.Response(200, json=candidate(part))

    def get_order(order_id: str) -> dict[str, str]:
        """Look an order up by its number."""
        return {"order_id": order_id, "status": "shipped"}

    async def one(client: genai.Client, user: int) -> None:
        config = types.GenerateContentConfig(
            system_instruction=system_of(user), tools=[get_order],
            http_options=types.HttpOptions(headers={"x-user": str(user)}),
        )  # fmt: skip
        ask = client.aio.models.generate_content
        answer = await ask(model="m", contents=QUESTION, config=config)
        assert answer.text == answer_of(user)

    async def main() -> None:
        client = client_of(checker, respond)
        order = list(range(USERS))
        shuffle.shuffle(order)
        await asyncio.gather(*(one(client, user) for user in order))

    asyncio.run(main())
    assert not checker.mixed
    assert len(checker.calls) == USERS


@pytest.mark.parametrize("vertex", [False, True])
def test_every_method_has_its_standing(vertex: bool) -> None:
    asked: list[Any] = []

    def respond(request: Any) -> Any:
        asked.append(request)
        return httpx.Response(400, json={"error": {"code": 400, "message": "asked"}})

    how: dict[str, Any] = {"api_key": "k"}
    if vertex:
        from google.oauth2.credentials import Credentials

        how = {"vertexai": True, "project": "p", "location": "l", "credentials": Credentials("t")}
    client = client_of(OwnEvidence(), respond, **how)
    found: dict[str, str] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, method in methods(client, "google.genai"):
            if name.startswith("aio."):
                continue
            asked.clear()
            told = str(call(method, asked))
            if asked:
                found[name] = ROUTES.of(asked[0].method, asked[0].url.path).standing
            elif "refused by the guarded client" in told:
                found[name] = "unknown" if NO_TABLE in told else "refused"
    assert found["models.generate_content"] == "guarded"
    assert found["models.generate_content_stream"] == "guarded"
    left = {name for name, standing in found.items() if standing == "unknown"}
    assert left <= NAMED, "say in the table of routes what these answer with"


@pytest.mark.spec("AFF-813")
@pytest.mark.filterwarnings("ignore:Realtime music generation is experimental")
@pytest.mark.parametrize("music", [False, True])
def test_live_sessions_are_refused_unless_they_are_opened(music: bool) -> None:
    async def connect(client: genai.Client) -> None:
        live = client.aio.live.music if music else client.aio.live
        async with live.connect(model="m"):
            pass

    options = types.HttpOptions(base_url="http://127.0.0.1:9")  # where nobody listens
    refused = genai.Client(api_key="k", http_options=guarded_http_options(OwnEvidence(), options))
    with pytest.raises(AffidavitError, match=r"allow_unguarded=\['websocket'\]"):
        asyncio.run(connect(refused))
    opened = guarded_http_options(OwnEvidence(), options, allow_unguarded=["websocket"])
    for how in (opened, options):  # a client that is not guarded is left as it was
        with pytest.raises(ConnectionRefusedError):
            asyncio.run(connect(genai.Client(api_key="k", http_options=how)))


ASK = f"My limit is {limit_of(1)}. What is my limit?"
HALF = "Order A-1001 has shi"
BEGUN = [
    candidate({"text": f"{answer_of(1)} "}, finish=None),
    candidate({"text": HALF}, finish=None),
]


class Breaking(httpx.SyncByteStream):  # type: ignore[misc, name-defined]
    def __init__(self, end: Any) -> None:
        self.end = end

    def __iter__(self) -> Iterator[bytes]:
        for event in BEGUN:
            yield f"data: {json.dumps(event)}\r\n\r\n".encode()
        if isinstance(self.end, bytes):
            yield self.end
        else:
            raise self.end


class AsyncBreaking(httpx.AsyncByteStream):  # type: ignore[misc, name-defined]
    def __init__(self, end: Any) -> None:
        self.sync = Breaking(end)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self.sync:
            yield chunk


BUSY = {"error": {"code": 503, "message": "busy", "status": "UNAVAILABLE"}}


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize(
    ("end", "kind"),
    [
        (f"data: {json.dumps(BUSY)}\r\n\r\n".encode(), errors.APIError),
        (b"", errors.APIError),
        (b"<html>Bad gateway</html>\n", errors.APIError),
        (b"data: {\n\n", errors.APIError),
        (httpx.ReadError("lost"), httpx.HTTPError),
        (httpx.ReadTimeout("slow"), httpx.HTTPError),
    ],
)
def test_the_caller_gets_the_error_after_what_was_verified(
    end: Any, kind: Any, asynchronous: bool
) -> None:
    stream: Any = AsyncBreaking if asynchronous else Breaking

    def respond(_: Any) -> Any:
        return httpx.Response(
            200, headers={"content-type": "text/event-stream"}, stream=stream(end)
        )

    client, seen = client_of(OwnEvidence(), respond), list[str]()

    async def read() -> None:
        ask = client.aio.models.generate_content_stream
        async for chunk in await ask(model="m", contents=ASK):
            seen.append(chunk.text or "")

    def read_in_thread() -> None:
        for chunk in client.models.generate_content_stream(model="m", contents=ASK):
            seen.append(chunk.text or "")

    with pytest.raises(kind):
        asyncio.run(read()) if asynchronous else read_in_thread()
    assert "".join(seen).strip() == answer_of(1)
