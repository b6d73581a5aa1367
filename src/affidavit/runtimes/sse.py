"""Server-sent events, as model APIs stream them: read from bytes, written to bytes."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import AsyncIterator
from typing import Any

DONE = "[DONE]"
"""What OpenAI's chat streams end with. It is read as an event of this type."""


class Garbled(ValueError):
    """A stream that holds something that is no event."""


async def read_events(chunks: AsyncIterator[bytes]) -> AsyncIterator[dict[str, Any]]:
    """The events of a stream, decoded; its comments are left out. Raises :class:`Garbled`."""
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
                yield _decoded(data)
                data = ""
            elif line and not _FIELD.match(line):
                raise Garbled(f"a line of the stream is no part of an event: {line[:80]!r}")
    # What is left of a line was cut off; a whole one only lacks the empty line that ends an event.
    if data:
        yield _decoded(data)


# Fields of an event besides its data, and comments, with which servers keep a connection open.
_FIELD = re.compile(r":|\w[\w-]*(?::|$)")


def write_event(event: dict[str, Any]) -> bytes:
    """One event as bytes, named by its type where it has one."""
    name = f"event: {event['type']}\n" if "type" in event else ""
    return f"{name}data: {json.dumps(event, ensure_ascii=False)}\n\n".encode()


def _decoded(data: str) -> dict[str, Any]:
    if data.strip() == DONE:
        return {"type": DONE}
    try:
        event = json.loads(data)
    except ValueError as error:
        raise Garbled(f"an event of the stream is not JSON: {data[:80]!r}") from error
    if not isinstance(event, dict):
        raise Garbled(f"an event of the stream is not an object: {data[:80]!r}")
    return event
