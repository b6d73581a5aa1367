"""The Google GenAI adapter under the contract: the real SDK on a scripted HTTP transport."""

import asyncio
import json
import uuid
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from google import genai
from google.genai import errors, types

from affidavit.report import CITED
from affidavit.runtimes.contract import SCENARIOS, TOOL, ModelTurn, Outcome, Scene, check
from affidavit.runtimes.contract.providers import PIECES
from affidavit.runtimes.contract.scenarios import FALSE, LOOKS_UP, ORDER, TRUE, detector_of
from affidavit.runtimes.contract.scene import total_of
from affidavit.runtimes.google_genai import ADAPTER, guarded_http_options
from affidavit.runtimes.identity import run_identity

try:
    httpx: Any = import_module("httpx2")
except ImportError:
    httpx = import_module("httpx")


def answer(turn: ModelTurn) -> dict[str, Any]:
    words = [{"text": turn.text}] if turn.text else []
    calls = [{"functionCall": {"name": c.name, "args": c.arguments}} for c in turn.calls]
    content = {"role": "model", "parts": [*words, *calls]}
    return {
        "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15},
        "modelVersion": "scripted",
        "responseId": "r1",
    }


def chunks(turn: ModelTurn) -> Iterator[dict[str, Any]]:
    for piece in PIECES.findall(turn.text):
        chunk = answer(ModelTurn(piece))
        del chunk["candidates"][0]["finishReason"]
        yield chunk
    yield answer(ModelTurn(calls=turn.calls))


def client_of(scene: Scene, outcome: Outcome) -> genai.Client:
    script = scene.script()

    def respond(request: Any) -> Any:
        body = json.loads(request.content)
        turn = script.answer(json.dumps(body, ensure_ascii=False), outcome)
        if not request.url.path.endswith(":streamGenerateContent"):
            return httpx.Response(200, json=answer(turn))
        told = "".join(f"data: {json.dumps(chunk)}\r\n\r\n" for chunk in chunks(turn))
        return httpx.Response(200, headers={"content-type": "text/event-stream"}, text=told)

    given = types.HttpOptions(
        httpx_client=httpx.Client(transport=httpx.MockTransport(respond)),
        httpx_async_client=httpx.AsyncClient(transport=httpx.MockTransport(respond)),
    )
    http_options = guarded_http_options(scene.detector, given, **scene.options)
    return genai.Client(api_key="k", http_options=http_options)


def declared(scene: Scene) -> Any:
    schema = TOOL.input_schema
    function = types.FunctionDeclaration(
        name=TOOL.name, description=TOOL.description, parameters_json_schema=schema
    )
    return types.GenerateContentConfig(
        system_instruction=scene.system, tools=[types.Tool(function_declarations=[function])]
    )


def own_tool(scene: Scene, outcome: Outcome) -> Any:
    def get_order(order_id: str) -> dict[str, Any]:
        """Look an order up by its number."""
        return outcome.get_order(order_id)

    return types.GenerateContentConfig(system_instruction=scene.system, tools=[get_order])


def went_on(contents: list[Any], outcome: Outcome, calls: Any, content: Any) -> list[Any]:
    results = [
        types.Part.from_function_response(name=c.name, response=outcome.get_order(**c.args))
        for c in calls
    ]
    return [*contents, content, types.Content(role="user", parts=results)]


def asked(scene: Scene) -> list[Any]:
    return [types.Content(role="user", parts=[types.Part(text=scene.question)])]


class Generate:
    """``generate_content`` in a loop that runs the tools."""

    async def play(self, scene: Scene, outcome: Outcome) -> None:
        client, contents = client_of(scene, outcome), asked(scene)
        while True:
            response = await self.ask(client, contents, declared(scene))
            if response.candidates[0].content.parts[0].text:
                outcome.shown.append(response.candidates[0].content.parts[0].text)
            if not response.function_calls:
                return
            content = response.candidates[0].content
            contents = went_on(contents, outcome, response.function_calls, content)

    async def ask(self, client: Any, contents: Any, config: Any) -> Any:
        return await client.aio.models.generate_content(model="m", contents=contents, config=config)


class Sync(Generate):
    async def play(self, scene: Scene, outcome: Outcome) -> None:
        # Each request runs in a thread of a pool, and only a name holds them together.
        with run_identity(uuid.uuid4().hex):
            await super().play(scene, outcome)

    async def ask(self, client: Any, contents: Any, config: Any) -> Any:
        ask = client.models.generate_content
        return await asyncio.to_thread(ask, model="m", contents=contents, config=config)


class Stream:
    async def play(self, scene: Scene, outcome: Outcome) -> None:
        client, contents = client_of(scene, outcome), asked(scene)
        while True:
            calls: list[Any] = []
            parts: list[Any] = []
            for chunk in await self.chunks(client, contents, declared(scene)):
                parts += chunk.candidates[0].content.parts
                outcome.shown += [p.text for p in chunk.candidates[0].content.parts if p.text]
                calls += chunk.function_calls or ()
            if not calls:
                return
            content = types.Content(role="model", parts=parts)
            contents = went_on(contents, outcome, calls, content)

    async def chunks(self, client: Any, contents: Any, config: Any) -> list[Any]:
        stream = client.aio.models.generate_content_stream
        return [c async for c in await stream(model="m", contents=contents, config=config)]


class SyncStream(Stream):
    async def play(self, scene: Scene, outcome: Outcome) -> None:
        # Each request runs in a thread of a pool, and only a name holds them together.
        with run_identity(uuid.uuid4().hex):
            await super().play(scene, outcome)

    async def chunks(self, client: Any, contents: Any, config: Any) -> list[Any]:
        def read() -> list[Any]:
            stream = client.models.generate_content_stream
            return list(stream(model="m", contents=contents, config=config))

        return await asyncio.to_thread(read)


class Automatic:
    """The SDK runs the tools."""

    async def play(self, scene: Scene, outcome: Outcome) -> None:
        response = await client_of(scene, outcome).aio.models.generate_content(
            model="m", contents=scene.question, config=own_tool(scene, outcome)
        )
        outcome.shown.append(response.text)


class Chat:
    async def play(self, scene: Scene, outcome: Outcome) -> None:
        client = client_of(scene, outcome)
        chat = client.aio.chats.create(model="m", config=own_tool(scene, outcome))
        async for chunk in await chat.send_message_stream(scene.question):
            outcome.shown += [p.text for p in chunk.candidates[0].content.parts or () if p.text]


DRIVERS = {cls.__name__: cls for cls in (Generate, Sync, Stream, SyncStream, Automatic, Chat)}
SHOWS_EARLY = "what_is_verified_is_shown_before_the_answer_is_complete"


@pytest.mark.parametrize("scenario", ADAPTER.keeps(SCENARIOS))
@pytest.mark.parametrize("driver", DRIVERS)
def test_contract(driver: str, scenario: str) -> None:
    if scenario == SHOWS_EARLY and driver not in ("Stream", "SyncStream", "Chat"):
        return
    check(scenario, DRIVERS[driver]())


@pytest.mark.parametrize(
    "config",
    [
        {"candidate_count": 2},
        {"response_modalities": ["IMAGE"]},
        {"cached_content": "cachedContents/x"},
    ],
)
def test_what_cannot_be_guarded_is_refused(config: dict[str, Any]) -> None:
    outcome = Outcome()
    client = client_of(Scene((ModelTurn("Hello."),), detector_of()), outcome)
    with pytest.raises(errors.ClientError, match="affidavit"):
        client.models.generate_content(model="m", contents="Hi.", config=config)
    assert outcome.asked == []


@pytest.mark.spec("AFF-1502", "AFF-1503")
@pytest.mark.parametrize("driver", DRIVERS)
def test_a_revision_cites_by_the_name_of_the_tool(driver: str) -> None:
    """The API gives calls no ids that the model could name."""
    outcome = Outcome()
    shows = ModelTurn(f'{TRUE[:-1]} [{TOOL.name}] "total: {total_of(ORDER)}".')
    options: Any = {"on_report": outcome.reports.append}
    scene = Scene((LOOKS_UP, ModelTurn(FALSE), shows), detector_of(), options=options)
    asyncio.run(DRIVERS[driver]().play(scene, outcome))
    assert outcome.seen == TRUE
    assert f"] {TOOL.name}" in outcome.asked[-1], "the model was not told what it can cite"
    records = [c for claim in outcome.reports[0].claims for c in claim.checks if c.name == CITED]
    assert [record.state for record in records] == ["checked"]
