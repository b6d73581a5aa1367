"""Inverted lists: what stands under each of many words, as one array of numbers."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable
from itertools import count, repeat
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Positions: TypeAlias = "NDArray[np.int64]"


class Postings:
    """The positions at which each word stands, of things that are given in order with their words.

    A list a word would be a hundred thousand small lists for ten thousand rows, most with one entry;
    here all of them lie in one array, sorted by word.
    """

    def __init__(self, words_of_things: Iterable[Collection[str]]) -> None:
        import numpy as np

        self._numbers: dict[str, int] = defaultdict(count().__next__)  # a new word, the next number
        words, things = array("q"), array("q")
        for at, own in enumerate(words_of_things):
            words.extend(map(self._numbers.__getitem__, own))
            things.extend(repeat(at, len(own)))
        order = np.argsort(np.asarray(words), kind="stable")
        counts = np.bincount(np.asarray(words), minlength=len(self._numbers))
        self._ends = np.concatenate(([0], np.cumsum(counts)))
        self._things: Positions = np.asarray(things)[order]

    def __getitem__(self, word: str) -> Positions:
        """Positions in order; none for a word that stands nowhere."""
        number = self._numbers.get(word)
        if number is None:
            return self._things[:0]
        return self._things[self._ends[number] : self._ends[number + 1]]
