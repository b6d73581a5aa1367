"""Text of others on one line of one's own."""

from __future__ import annotations


def excerpt(text: str, most: int) -> str:
    """A text on one line of at most ``most`` characters: quoted words must not be able to lay out a message of their own."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"
