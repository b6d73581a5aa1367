"""What the hooks of one conversation saw and decided, kept from one event to the next.

A command hook is a new process for each event, so the journal is a file: JSON lines, added to under a
lock, readable by its owner alone. It only supplements the transcript, so losing it loses no evidence
that Claude Code has written itself. This module imports nothing heavy: recording a result must not
cost more than starting Python.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from affidavit._state import state_folder

Entry = dict[str, Any]

OLD = 30 * 24 * 3600
"""Seconds after which a journal that nobody adds to is deleted."""

RECORDED = ("PostToolUse", "PostToolUseFailure", "UserPromptSubmit")
"""Events that only add to what is known."""


def recorded(event: dict[str, Any]) -> Entry:
    """The entry for an event that only adds to what is known."""
    return {"kind": "event", "event": event}


def sessions() -> Path:
    """Where command hooks and the daemon keep the journals."""
    return state_folder() / "sessions"


class Journal:
    """Entries of one conversation, a session's or that of a subagent in it, in order. Without a
    ``folder`` they are kept in memory."""

    def __init__(self, session_id: str, agent_id: str, folder: Path | None) -> None:
        # The ids come from outside: hashed, they can name no file but their own.
        self._session = _hashed(session_id)
        name = f"{self._session}.{_hashed(agent_id)}" if agent_id else self._session
        self._path = folder / f"{name}.jsonl" if folder else None
        self._memory: list[Entry] = []
        self._read = 0

    def add(self, entry: Entry) -> bool:
        """Add an entry. False where the folder cannot be written to: it is remembered here only."""
        if self._path is None:
            self._memory.append(entry)
            return True
        line = json.dumps(entry, default=str).encode() + b"\n"
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with os.fdopen(handle, "ab") as file, _locked(file):
                file.write(line)
                file.flush()
        except OSError:
            self._memory.append(entry)
            return False
        return True

    def read_on(self) -> Iterator[Entry]:
        """What was added, here or by another process, since the last time."""
        remembered, self._memory = self._memory, []
        yield from remembered
        if self._path is None:
            return
        try:
            with self._path.open("rb") as file:
                file.seek(self._read)
                data = file.read()
        except OSError:
            return
        whole = data.rfind(b"\n") + 1
        self._read += whole
        for line in data[:whole].splitlines():
            with contextlib.suppress(ValueError):
                if isinstance(entry := json.loads(line), dict):
                    yield entry

    def forget(self) -> None:
        """The session is over; should it be resumed, its transcript has all that is needed. Journals
        of sessions that never ended go with it after ``OLD``."""
        if self._path is None:
            return
        for file in self._path.parent.glob("*.jsonl"):
            with contextlib.suppress(OSError):
                if file.name.startswith(self._session) or time.time() - file.stat().st_mtime > OLD:
                    file.unlink()


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:32]


@contextlib.contextmanager
def _locked(file: IO[bytes]) -> Iterator[None]:
    try:
        import fcntl
    except ImportError:  # not POSIX: a single write in append mode has to do
        yield
        return
    fcntl.flock(file, fcntl.LOCK_EX)
    yield  # closing the file gives the lock back
