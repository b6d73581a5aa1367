"""What is computed from evidence once and kept with it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar, cast

T = TypeVar("T")


class Kept:
    """Results by name, each made at first use. Safe to share by threads, which wait for one another."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # what is made may be made of something else that is kept
        self._made: dict[str, object] = {}

    def once(self, name: str, make: Callable[[], T]) -> T:
        made = self._made.get(name, _NOT_YET)
        if made is _NOT_YET:
            with self._lock:
                if name not in self._made:
                    self._made[name] = make()
                made = self._made[name]
        return cast("T", made)


_NOT_YET = object()
