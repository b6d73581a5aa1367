"""What the commands are given."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest

Stdin = Callable[[bytes], None]


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> Stdin:
    """Puts bytes on standard input."""

    def put(content: bytes) -> None:
        raw = io.BufferedReader(io.BytesIO(content))
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(raw, encoding="utf-8"))

    return put
