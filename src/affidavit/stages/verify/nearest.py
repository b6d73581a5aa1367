"""The known value nearest to one that is not: what the model most likely meant.

Only values that share a shape, a half, a host or a folder are compared, the latest first and few of
them, so that a rejection costs hardly more than an acceptance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import islice
from operator import eq

from affidavit.stages.verify.place import Place

_RUN = re.compile(r"[a-z]+|\d+")
_TRIED = 16  # from each group
_FINALISTS = 3
_FLOOR = 0.6
_LONGEST = 300


class Candidates:
    """Entities seen so far, in groups of those that could be mistaken for each other."""

    def __init__(self) -> None:
        self._seen: set[tuple[str, str]] = set()
        self._groups: dict[tuple[str, str], list[tuple[str, Place]]] = {}

    def add(self, kind: str, folded: str, place: Place) -> None:
        if (kind, folded) in self._seen or len(folded) > _LONGEST:
            return
        self._seen.add((kind, folded))
        for group in _groups(kind, folded):
            self._groups.setdefault((kind, group), []).append((folded, place))

    def nearest(self, kind: str, folded: str) -> Place | None:
        """Where the value nearest to ``folded`` stands, or None where nothing is near."""
        if len(folded) > _LONGEST:
            return None
        close: dict[str, tuple[float, Place]] = {}
        for text, place in self._like(kind, folded):
            if text not in close and text != folded:
                close[text] = (_roughly(folded, text), place)
        finalists = sorted(close.items(), key=lambda item: -item[1][0])[:_FINALISTS]
        rated = [(_ratio(folded, text), place) for text, (_, place) in finalists]
        best = max(rated, key=lambda pair: pair[0], default=(0.0, None))
        return best[1] if best[0] >= _FLOOR else None

    def _like(self, kind: str, folded: str) -> Iterator[tuple[str, Place]]:
        for group in _groups(kind, folded):
            yield from islice(reversed(self._groups.get((kind, group), ())), _TRIED)


def _groups(kind: str, folded: str) -> list[str]:
    """The groups a value belongs to, the narrowest first."""
    half = (len(folded) + 1) // 2
    match kind:
        case "email":
            local, _, domain = folded.rpartition("@")
            return [f"{local}@", f"@{domain}"]
        case "url":
            bare = folded.partition("://")[2] or folded
            return [bare.rpartition("/")[0], bare.partition("/")[0]]
        case "path":
            folder, _, name = folded.rpartition("/")
            return [f"/{name}", f"{folder}/", ""]
        case "id":
            bare = folded.lstrip("#")
            return ["<" + bare[:half], ">" + bare[-half:], shape(bare)]
        case _:
            return [""]


def shape(folded: str) -> str:
    """``ord-88213`` → ``a-9``: identifiers of one kind have one shape."""
    return _RUN.sub(lambda m: "9" if m[0][0].isdigit() else "a", folded)


def _roughly(a: str, b: str) -> int:
    """Characters in common, aligned at either end: quick, and right for slips and guesses."""
    left: int = sum(map(eq, a, b))
    if len(a) == len(b):
        return left
    right: int = sum(map(eq, reversed(a), reversed(b)))
    return min(left + right, len(a), len(b)) - abs(len(a) - len(b)) // 2


def _ratio(a: str, b: str) -> float:
    return SequenceMatcher(None, a, b, autojunk=False).ratio()
