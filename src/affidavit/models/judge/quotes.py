"""Whether a quote stands in a record, word for word, and in which of its texts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol, TypeVar

_LEAST = 2
"""Letters and digits that a quote must have: a comma stands everywhere."""
_LIKE = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "−": "-"}
)


class Text(Protocol):
    """A line of evidence, or anything else with a text."""

    @property
    def text(self) -> str: ...


T = TypeVar("T", bound=Text)


def place_of(quote: str, lines: Sequence[T]) -> T | None:
    """The line that ``quote`` stands in, or the first of those that it runs over; None where it does not
    stand there. Letter case, spaces and the kind of quotation marks and dashes do not matter; a part of a
    word or of a figure is no quote of it."""
    wanted = _flat(quote).strip("\"' ")
    if sum(c.isalnum() for c in wanted) < _LEAST:
        return None
    pattern = re.compile(rf"(?<!\w)(?<!\d[.,]){re.escape(wanted)}(?!\w)(?![.,]\d)")
    flat = [_flat(line.text) for line in lines]
    for line, text in zip(lines, flat, strict=True):
        if pattern.search(text):
            return line
    found = pattern.search(" ".join(flat))
    if found is None:
        return None
    end = 0
    for line, text in zip(lines, flat, strict=True):
        end += len(text) + 1
        if found.start() < end:
            return line
    return None


def _flat(text: str) -> str:
    return " ".join(text.translate(_LIKE).casefold().split())
