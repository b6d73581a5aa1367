"""The OpenAI adapter under the contract: the real SDK on a scripted HTTP transport."""

import asyncio
import itertools
import json
import uuid
from typing import Any, ClassVar

import pytest

from affidavit.runtimes.contract import SCENARIOS, TOOL, Outcome, Scene, check
from affidavit.runtimes.contract.providers import (
    chat_chunks,
    chat_completion,
    responder,
    responses_events,
    responses_response,
)
from affidavit.runtimes.identity import run_identity
from affidavit.runtimes.openai import ADAPTER, guard_client
from affidavit.runtimes.transport import inner_library

openai = pytest.importorskip("openai")
httpx = inner_library(openai.OpenAI(api_key="k")._client)
FUNCTION = {"name": TOOL.name, "description": TOOL.description, "parameters": TOOL.input_schema}
AZURE = {"azure_endpoint": "https://house.example", "api_version": "2024-10-21"}


def _client(scene: Scene, respond: Any, cls: Any = openai.AsyncOpenAI, **more: Any) -> Any:
    of = httpx.AsyncClient if "Async" in cls.__name__ else httpx.Client
    transport = of(transport=httpx.MockTransport(respond))
    client = cls(api_key="k", max_retries=0, http_client=transport, **more)
    return guard_client(client, scene.detector, **scene.options)


class Chat:
    """``chat.completions.create`` in a loop that runs the tools."""

    cls: Any = openai.AsyncOpenAI
    more: ClassVar[dict[str, Any]] = {}

    async def play(self, scene: Scene, outcome: Outcome) -> None:
        end = b"data: [DONE]\n\n"
        respond = responder(httpx, scene, outcome, chat_completion, chat_chunks, end)
        client = _client(scene, respond, self.cls, **self.more)
        messages: list[Any] = [
            {"role": "system", "content": scene.system},
            {"role": "user", "content": scene.question},
        ]
        while True:
            request = {
                "model": "m",
                "messages": messages,
                "tools": [{"type": "function", "function": {**FUNCTION, "strict": True}}],
            }
            message = await self.ask(client, outcome, request)
            if not message.tool_calls:
                return
            messages.append(message.model_dump(exclude_none=True))
            for call in message.tool_calls:
                result = outcome.get_order(**json.loads(call.function.arguments))
                messages.append(
                    {"role": "tool", "tool_call_id": call.id, "content": json.dumps(result)}
                )

    async def ask(self, client: Any, outcome: Outcome, request: Any) -> Any:
        completion = await client.chat.completions.create(**request)
        message = completion.choices[0].message
        outcome.shown += [message.content] if message.content else []
        return message


class SyncChat(Chat):
    cls = openai.OpenAI

    async def play(self, scene: Scene, outcome: Outcome) -> None:
        # Each request runs in a thread of a pool, and only a name holds them together.
        with run_identity(uuid.uuid4().hex):
            await super().play(scene, outcome)

    async def ask(self, client: Any, outcome: Outcome, request: Any) -> Any:
        completion = await asyncio.to_thread(client.chat.completions.create, **request)
        message = completion.choices[0].message
        outcome.shown += [message.content] if message.content else []
        return message


class Azure(Chat):
    cls = openai.AsyncAzureOpenAI
    more = AZURE


class ChatStream(Chat):
    async def ask(self, client: Any, outcome: Outcome, request: Any) -> Any:
        async with client.chat.completions.stream(**request) as stream:
            async for event in stream:
                if event.type == "content.delta":
                    outcome.shown.append(event.delta)
            return (await stream.get_final_completion()).choices[0].message


class SyncChatStream(Chat):
    cls = openai.AzureOpenAI
    more = AZURE

    async def play(self, scene: Scene, outcome: Outcome) -> None:
        # Each request runs in a thread of a pool, and only a name holds them together.
        with run_identity(uuid.uuid4().hex):
            await super().play(scene, outcome)

    async def ask(self, client: Any, outcome: Outcome, request: Any) -> Any:
        return await asyncio.to_thread(self._ask, client, outcome, request)

    def _ask(self, client: Any, outcome: Outcome, request: Any) -> Any:
        with client.chat.completions.stream(**request) as stream:
            for event in stream:
                if event.type == "content.delta":
                    outcome.shown.append(event.delta)
            return stream.get_final_completion().choices[0].message


class Responses:
    """``responses.create``, each request with the whole input."""

    whole_input = True

    async def play(self, scene: Scene, outcome: Outcome) -> None:
        number = itertools.count(1)
        respond = responder(
            httpx,
            scene,
            outcome,
            lambda turn: responses_response(turn, next(number)),
            lambda turn: responses_events(turn, next(number)),
        )
        client = _client(scene, respond)
        history: list[Any] = [{"role": "user", "content": scene.question}]
        request: dict[str, Any] = {
            "model": "m",
            "instructions": scene.system,
            "tools": [{"type": "function", "strict": False, **FUNCTION}],
        }
        new = history
        while True:
            response = await self.ask(client, outcome, {**request, "input": new})
            calls = [item for item in response.output if item.type == "function_call"]
            if not calls:
                return
            results = [
                {
                    "type": "function_call_output",
                    "call_id": call.call_id,
                    "output": json.dumps(outcome.get_order(**json.loads(call.arguments))),
                }
                for call in calls
            ]
            if self.whole_input:
                history += [*(i.model_dump(exclude_none=True) for i in response.output), *results]
                new = history
            else:
                new, request["previous_response_id"] = results, response.id

    async def ask(self, client: Any, outcome: Outcome, request: Any) -> Any:
        response = await client.responses.create(**request)
        outcome.shown += [response.output_text] if response.output_text else []
        return response


class ResponsesGoingOn(Responses):
    """The history is kept by the API."""

    whole_input = False


class ResponsesStream(Responses):
    whole_input = False

    async def ask(self, client: Any, outcome: Outcome, request: Any) -> Any:
        async with client.responses.stream(**request) as stream:
            async for event in stream:
                if event.type == "response.output_text.delta":
                    outcome.shown.append(event.delta)
            return await stream.get_final_response()


CLASSES = (
    Chat,
    SyncChat,
    Azure,
    ChatStream,
    SyncChatStream,
    Responses,
    ResponsesGoingOn,
    ResponsesStream,
)
DRIVERS: dict[str, Any] = {cls.__name__: cls for cls in CLASSES}
SHOWS_EARLY = "what_is_verified_is_shown_before_the_answer_is_complete"


CASES = [
    (driver, scenario)
    for driver in DRIVERS
    for scenario in ADAPTER.keeps(SCENARIOS)
    if scenario != SHOWS_EARLY or "Stream" in driver
]


@pytest.mark.parametrize(("driver", "scenario"), CASES)
def test_contract(driver: str, scenario: str) -> None:
    check(scenario, DRIVERS[driver]())
