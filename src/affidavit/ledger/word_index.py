"""The words of passages, by which they are ranked."""

from __future__ import annotations

import math
from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain, count
from typing import TYPE_CHECKING

from affidavit.ledger.ledger import Passage
from affidavit.ledger.postings import Postings
from affidavit.ledger.words import content_stems, stems_of_run, word_runs

if TYPE_CHECKING:
    from affidavit.ledger.postings import Positions

_K1, _B = 1.2, 0.6
"""BM25's constants (Robertson and Zaragoza 2009); b is low because passages are of like length."""


class WordIndex:
    """The passages under each of their stems, to be ranked by BM25. Each word is stemmed once, however often it stands
    there, and no passage's own stems are kept: of a long result they take more room than the result."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        import numpy as np

        self._size = len(passages)
        self.postings = Postings(*_stems_of(passage.text for passage in passages))
        lengths = self.postings.lengths(self._size)
        mean = (float(np.mean(lengths)) if self._size else 0.0) or 1.0
        # A passage counts each of its words once, so that only its length tells it from another.
        self._norms = 1 + _K1 * (1 - _B + _B * lengths / mean)

    def weight(self, word: str) -> float:
        n, seen = self._size, len(self.postings[word])
        return math.log(1 + (n - seen + 0.5) / (seen + 0.5))

    def best(self, text: str, limit: int) -> list[tuple[int, float]]:
        """Positions of passages, with their scores; the earlier one where two score alike."""
        import numpy as np

        scores = np.zeros(self._size)
        for word in sorted(content_stems(text)):
            at = self.postings[word]
            scores[at] += self.weight(word) * (_K1 + 1) / self._norms[at]
        found = np.flatnonzero(scores)
        if len(found) > limit:
            least = np.partition(scores[found], -limit)[-limit]
            found = found[scores[found] >= least]
        order = np.lexsort((found, -scores[found]))[:limit]
        return [(int(at), float(scores[at])) for at in found[order]]


def _stems_of(texts: Iterable[str]) -> tuple[dict[str, int], Positions, Positions]:
    """The stems of texts by number, and pairs of a stem's number and a text's, each once."""
    import numpy as np

    runs: defaultdict[str, int] = defaultdict(count().__next__)  # a new run, the next number
    found, sizes = array("q"), array("q")
    for text in texts:
        own = word_runs(text)
        found.extend(map(runs.__getitem__, own))
        sizes.append(len(own))
    stems: defaultdict[str, int] = defaultdict(count().__next__)
    of_runs = [[stems[one] for one in stems_of_run(run)] for run in runs]
    several = np.fromiter(map(len, of_runs), np.int64, len(of_runs))
    flat = np.fromiter(chain.from_iterable(of_runs), np.int64, int(several.sum()))
    # Each run of each text gives way to its stems.
    said, owner = np.asarray(found, np.int64), np.repeat(np.arange(len(sizes)), np.asarray(sizes))
    many = several[said]
    starts = (np.cumsum(several) - several)[said]
    inside = np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)
    width = max(1, len(sizes))
    pairs = flat[np.repeat(starts, many) + inside] * width + np.repeat(owner, many)
    pairs.sort()
    words, things = np.divmod(pairs[np.diff(pairs, prepend=-1) > 0], width)
    return dict(stems), words, things
