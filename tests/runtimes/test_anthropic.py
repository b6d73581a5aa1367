"""The Anthropic adapter under the contract: the real SDK on a scripted HTTP transport."""

import asyncio
import uuid
from typing import Any

import pytest

from affidavit.runtimes.anthropic import ADAPTER, guard_client
from affidavit.runtimes.contract import SCENARIOS, TOOL, Outcome, Scene, check
from affidavit.runtimes.contract.providers import anthropic_events, anthropic_message, responder
from affidavit.runtimes.identity import run_identity
from affidavit.runtimes.transport import inner_library

anthropic = pytest.importorskip("anthropic")
httpx = inner_library(anthropic.Anthropic(api_key="k")._client)
TOOLS = [{"name": TOOL.name, "description": TOOL.description, "input_schema": TOOL.input_schema}]


def _request(scene: Scene, messages: list[Any]) -> Any:
    return {
        "model": "m", "max_tokens": 100, "system": scene.system, "tools": TOOLS, "messages": messages,
    }  # fmt: skip


def _client(scene: Scene, outcome: Outcome, cls: Any) -> Any:
    respond = responder(httpx, scene, outcome, anthropic_message, anthropic_events)
    of = httpx.AsyncClient if "Async" in cls.__name__ else httpx.Client
    client = cls(api_key="k", max_retries=0, http_client=of(transport=httpx.MockTransport(respond)))
    return guard_client(client, scene.detector, **scene.options)


def _results(outcome: Outcome, message: Any) -> list[Any]:
    return [
        {
            "type": "tool_result",
            "tool_use_id": block.id,
            "content": str(outcome.get_order(**block.input)),
        }
        for block in message.content
        if block.type == "tool_use"
    ]


class Create:
    """``messages.create`` in a loop that runs the tools."""

    cls: Any = anthropic.AsyncAnthropic

    async def play(self, scene: Scene, outcome: Outcome) -> None:
        client = _client(scene, outcome, self.cls)
        messages: list[Any] = [{"role": "user", "content": scene.question}]
        while True:
            message = await self.ask(client, outcome, _request(scene, messages))
            if message.stop_reason != "tool_use":
                return
            messages += [
                {"role": "assistant", "content": message.content},
                {"role": "user", "content": _results(outcome, message)},
            ]

    async def ask(self, client: Any, outcome: Outcome, request: Any) -> Any:
        message = await client.messages.create(**request)
        outcome.shown += [block.text for block in message.content if block.type == "text"]
        return message


class Sync(Create):
    cls = anthropic.Anthropic

    async def play(self, scene: Scene, outcome: Outcome) -> None:
        # Each request runs in a thread of a pool, and only a name holds them together.
        with run_identity(uuid.uuid4().hex):
            await super().play(scene, outcome)

    async def ask(self, client: Any, outcome: Outcome, request: Any) -> Any:
        message = await asyncio.to_thread(client.messages.create, **request)
        outcome.shown += [block.text for block in message.content if block.type == "text"]
        return message


class Stream(Create):
    async def ask(self, client: Any, outcome: Outcome, request: Any) -> Any:
        async with client.messages.stream(**request) as stream:
            async for text in stream.text_stream:
                outcome.shown.append(text)
            return await stream.get_final_message()


class SyncStream(Create):
    cls = anthropic.Anthropic

    async def play(self, scene: Scene, outcome: Outcome) -> None:
        # Each request runs in a thread of a pool, and only a name holds them together.
        with run_identity(uuid.uuid4().hex):
            await super().play(scene, outcome)

    async def ask(self, client: Any, outcome: Outcome, request: Any) -> Any:
        return await asyncio.to_thread(self._ask, client, outcome, request)

    def _ask(self, client: Any, outcome: Outcome, request: Any) -> Any:
        with client.messages.stream(**request) as stream:
            outcome.shown += list(stream.text_stream)
            return stream.get_final_message()


class ToolRunner:
    """The SDK's own agent loop."""

    async def play(self, scene: Scene, outcome: Outcome) -> None:
        @anthropic.beta_async_tool(
            name=TOOL.name, description=TOOL.description, input_schema=TOOL.input_schema
        )
        async def get_order(order_id: str) -> str:
            return str(outcome.get_order(order_id))

        client = _client(scene, outcome, anthropic.AsyncAnthropic)
        request = _request(scene, [{"role": "user", "content": scene.question}])
        runner = client.beta.messages.tool_runner(**{**request, "tools": [get_order]})
        async for message in runner:
            outcome.shown += [block.text for block in message.content if block.type == "text"]


DRIVERS = {cls.__name__: cls for cls in (Create, Sync, Stream, SyncStream, ToolRunner)}
STREAMING = {"Stream", "SyncStream"}
SHOWS_EARLY = "what_is_verified_is_shown_before_the_answer_is_complete"


CASES = [
    (driver, scenario)
    for driver in DRIVERS
    for scenario in ADAPTER.keeps(SCENARIOS)
    if scenario != SHOWS_EARLY or driver in STREAMING
]


@pytest.mark.parametrize(("driver", "scenario"), CASES)
def test_contract(driver: str, scenario: str) -> None:
    check(scenario, DRIVERS[driver]())
