"""What is known of a text, remembered: of many short texts, and of a few long ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

T = TypeVar("T")
_SHORT = 256
"""Characters. A worker that judges a million runs sees a million long texts: what it remembers is bounded by size as
well as by number."""
_LONG_ONES = 64


def remembered(most: int) -> Callable[[Callable[[str], T]], Callable[[str], T]]:
    """A function of one text that remembers what it said of the last ``most`` short ones and of the last few long ones."""

    def remembering(function: Callable[[str], T]) -> Callable[[str], T]:
        short = lru_cache(maxsize=most)(function)
        long = lru_cache(maxsize=_LONG_ONES)(function)

        @wraps(function)
        def told(text: str) -> T:
            return short(text) if len(text) <= _SHORT else long(text)

        return told

    return remembering
