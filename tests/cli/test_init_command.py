"""``affidavit init``: what it finds, what it writes, what it leaves alone."""

from __future__ import annotations

import json
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from affidavit.cli import main
from affidavit.cli.init.claude_code import EVENTS
from affidavit.cli.init.snippets import SNIPPETS, source
from affidavit.runtimes import adapters

Captured = pytest.CaptureFixture[str]


def settings(folder: Path, name: str = "settings.json") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / ".claude" / name).read_text(encoding="utf-8"))
    return found


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")


@pytest.fixture(autouse=True)
def on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"requirements.txt": "# agents\nanthropic>=1\n"}, ["anthropic"]),
        ({"requirements-dev.txt": "Pydantic_AI[logfire]==1.0 ; python_version>'3'"}, ["pydantic_ai"]),
        ({"pyproject.toml": '[project]\ndependencies = ["langgraph>=1"]'}, ["langchain"]),
        (
            {"pyproject.toml": '[project.optional-dependencies]\na = ["smolagents"]'},
            ["smolagents"],
        ),
        (
            {"pyproject.toml": '[dependency-groups]\na = ["strands-agents", {include-group = "b"}]'},
            ["strands"],
        ),
        (
            {"pyproject.toml": '[tool.poetry.group.x.dependencies]\nopenai-agents = "^0.2"'},
            ["openai_agents"],
        ),
        ({"setup.py": "from setuptools import setup\nsetup(install_requires=['smolagents>=1'])"}, ["smolagents"]),
        ({"setup.py": "NEEDED = ['openai-agents']\nsetup(install_requires=NEEDED)"}, ["openai_agents"]),
        ({"setup.cfg": "[options]\ninstall_requires =\n    langgraph>=1\n"}, ["langchain"]),
        ({"app/agent.py": "from google.adk.agents import Agent"}, ["google_adk"]),
        ({"app/agent.py": "import agent_framework as af"}, ["agent_framework"]),
        ({"a.py": "import openai", "b.py": "from pydantic_ai import Agent"}, ["pydantic_ai"]),
        ({"a.py": "import openai\nimport anthropic"}, ["anthropic", "openai"]),
        ({"CLAUDE.md": "", "a.py": "import openai"}, ["claude_code", "openai"]),
        ({".claude/settings.json": "{}"}, ["claude_code"]),
        ({"a.py": "import openai.", "pyproject.toml": "[", "requirements.txt": "-r x\n"}, []),
        ({"a.py": "from .openai import x", "venv/pyvenv.cfg": "", "venv/a.py": "import openai"}, []),
        ({"node_modules/a.py": "import openai", ".hidden/a.py": "import openai"}, []),
    ],
)  # fmt: skip
def test_it_finds_what_the_project_uses(
    files: dict[str, str], found: list[str], tmp_path: Path, capsys: Captured
) -> None:
    for name, text in files.items():
        write(tmp_path, name, text)
    assert main(["init", str(tmp_path), "--dry-run"]) == (0 if found else 1)
    said = capsys.readouterr().out
    if not found:
        assert "--framework" in said and "claude_code" in said
    for name in found:
        assert ("settings.json" if name == "claude_code" else f"runtimes.{name}") in said
    others = set(SNIPPETS) - set(found)
    assert not [name for name in others if f"runtimes.{name} " in said]


def test_nothing_of_the_settings_is_lost(tmp_path: Path) -> None:
    own = {
        "permissions": {"allow": ["Bash(ls:*)"], "deny": []},
        "hooks": {
            "Stop": [{"hooks": [{"type": "command", "command": "say 'fertig – ✓'"}]}],
            "Notification": [{"matcher": "", "hooks": []}],
        },
        "model": "opus",
    }
    write(tmp_path, ".claude/settings.json", json.dumps(own, indent=4, ensure_ascii=False))
    assert main(["init", str(tmp_path)]) == 0
    after = settings(tmp_path)
    assert after["hooks"]["Stop"][0] == own["hooks"]["Stop"][0]  # type: ignore[index]
    assert set(after["hooks"]) == {*EVENTS, "Notification"}
    ours = {event: groups[-1] for event, groups in after["hooks"].items() if event in EVENTS}
    assert all("affidavit hook" in json.dumps(group) for group in ours.values())
    del after["hooks"], own["hooks"]
    assert after == own
    assert list(after) == list(own)
    text = (tmp_path / ".claude" / "settings.json").read_text(encoding="utf-8")
    assert '\n    "permissions"' in text and "✓" in text


def test_a_second_time_changes_nothing(tmp_path: Path, capsys: Captured) -> None:
    write(tmp_path, "CLAUDE.md", "")
    write(tmp_path, "agent.py", "import anthropic")
    assert main(["init", str(tmp_path)]) == 0
    first = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    capsys.readouterr()
    assert main(["init", str(tmp_path)]) == 0
    assert capsys.readouterr().out.count("nothing to change") == 2
    assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == first


def test_a_hook_that_was_changed_by_hand_stays(tmp_path: Path) -> None:
    main(["init", str(tmp_path), "--framework", "claude_code"])
    file = tmp_path / ".claude" / "settings.json"
    file.write_text(file.read_text(encoding="utf-8").replace("hook\"", "hook --shadow\""))  # fmt: skip
    before = file.read_bytes()
    main(["init", str(tmp_path)])
    assert file.read_bytes() == before


def test_a_dry_run_shows_it_and_changes_nothing(tmp_path: Path, capsys: Captured) -> None:
    write(tmp_path, "CLAUDE.md", "")
    write(tmp_path, "agent.py", "import openai")
    before = sorted(tmp_path.rglob("*"))
    assert main(["init", str(tmp_path), "--dry-run"]) == 0
    said = capsys.readouterr().out
    assert "would be made" in said and '"MessageDisplay"' in said and "guard_client" in said
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("text", ["{", "[]", '{"hooks": []}', '{"hooks": {"Stop": {}}}'])
def test_settings_that_make_no_sense_are_left_alone(
    text: str, tmp_path: Path, capsys: Captured
) -> None:
    write(tmp_path, ".claude/settings.json", text)
    assert main(["init", str(tmp_path)]) == 2
    assert "nothing was changed" in capsys.readouterr().err
    assert (tmp_path / ".claude" / "settings.json").read_text(encoding="utf-8") == text


def test_http_hooks_name_the_port_and_no_token(tmp_path: Path, capsys: Captured) -> None:
    assert main(["init", str(tmp_path), "--framework", "claude_code", "--http", "8642"]) == 0
    hooks = settings(tmp_path)["hooks"]
    assert "SessionStart" not in hooks  # only commands may answer it
    (stop,) = hooks["Stop"][0]["hooks"]
    assert stop["url"] == "http://127.0.0.1:8642/hook"
    assert stop["headers"] == {"Authorization": "Bearer $AFFIDAVIT_HOOK_TOKEN"}
    assert "affidavit daemon --port 8642" in capsys.readouterr().out


def test_a_command_that_is_not_on_the_path_is_written_where_it_is_ones_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert main(["init", str(tmp_path), "--framework", "claude_code"]) == 0
    (stop,) = settings(tmp_path, "settings.local.json")["hooks"]["Stop"][0]["hooks"]
    assert stop["command"] == f'"{sys.executable}" -m affidavit.cli hook'
    assert main(["init", str(tmp_path)]) == 0
    assert len(settings(tmp_path, "settings.local.json")["hooks"]["Stop"]) == 1


@pytest.mark.parametrize("arguments", [["nowhere"], [".", "--framework", "cobol"]])
def test_bad_input_is_said(arguments: list[str], capsys: Captured) -> None:
    assert main(["init", *arguments]) == 2
    assert capsys.readouterr().err


@pytest.mark.parametrize(("name", "made_of"), [("anthropic", "Anthropic"), ("openai", "OpenAI")])
def test_what_it_writes_for_an_sdk_runs(name: str, made_of: str, tmp_path: Path) -> None:
    client = getattr(pytest.importorskip(name), made_of)
    assert main(["init", str(tmp_path), "--framework", name]) == 0
    made = runpy.run_path(str(tmp_path / "affidavit_guard.py"))
    scope = made | {made_of: lambda: client(api_key="k")}
    guarded = eval(SNIPPETS[name].use, scope)
    assert isinstance(guarded, client)


def test_what_it_writes_for_several_names_each(tmp_path: Path) -> None:
    pytest.importorskip("anthropic")
    pytest.importorskip("openai")
    write(tmp_path, "affidavit_guard.py", source(["anthropic", "openai"]))
    made = SimpleNamespace(**runpy.run_path(str(tmp_path / "affidavit_guard.py")))
    assert made.anthropic_guard_client is not made.openai_guard_client


def test_what_is_printed_for_several_can_be_imported(
    tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("anthropic", "openai"):
        pytest.importorskip(name)
    write(tmp_path, "agent.py", "import openai\nimport anthropic")
    assert main(["init", str(tmp_path)]) == 0
    said = capsys.readouterr().out.splitlines()
    line = next(one.strip() for one in said if one.strip().startswith("from affidavit_guard"))
    monkeypatch.syspath_prepend(tmp_path)
    scope: dict[str, object] = {}
    exec(line, scope)
    sys.modules.pop("affidavit_guard")
    assert scope["anthropic_guard_client"] is not scope["openai_guard_client"]
    assert any("openai_guard_client(OpenAI(), detector)" in one for one in said)


def test_every_adapter_has_its_lines() -> None:
    packages = {package for snippet in SNIPPETS.values() for package in snippet.packages}
    own = {
        "claude (command)",
        "litellm",
        "affidavit[gateway]",
    }  # these are put in by settings, not by code
    assert {adapter.package for adapter in adapters()} - own <= packages
