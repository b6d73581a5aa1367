"""Which stretches of a long text are in view, and which are folded away.

In view is what some claim is held against, with a few lines around it. Nothing is left out: what is
folded opens where it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

WHOLE_CHARS = 3000
"""A text up to this long, in characters, is shown whole."""

LINES_AROUND = 3
CHARS_AROUND = 400
"""How much is shown before and after a marked place, whichever comes first."""

MARK_ENDS = 1200
"""How much of either end of a very long marked place is shown."""

SMALLEST_FOLD = 240
"""What is shorter is not worth a fold."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Characters ``start:end`` of a text, in view or folded."""

    start: int
    end: int
    folded: bool


def stretches(text: str, marks: Iterable[tuple[int, int]]) -> list[Stretch]:
    """The text from beginning to end as stretches in view and folded, in order, without gaps."""
    if len(text) <= WHOLE_CHARS:
        return [Stretch(0, len(text), False)] if text else []
    shown = _merged(_windows(text, sorted(marks)) or [(0, _after(text, 0, 12, 1000))])
    found: list[Stretch] = []
    at = 0
    for start, end in shown:
        if start > at:
            found.append(Stretch(at, start, True))
        found.append(Stretch(start, end, False))
        at = end
    if at < len(text):
        found.append(Stretch(at, len(text), True))
    return [s if s.end - s.start > SMALLEST_FOLD else Stretch(s.start, s.end, False) for s in found]


def _windows(text: str, marks: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return [
        (_before(text, a, LINES_AROUND, CHARS_AROUND), _after(text, b, LINES_AROUND, CHARS_AROUND))
        for start, end in marks
        for a, b in _ends(start, end)
    ]


def _ends(start: int, end: int) -> Iterator[tuple[int, int]]:
    if end - start <= 2 * MARK_ENDS:
        yield start, end
    else:
        yield start, start + MARK_ENDS
        yield end - MARK_ENDS, end


def _merged(windows: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(windows):
        if merged and start - merged[-1][1] <= SMALLEST_FOLD:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _before(text: str, at: int, lines: int, chars: int) -> int:
    limit = max(0, at - chars)
    found = at
    for _ in range(lines + 1):
        newline = text.rfind("\n", limit, found)
        if newline < 0:
            return limit
        found = newline
    return found + 1


def _after(text: str, at: int, lines: int, chars: int) -> int:
    limit = min(len(text), at + chars)
    found = at
    for _ in range(lines + 1):
        newline = text.find("\n", found, limit)
        if newline < 0:
            return limit
        found = newline + 1
    return found
