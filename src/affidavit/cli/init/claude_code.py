"""The hooks in a project's settings for Claude Code, beside whatever stands there.

They go into ``.claude/settings.json``, which a team shares, or where the command is not on everybody's
path, into ``.claude/settings.local.json``, which is one's own.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from affidavit.cli.init.change import Change
from affidavit.errors import AffidavitError

Settings = dict[str, Any]

# Prompts and results are recorded although the transcript has them too: it is written a moment later.
# Calls of Claude Code's own tools are not checked by default (see runtimes.claude_code.hooks.hook_policy).
EVENTS: dict[str, dict[str, Any]] = {
    "SessionStart": {"timeout": 30},
    "UserPromptSubmit": {"timeout": 10},
    "PreToolUse": {"matcher": "mcp__.*", "timeout": 30},
    "PostToolUse": {"timeout": 10},
    "PostToolUseFailure": {"timeout": 10},
    "MessageDisplay": {"timeout": 30},
    "Stop": {"timeout": 60},
    "SubagentStop": {"timeout": 60},
    "SessionEnd": {"timeout": 10},
}
_OURS = re.compile(r"\baffidavit(?:\.cli)?[\"']? hook\b|127\.0\.0\.1:\d+/hook\b")


def change(folder: Path, *, port: int | None = None) -> Change:
    """The change of the project's settings; with ``port``, to http hooks that a daemon there answers."""
    shared = port is not None or shutil.which("affidavit") is not None
    file = folder / ".claude" / ("settings.json" if shared else "settings.local.json")
    before = file.read_text(encoding="utf-8") if file.exists() else None
    settings = _parsed(file, before)
    for event, told in EVENTS.items():
        if port is None or event != "SessionStart":  # an http hook cannot answer that event
            _add(settings, event, told, port, file)
    indent = re.search(r"^[ \t]+", before or "", re.M)
    after = json.dumps(settings, indent=indent[0] if indent else 2, ensure_ascii=False) + "\n"
    unchanged = before is not None and _parsed(file, before) == settings
    return Change(file, before, before if unchanged and before else after, _hint(port))


def _parsed(file: Path, text: str | None) -> Settings:
    try:
        settings = json.loads(text) if text and text.strip() else {}
    except ValueError as error:
        raise AffidavitError(f"{file}: not valid JSON, so nothing was changed: {error}") from error
    if not isinstance(settings, dict):
        raise AffidavitError(f"{file}: an object was expected, so nothing was changed")
    return settings


def _add(
    settings: Settings, event: str, told: dict[str, Any], port: int | None, file: Path
) -> None:
    hooks = settings.setdefault("hooks", {})
    groups = hooks.setdefault(event, []) if isinstance(hooks, dict) else None
    if not isinstance(groups, list):
        raise AffidavitError(f"{file}: hooks of {event} are no list, so nothing was changed")
    if _OURS.search(json.dumps(groups)):
        return
    group = {key: value for key, value in told.items() if key == "matcher"}
    groups.append(group | {"hooks": [_hook(event, told["timeout"], port)]})


def _hook(event: str, timeout: int, port: int | None) -> dict[str, Any]:
    if port is not None:
        return {
            "type": "http",
            "url": f"http://127.0.0.1:{port}/hook",
            "headers": {"Authorization": "Bearer $AFFIDAVIT_HOOK_TOKEN"},
            "allowedEnvVars": ["AFFIDAVIT_HOOK_TOKEN"],
            "timeout": timeout,
        }
    warm = " --keep-warm" if event == "SessionStart" else ""
    return {"type": "command", "command": f"{_command()} hook{warm}", "timeout": timeout}


def _command() -> str:
    if shutil.which("affidavit"):
        return "affidavit"
    return f'"{sys.executable}" -m affidavit.cli'


def _hint(port: int | None) -> str:
    policy = "A policy in .claude/affidavit.toml applies, if there is one."
    if port is None:
        return f"The next session of Claude Code in this folder is checked. {policy}"
    return (
        "Choose a token, export it as AFFIDAVIT_HOOK_TOKEN for Claude Code and the daemon, and start: "
        f"affidavit daemon --port {port}"
    )
