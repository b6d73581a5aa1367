"""The guardrail in LiteLLM's own proxy, by its configuration file: both wire formats, streamed or not."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from litellm.integrations.custom_logger import CustomLogger

from affidavit.runtimes.contract import TOOL, ModelTurn, Outcome, Scene
from affidavit.runtimes.contract.scenarios import FALSE, ORDER, SHIPPED, TRUE, detector_of
from affidavit.runtimes.contract.server import ModelServer
from affidavit.runtimes.sse import read_events

pytestmark = pytest.mark.filterwarnings("default")

POLICY = 'on_critical = "revise"\n'
FUNCTION = {"name": TOOL.name, "parameters": TOOL.input_schema}
RESULT = json.dumps({"order_id": ORDER, "status": "shipped", "total": "$45.18"})
ASKED = {"role": "user", "content": f"What is the total of order {ORDER}?"}
CHAT = {
    "model": "chat",
    "tools": [{"type": "function", "function": FUNCTION}],
    "messages": [
        ASKED,
        {
            "role": "assistant",
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {"name": TOOL.name, "arguments": json.dumps({"order_id": ORDER})},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": RESULT},
    ],
}
MESSAGES = {
    "model": "messages",
    "max_tokens": 100,
    "tools": [{"name": TOOL.name, "input_schema": TOOL.input_schema}],
    "messages": [
        ASKED,
        {
            "role": "assistant",
            "content": [
                {
                    "type": "tool_use",
                    "id": "call_1",
                    "name": TOOL.name,
                    "input": {"order_id": ORDER},
                }
            ],
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "call_1", "content": RESULT}],
        },
    ],
}


def config(base: str, name: str = "affidavit") -> dict[str, Any]:
    def model(name: str, provider: str, at: str) -> dict[str, Any]:
        params = {"model": f"{provider}/m", "api_base": at, "api_key": "k"}
        return {"model_name": name, "litellm_params": params}

    guardrail = {
        "guardrail": "affidavit.runtimes.litellm.AffidavitGuardrail",
        "mode": "post_call",
        "default_on": True,
        "policy": "policy.toml",
    }
    return {
        "model_list": [model("chat", "openai", f"{base}/v1"), model("messages", "anthropic", base)],
        "guardrails": [{"guardrail_name": name, "litellm_params": guardrail}],
    }


async def answered(client: httpx.AsyncClient, path: str, body: dict[str, Any]) -> str:
    if not body.get("stream"):
        response = (await client.post(path, json=body)).raise_for_status().json()
        if path.endswith("messages"):
            return "".join(block["text"] for block in response["content"])
        return str(response["choices"][0]["message"]["content"])
    seen = ""
    async with client.stream("POST", path, json=body) as response:
        async for event in read_events(response.aiter_bytes()):
            if event.get("type") == "content_block_delta":
                seen += event["delta"].get("text", "")
            for choice in event.get("choices", ()):
                seen += choice["delta"].get("content") or ""
    return seen


def test_a_false_draft_is_never_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from litellm.proxy.proxy_server import app, initialize

    monkeypatch.chdir(tmp_path)
    (tmp_path / "policy.toml").write_text(POLICY)

    async def main(server: ModelServer) -> None:
        for path, body in (("/v1/chat/completions", CHAT), ("/v1/messages", MESSAGES)):
            for stream in (False, True):
                outcome = Outcome()
                turns = [ModelTurn(f"{SHIPPED} {FALSE}"), ModelTurn(f"{SHIPPED} {TRUE}")]
                base = server.base(Scene(turns, detector_of()), outcome)
                file = tmp_path / f"config-{len(body)}-{stream}.yaml"
                file.write_text(json.dumps(config(base)))
                await initialize(config=str(file))
                transport = httpx.ASGITransport(app=app)
                async with httpx.AsyncClient(
                    transport=transport, base_url="http://proxy"
                ) as client:
                    seen = await answered(client, path, {**body, "stream": stream})
                assert seen.strip() == f"{SHIPPED} {TRUE}", (path, stream)
                assert "93.70" in outcome.asked[-1]

    with ModelServer() as server:
        asyncio.run(main(server))


class Calls(CustomLogger):  # type: ignore[misc]
    """What loggers are told of each call that goes to a model."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[dict[str, Any]] = []

    def log_pre_api_call(self, model: Any, messages: Any, kwargs: Any) -> None:
        params = kwargs["litellm_params"]
        self.told.append(params.get("metadata") or params.get("litellm_metadata") or {})


@pytest.mark.spec("AFF-1408")
@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/messages"])
def test_a_question_to_a_judge_is_named_in_the_logs(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import litellm
    from litellm.proxy.proxy_server import app, initialize

    monkeypatch.chdir(tmp_path)
    (tmp_path / "policy.toml").write_text(f"{POLICY}prior = 0.85\njudge = {{low = 0, high = 1}}\n")
    calls, outcome = Calls(), Outcome()

    async def main(server: ModelServer) -> None:
        base = server.base(Scene([ModelTurn(TRUE)], detector_of()), outcome)
        file = tmp_path / "config.yaml"
        # The proxy keeps a guardrail of a name that it knows, with its policy.
        file.write_text(json.dumps(config(base, f"affidavit{path}")))
        monkeypatch.setattr(litellm, "callbacks", [])  # those of other tests stay in the process
        await initialize(config=str(file))
        monkeypatch.setattr(litellm, "callbacks", [*litellm.callbacks, calls])
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://proxy") as client:
            assert await answered(client, path, MESSAGES if "messages" in path else CHAT) == TRUE

    with ModelServer() as server:
        asyncio.run(main(server))
    assert (len(outcome.asked), len(outcome.judged)) == (1, 1)
    judging = [told for told in calls.told if told.get("generation_name") == "affidavit judge"]
    assert len(judging) == 1
    assert judging[0]["spend_logs_metadata"]["affidavit"] == "judge"
