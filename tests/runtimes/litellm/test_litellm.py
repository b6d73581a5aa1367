"""The LiteLLM guardrail under the contract: the real library over HTTP, its hooks called as the proxy does."""

import asyncio
import json
import uuid
from collections.abc import Iterator
from typing import Any

import litellm
import pytest

from affidavit.runtimes.contract import SCENARIOS, TOOL, Outcome, Scene, check
from affidavit.runtimes.contract.scenarios import detector_of, look_alike_runs_do_not_mix
from affidavit.runtimes.contract.server import ModelServer
from affidavit.runtimes.litellm import ADAPTER, AffidavitGuardrail
from affidavit.runtimes.sse import read_events

pytestmark = pytest.mark.filterwarnings("default")

SERVER = ModelServer()
FUNCTION = {"name": TOOL.name, "description": TOOL.description, "parameters": TOOL.input_schema}
ANTHROPIC_TOOL = {"name": TOOL.name, "input_schema": TOOL.input_schema}


@pytest.fixture(scope="module", autouse=True)
def _serving() -> Iterator[None]:
    with SERVER:
        yield


class Chat:
    """``/chat/completions``."""

    path = "/v1/chat/completions"
    stream = False

    async def play(self, scene: Scene, outcome: Outcome) -> None:
        base = SERVER.base(scene, outcome)
        guardrail = AffidavitGuardrail(detector=scene.detector, options=scene.options)
        messages: list[Any] = self.opening(scene)
        headers = self.headers()
        while True:
            body = {**self.request(scene, base), "messages": messages}
            if self.stream:
                body["stream"] = True
            data = {
                **body,
                "proxy_server_request": {
                    "url": f"http://proxy{self.path}",
                    "body": body,
                    "headers": headers,
                },
            }
            response = await self.ask(body)
            if self.stream:
                chunks = guardrail.async_post_call_streaming_iterator_hook(None, response, data)
                done = await self.read(chunks, outcome)
            else:
                response = await guardrail.async_post_call_success_hook(data, None, response)
                done = self.shown(response, outcome)
            if not (more := self.results(done, outcome)):
                return
            messages = [*messages, *more]

    def headers(self) -> dict[str, str]:
        return {"X-Affidavit-Run": uuid.uuid4().hex}

    def opening(self, scene: Scene) -> list[Any]:
        return [
            {"role": "system", "content": scene.system},
            {"role": "user", "content": scene.question},
        ]

    def request(self, scene: Scene, base: str) -> dict[str, Any]:
        tools = [{"type": "function", "function": FUNCTION}]
        return {"model": "openai/m", "api_base": f"{base}/v1", "api_key": "k", "tools": tools}

    async def ask(self, body: Any) -> Any:
        return await litellm.acompletion(**body)

    def shown(self, response: Any, outcome: Outcome) -> Any:
        message = response.choices[0].message
        outcome.shown += [message.content] if message.content else []
        return message

    def results(self, message: Any, outcome: Outcome) -> list[Any]:
        if not message.tool_calls:
            return []
        return [message.model_dump(exclude_none=True)] + [
            {
                "role": "tool",
                "tool_call_id": call.id,
                "content": json.dumps(outcome.get_order(**json.loads(call.function.arguments))),
            }
            for call in message.tool_calls
        ]

    async def read(self, chunks: Any, outcome: Outcome) -> Any:
        seen = []
        async for chunk in chunks:
            seen.append(chunk)
            if text := chunk.choices and chunk.choices[0].delta.content:
                outcome.shown.append(text)
        return litellm.stream_chunk_builder(seen).choices[0].message


class ChatStream(Chat):
    stream = True


class Messages(Chat):
    """``/v1/messages``."""

    path = "/v1/messages"

    def opening(self, scene: Scene) -> list[Any]:
        return [{"role": "user", "content": scene.question}]

    def request(self, scene: Scene, base: str) -> dict[str, Any]:
        return {
            "model": "anthropic/m", "api_base": base, "api_key": "k", "max_tokens": 100,
            "system": scene.system, "tools": [ANTHROPIC_TOOL],
        }  # fmt: skip

    async def ask(self, body: Any) -> Any:
        return await litellm.anthropic_messages(**body)

    def shown(self, response: Any, outcome: Outcome) -> Any:
        outcome.shown += [block["text"] for block in response["content"] if block["type"] == "text"]
        return response["content"]

    def results(self, content: Any, outcome: Outcome) -> list[Any]:
        results = [
            {
                "type": "tool_result",
                "tool_use_id": block["id"],
                "content": json.dumps(outcome.get_order(**block["input"])),
            }
            for block in content
            if block["type"] == "tool_use"
        ]
        said = {"role": "assistant", "content": content}
        return [said, {"role": "user", "content": results}] if results else []

    async def read(self, chunks: Any, outcome: Outcome) -> Any:
        blocks: dict[int, Any] = {}
        async for event in read_events(chunks):
            if event["type"] == "content_block_start":
                blocks[event["index"]] = {**event["content_block"], "json": ""}
            elif event["type"] == "content_block_delta":
                block, delta = blocks[event["index"]], event["delta"]
                block["json"] += delta.get("partial_json", "")
                if "text" in delta:
                    block["text"] += delta["text"]
                    outcome.shown.append(delta["text"])
        for block in blocks.values():
            arguments = block.pop("json")
            if block["type"] == "tool_use":
                block["input"] = json.loads(arguments)
        return list(blocks.values())


class MessagesStream(Messages):
    stream = True


DRIVERS: dict[str, Any] = {c.__name__: c for c in (Chat, ChatStream, Messages, MessagesStream)}
SHOWS_EARLY = "what_is_verified_is_shown_before_the_answer_is_complete"


CASES = [
    (driver, scenario)
    for driver in DRIVERS
    for scenario in ADAPTER.keeps(SCENARIOS)
    if scenario != SHOWS_EARLY or "Stream" in driver
]


@pytest.mark.parametrize("named", [False, True])
def test_many_look_alikes_under_one_guardrail(named: bool, monkeypatch: Any) -> None:
    made: list[AffidavitGuardrail] = []
    make = AffidavitGuardrail

    def one_for_all(**how: Any) -> AffidavitGuardrail:
        made.extend([] if made else [make(**how)])
        return made[0]

    monkeypatch.setitem(Chat.play.__globals__, "AffidavitGuardrail", one_for_all)
    if not named:
        monkeypatch.setattr(Chat, "headers", lambda _: {})
    asyncio.run(look_alike_runs_do_not_mix(Chat(), at_once=200))


@pytest.mark.parametrize(("driver", "scenario"), CASES)
def test_contract(driver: str, scenario: str) -> None:
    check(scenario, DRIVERS[driver]())


def test_what_is_no_answer_goes_on_and_what_cannot_be_checked_does_not() -> None:
    class TextCompletionResponse:
        """What the proxy has of a legacy completion."""

    class EmbeddingResponse:
        """What it has of an embedding."""

    data = {"proxy_server_request": {"url": "http://proxy/v1/completions?x=1", "body": {}}}
    detector = detector_of()

    def hook(response: Any, **how: Any) -> Any:
        guardrail = AffidavitGuardrail(detector=detector, **how)
        return asyncio.run(guardrail.async_post_call_success_hook(data, None, response))

    vector, text = EmbeddingResponse(), TextCompletionResponse()
    assert hook(vector) is vector
    with pytest.raises(ValueError, match="cannot be checked"):
        hook(text)
    assert hook(text, allow_unguarded=["completions"]) is text
