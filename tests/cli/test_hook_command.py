"""``affidavit hook`` and ``affidavit daemon`` as processes, the way Claude Code starts them."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

FALSE = "The total is $93.70."
STOP = {"hook_event_name": "Stop", "session_id": "s1", "last_assistant_message": FALSE}


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    # The thread limit keeps two processes that each load a model from crowding each other out.
    return os.environ | {"AFFIDAVIT_STATE": str(tmp_path / "state"), "OMP_NUM_THREADS": "1"}


def hook(
    event: Any, environment: dict[str, str], *options: str, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    body = event if isinstance(event, str) else json.dumps(event)
    command = [sys.executable, "-m", "affidavit.cli", "hook", *options]
    return subprocess.run(
        command, input=body, env=environment, cwd=cwd, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """A running daemon, as it announces itself, and the environment in which it is found."""
    state = tmp_path_factory.mktemp("state")
    environment = os.environ | {"AFFIDAVIT_STATE": str(state)}
    command = [sys.executable, "-m", "affidavit.cli", "daemon"]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    file = state / "daemon.json"
    with process, process.stderr as errors:
        assert "listening on http://127.0.0.1:" in errors.readline()
        told = json.loads(file.read_text(encoding="utf-8"))
        assert file.stat().st_mode & 0o077 == 0
        yield told | {"environment": environment}
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0
    assert not file.exists()


def post(told: dict[str, Any], body: bytes, path: str = "/hook", token: str | None = None) -> Any:
    connection = http.client.HTTPConnection("127.0.0.1", told["port"], timeout=20)
    headers = {"Authorization": f"Bearer {told['token'] if token is None else token}"}
    with contextlib.closing(connection):
        connection.request("POST", path, body, headers)
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())


def test_an_answer_is_judged_without_a_daemon(environment: dict[str, str]) -> None:
    done = hook(STOP, environment)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["decision"] == "block"


def test_the_policy_of_the_project_applies(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    policy = tmp_path / ".claude" / "affidavit.toml"
    policy.write_text('groundedness = "off"\n', encoding="utf-8")
    environment["CLAUDE_PROJECT_DIR"] = str(tmp_path)
    assert json.loads(hook(STOP, environment).stdout) == {}


@pytest.mark.parametrize("body", ["", "{", "[]", "null", '{"hook_event_name": "Stop"}'])
def test_what_is_no_event_is_said_and_blocks_nothing(
    body: str, environment: dict[str, str]
) -> None:
    done = hook(body, environment)
    assert (done.returncode, done.stdout) == (0, "")
    assert "no event of a hook" in done.stderr


def test_a_result_is_recorded_for_the_answer(environment: dict[str, str]) -> None:
    result = {"hook_event_name": "PostToolUse", "session_id": "s1", "tool_use_id": "t1"}
    result |= {"tool_name": "Bash", "tool_input": {}, "tool_response": {"total": "$93.70"}}
    assert json.loads(hook(result, environment).stdout) == {}
    assert json.loads(hook(STOP, environment).stdout) == {}


def test_the_daemon_answers_hooks_and_commands_alike(daemon: dict[str, Any]) -> None:
    environment = daemon["environment"]
    status, answer = post(daemon, json.dumps(STOP).encode())
    assert (status, answer["decision"]) == (200, "block")
    # The command's answer comes from the same daemon, which counts the drafts.
    second = json.loads(hook(STOP | {"stop_hook_active": True}, environment).stdout)
    assert second["decision"] == "block"
    third = json.loads(hook(STOP | {"stop_hook_active": True}, environment).stdout)
    assert "systemMessage" in third


@pytest.mark.parametrize(
    ("body", "path", "token", "status"),
    [
        (b"{}", "/hook", "wrong", 403),
        (b"{}", "/hook", "", 403),
        (b"{}", "/other", None, 404),
        (b"", "/hook", None, 413),
        (b"{", "/hook", None, 400),
        (b"[]", "/hook", None, 500),
        (b"{}", "/hook", None, 200),
    ],
)
def test_the_daemon_refuses_what_is_not_for_it(
    daemon: dict[str, Any], body: bytes, path: str, token: str | None, status: int
) -> None:
    assert post(daemon, body, path, token)[0] == status


def test_a_daemon_that_is_gone_is_not_waited_for(
    environment: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "state").mkdir()
    gone = {"port": 9, "token": "x", "pid": 1}
    (tmp_path / "state" / "daemon.json").write_text(json.dumps(gone), encoding="utf-8")
    assert json.loads(hook(STOP, environment).stdout)["decision"] == "block"


def test_a_session_can_start_the_daemon_which_ends_when_it_is_idle(
    environment: dict[str, str], tmp_path: Path
) -> None:
    start = {"hook_event_name": "SessionStart", "session_id": "s1"}
    done = hook(start, environment | {"AFFIDAVIT_DAEMON_IDLE": "0.05"}, "--keep-warm")
    assert (done.returncode, done.stdout) == (0, "{}")
    file = tmp_path / "state" / "daemon.json"
    _until(file.exists)
    pid = json.loads(file.read_text(encoding="utf-8"))["pid"]
    _until(lambda: not file.exists())
    _until(lambda: not Path(f"/proc/{pid}").exists())


def _until(reached: Any, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < end
        time.sleep(0.05)
