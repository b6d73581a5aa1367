"""A place in what the run has said: which source, and which characters of it."""

from __future__ import annotations

from typing import NamedTuple


class Place(NamedTuple):
    source: int
    start: int
    end: int
