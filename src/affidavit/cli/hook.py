"""``affidavit hook``: one event of Claude Code on standard input, what to do on standard output.

Exit code 0 in any case: another would be an error message, or a block, that nobody decided on.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from affidavit._state import state_folder
from affidavit.runtimes.claude_code.ask import ask_daemon
from affidavit.runtimes.claude_code.journal import (
    RECORDED,
    Journal,
    recorded,
    sessions,
)


def run(arguments: argparse.Namespace) -> int:
    body = sys.stdin.buffer.read()
    try:
        event = json.loads(body)
        name, session = str(event["hook_event_name"]), str(event["session_id"])
    except (ValueError, KeyError, TypeError) as error:
        print(f"affidavit hook: standard input is no event of a hook: {error!r}", file=sys.stderr)
        return 0
    options = _options(arguments)
    answer = ask_daemon(state_folder(), body, options)
    if answer is None and name in RECORDED:
        # What only adds to what is known costs no more than writing it down.
        agent = str(event.get("agent_id") or "")
        Journal(session, agent, sessions()).add(recorded(event))
        answer = b"{}"
    elif answer is None and name == "SessionStart" and arguments.keep_warm:
        _start_daemon()
    elif answer is None:
        answer = _answer_here(event, options)
    sys.stdout.write((answer or b"{}").decode())
    return 0


def _options(arguments: argparse.Namespace) -> dict[str, str]:
    """The options that a daemon is told, as text. Paths are absolute: its folder is another."""
    policy: Path | None = arguments.policy
    if policy is None:
        own = Path(os.environ.get("CLAUDE_PROJECT_DIR") or ".") / ".claude" / "affidavit.toml"
        policy = own if own.is_file() else None
    given: dict[str, Any] = {
        "policy": policy and policy.absolute(),
        "reports": arguments.reports and arguments.reports.absolute(),
        "shadow": arguments.shadow or None,
    }
    return {name: str(value) for name, value in given.items() if value}


def _answer_here(event: dict[str, Any], options: dict[str, str]) -> bytes:
    """Without a daemon: load what judging needs, judge, and forget it."""
    from affidavit.runtimes.claude_code.service import HookService

    return json.dumps(HookService(sessions())(event, options)).encode()


def _start_daemon() -> None:
    """A daemon that outlives this hook, for the session that begins and those after it; it ends
    after ``$AFFIDAVIT_DAEMON_IDLE`` minutes (30) without an event."""
    import subprocess

    idle = os.environ.get("AFFIDAVIT_DAEMON_IDLE", "30")
    subprocess.Popen(
        [sys.executable, "-m", "affidavit.cli", "daemon", "--idle", idle],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
