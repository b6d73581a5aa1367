"""No run sees the evidence of another, however alike they are and however they are served."""

import asyncio
import json
import random
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit.runtimes import run_identity
from affidavit.runtimes.anthropic import guard_client as guard_anthropic
from affidavit.runtimes.contract import TOOL, ModelTurn
from affidavit.runtimes.contract.look_alikes import (
    INVENTS,
    LOOKS_UP,
    QUESTION,
    OwnEvidence,
    answer_of,
    limit_of,
    system_of,
)
from affidavit.runtimes.contract.providers import (
    anthropic_message,
    chat_completion,
    responses_response,
)
from affidavit.runtimes.gateway import gateway
from affidavit.runtimes.identity import RUN_HEADER
from affidavit.runtimes.openai import guard_client as guard_openai
from affidavit.runtimes.transport import inner_library

anthropic = pytest.importorskip("anthropic")
openai = pytest.importorskip("openai")
httpx = inner_library(openai.OpenAI(api_key="k")._client)

USERS = 200
RESULT = json.dumps({"order_id": "BL-204518", "status": "shipped"})
FUNCTION = {"name": TOOL.name, "parameters": TOOL.input_schema}


class Messages:
    """Anthropic's API, and one request after another of a run."""

    sync, asynchronous, guard = anthropic.Anthropic, anthropic.AsyncAnthropic, guard_anthropic
    made = staticmethod(anthropic_message)
    base = "http://gateway"

    def request(self, client: Any, user: int, history: list[Any], headers: Any) -> Any:
        tools: Any = [{"name": TOOL.name, "input_schema": TOOL.input_schema}]
        return client.messages.create(
            model="m", max_tokens=9, system=system_of(user), tools=tools, extra_headers=headers,
            messages=[{"role": "user", "content": QUESTION}, *history],
        )  # fmt: skip

    def read(self, message: Any) -> tuple[str, list[Any]]:
        text = "".join(b.text for b in message.content if b.type == "text")
        results: list[Any] = [
            {"type": "tool_result", "tool_use_id": b.id, "content": RESULT}
            for b in message.content
            if b.type == "tool_use"
        ]
        said = {"role": "assistant", "content": [b.model_dump() for b in message.content]}
        return text, [said, {"role": "user", "content": results}] if results else []


class Chat:
    sync, asynchronous, guard = openai.OpenAI, openai.AsyncOpenAI, guard_openai
    made = staticmethod(chat_completion)
    base = "http://gateway/v1"

    def request(self, client: Any, user: int, history: list[Any], headers: Any) -> Any:
        opening: list[Any] = [
            {"role": "system", "content": system_of(user)},
            {"role": "user", "content": QUESTION},
        ]
        return client.chat.completions.create(
            model="m", messages=[*opening, *history], extra_headers=headers,
            tools=[{"type": "function", "function": FUNCTION}],
        )  # fmt: skip

    def read(self, completion: Any) -> tuple[str, list[Any]]:
        message = completion.choices[0].message
        if not message.tool_calls:
            return message.content, []
        call = message.tool_calls[0]
        result = {"role": "tool", "tool_call_id": call.id, "content": RESULT}
        return "", [message.model_dump(exclude_none=True), result]


class Responses(Chat):
    made = staticmethod(responses_response)

    def request(self, client: Any, user: int, history: list[Any], headers: Any) -> Any:
        return client.responses.create(
            model="m", instructions=system_of(user), extra_headers=headers,
            input=[{"role": "user", "content": QUESTION}, *history],
            tools=[{"type": "function", **FUNCTION}],
        )  # fmt: skip

    def read(self, response: Any) -> tuple[str, list[Any]]:
        calls = [item for item in response.output if item.type == "function_call"]
        said = [item.model_dump(exclude_none=True) for item in response.output]
        results = [
            {"type": "function_call_output", "call_id": call.call_id, "output": RESULT}
            for call in calls
        ]
        return response.output_text, [*said, *results] if calls else []


APIS: list[Any] = [Messages, Chat, Responses]


def answers(api: Any, shuffle: random.Random | None = None) -> Callable[[Any], Any]:
    """A model that invents an order in every other run, then calls, then claims the limit of the next
    user, and then that of its own: what it says is told by headers, as a stateless model has no other way."""

    def respond(request: Any) -> Any:
        body, user = request.content.decode(), int(request.headers["x-user"])
        turn = LOOKS_UP
        if "another draft" in body or answer_of((user + 1) % USERS) in body:
            turn = ModelTurn(answer_of(user))
        elif "shipped" in body:
            turn = ModelTurn(answer_of((user + 1) % USERS))
        elif user % 2 and "BL-999999" not in body:
            turn = INVENTS
        made = api.made(turn)
        if made.get("object") == "response":
            made["id"] = f"resp_{uuid.uuid4().hex}"  # an API gives no two responses one id
        return httpx.Response(200, json=made)

    async def slowly(request: Any) -> Any:
        assert shuffle is not None
        for _ in range(shuffle.randrange(4)):
            await asyncio.sleep(0)
        return respond(request)

    return slowly if shuffle else respond


def steps(api: Any, client: Any, user: int, named: bool) -> Iterator[Any]:
    """One run, a request at a time: what is yielded is to be sent back when it is there."""
    headers = {"x-user": str(user)} | ({RUN_HEADER: f"run-{user}"} if named else {})
    history: list[Any] = []
    while True:
        text, more = api.read((yield api.request(client, user, history, headers)))
        if not more:
            assert text == answer_of(user)
            return
        history += more


def check(checker: OwnEvidence, users: int = USERS) -> None:
    assert not checker.mixed
    for user in range(users):
        ids = checker.calls[limit_of(user)]
        assert "call_1" in ids
        # What was rejected in one run is told in no other.
        assert user % 2 or "call_0" not in ids


async def in_tasks(api: Any, client: Any, order: list[int], *, named: bool = False) -> None:
    async def one(user: int) -> None:
        run = steps(api, client, user, named)
        asked = next(run)
        while asked is not None:
            try:
                asked = run.send(await asked)
            except StopIteration:
                return

    await asyncio.gather(*map(one, order))


@pytest.mark.spec("AFF-812")
@pytest.mark.parametrize("warmed", [False, True])
@pytest.mark.parametrize("cls", APIS)
def test_many_runs_of_one_client_at_once(cls: Any, warmed: bool) -> None:
    api, checker, shuffle = cls(), OwnEvidence(), random.Random(7)
    order = list(range(USERS))
    shuffle.shuffle(order)

    async def main() -> None:
        http = httpx.AsyncClient(transport=httpx.MockTransport(answers(api, shuffle)))
        client = cls.guard(api.asynchronous(api_key="k", http_client=http), checker)
        if warmed:  # what the task that starts them all has asked is inherited by none
            await api.request(client, 1, [], {"x-user": "1"})
        await in_tasks(api, client, order)

    asyncio.run(main())
    check(checker)


@given(st.randoms(use_true_random=False), st.booleans())
@settings(max_examples=12, deadline=None)
@pytest.mark.parametrize("cls", APIS)
def test_runs_that_one_thread_asks_for_in_turn(cls: Any, shuffle: Any, named: bool) -> None:
    api, checker, users = cls(), OwnEvidence(), 12
    http = httpx.Client(transport=httpx.MockTransport(answers(api)))
    client = cls.guard(api.sync(api_key="k", http_client=http), checker)
    runs = {user: steps(api, client, user, named) for user in range(users)}
    asked = {user: next(run) for user, run in runs.items()}
    while runs:
        user = shuffle.choice(sorted(runs))
        try:
            asked[user] = runs[user].send(asked[user])
        except StopIteration:
            del runs[user]
    check(checker, users)


@pytest.mark.parametrize("cls", APIS)
def test_runs_of_many_threads(cls: Any) -> None:
    api, checker = cls(), OwnEvidence()
    http = httpx.Client(transport=httpx.MockTransport(answers(api)))
    client = cls.guard(api.sync(api_key="k", http_client=http), checker)

    def one(user: int) -> None:
        run = steps(api, client, user, named=False)
        asked = next(run)
        try:
            while True:
                asked = run.send(asked)
        except StopIteration:
            pass

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(one, range(USERS)))
    check(checker)


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("cls", APIS)
def test_many_runs_through_one_gateway(cls: Any, named: bool) -> None:
    pytest.importorskip("starlette")
    api, checker, shuffle = cls(), OwnEvidence(), random.Random(9)

    async def main() -> None:
        upstream = httpx.AsyncClient(transport=httpx.MockTransport(answers(api, shuffle)))
        app = gateway(checker, http_client=upstream)
        http = httpx.AsyncClient(transport=httpx.ASGITransport(app=app))
        client = api.asynchronous(api_key="k", base_url=api.base, http_client=http)
        await in_tasks(api, client, list(range(USERS)), named=named)

    asyncio.run(main())
    check(checker)
    # Only where runs have names does a later request know what an earlier one was refused.
    assert ("call_0" in checker.calls[limit_of(1)]) == named


@pytest.mark.parametrize("how", ["header", "context"])
def test_what_was_rejected_is_known_in_the_next_request_of_a_named_run(how: str) -> None:
    api, checker = Chat(), OwnEvidence()
    http = httpx.Client(transport=httpx.MockTransport(answers(api)))
    client = guard_openai(openai.OpenAI(api_key="k", http_client=http), checker)
    run = steps(api, client, 1, named=how == "header")

    def within() -> AbstractContextManager[None]:
        return run_identity("run-1") if how == "context" else nullcontext()

    def step(given: Any) -> Any:
        with within():
            return next(run) if given is None else run.send(given)

    asked = None
    for _ in range(9):
        with ThreadPoolExecutor(1) as pool:  # each request in a thread of its own
            try:
                asked = pool.submit(step, asked).result()
            except (StopIteration, RuntimeError):
                break
    assert checker.calls[limit_of(1)] == {"call_0", "call_1"}


def test_the_name_of_a_run_stays_here() -> None:
    seen: list[Any] = []

    def respond(request: Any) -> Any:
        seen.append(request.headers)
        return httpx.Response(200, json=chat_completion(ModelTurn("Hello.")))

    http = httpx.Client(transport=httpx.MockTransport(respond))
    client = guard_openai(openai.OpenAI(api_key="k", http_client=http), OwnEvidence())
    ask = {"model": "m", "messages": [{"role": "user", "content": "Hi."}]}
    client.chat.completions.create(**ask, extra_headers={RUN_HEADER: "secret"})
    client.models.list(extra_headers={RUN_HEADER: "secret"})
    assert len(seen) == 2
    assert all(RUN_HEADER not in headers for headers in seen)


def test_a_response_is_gone_on_from_by_those_who_were_given_it() -> None:
    def respond(request: Any) -> Any:
        return httpx.Response(200, json=responses_response(ModelTurn("Hello.")))

    async def main() -> None:
        upstream = httpx.AsyncClient(transport=httpx.MockTransport(respond))
        app = gateway(OwnEvidence(), http_client=upstream)
        http = httpx.AsyncClient(transport=httpx.ASGITransport(app=app))
        one, other = (
            openai.AsyncOpenAI(api_key=key, base_url="http://gateway/v1", http_client=http)
            for key in ("k1", "k2")
        )
        first = await one.responses.create(model="m", input="My limit is $9001.")
        with pytest.raises(openai.BadRequestError, match="nothing is known"):
            await other.responses.create(model="m", input="?", previous_response_id=first.id)
        await one.responses.create(model="m", input="?", previous_response_id=first.id)

    asyncio.run(main())
