"""Scripted model APIs over HTTP, for what cannot be given a transport: one server, a path a scene."""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from affidavit.runtimes.contract.providers import (
    Json,
    anthropic_events,
    anthropic_message,
    chat_chunks,
    chat_completion,
    responses_events,
    responses_response,
)
from affidavit.runtimes.contract.scene import ModelTurn, Outcome, Scene, Script
from affidavit.runtimes.sse import write_event

_APIS: dict[str, tuple[Callable[[ModelTurn], Json], Callable[[ModelTurn], Iterator[Json]]]] = {
    "/v1/messages": (anthropic_message, anthropic_events),
    "/chat/completions": (chat_completion, chat_chunks),
    "/responses": (responses_response, responses_events),
}


class ModelServer:
    """Answers ``POST {base}/v1/messages``, ``…/chat/completions`` and ``…/responses`` as scenes say.

    Use it as a context manager; :meth:`base` gives each scene an address of its own.
    """

    def __init__(self) -> None:
        self._scenes: dict[str, tuple[Script, Outcome]] = {}
        handler = type("_Handler", (_Handler,), {"scenes": self._scenes})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)

    def __enter__(self) -> ModelServer:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def base(self, scene: Scene, outcome: Outcome) -> str:
        """The address at which ``scene`` is played; what is asked there goes to ``outcome``."""
        name = uuid.uuid4().hex
        self._scenes[name] = (scene.script(), outcome)
        return f"http://127.0.0.1:{self._server.server_port}/{name}"


class _Handler(BaseHTTPRequestHandler):
    scenes: dict[str, tuple[Script, Outcome]]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        script, outcome = self.scenes[self.path.split("/")[1]]
        whole, events = next(api for end, api in _APIS.items() if self.path.endswith(end))
        turn = script.answer(json.dumps(body, ensure_ascii=False), outcome)
        kind = "application/json"
        content = json.dumps(whole(turn)).encode()
        if body.get("stream"):
            kind = "text/event-stream"
            end = b"data: [DONE]\n\n" if self.path.endswith("/completions") else b""
            content = b"".join(write_event(event) for event in events(turn)) + end
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002
        pass
