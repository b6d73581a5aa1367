"""A model API that fails in mid-answer: its error reaches the caller, and nothing unverified before it."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from affidavit.runtimes.anthropic import guard_client as guard_anthropic
from affidavit.runtimes.contract import ModelTurn
from affidavit.runtimes.contract.look_alikes import OwnEvidence, answer_of, limit_of
from affidavit.runtimes.contract.providers import (
    anthropic_events,
    chat_chunks,
    responses_events,
)
from affidavit.runtimes.gateway import gateway
from affidavit.runtimes.openai import guard_client as guard_openai
from affidavit.runtimes.sse import write_event
from affidavit.runtimes.transport import inner_library

anthropic = pytest.importorskip("anthropic")
openai = pytest.importorskip("openai")
httpx = inner_library(openai.OpenAI(api_key="k")._client)

VERIFIED = answer_of(1)
HALF = "Order A-1001 has shi"
TEXT = f"{VERIFIED} {HALF}"
ASK = f"My limit is {limit_of(1)}. What is my limit, and where is my order?"
MESSAGES: list[Any] = [{"role": "user", "content": ASK}]
SSE = {"content-type": "text/event-stream"}


class Api:
    """One streaming API: its events up to the half sentence, its errors, and how its SDK reads it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.sdk: Any = anthropic if name == "messages" else openai
        self.guard: Any = guard_anthropic if name == "messages" else guard_openai

    def client(self, http: Any, **how: Any) -> Any:
        asynchronous = isinstance(http, httpx.AsyncClient)
        names = (
            ("AsyncAnthropic", "Anthropic") if self.sdk is anthropic else ("AsyncOpenAI", "OpenAI")
        )
        cls = getattr(self.sdk, names[0] if asynchronous else names[1])
        return cls(api_key="k", max_retries=0, http_client=http, **how)

    def begun(self) -> list[Any]:
        """The events of an answer that is never finished."""
        match self.name:
            case "messages":
                events = [e for e in anthropic_events(ModelTurn(TEXT)) if e["type"] in
                          ("message_start", "content_block_start", "content_block_delta")]  # fmt: skip
            case "chat":
                events = [e for e in chat_chunks(ModelTurn(TEXT)) if not _finish(e)]
            case "completions":
                events = [
                    {"id": "c", "object": "text_completion", "created": 1, "model": "m", "choices": [
                        {"index": 0, "text": f"{word} ", "logprobs": None, "finish_reason": None}]}
                    for word in TEXT.split()
                ]  # fmt: skip
            case _:
                events = [e for e in responses_events(ModelTurn(TEXT)) if e["type"] in
                          ("response.created", "response.output_item.added",
                           "response.content_part.added", "response.output_text.delta")]  # fmt: skip
        return events

    def error(self) -> Any:
        match self.name:
            case "messages":
                return {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}
            case "responses":
                return {"type": "error", "code": "server_error", "message": "busy", "param": None,
                        "sequence_number": 99, "error": {"message": "busy", "type": "server_error"}}  # fmt: skip
        return {"error": {"message": "busy", "type": "server_error", "code": None}}

    def ask(self, client: Any) -> Any:
        match self.name:
            case "messages":
                return client.messages.create(
                    model="m", max_tokens=9, messages=MESSAGES, stream=True
                )
            case "chat":
                return client.chat.completions.create(model="m", messages=MESSAGES, stream=True)
            case "completions":
                return client.completions.create(model="m", prompt=ASK, stream=True)
        return client.responses.create(model="m", input=ASK, stream=True)

    def whole(self, client: Any) -> Any:
        match self.name:
            case "messages":
                return client.messages.create(model="m", max_tokens=9, messages=MESSAGES)
            case "chat":
                return client.chat.completions.create(model="m", messages=MESSAGES)
            case "completions":
                return client.completions.create(model="m", prompt=ASK)
        return client.responses.create(model="m", input=ASK)

    def words(self, event: Any) -> str:
        match self.name:
            case "messages":
                return getattr(getattr(event, "delta", None), "text", None) or ""
            case "chat":
                return (event.choices and event.choices[0].delta.content) or ""
            case "completions":
                return (event.choices and event.choices[0].text) or ""
        return event.delta if event.type == "response.output_text.delta" else ""

    def read(self, client: Any) -> tuple[str, Exception | None]:
        """What the caller saw, and what was raised."""
        seen = ""
        try:
            for event in self.ask(client):
                seen += self.words(event)
        except Exception as error:
            return seen, error
        return seen, None

    async def aread(self, client: Any) -> tuple[str, Exception | None]:
        seen = ""
        try:
            async for event in await self.ask(client):
                seen += self.words(event)
        except Exception as error:
            return seen, error
        return seen, None


def _finish(chunk: Any) -> bool:
    return bool(chunk["choices"][0]["finish_reason"])


Break = Callable[[Api], Iterator[bytes]]


def error_event(api: Api) -> Iterator[bytes]:
    yield write_event(api.error())


def cut_off(api: Api) -> Iterator[bytes]:
    yield b""


def garbage(api: Api) -> Iterator[bytes]:
    yield b"\xff\xfe\x00 what is this?\n\n"


def not_json(api: Api) -> Iterator[bytes]:
    yield b'data: {"half": \n\n'


def html(api: Api) -> Iterator[bytes]:
    yield b"<html><body>502 Bad Gateway</body></html>\n"


def wrong_shape(api: Api) -> Iterator[bytes]:
    yield write_event({"type": "content_block_delta", "index": 9, "choices": "x", "delta": 5})
    yield write_event({"type": "response.output_text.delta"})


def disconnect(api: Api) -> Iterator[bytes]:
    raise httpx.RemoteProtocolError("peer closed connection")
    yield b""


def timeout(api: Api) -> Iterator[bytes]:
    raise httpx.ReadTimeout("too slow")
    yield b""


OF_CONNECTIONS: list[Any] = [disconnect, timeout]
OF_STREAMS: list[Any] = [error_event, cut_off, garbage, not_json, html, wrong_shape]
APIS = [Api(name) for name in ("messages", "chat", "completions", "responses")]
apis = pytest.mark.parametrize("api", APIS, ids=lambda api: api.name)


class Sync(httpx.SyncByteStream):  # type: ignore[misc, name-defined]
    def __init__(self, api: Api, broken: Break, begun: bool) -> None:
        self.api, self.broken, self.begun, self.closed = api, broken, begun, False

    def __iter__(self) -> Iterator[bytes]:
        if self.begun:
            for event in self.api.begun():
                yield write_event(event)
        yield from self.broken(self.api)

    def close(self) -> None:
        self.closed = True


class Async(httpx.AsyncByteStream):  # type: ignore[misc, name-defined]
    def __init__(self, api: Api, broken: Break, begun: bool) -> None:
        self.sync, self.closed = Sync(api, broken, begun), False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self.sync:
            yield chunk
            await asyncio.sleep(0)

    async def aclose(self) -> None:
        self.closed = True


def serving(api: Api, broken: Break, *, begun: bool = True) -> Any:
    def respond(_: Any) -> Any:
        return httpx.Response(200, headers=SSE, stream=Sync(api, broken, begun))

    return httpx.Client(transport=httpx.MockTransport(respond))


@pytest.mark.spec("AFF-814")
@apis
@pytest.mark.parametrize("broken", [*OF_STREAMS, *OF_CONNECTIONS], ids=lambda b: b.__name__)
def test_the_caller_gets_the_error_after_what_was_verified(api: Api, broken: Break) -> None:
    seen, raised = api.read(api.guard(api.client(serving(api, broken)), OwnEvidence()))
    assert seen.strip() == VERIFIED
    assert raised is not None
    if broken in OF_STREAMS:
        assert isinstance(raised, api.sdk.APIError)


@apis
@pytest.mark.parametrize("broken", [error_event, disconnect, timeout], ids=lambda b: b.__name__)
def test_the_error_is_the_one_that_comes_without_a_guard(api: Api, broken: Break) -> None:
    _, without = api.read(api.client(serving(api, broken)))
    _, guarded = api.read(api.guard(api.client(serving(api, broken)), OwnEvidence()))
    assert type(guarded) is type(without)
    assert str(guarded) == str(without)


@apis
@pytest.mark.parametrize("broken", [*OF_STREAMS, *OF_CONNECTIONS], ids=lambda b: b.__name__)
def test_a_stream_that_never_begins_is_an_error(api: Api, broken: Break) -> None:
    http = serving(api, broken, begun=False)
    seen, raised = api.read(api.guard(api.client(http), OwnEvidence()))
    assert seen == ""
    assert isinstance(raised, api.sdk.APIError | httpx.HTTPError)


@apis
@pytest.mark.parametrize("broken", [*OF_STREAMS, *OF_CONNECTIONS], ids=lambda b: b.__name__)
def test_the_gateway_hands_the_error_on(api: Api, broken: Break) -> None:
    upstreams: list[Async] = []

    def respond(_: Any) -> Any:
        upstreams.append(Async(api, broken, True))
        return httpx.Response(200, headers=SSE, stream=upstreams[-1])

    async def main() -> tuple[str, Exception | None]:
        inner = httpx.AsyncClient(transport=httpx.MockTransport(respond))
        app = gateway(OwnEvidence(), http_client=inner)
        http = httpx.AsyncClient(transport=httpx.ASGITransport(app=app))
        base = "http://gateway" if api.name == "messages" else "http://gateway/v1"
        return await api.aread(api.client(http, base_url=base))

    seen, raised = asyncio.run(main())
    assert seen.strip() == VERIFIED
    assert isinstance(raised, api.sdk.APIError)
    assert upstreams[0].closed


@apis
def test_an_api_that_does_not_answer_is_told_of_in_its_own_form_and_in_the_log(
    api: Api, caplog: pytest.LogCaptureFixture
) -> None:
    def respond(request: Any) -> Any:
        raise httpx.ConnectError("connection refused", request=request)

    async def main() -> tuple[str, Exception | None]:
        inner = httpx.AsyncClient(transport=httpx.MockTransport(respond))
        app = gateway(OwnEvidence(), http_client=inner)
        http = httpx.AsyncClient(transport=httpx.ASGITransport(app=app))
        base = "http://gateway" if api.name == "messages" else "http://gateway/v1"
        return await api.aread(api.client(http, base_url=base))

    seen, raised = asyncio.run(main())
    assert seen == "" and isinstance(raised, api.sdk.APIStatusError)
    told = raised.response.json()
    kind = "api_error" if api.name == "messages" else "server_error"
    assert raised.status_code == 502 and told["error"]["type"] == kind
    assert told.get("type") == ("error" if api.name == "messages" else None)
    assert "did not answer: ConnectError: connection refused" in told["error"]["message"]
    assert "did not answer" in caplog.text


@apis
def test_a_caller_that_goes_away_ends_the_request_to_the_model(api: Api) -> None:
    upstreams: list[Async] = []
    came = []

    def endless(_: Api) -> Iterator[bytes]:
        while True:
            came.append(1)
            yield b": still here\n\n"

    def respond(_: Any) -> Any:
        upstreams.append(Async(api, endless, True))
        return httpx.Response(200, headers=SSE, stream=upstreams[-1])

    async def main() -> None:
        inner = httpx.AsyncClient(transport=httpx.MockTransport(respond))
        app = gateway(OwnEvidence(), http_client=inner)
        path = "/v1/messages" if api.name == "messages" else "/v1/chat/completions"
        body = json.dumps({"model": "m", "max_tokens": 9, "messages": MESSAGES, "stream": True})
        received = [{"type": "http.request", "body": body.encode(), "more_body": False}]
        begun = asyncio.Event()

        async def receive() -> Any:
            if received:
                return received.pop()
            await begun.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message.get("body"):
                begun.set()

        scope = {"type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "method": "POST",
                 "path": path, "raw_path": path.encode(), "query_string": b"", "headers": [],
                 "http_version": "1.1", "scheme": "http", "server": ("gateway", 80)}  # fmt: skip
        await asyncio.wait_for(app(scope, receive, send), 10)

    if api.name not in ("messages", "chat"):
        pytest.skip("one path of each API")
    asyncio.run(main())
    assert upstreams[0].closed


WHOLE = [
    pytest.param(b"", "application/json", id="empty"),
    pytest.param(b"<html>Bad gateway</html>", "text/html", id="html"),
    pytest.param(b"[1, 2]", "application/json", id="not an object"),
    pytest.param(b'{"id": "x"', "application/json", id="cut off"),
    pytest.param(b"{}", "application/json", id="nothing in it"),
    pytest.param(b'{"error": {"message": "busy"}}', "application/json", id="an error"),
    pytest.param(b'{"choices": [], "content": 5, "output": {}}', "application/json", id="wrong"),
]


@pytest.mark.parametrize(("content", "kind"), WHOLE)
@apis
def test_what_is_no_answer_is_an_error(
    api: Api, content: bytes, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    def respond(_: Any) -> Any:
        return httpx.Response(200, headers={"content-type": kind}, content=content)

    http = httpx.Client(transport=httpx.MockTransport(respond))
    client = api.guard(api.client(http), OwnEvidence())
    with pytest.raises(api.sdk.APIError):
        api.whole(client)
    assert caplog.records[0].levelname == "WARNING"


def test_a_response_that_failed_tells_nothing_of_what_it_said() -> None:
    api = Api("responses")
    whole = list(responses_events(ModelTurn(TEXT)))[-1]["response"]

    def failed(_: Api) -> Iterator[bytes]:
        error = {"code": "server_error", "message": "busy"}
        response = {**whole, "status": "failed", "error": error}
        yield write_event({"type": "response.failed", "response": response, "sequence_number": 99})

    client = guard_openai(api.client(serving(api, failed)), OwnEvidence())
    events = list(api.ask(client))
    assert events[-1].type == "response.failed"
    assert events[-1].response.error.message == "busy"
    assert "shi" not in "".join(event.model_dump_json() for event in events)
