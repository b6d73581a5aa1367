"""Evidence that is longer than a checker reads at once, in pieces of whole lines."""

from __future__ import annotations

from collections.abc import Callable


def chunks(text: str, most: int, length: Callable[[str], int]) -> list[str]:
    """Stretches of lines, each of at most ``most`` by ``length``; a line that is longer is cut between words. There is always
    one. Nothing is left out."""
    found: list[str] = []
    held: list[str] = []
    room = most
    for line in (part for whole in text.splitlines() for part in _cut(whole, most, length)):
        size = length(line)
        if held and size > room:
            found.append("\n".join(held))
            held, room = [], most
        held.append(line)
        room -= size
    return [*found, "\n".join(held)] if held else found or [""]


def _cut(line: str, most: int, length: Callable[[str], int]) -> list[str]:
    if length(line) <= most:
        return [line]
    words = line.split()
    if len(words) < 2:
        return [line]
    middle = len(words) // 2
    halves = (" ".join(words[:middle]), " ".join(words[middle:]))
    return [part for half in halves for part in _cut(half, most, length)]
