"""Claude Code itself, as the Agent SDK brings it, against a model API that answers from a script: with
hooks in the SDK's process, and with http hooks that a daemon answers."""

from __future__ import annotations

import asyncio
import contextlib
import json
import runpy
import tempfile
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from claude_agent_sdk import (
    AssistantMessage,
    ClaudeAgentOptions,
    HookMatcher,
    SystemMessage,
    TextBlock,
    create_sdk_mcp_server,
    query,
    tool,
)

from affidavit import Detector
from affidavit.cli import main
from affidavit.cli.init.snippets import SNIPPETS
from affidavit.runtimes.claude_agent_sdk import ADAPTER as SDK
from affidavit.runtimes.claude_agent_sdk import guard_options
from affidavit.runtimes.claude_code import ADAPTER as CLAUDE_CODE
from affidavit.runtimes.claude_code.daemon import Daemon
from affidavit.runtimes.claude_code.events import HookEvent
from affidavit.runtimes.claude_code.hooks import Hooks
from affidavit.runtimes.contract import (
    SCENARIOS,
    TOOL,
    Call,
    ModelTurn,
    Outcome,
    Scene,
    check,
)
from affidavit.runtimes.contract.providers import anthropic_events, anthropic_message
from affidavit.runtimes.sse import write_event
from affidavit.testing import FixedEntailment

INIT = ("--framework", "claude_code")
NAME = f"mcp__shop__{TOOL.name}"


class NamedCall(Call):
    @property
    def name(self) -> str:
        return NAME


class ModelApi(ThreadingHTTPServer):
    """The Messages API: the scene's turns to the agent's requests, a word to any other."""

    daemon_threads = True

    def __init__(self, scene: Scene, outcome: Outcome) -> None:
        self.script, self.outcome = scene.script(), outcome
        super().__init__(("127.0.0.1", 0), _Request)

    def turn(self, body: dict[str, Any]) -> ModelTurn:
        if not any(tool.get("name") == NAME for tool in body.get("tools", ())):
            return ModelTurn("ok")
        self.outcome.asked.append(json.dumps(body["messages"], ensure_ascii=False))
        turn = self.script.next()
        return ModelTurn(turn.text, tuple(NamedCall(c.order_id, c.id) for c in turn.calls))


class _Request(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ModelApi

    def do_HEAD(self) -> None:
        self._reply(b"", "text/plain")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        turn = self.server.turn(body)
        if body.get("stream"):
            events = b"".join(write_event(event) for event in anthropic_events(turn))
            self._reply(events, "text/event-stream")
        else:
            self._reply(json.dumps(anthropic_message(turn)).encode(), "application/json")

    def _reply(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None: ...


@contextlib.contextmanager
def serving(server: ThreadingHTTPServer) -> Iterator[str]:
    """The server's address while it answers, from a thread of its own."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class AgentSdk:
    """Hooks in the SDK's process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # Each run is a process of some hundred megabytes.
        self.places = asyncio.Semaphore(8)

    async def play(self, scene: Scene, outcome: Outcome) -> None:
        # A project of its own: runs may go on at once.
        async with self.places:
            await type(self)(Path(tempfile.mkdtemp(dir=self.folder)))._play(scene, outcome)

    async def _play(self, scene: Scene, outcome: Outcome) -> None:
        with serving(ModelApi(scene, outcome)) as api, self.hooked(scene, outcome, api) as options:
            async for message in query(prompt=scene.question, options=options):
                if isinstance(message, AssistantMessage):
                    texts = [b.text for b in message.content if isinstance(b, TextBlock)]
                    outcome.shown += [text for text in texts if text.strip()]
                elif isinstance(message, SystemMessage) and message.subtype == "informational":
                    outcome.shown.append(str(message.data["content"]))

    @contextlib.contextmanager
    def hooked(self, scene: Scene, outcome: Outcome, api: str) -> Iterator[ClaudeAgentOptions]:
        yield guard_options(self.options(scene, outcome, api), scene.detector, **scene.options)

    def options(self, scene: Scene, outcome: Outcome, api: str, **env: str) -> ClaudeAgentOptions:
        @tool(TOOL.name, TOOL.description, TOOL.input_schema or {})
        async def get_order(given: dict[str, Any]) -> dict[str, Any]:
            found = json.dumps(outcome.get_order(**given))
            return {"content": [{"type": "text", "text": found}]}

        return ClaudeAgentOptions(
            mcp_servers={"shop": create_sdk_mcp_server("shop", tools=[get_order])},
            allowed_tools=[NAME],
            tools=[],
            system_prompt=scene.system,
            setting_sources=["project", "local"],
            cwd=self.folder,
            env={
                "ANTHROPIC_BASE_URL": api,
                "ANTHROPIC_API_KEY": "scripted",
                "CLAUDE_CONFIG_DIR": str(self.folder / "config"),
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
                **env,
            },
        )


class HttpHooks(AgentSdk):
    """Claude Code's own http hooks, as `affidavit init --http` writes them, answered by a daemon."""

    @contextlib.contextmanager
    def hooked(self, scene: Scene, outcome: Outcome, api: str) -> Iterator[ClaudeAgentOptions]:
        hooks = Hooks(scene.detector, folder=self.folder / "state", **scene.options)
        daemon = Daemon(lambda event, _: hooks.answer(HookEvent.model_validate(event)))
        with serving(daemon) as url:
            assert main(["init", str(self.folder), "--http", url.rpartition(":")[2], *INIT]) == 0
            yield self.options(scene, outcome, api, AFFIDAVIT_HOOK_TOKEN=daemon.token)


class CommandHooks(AgentSdk):
    """Hooks that are commands, as `affidavit init` writes them: a process for each event."""

    @contextlib.contextmanager
    def hooked(self, scene: Scene, outcome: Outcome, api: str) -> Iterator[ClaudeAgentOptions]:
        assert main(["init", str(self.folder), *INIT]) == 0
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("AFFIDAVIT_DAEMON_IDLE", "0.1")
            yield self.options(scene, outcome, api, AFFIDAVIT_STATE=str(self.folder / "state"))


CASES = [
    pytest.param(driver, scenario, id=f"{driver.__name__}-{scenario}")
    for driver, adapter in ((AgentSdk, SDK), (HttpHooks, CLAUDE_CODE))
    for scenario in adapter.keeps(SCENARIOS)
]


@pytest.mark.parametrize(("driver", "scenario"), CASES)
def test_contract(driver: type[AgentSdk], scenario: str, tmp_path: Path) -> None:
    check(scenario, driver(tmp_path))


def test_commands_answer_the_hooks_too(tmp_path: Path) -> None:
    check("the_corrected_answer_goes_out", CommandHooks(tmp_path))


def test_what_init_writes_for_the_sdk_runs(tmp_path: Path) -> None:
    assert main(["init", str(tmp_path), "--framework", "claude_agent_sdk"]) == 0
    made = runpy.run_path(str(tmp_path / "affidavit_guard.py"))
    given = made["guard_options"](ClaudeAgentOptions(max_turns=3), made["detector"])
    assert given.max_turns == 3
    assert "Stop" in given.hooks
    assert SNIPPETS["claude_agent_sdk"].use.startswith("query(")


def test_hooks_of_the_hosts_own_stay(tmp_path: Path) -> None:
    own = HookMatcher(matcher="Bash")
    given = ClaudeAgentOptions(hooks={"Stop": [own]})
    guarded = guard_options(given, Detector(entailment=FixedEntailment()))
    assert guarded.hooks is not None
    assert guarded.hooks["Stop"][0] is own
    assert given.hooks == {"Stop": [own]}
