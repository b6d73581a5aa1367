"""Passages whose values nobody has read, by what stands in them: their text, their digits, their words.

A claim's value leads to the few of them that may hold it, best first; those are then read. That keeps a result of
megabytes from being read value by value, most of which no claim speaks of.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice, zip_longest
from typing import TYPE_CHECKING, TypeAlias

from affidavit.ledger.ledger import Passage
from affidavit.ledger.values import (
    Moment,
    Value,
    epoch_range,
    lookup_reach,
    written_dates,
    written_months,
    written_numbers,
)
from affidavit.ledger.word_index import WordIndex
from affidavit.ledger.words import stem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = "NDArray[np.float64]"
    Positions: TypeAlias = "NDArray[np.int64]"

_NUMERAL = re.compile(r"\d+(?:[.,]\d+)*")
_LONGEST = 24
"""Characters past which a numeral is none that anybody says."""
_SLACK = 1e-9


class UnreadIndex:
    """The passages at ``positions``, to be found by a value before they are read."""

    def __init__(
        self, passages: Sequence[Passage], positions: Sequence[int], words: WordIndex
    ) -> None:
        import numpy as np

        texts = [passages[at].text for at in positions]
        self._positions = positions
        self._own = frozenset(positions)
        self._words = words
        self._text = "\n".join(texts)
        self._ends = list(accumulate(len(text) + 1 for text in texts))
        known = _Known()  # rows say the same numbers again and again
        read, counts = array("d"), array("q")
        for text in texts:
            own = _NUMERAL.findall(text)
            read.extend(map(known.__getitem__, own))
            counts.append(len(own))
        sizes, owners = (
            np.asarray(read),
            np.repeat(np.asarray(positions, np.int64), np.asarray(counts)),
        )
        sizes, owners = sizes[sizes != 0], owners[sizes != 0]
        self._numbers = _Numbers(sizes, owners)
        self._leading = _Numbers(_without_scale(sizes), owners)

    def candidates(self, value: Value, most: int) -> list[int]:
        """Positions of the passages that are likeliest to hold a value, at most so many."""
        ways = [
            self._with_text([value.text.strip()], most),
            *(self._at(value.moment, most) if value.moment is not None else ()),
            *self._with_numbers(value, most),
            self._with_words(value, most),
        ]
        found: dict[int, None] = {}
        for row in zip_longest(*ways):  # each way has its say, whatever the others find
            found.update((at, None) for at in row if at is not None)
            if len(found) >= most:
                break
        return list(islice(found, most))

    def _with_text(self, forms: Iterable[str], most: int) -> Iterator[int]:
        """Passages in which one of several texts stands."""
        for form in forms:
            at, left = self._text.find(form) if form else -1, most
            while at >= 0 and left:
                passage = bisect_right(self._ends, at)
                yield self._positions[passage]
                left -= 1
                at = self._text.find(form, self._ends[passage])

    def _with_numbers(self, value: Value, most: int) -> Iterator[Iterator[int]]:
        """Passages with the number of a value: as it is, under another unit or scale, or near it."""
        numbers = dict.fromkeys((*_numerals(value.text), *written_numbers(value)))
        for reach in (_SLACK, float(lookup_reach(value))):
            for number, leading in zip(
                numbers, _without_scale(list(numbers)).tolist(), strict=True
            ):
                yield self._numbers.nearest(number, reach, most)
                yield self._leading.nearest(leading, reach, most)

    def _with_words(self, value: Value, most: int) -> Iterator[int]:
        return (at for at, _ in self._words.best(value.text, 2 * most) if at in self._own)

    def _at(self, moment: Moment, most: int) -> Iterator[Iterator[int]]:
        """Passages with a date or a time: in figures, in words, as seconds or milliseconds since 1970."""
        import numpy as np

        yield self._with_text(written_dates(moment), most)
        if moment.month is not None:
            stems = {stem(name) for name in written_months(moment)}
            named = np.unique(np.concatenate([self._words.postings[one] for one in sorted(stems)]))
            if moment.day is not None:
                named = np.intersect1d(named, self._numbers.between(moment.day, moment.day))
            yield (at for at in named.tolist() if at in self._own)
        if (span := epoch_range(moment)) is not None:
            for scale in (1, 1000):
                yield iter(self._numbers.between(span[0] * scale, span[1] * scale)[:most].tolist())


class _Numbers:
    """Numbers in order, each with its owner."""

    def __init__(self, sizes: Floats, owners: Positions) -> None:
        import numpy as np

        order = np.argsort(sizes, kind="stable")
        self._sizes, self._owners = sizes[order], owners[order]

    def between(self, low: float, high: float) -> Positions:
        """The owners of all that are not below ``low`` nor above ``high``."""
        left, right = self._sizes.searchsorted([low]), self._sizes.searchsorted([high], "right")
        return self._owners[left[0] : right[0]]

    def nearest(self, size: float, reach: float, most: int) -> Iterator[int]:
        """The owners of those that differ from ``size`` by no more than its share ``reach``, the nearest first."""
        import numpy as np

        low, at, high = self._sizes.searchsorted([size * (1 - reach), size, size / (1 - reach)])
        low, high = max(low, at - most), min(high + 1, at + most)
        near = np.argsort(np.abs(self._sizes[low:high] - size), kind="stable")
        yield from self._owners[low:high][near].tolist()


def _numerals(text: str) -> list[float]:
    """The numbers of a text; where its marks are those of no number, the one that their digits make."""
    return [number for number in map(_number, _NUMERAL.findall(text)) if number]


class _Known(dict[str, float]):
    """Numerals with their numbers, each read once."""

    def __missing__(self, numeral: str) -> float:
        number = self[numeral] = _number(numeral)
        return number


def _number(numeral: str) -> float:
    """The number of a numeral; none, 0, for one that is too long."""
    if len(numeral) > _LONGEST:
        return 0.0
    plain = numeral.replace(",", "")
    return float(plain if plain.count(".") < 2 else plain.replace(".", ""))


def _without_scale(numbers: Sequence[float] | Floats) -> Floats:
    """The same between 0.1 and 1: cents are dollars, and a share is per cent."""
    import numpy as np

    sizes = np.asarray(numbers, dtype=np.float64)
    scaled: Floats = sizes / 10.0 ** (np.floor(np.log10(sizes)) + 1)
    return scaled
