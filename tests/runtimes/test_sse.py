"""Server-sent events, however the bytes are cut."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.runtimes.sse import DONE, Garbled, read_events, write_event

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


def read(*chunks: bytes) -> list[Any]:
    async def stream() -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk

    async def main() -> list[Any]:
        return [event async for event in read_events(stream())]

    return asyncio.run(main())


@given(st.lists(st.dictionaries(st.text(), json_values), max_size=4), st.data())
def test_what_is_written_is_read_again(events: list[Any], data: Any) -> None:
    whole = b"".join(write_event(event) for event in events)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=5)))
    pieces = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    assert read(*pieces) == events


@pytest.mark.parametrize(
    "raw",
    [
        b"data: not json\n\n",
        b"data: 5\n\n",
        b"<html><body>Bad gateway</body></html>\n",
        b'data: {"a": \n\n',
    ],
)
def test_what_is_no_event_is_an_error(raw: bytes) -> None:
    with pytest.raises(Garbled):
        read(raw)


@pytest.mark.parametrize(
    ("raw", "events"),
    [
        (b'data: {"a": 1}\r\n\r\ndata: {"a": 2}\r\r', [{"a": 1}, {"a": 2}]),
        (b': ping\n\nevent: x\nid: 1\ndata: {"a":\ndata: 1}\n\n', [{"a": 1}]),
        (b'data: {"a": 1}\n\ndata: [DONE]\n\n', [{"a": 1}, {"type": DONE}]),
        (b'data: {"a": 1}', []),
    ],
)
def test_other_ways_to_write_them(raw: bytes, events: list[Any]) -> None:
    assert read(raw) == events
