"""A text in pieces, where ranges that mark it may overlap or lie one inside the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Segment:
    """Characters ``start:end`` of a text, under the same ranges throughout."""

    start: int
    end: int
    under: tuple[int, ...]
    """Indexes of the ranges, the innermost last."""


def segments(start: int, end: int, ranges: Sequence[Range]) -> list[Segment]:
    """The stretch ``start:end`` of a text cut wherever a range begins or ends, in order, without gaps."""
    inside = [(a, b, i) for i, (a, b) in enumerate(ranges) if a < end and b > start]
    cuts = sorted({start, end} | {c for a, b, _ in inside for c in (a, b) if start < c < end})
    opening = sorted(inside)
    found: list[Segment] = []
    running: list[tuple[int, int, int]] = []
    at = 0
    for left, right in pairwise(cuts):
        running = [one for one in running if one[1] > left]
        while at < len(opening) and opening[at][0] <= left:
            if opening[at][1] > left:
                running.append(opening[at])
            at += 1
        inner_last = sorted(running, key=lambda one: (one[0] - one[1], one[2]))
        found.append(Segment(left, right, tuple(i for _, _, i in inner_last)))
    return found
