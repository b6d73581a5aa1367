"""Where a value may begin and end in a text: what counts as the whole of it."""

from __future__ import annotations

from collections.abc import Callable

Edges = Callable[[str, int, int], bool]
_BETWEEN = tuple("-.,:/")


def _joins(edge: str, neighbour: str) -> bool:
    """Whether two characters belong to one word. Scripts are told apart: 订单ORD is two."""
    return neighbour.isalnum() and edge.isalnum() and neighbour.isascii() == edge.isascii()


def free(text: str, start: int, end: int) -> bool:
    left = start > 0 and _joins(text[start], text[start - 1])
    right = end < len(text) and _joins(text[end - 1], text[end])
    return not left and not right


def alone(text: str, start: int, end: int) -> bool:
    """A short number on its own: not a part of 12.50, 10:12 or 2026-03-12."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    left = before[-1:] in _BETWEEN and before[:1].isdigit() and len(before) == 2
    right = after[:1] in _BETWEEN and after[1:].isdigit()
    return not left and not right and free(text, start, end)


def unprefixed(text: str, start: int, end: int) -> bool:
    """A number that does not already belong to another code: not that of gift_card_2378156."""
    return text[max(0, start - 1) : start] not in ("_", "-") and alone(text, start, end)


def prefixed(text: str, start: int, end: int) -> bool:
    """A number that belongs to a code: that of gift_card_2378156."""
    return text[max(0, start - 1) : start] in ("_", "-") and alone(text, start, end)


def whole_name(text: str, start: int, end: int) -> bool:
    """Edges of a URL, an address or a path: ``a.b`` does not stand in ``x-a.b`` or in ``a.b.c``."""
    if not free(text, start, end):
        return False
    if start > 0 and text[start - 1] in "-_.+%" and text[start].isalnum():
        return False
    after = text[end : end + 2]
    return not (after[:1] in ("-", "_") or (after[:1] in (".", "@") and after[1:].isalnum()))


def whole_path(text: str, start: int, end: int) -> bool:
    """A path on its own, not the tail of a longer one."""
    return whole_name(text, start, end) and not (start > 0 and text[start - 1] in "/\\")
