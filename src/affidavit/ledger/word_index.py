"""The words of passages, by which they are ranked."""

from __future__ import annotations

import math
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence

from affidavit.ledger.ledger import Passage
from affidavit.ledger.postings import Postings
from affidavit.ledger.words import content_stems, notions, stems_of_all

_K1, _B = 1.2, 0.6
"""BM25's constants (Robertson and Zaragoza 2009); b is low because passages are of like length."""


class WordIndex:
    """The passages under each of their stems, to be ranked by BM25. Stems are kept with the passages that ``kept``
    names, and not with others: of a long result they take more room than the result."""

    def __init__(self, passages: Sequence[Passage], kept: Sequence[bool]) -> None:
        import numpy as np

        lengths = array("d")
        self.postings = Postings(_counted(map(_stems, passages, kept), lengths))
        self._size = len(passages)
        mean = (float(np.mean(lengths)) if self._size else 0.0) or 1.0
        # A passage counts each of its words once, so that only its length tells it from another.
        self._norms = 1 + _K1 * (1 - _B + _B * np.asarray(lengths) / mean)

    def weight(self, word: str) -> float:
        n, seen = self._size, len(self.postings[word])
        return math.log(1 + (n - seen + 0.5) / (seen + 0.5))

    def best(self, text: str, limit: int) -> list[tuple[int, float]]:
        """Positions of passages, with their scores; the earlier one where two score alike."""
        import numpy as np

        scores = np.zeros(self._size)
        for word in sorted(content_stems(text)):
            gains = np.zeros(self._size)
            for other in notions(word):
                at = self.postings[other]
                factor = 1.0 if other == word else 0.5
                gain = factor * self.weight(other) * (_K1 + 1) / self._norms[at]
                gains[at] = np.maximum(gains[at], gain)
            scores += gains
        found = np.flatnonzero(scores)
        if len(found) > limit:
            least = np.partition(scores[found], -limit)[-limit]
            found = found[scores[found] >= least]
        order = np.lexsort((found, -scores[found]))[:limit]
        return [(int(at), float(scores[at])) for at in found[order]]


def _stems(passage: Passage, keep: bool) -> frozenset[str]:
    return passage.stems if keep else stems_of_all((passage.text,))


def _counted(things: Iterable[Collection[str]], lengths: array[float]) -> Iterator[Collection[str]]:
    """The same things, while the size of each is noted."""
    for thing in things:
        lengths.append(len(thing))
        yield thing
