"""The values of passages, by what they can be equal to."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from affidavit.ledger.ledger import Passage
from affidavit.ledger.postings import Postings
from affidavit.ledger.records import Cell
from affidavit.ledger.values import Value, lookup_reach, lookup_sizes, lookup_words

Entry: TypeAlias = tuple[Passage, Cell | None, Value]


class ValueIndex:
    """Values by what they can be equal to, so that a claim is not compared with all of them."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        import numpy as np

        self._entries = [entry for passage in passages for entry in entries_of(passage)]
        values = [value for _, _, value in self._entries]
        self._words = Postings.of(map(lookup_words, values))
        self._moments = [at for at, value in enumerate(values) if value.moment is not None]
        sizes, owners = array("d"), array("q")
        for at, value in enumerate(values):
            for size in lookup_sizes(value):
                sizes.append(float(size))
                owners.append(at)
        order = np.argsort(np.asarray(sizes), kind="stable")
        self._sizes, self._owners = np.asarray(sizes)[order], np.asarray(owners)[order]

    def candidates(self, value: Value) -> Iterator[Entry]:
        """What ``compare`` may find equal, each once: a like size, a shared word, or any moment."""
        found: dict[int, None] = {}
        near = float(1 - lookup_reach(value)) - _FLOAT_ERROR
        for size in lookup_sizes(value):
            low = self._sizes.searchsorted(float(size) * near, "left")
            high = self._sizes.searchsorted(float(size) / near, "right")
            found.update(dict.fromkeys(self._owners[low:high].tolist()))
        if value.moment is not None:
            found.update(dict.fromkeys(self._moments))
        words = lookup_words(value)
        # All identifiers of a list share their prefix; their digits tell them apart.
        numbered = (
            {w for w in words if any(map(str.isdigit, w))} if value.kind == "identifier" else set()
        )
        for word in sorted(numbered or words):
            found.update(dict.fromkeys(self._words[word].tolist()))
        for at in found:
            yield self._entries[at]


_FLOAT_ERROR = 1e-9


def entries_of(passage: Passage) -> Iterator[Entry]:
    """The values of a passage, each with the cell that it is read from."""
    if passage.record is None:
        for value in passage.values:
            yield passage, None, value
    else:
        for cell, value in passage.cell_values:
            yield passage, cell, value
