"""Asking a daemon that runs, from a command hook. Imports nothing heavy."""

from __future__ import annotations

import http.client
import json
from collections.abc import Mapping
from pathlib import Path

TIMEOUT = 30.0
"""Seconds to wait for an answer; Claude Code waits 60 for a hook unless told otherwise."""


def ask_daemon(folder: Path, event: bytes, options: Mapping[str, str]) -> bytes | None:
    """The daemon's answer, or None where none is up or it could not answer."""
    try:
        told = json.loads((folder / "daemon.json").read_text(encoding="utf-8"))
        port, token = int(told["port"]), str(told["token"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    headers |= {f"X-Affidavit-{name.title()}": value for name, value in options.items()}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
    try:
        connection.request("POST", "/hook", event, headers)
        answer = connection.getresponse()
        body = answer.read()
        return body if answer.status == 200 else None
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()
