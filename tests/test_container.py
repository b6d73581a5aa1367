"""The container: its steps can be read, name what there is, and run what they should as nobody special."""

from __future__ import annotations

import json
import re
import runpy
import shlex
import shutil
import subprocess
import threading
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from affidavit.cli.arguments import parser
from affidavit.records.page.serve import LogServer
from affidavit.records.runlog import open_log

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / ".container"
INSTRUCTIONS = {
    "FROM", "RUN", "COPY", "ENV", "USER", "WORKDIR", "VOLUME", "EXPOSE", "HEALTHCHECK", "STOPSIGNAL",
    "ENTRYPOINT", "CMD",
}  # fmt: skip


class Step(NamedTuple):
    name: str
    words: str


def steps_of(text: str) -> list[Step]:
    """The instructions, comments left out and lines that go on joined."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    whole = re.sub(r"\\\n", " ", "\n".join(lines))
    return [Step(*line.strip().split(maxsplit=1)) for line in whole.splitlines() if line.strip()]


STEPS = steps_of((FOLDER / "Dockerfile").read_text(encoding="utf-8"))
LAST_STAGE = STEPS[max(at for at, step in enumerate(STEPS) if step.name == "FROM") :]
COMPOSE = yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8"))


def words_of(name: str) -> list[str]:
    return [step.words for step in LAST_STAGE if step.name == name]


def test_every_step_is_one_that_there_is() -> None:
    assert {step.name for step in STEPS} <= INSTRUCTIONS
    assert STEPS[0].name == "FROM"
    for step in STEPS:
        if step.words.startswith("["):
            assert all(isinstance(word, str) for word in json.loads(step.words))


def test_what_is_copied_is_there_and_let_in() -> None:
    ignored = (FOLDER / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    for step in STEPS:
        if step.name == "COPY" and "--from" not in step.words:
            for source in step.words.split()[:-1]:
                assert (ROOT / source).exists()
                assert f"!{source}" in ignored
    assert "*" in ignored


def test_the_commands_of_each_step_are_there() -> None:
    known = {"python", "pip", "affidavit", "useradd", "install"}
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "affidavit" in scripts["scripts"]
    for step in STEPS:
        if step.name == "RUN":
            command, *words = shlex.split(step.words)
            assert Path(command).name in known
            if Path(command).name == "affidavit":
                parser().parse_args(words)
            elif "/" not in command and command != "python":
                assert shutil.which(command), f"{command} is not a command of a Debian"
            for extras in re.findall(r"\.\[([\w,-]+)\]", step.words):
                assert set(extras.split(",")) <= set(scripts["optional-dependencies"])


def test_it_does_not_run_as_root() -> None:
    assert words_of("USER") == ["10001:10001"]
    assert "--uid 10001" in " ".join(words_of("RUN"))
    # What is written to is the user's before the user takes over.
    names = [step.name for step in LAST_STAGE]
    assert names.index("USER") > max(at for at, name in enumerate(names) if name in ("RUN", "COPY"))


def test_what_it_serves_by_itself_is_the_gateway() -> None:
    (entry,), (command,) = words_of("ENTRYPOINT"), words_of("CMD")
    assert json.loads(entry) == ["affidavit"]
    given = parser().parse_args(json.loads(command))
    (port,) = (words for words in words_of("ENV") if words.startswith("AFFIDAVIT_PORT="))
    assert port == f"AFFIDAVIT_PORT={given.port}"
    assert given.host == "0.0.0.0"  # of the container's own network
    assert str(given.port) in words_of("EXPOSE")[0].split()


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_each_service_is_closed_in(name: str) -> None:
    service = COMPOSE["services"][name]
    given = parser().parse_args(service["command"])
    assert service["ports"] == [f"127.0.0.1:{given.port}:{given.port}"]
    assert service.get("environment", {}).get("AFFIDAVIT_PORT", "8378") == str(given.port)
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["tmpfs"] == ["/tmp"]
    assert (FOLDER / service["build"]["context"]).resolve() == ROOT
    assert (ROOT / service["build"]["dockerfile"]).exists()
    written = str(getattr(given, "log", ""))
    assert written.startswith("/data/")
    assert service["volumes"][0].endswith(":/data")


def test_health_is_asked_of_what_is_served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (check,) = words_of("HEALTHCHECK")
    assert json.loads(check.partition("CMD ")[2])[1] == "/opt/affidavit/healthy.py"
    healthy: Callable[[], Any] = runpy.run_path(str(FOLDER / "healthy.py"))["main"]
    with open_log(str(tmp_path / "runs.db")) as log, LogServer(log) as server:
        monkeypatch.setenv("AFFIDAVIT_PORT", str(server.server_port))
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        assert healthy() == 0
        server.shutdown()
        thread.join()
    assert healthy() == 1


def test_an_engine_accepts_it() -> None:
    docker = shutil.which("docker")
    # The client may be there without an engine.
    if docker is None or subprocess.run([docker, "info"], capture_output=True).returncode:
        pytest.skip("no container engine runs here")
    command = [docker, "build", "--check", "-f", str(FOLDER / "Dockerfile"), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
