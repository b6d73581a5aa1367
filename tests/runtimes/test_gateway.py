"""The gateway: the SDKs point at it, a scripted model API stands behind it."""

import asyncio
import json
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from affidavit.cli import main
from affidavit.runtimes.contract import SCENARIOS, TOOL, Outcome, Scene, check
from affidavit.runtimes.contract.scenarios import FALSE, ORDER, TRUE, detector_of
from affidavit.runtimes.contract.scene import ModelTurn
from affidavit.runtimes.contract.server import ModelServer
from affidavit.runtimes.gateway import ADAPTER, Upstreams, gateway
from affidavit.runtimes.identity import RUN_HEADER

anthropic = pytest.importorskip("anthropic")
openai = pytest.importorskip("openai")
uvicorn = pytest.importorskip("uvicorn")
httpx2 = pytest.importorskip("httpx2")

SERVER = ModelServer()


@pytest.fixture(scope="module", autouse=True)
def _serving() -> Iterator[None]:
    with SERVER:
        yield


def http_client(scene: Scene, outcome: Outcome) -> Any:
    base = SERVER.base(scene, outcome)
    app = gateway(scene.detector, scene.options, upstreams=Upstreams(base, base))
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app))


class Messages:
    async def play(self, scene: Scene, outcome: Outcome) -> None:
        client = anthropic.AsyncAnthropic(
            api_key="k",
            base_url="http://gateway",
            http_client=http_client(scene, outcome),
            default_headers={RUN_HEADER: uuid.uuid4().hex},
        )
        tools: Any = [{"name": TOOL.name, "input_schema": TOOL.input_schema}]
        messages: list[Any] = [{"role": "user", "content": scene.question}]
        while True:
            async with client.messages.stream(
                model="m", max_tokens=99, system=scene.system, tools=tools, messages=messages
            ) as stream:
                outcome.shown += [text async for text in stream.text_stream]
                message = await stream.get_final_message()
            results = [
                {
                    "type": "tool_result",
                    "tool_use_id": block.id,
                    "content": json.dumps(outcome.get_order(**block.input)),
                }
                for block in message.content
                if block.type == "tool_use"
            ]
            if not results:
                return
            messages += [
                {"role": "assistant", "content": message.content},
                {"role": "user", "content": results},
            ]


@pytest.mark.parametrize("scenario", ADAPTER.keeps(SCENARIOS))
def test_contract(scenario: str) -> None:
    check(scenario, Messages())


def test_paths_and_headers_say_which_api_is_meant() -> None:
    to = Upstreams("https://a.example/", "https://o.example")
    assert to.of("/v1/messages", {}) == "https://a.example/v1/messages"
    assert to.of("/v1/models", {"anthropic-version": "1"}) == "https://a.example/v1/models"
    assert to.of("/v1/models", {}) == "https://o.example/v1/models"


def test_a_model_api_that_cannot_be_reached_is_an_error_of_the_gateway() -> None:
    app = gateway(detector_of(), upstreams=Upstreams(openai="http://127.0.0.1:1"))

    async def ask() -> Any:
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://gateway") as client:
            return await client.post("/v1/chat/completions", json={"model": "m", "messages": []})

    response = asyncio.run(ask())
    assert response.status_code == 502
    assert "ConnectError" in response.json()["error"]["message"]


def test_the_command_serves_over_http(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The whole of it: the command, its policy and its reports, uvicorn, an SDK and its keys."""
    servers: list[Any] = []

    def serve(app: Any, *, host: str, port: int, log_level: str) -> None:
        servers.append(
            uvicorn.Server(uvicorn.Config(app, host=host, port=port, log_level=log_level))
        )
        servers[0].run()

    monkeypatch.setattr("uvicorn.run", serve)
    outcome = Outcome()
    base = SERVER.base(Scene([ModelTurn(FALSE), ModelTurn(TRUE)], detector_of()), outcome)
    policy, reports = tmp_path / "policy.toml", tmp_path / "reports.jsonl"
    policy.write_text('on_critical = "revise"\n')
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        "gateway", "--port", str(port), "--openai", base, "--policy", str(policy),
        "--reports", str(reports),
    ]  # fmt: skip
    thread = threading.Thread(target=main, args=(command,), daemon=True)
    thread.start()
    while not (servers and servers[0].started):
        assert thread.is_alive()
        time.sleep(0.02)
    messages: list[Any] = [
        {"role": "system", "content": f"Order {ORDER}: total $45.18."},
        {"role": "user", "content": f"What is the total of order {ORDER}?"},
    ]
    with openai.OpenAI(api_key="k", base_url=f"http://127.0.0.1:{port}/v1") as client:
        answer = client.chat.completions.create(model="m", messages=messages)
    servers[0].should_exit = True
    thread.join()
    assert answer.choices[0].message.content == TRUE
    (line,) = reports.read_text().splitlines()
    assert json.loads(line)["attempts"][0]["answer"] == FALSE
    assert "judge: the model of each request itself is asked" in capsys.readouterr().err


@pytest.mark.spec("AFF-1408")
@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--judge", "none"], "judge: nobody is asked"),
        (["--judge", "own"], "with the caller's key"),
        (["--judge", "openai:m@http://127.0.0.1:1"], "judge: openai:m@http://127.0.0.1:1 is asked"),
    ],
)
def test_the_gateway_says_at_the_start_who_judges_and_what_it_costs(
    more: list[str], told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("uvicorn.run", lambda app, **how: None)
    assert main(["gateway", *more]) == 0
    assert told in capsys.readouterr().err
