"""The language models, against the real SDKs on a scripted transport."""

import asyncio
import json
import os
import sys
import threading
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from affidavit.errors import MissingExtra, ModelError
from affidavit.models.llm import (
    AnthropicModel,
    CallableModel,
    ChatMessage,
    LanguageModel,
    OpenAICompatibleModel,
)

ASK = [
    ChatMessage("system", "Be brief."),
    ChatMessage("user", "What was charged?"),
]


def _httpx(sdk: ModuleType) -> Any:
    """The HTTP library that the SDK is built on: recent ones moved to httpx2."""
    return sys.modules[sdk.DefaultAsyncHttpxClient.__mro__[1].__module__.partition(".")[0]]


def _client(
    sdk: ModuleType, cls: str, reply: Any, status: int, seen: list[Any], **more: Any
) -> Any:
    httpx = _httpx(sdk)

    def answer(request: Any) -> Any:
        seen.append((request.url, json.loads(request.content)))
        return httpx.Response(status, json=reply)

    transport = httpx.MockTransport(answer)
    http_client = httpx.AsyncClient(transport=transport)
    return getattr(sdk, cls)(api_key="k", http_client=http_client, max_retries=0, **more)


def _message(text: str, stop: str = "end_turn") -> dict[str, Any]:
    content = [{"type": "text", "text": text}] if text else []
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content,
        "stop_reason": stop, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1},
    }  # fmt: skip


def _completion(text: str | None, finish: str = "stop") -> dict[str, Any]:
    choice = {
        "index": 0,
        "finish_reason": finish,
        "message": {"role": "assistant", "content": text},
    }
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


def _anthropic(reply: Any, status: int = 200) -> tuple[AnthropicModel, list[Any]]:
    sdk, seen = pytest.importorskip("anthropic"), []
    client = _client(sdk, "AsyncAnthropic", reply, status, seen)
    return AnthropicModel("m", client=client), seen


def _openai(reply: Any, status: int = 200, **more: Any) -> tuple[OpenAICompatibleModel, list[Any]]:
    sdk, seen = pytest.importorskip("openai"), []
    client = _client(sdk, "AsyncOpenAI", reply, status, seen, base_url="http://local/v1")
    return OpenAICompatibleModel("m", client=client, **more), seen


def test_anthropic_sends_the_system_prompt_apart_and_only_what_was_set() -> None:
    model, seen = _anthropic(_message("It was $5."))
    assert asyncio.run(model.complete(ASK)) == "It was $5."
    assert asyncio.run(model.complete(ASK, temperature=0.5, max_tokens=7)) == "It was $5."
    (url, plain), (_, tuned) = seen
    assert url.path == "/v1/messages"
    assert plain["system"] == "Be brief."
    assert plain["messages"] == [{"role": "user", "content": "What was charged?"}]
    assert "temperature" not in plain
    assert plain["max_tokens"] == 8192, "room for a verdict on each of an answer's claims"
    assert (tuned["temperature"], tuned["max_tokens"]) == (0.5, 7)


def test_openai_compatible_sends_only_what_was_set() -> None:
    model, seen = _openai(_completion("It was $5."), limit_field="max_tokens")
    assert asyncio.run(model.complete(ASK)) == "It was $5."
    assert asyncio.run(model.complete(ASK, temperature=0.5, max_tokens=7)) == "It was $5."
    (url, plain), (_, tuned) = seen
    assert str(url) == "http://local/v1/chat/completions"
    assert [m["role"] for m in plain["messages"]] == ["system", "user"]
    assert plain.keys() == {"model", "messages"}
    assert (tuned["temperature"], tuned["max_tokens"]) == (0.5, 7)


def test_azure_through_its_own_client() -> None:
    sdk, seen = pytest.importorskip("openai"), []
    client = _client(
        sdk, "AsyncAzureOpenAI", _completion("ok"), 200, seen,
        azure_endpoint="https://house.example", api_version="2024-10-21",
    )  # fmt: skip
    assert asyncio.run(OpenAICompatibleModel("deployed", client=client).complete(ASK)) == "ok"
    assert seen[0][0].path == "/openai/deployments/deployed/chat/completions"


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        ({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}, 529),
        ({"type": "error", "error": {"type": "authentication_error", "message": "no"}}, 401),
        (_message(""), 200),
        (_message("   "), 200),
        (_message("I cannot", "refusal"), 200),
        (_message("It was", "max_tokens"), 200),
        (_message("It was", "model_context_window_exceeded"), 200),
    ],
)
def test_anthropic_without_an_answer_is_a_model_error(reply: Any, status: int) -> None:
    model, _ = _anthropic(reply, status)
    with pytest.raises(ModelError, match="anthropic:m"):
        asyncio.run(model.complete(ASK))


@pytest.mark.parametrize(
    ("reply", "status"),
    [
        ({"error": {"message": "busy"}}, 503),
        ({"error": {"message": "no"}}, 401),
        (_completion(None, "content_filter"), 200),
        (_completion("It was", "length"), 200),
        (_completion(""), 200),
        ({**_completion("x"), "choices": []}, 200),
    ],
)
def test_openai_without_an_answer_is_a_model_error(reply: Any, status: int) -> None:
    model, _ = _openai(reply, status)
    with pytest.raises(ModelError, match="openai:m"):
        asyncio.run(model.complete(ASK))


@pytest.mark.parametrize(
    ("package", "model"), [("anthropic", AnthropicModel), ("openai", OpenAICompatibleModel)]
)
def test_a_missing_key_is_a_model_error(
    package: str, model: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip(package)
    for name in [name for name in os.environ if name.startswith(("OPENAI_", "ANTHROPIC_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(ModelError, match=f"{package}:m"):
        asyncio.run(model("m").complete(ASK))


@pytest.mark.parametrize(
    ("package", "model"), [("anthropic", AnthropicModel), ("openai", OpenAICompatibleModel)]
)
def test_a_missing_package_says_what_to_install(
    package: str, model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingExtra, match=rf"pip install 'affidavit\[{package}\]'"):
        model("m")


async def _later(messages: Any) -> str:
    await asyncio.sleep(0)
    return messages[-1].text


class _Asynchronous:
    async def __call__(self, messages: Any) -> str:
        return messages[-1].text


@pytest.mark.parametrize("ask", [lambda messages: messages[-1].text, _later, _Asynchronous()])
def test_a_function_of_any_kind_is_a_model(ask: Any) -> None:
    model = CallableModel(ask, name="mine")
    assert isinstance(model, LanguageModel)
    assert model.name == "mine"
    assert asyncio.run(model.complete(ASK, temperature=1.0)) == "What was charged?"


@pytest.mark.parametrize(
    "ask", [lambda m: 1 / 0, lambda m: "", lambda m: None, lambda m: next(iter(()))]
)
def test_a_function_without_an_answer_is_a_model_error(ask: Any) -> None:
    with pytest.raises(ModelError, match="callable: "):
        asyncio.run(CallableModel(ask).complete(ASK))


def test_plain_functions_wait_side_by_side_and_a_late_one_holds_nothing_up() -> None:
    release, together = threading.Event(), threading.Barrier(24)

    def ask(messages: Any) -> str:
        together.wait(timeout=30)
        return "x"

    def late(messages: Any) -> str:
        release.wait(timeout=60)
        return "x"

    async def main() -> None:
        model = CallableModel(ask)
        assert await asyncio.gather(*(model.complete(ASK) for _ in range(24))) == ["x"] * 24
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(CallableModel(late).complete(ASK), 0.05)

    begin = time.perf_counter()
    asyncio.run(main())
    assert time.perf_counter() - begin < 30
    release.set()


def test_importing_the_models_loads_no_sdk() -> None:
    import subprocess

    code = "import sys, affidavit.models.llm; sys.exit('openai' in sys.modules or 'anthropic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
