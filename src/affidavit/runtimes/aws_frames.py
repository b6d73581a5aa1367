"""Amazon's event streams, in which Bedrock sends the events of a model: read from bytes, written to bytes.

A frame is its length, the length of its headers, a checksum of both, the headers, a payload and a
checksum of all. The payload of a chunk holds one event of the model in base64.
"""

from __future__ import annotations

import base64
import json
import struct
import zlib
from collections.abc import AsyncIterator
from typing import Any

from affidavit.runtimes.sse import Garbled

CONTENT_TYPE = "application/vnd.amazon.eventstream"
_PRELUDE = struct.Struct(">III")
_CHECKSUM = struct.Struct(">I")
_LONGEST = 24 * 1024 * 1024
"""Bytes of a frame, beyond which what was read is no frame at all; Amazon's own limit is 16 MiB."""
_TEXT = 7
"""The type of a header whose value is text."""
_SIZES = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16}
"""Of the other types of values, those whose size is always the same."""


async def read_frames(chunks: AsyncIterator[bytes]) -> AsyncIterator[dict[str, Any]]:
    """The events of a stream. One that says that the API has failed comes as Anthropic's own form has
    it. Raises :class:`~affidavit.runtimes.sse.Garbled`."""
    buffer = b""
    async for chunk in chunks:
        buffer += chunk
        while len(buffer) >= _PRELUDE.size:
            total, of_headers, checksum = _PRELUDE.unpack_from(buffer)
            if zlib.crc32(buffer[:8]) != checksum or not 16 + of_headers <= total <= _LONGEST:
                raise Garbled("the stream is not one of Amazon's event streams")
            if len(buffer) < total:
                break
            frame, buffer = buffer[:total], buffer[total:]
            if zlib.crc32(frame[:-4]) != _CHECKSUM.unpack(frame[-4:])[0]:
                raise Garbled("a frame of the stream is damaged")
            start = _PRELUDE.size + of_headers
            event = _event(_headers(frame[_PRELUDE.size : start]), frame[start:-4])
            if event is not None:
                yield event


def write_frame(event: dict[str, Any]) -> bytes:
    """One event as a frame; one that says that the API has failed as an exception."""
    if event.get("type") == "error":
        told = event.get("error") or {}
        headers = {
            ":exception-type": "modelStreamErrorException",
            ":content-type": "application/json",
            ":message-type": "exception",
        }
        return _frame(headers, {"message": str(told.get("message", "")), "type": told.get("type")})
    headers = {
        ":event-type": "chunk", ":content-type": "application/json", ":message-type": "event",
    }  # fmt: skip
    made = base64.b64encode(json.dumps(event, ensure_ascii=False).encode()).decode()
    return _frame(headers, {"bytes": made})


def _event(headers: dict[str, str], payload: bytes) -> dict[str, Any] | None:
    try:
        told = json.loads(payload or b"{}")
        if headers.get(":message-type") in ("exception", "error"):
            kind = headers.get(":exception-type") or headers.get(":error-code") or "api_error"
            said = told.get("message") or told.get("Message") or headers.get(":error-message", "")
            return {"type": "error", "error": {"type": kind, "message": said}}
        if "bytes" not in told:
            return None
        event = json.loads(base64.b64decode(told["bytes"]))
    except (ValueError, AttributeError, TypeError) as error:
        raise Garbled("a frame of the stream holds no event") from error
    if not isinstance(event, dict):
        raise Garbled("an event of the stream is not an object")
    return event


def _headers(data: bytes) -> dict[str, str]:
    found, at = {}, 0
    try:
        while at < len(data):
            end = at + 1 + data[at]
            name, kind = data[at + 1 : end].decode(), data[end]
            at = end + 1
            if kind in (6, _TEXT):
                size = struct.unpack_from(">H", data, at)[0]
                at += 2
                if kind == _TEXT:
                    found[name] = data[at : at + size].decode()
                at += size
            else:
                at += _SIZES[kind]
    except (IndexError, KeyError, ValueError, struct.error) as error:
        raise Garbled("the headers of a frame cannot be read") from error
    return found


def _frame(headers: dict[str, str], payload: dict[str, Any]) -> bytes:
    named = b"".join(
        bytes([len(name)]) + name.encode() + bytes([_TEXT])
        + struct.pack(">H", len(value.encode())) + value.encode()
        for name, value in headers.items()
    )  # fmt: skip
    body = json.dumps(payload, ensure_ascii=False).encode()
    prelude = struct.pack(">II", 16 + len(named) + len(body), len(named))
    frame = prelude + _CHECKSUM.pack(zlib.crc32(prelude)) + named + body
    return frame + _CHECKSUM.pack(zlib.crc32(frame))
