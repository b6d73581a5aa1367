"""A local server that answers hooks with the models loaded once.

It listens on the loopback interface only and asks for a token, which it writes, with its port, to a
file that only its owner may read. A command hook finds it there; an http hook is configured with both.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import os
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from affidavit.runtimes.claude_code.events import HookAnswer

MOST_BYTES = 64 * 1024 * 1024
"""Longest event that is read; tool results of megabytes happen."""

Answerer = Callable[[dict[str, Any], dict[str, str]], HookAnswer]
"""The event, and the options that came with it as headers, to an answer."""

OPTIONS = ("policy", "reports", "shadow")


class Daemon(ThreadingHTTPServer):
    """Serves ``POST /hook``. ``idle`` seconds without an event end it; None for never."""

    daemon_threads = True

    def __init__(
        self,
        answer: Answerer,
        *,
        port: int = 0,
        token: str | None = None,
        idle: float | None = None,
    ) -> None:
        self.answer_hook = answer
        self.token = token or secrets.token_urlsafe(24)
        self._idle, self.last_used = idle, time.monotonic()
        super().__init__(("127.0.0.1", port), _Request)

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def service_actions(self) -> None:
        """Between requests: end when nobody has asked for long enough."""
        if self._idle is not None and time.monotonic() - self.last_used > self._idle:
            self._idle = None
            # From another thread: shutdown waits for the loop that calls this.
            threading.Thread(target=self.shutdown, daemon=True).start()

    @contextlib.contextmanager
    def announced(self, folder: Path) -> Iterator[None]:
        """While it runs, ``folder/daemon.json`` tells the owner's command hooks where it is."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        file, fresh = folder / "daemon.json", folder / f"daemon.{os.getpid()}"
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        told = {"port": self.port, "token": self.token, "pid": os.getpid()}
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            json.dump(told, out)
        fresh.replace(file)
        try:
            yield
        finally:
            with contextlib.suppress(OSError, ValueError):
                # Another may have taken its place meanwhile.
                if json.loads(file.read_text(encoding="utf-8")).get("pid") == os.getpid():
                    file.unlink()


class _Request(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Daemon

    def do_POST(self) -> None:
        self.server.last_used = time.monotonic()
        length = int(self.headers.get("Content-Length") or 0)
        if not self._is_allowed():
            self._reply(403, {"error": "the token is missing or wrong"})
        elif self.path != "/hook":
            self._reply(404, {"error": "POST /hook"})
        elif not 0 < length <= MOST_BYTES:
            self._reply(413, {"error": f"an event of 1 to {MOST_BYTES} bytes is expected"})
        else:
            self._answer(self.rfile.read(length))

    def _answer(self, body: bytes) -> None:
        try:
            event = json.loads(body)
        except ValueError:
            self._reply(400, {"error": "the event is not JSON"})
            return
        options = {
            name: value
            for name in OPTIONS
            if (value := self.headers.get(f"X-Affidavit-{name.title()}"))
        }
        try:
            self._reply(200, self.server.answer_hook(event, options))
        except Exception as error:
            # Claude Code goes on where an http hook fails; a command hook then answers by itself.
            self._reply(500, {"error": f"{type(error).__name__}: {error}"})

    def _is_allowed(self) -> bool:
        given = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        return hmac.compare_digest(given.encode(), self.server.token.encode())

    def _reply(self, status: int, answer: HookAnswer) -> None:
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        if status >= 400:
            # What was not read of the request must not be taken for the next one.
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing: an event may hold anything, and standard error belongs to the terminal."""
