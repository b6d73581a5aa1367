"""Inverted lists: what stands under each of many words, as one array of numbers."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import count, repeat
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Positions: TypeAlias = "NDArray[np.int64]"


class Postings:
    """The positions at which each word stands: ``words`` are numbers of words in rising order, ``things`` the position
    that each of them stands at.

    A list a word would be a hundred thousand small lists for ten thousand rows, most with one entry;
    here all of them lie in one array, sorted by word.
    """

    def __init__(self, numbers: Mapping[str, int], words: Positions, things: Positions) -> None:
        import numpy as np

        self._numbers, self._things = numbers, things
        self._ends = np.concatenate(([0], np.cumsum(np.bincount(words, minlength=len(numbers)))))

    @classmethod
    def of(cls, words_of_things: Iterable[Collection[str]]) -> Postings:
        """Of things that are given in order with their words."""
        import numpy as np

        numbers: defaultdict[str, int] = defaultdict(
            count().__next__
        )  # a new word, the next number
        words, things = array("q"), array("q")
        for at, own in enumerate(words_of_things):
            words.extend(map(numbers.__getitem__, own))
            things.extend(repeat(at, len(own)))
        order = np.argsort(np.asarray(words, np.int64), kind="stable")
        return cls(
            dict(numbers), np.asarray(words, np.int64)[order], np.asarray(things, np.int64)[order]
        )

    def __getitem__(self, word: str) -> Positions:
        """Positions in order; none for a word that stands nowhere."""
        number = self._numbers.get(word)
        if number is None:
            return self._things[:0]
        return self._things[self._ends[number] : self._ends[number + 1]]

    def lengths(self, size: int) -> Positions:
        """How many words each of so many things has."""
        import numpy as np

        return np.bincount(self._things, minlength=size)
