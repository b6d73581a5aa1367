"""An API that answers by a script, for the real SDKs."""

import json
from typing import Any

import pytest

from affidavit.runtimes.sse import write_event
from affidavit.runtimes.transport import inner_library

anthropic = pytest.importorskip("anthropic")
httpx = inner_library(anthropic.Anthropic(api_key="k")._client)


def served(*replies: Any, asked: list[Any] | None = None) -> Any:
    """A transport that gives one reply after another: JSON, events, or a status with JSON."""
    left = list(replies)

    def respond(request: Any) -> Any:
        if asked is not None:
            asked.append(json.loads(request.content or b"{}"))
        reply = left.pop(0)
        if isinstance(reply, tuple):
            return httpx.Response(reply[0], json=reply[1])
        if isinstance(reply, list):
            content = b"".join(write_event(event) for event in reply)
            return httpx.Response(
                200, headers={"content-type": "text/event-stream"}, content=content
            )
        return httpx.Response(200, json=reply)

    return httpx.Client(transport=httpx.MockTransport(respond))
