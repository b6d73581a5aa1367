"""Every method of the SDKs is guarded, gives back what was let out, is harmless, or is refused."""

import warnings
from collections import Counter
from typing import Any

import pytest

from affidavit.runtimes.anthropic import guard_client as guard_anthropic
from affidavit.runtimes.anthropic_routes import ROUTES as ANTHROPIC
from affidavit.runtimes.contract.look_alikes import OwnEvidence
from affidavit.runtimes.openai import guard_client as guard_openai
from affidavit.runtimes.openai_routes import ROUTES as OPENAI
from affidavit.runtimes.routes import NO_TABLE
from affidavit.runtimes.transport import inner_library
from tests.runtimes.every_method import call, methods

anthropic = pytest.importorskip("anthropic")
openai = pytest.importorskip("openai")
httpx = inner_library(openai.OpenAI(api_key="k")._client)

# Methods that ask for nothing: they make or check things here.
LOCAL = {
    "beta.messages.thread",
    "beta.webhooks.parse_unverified",
    "beta.webhooks.unwrap",
    "webhooks.unwrap",
    "webhooks.verify_signature",
    # Of files on disk: they go to paths that other methods go to.
    "beta.agents.environments.files.prepare",
    "beta.agents.environments.files.prepare_directory",
    "beta.agents.environments.files.upload",
    "uploads.upload_file_chunked",
}
# Arguments that only one of several forms has; each goes to the path of its brothers.
UNCALLED = {
    "admin.organization.external_keys.create",
    "audio.voices.create",
    "beta.agents.automations.create",
    "beta.agents.environments.files.create",
    "beta.agents.sessions.artifacts.for_result",
    "vector_stores.file_batches.upload_and_poll",
}


def standings(client_of: Any, guard: Any, routes: Any, package: str) -> dict[str, str]:
    """What became of each method."""
    asked: list[Any] = []

    def respond(request: Any) -> Any:
        asked.append(request)
        return httpx.Response(400, json={"error": {"message": "asked"}})

    http = httpx.Client(transport=httpx.MockTransport(respond))
    guarded = guard(client_of(http), OwnEvidence())
    base, found = guarded.base_url.path, {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, method in methods(guarded, f"{package}.resources"):
            asked.clear()
            raised = call(method, asked)
            told = str(raised)
            if asked:
                route = routes.of(asked[0].method, asked[0].url.path, base=base)
                found[name] = route.standing
            elif "refused by the guarded client" in told:
                found[name] = "unknown" if NO_TABLE in told else "refused"
            elif "affidavit: input" in told:
                found[name] = "guarded"
            elif "WebSocket" in told or "openai[realtime]" in told:
                found[name] = "websocket"
            else:
                found[name] = f"nothing asked: {raised!r}"
    return found


def of_anthropic() -> dict[str, str]:
    def client(http: Any) -> Any:
        return anthropic.Anthropic(api_key="k", max_retries=0, http_client=http)

    return standings(client, guard_anthropic, ANTHROPIC, "anthropic")


def of_openai() -> dict[str, str]:
    def client(http: Any) -> Any:
        return openai.OpenAI(api_key="k", admin_api_key="k", max_retries=0, http_client=http)

    return standings(client, guard_openai, OPENAI, "openai")


@pytest.mark.spec("AFF-813")
@pytest.mark.parametrize("of", [of_anthropic, of_openai])
def test_every_method_has_its_standing(of: Any) -> None:
    found = of()
    known = {"guarded", "harmless", "refused", "websocket"}
    left = {
        name: standing
        for name, standing in found.items()
        if standing not in known and name not in LOCAL | UNCALLED
    }
    assert not left, "say in the table of routes what these answer with"
    assert len(found) > 100
    counted = Counter(found.values())
    assert counted["guarded"] and counted["harmless"] and counted["refused"]


def test_whatever_a_model_says_is_guarded_or_refused() -> None:
    found = of_anthropic()
    for name in ("messages.create", "messages.stream", "messages.parse", "beta.messages.create",
                 "beta.messages.stream", "beta.messages.tool_runner"):  # fmt: skip
        assert found[name] == "guarded", name
    for name in ("messages.batches.results", "beta.sessions.events.stream", "files.download"):
        assert found[name] in ("refused", "harmless"), name
    found = of_openai()
    for name in ("chat.completions.create", "chat.completions.stream", "chat.completions.parse",
                 "responses.create", "responses.parse", "completions.create"):  # fmt: skip
        assert found[name] == "guarded", name
    for name in ("responses.retrieve", "responses.compact", "responses.cancel", "files.content",
                 "responses.input_items.list", "chat.completions.retrieve", "decisions.create",
                 "chat.completions.list", "chat.completions.messages.list", "evals.create",
                 "beta.threads.runs.create", "beta.threads.messages.list",
                 "conversations.items.list", "beta.agents.sessions.create"):  # fmt: skip
        assert found.get(name, "refused") == "refused", name  # some only in recent versions
    for name in ("responses.connect", "realtime.connect"):
        assert found[name] == "websocket", name
