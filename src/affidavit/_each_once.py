"""JSON in which no key of an object stands twice: the standard allows it, and most readers keep the last in silence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Pairs = list[tuple[str, Any]]


def each_once(refusal: Callable[[str], Exception]) -> Callable[[Pairs], dict[str, Any]]:
    """An ``object_pairs_hook`` for :func:`json.loads` that raises what ``refusal`` makes of a key that is there twice."""

    def object_of(pairs: Pairs) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise refusal(key)
            found[key] = value
        return found

    return object_of
