"""Inverted lists: what stands under each of many words, as one array of numbers."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
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

    def __init__(self, words_of_things: Iterable[Iterable[str]]) -> None:
        import numpy as np

        self._numbers: dict[str, int] = {}
        number_of = self._numbers.setdefault
        words, things = array("q"), array("q")
        for at, own in enumerate(words_of_things):
            for word in own:
                words.append(number_of(word, len(self._numbers)))
                things.append(at)
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
