"""Server-sent events, as model APIs stream them: read from bytes, written to bytes."""

from __future__ import annotations

import codecs
import json
from collections.abc import AsyncIterator
from typing import Any

DONE = "[DONE]"
"""What OpenAI's chat streams end with; it is no event."""


async def read_events(chunks: AsyncIterator[bytes]) -> AsyncIterator[dict[str, Any]]:
    """The events of a stream, decoded. What is not JSON (comments, the end mark) is left out."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    buffer, data = "", ""
    async for chunk in chunks:
        buffer += decoder.decode(chunk)
        # A line may end in any of three ways, and "\\r\\n" may be cut in two.
        held = "\r" if buffer.endswith("\r") else ""
        lines = (buffer[: len(buffer) - len(held)]).replace("\r\n", "\n").replace("\r", "\n")
        *whole, rest = lines.split("\n")
        buffer = rest + held
        for line in whole:
            if line.startswith("data:"):
                data += ("\n" if data else "") + line[5:].removeprefix(" ")
            elif not line and data:
                if (event := _decoded(data)) is not None:
                    yield event
                data = ""
    if data and (event := _decoded(data)) is not None:
        yield event


def write_event(event: dict[str, Any]) -> bytes:
    """One event as bytes, named by its type where it has one."""
    name = f"event: {event['type']}\n" if "type" in event else ""
    return f"{name}data: {json.dumps(event, ensure_ascii=False)}\n\n".encode()


def _decoded(data: str) -> dict[str, Any] | None:
    if data == DONE:
        return None
    try:
        event = json.loads(data)
    except ValueError:
        return None
    return event if isinstance(event, dict) else None
