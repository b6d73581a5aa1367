"""Finding the evidence that bears on a claim: exact values first, then words.

Similarity only decides what is read, never what is true.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, TypeVar

from affidavit.ledger.kept import Kept
from affidavit.ledger.ledger import Ledger, Passage
from affidavit.ledger.postings import Postings
from affidavit.ledger.records import Cell
from affidavit.ledger.values import (
    Match,
    Value,
    compare,
    lookup_reach,
    lookup_sizes,
    lookup_words,
)
from affidavit.ledger.values.units import time_unit
from affidavit.ledger.words import content_stems, notions

T = TypeVar("T")

_K1, _B = 1.2, 0.6
"""BM25's constants (Robertson and Zaragoza 2009); b is low because passages are of like length."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A value of the evidence that is, or might have been, the one a claim states."""

    passage: Passage
    cell: Cell | None
    value: Value
    match: Match


class Search:
    """An index over the passages of one answer's evidence. Safe to share by threads."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = tuple(passages)
        self._hits: dict[tuple[Value, date | None], tuple[Hit, ...]] = {}
        self._kept = Kept()

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What ``make`` gives, computed once for all claims that are held against this evidence."""
        return self._kept.once(name, make)

    def weight(self, word: str) -> float:
        """How much a stem tells passages apart: its inverse document frequency."""
        return self._words.weight(word)

    def has_word(self, word: str) -> bool:
        """Whether a stem, or another word for it, occurs anywhere in the evidence."""
        return any(len(self._words.postings[other]) for other in notions(word))

    def by_words(self, text: str, limit: int) -> list[tuple[Passage, float]]:
        """Passages that share words with a text, best first (BM25; another word counts half)."""
        best = self._words.best(text, limit)
        return [(self.passages[at], score) for at, score in best]

    def hits(self, value: Value, *, today: date | None = None) -> list[Hit]:
        """Every place in the evidence that holds this value, exactly or as people round."""
        # Several checks ask for one value; where it stands in the claim makes no difference.
        key = (_anywhere(value), today)
        if key not in self._hits:
            self._hits[key] = tuple(self._found(value, today))
        return list(self._hits[key])

    def _found(self, value: Value, today: date | None) -> Iterator[Hit]:
        matches: dict[Value, Match] = {}  # ten thousand rows have a few hundred different values
        for passage, cell, other in self._values.candidates(value):
            plain = other if cell is not None else _anywhere(other)
            if plain not in matches:
                matches[plain] = compare(value, plain, today=today)
            match = matches[plain]
            if match in ("same", "rounded") and not _read_otherwise(value, passage, cell, other):
                yield Hit(passage, cell, other, match)

    @property
    def _words(self) -> _WordIndex:
        return self.once("words", lambda: _WordIndex(self.passages))

    @property
    def _values(self) -> _ValueIndex:
        return self.once("values", lambda: _ValueIndex(self.passages))


def search_of(
    ledger: Ledger, scope: Literal["run", "tool_results"] = "run", *, failed: bool = False
) -> Search:
    """The index over a ledger's evidence, with the texts of failed calls or without, made once for as
    long as nothing is added, whichever copies of the ledger ask for it."""

    def make() -> Search:
        if not failed:
            return Search(list(ledger.evidence(scope)))
        good = search_of(ledger, scope)
        errors = [p for p in ledger.passages if p.source.outcome == "error"]
        return Search([*good.passages, *errors]) if errors else good

    return ledger.once(f"search {scope} {failed}", make)


def _anywhere(value: Value) -> Value:
    """The value without its place in a text."""
    return replace(value, start=0, end=0) if value.end else value


def _read_otherwise(value: Value, passage: Passage, cell: Cell | None, other: Value) -> bool:
    """Whether the cell has a reading of the claim's own kind, beside which a looser one counts for
    nothing: 840 under ``fare_pence`` is £8.40 and so not £840. Nor is a size of 9 nine business days."""
    if other.kind == value.kind:
        counts = counts_time(value) and not counts_time(other)
        return counts and cell is not None and not _timed(cell)
    if cell is None:  # running text says its units, so a bare number there is not so many hours
        measured = value.kind in _MEASURED and other.kind in _MEASURED
        pounds = {value.unit, other.unit} == {"GBP", "pound"}  # which may be a weight as well
        return measured and not (other.kind == "number" and (not other.unit or pounds))
    return any(c is cell and v.kind == value.kind for c, v in passage.cell_values)


def counts_time(value: Value) -> bool:
    """Whether a number counts times that are no span of time: "seven business days"."""
    return value.kind == "number" and time_unit(value.unit.rsplit(" ", 1)[-1]) is not None


def _timed(cell: Cell) -> bool:
    """Whether a field's name says that it holds a time of some sort."""
    return bool(content_stems(cell.key) & _TIMES)


_TIMES = content_stems(
    "time times days hours weeks months years minutes seconds term terms period within lead eta duration "
    "delivery shipping processing handling notice validity window deadline wait delay retention sla"
)
_MEASURED = frozenset({"number", "money", "percent", "quantity", "duration"})

_Entry = tuple[Passage, Cell | None, Value]


class _WordIndex:
    """The passages under each of their stems, to be ranked by BM25."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        import numpy as np

        self.postings = Postings(p.stems for p in passages)
        self._size = len(passages)
        lengths = np.array([len(p.stems) for p in passages], dtype=np.float64)
        mean = (float(lengths.mean()) if self._size else 0.0) or 1.0
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


class _ValueIndex:
    """Values by what they can be equal to, so that a claim is not compared with all of them."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        import numpy as np

        self._entries = [entry for passage in passages for entry in _entries(passage)]
        values = [value for _, _, value in self._entries]
        self._words = Postings(map(lookup_words, values))
        self._moments = [at for at, value in enumerate(values) if value.moment is not None]
        sizes, owners = array("d"), array("q")
        for at, value in enumerate(values):
            for size in lookup_sizes(value):
                sizes.append(float(size))
                owners.append(at)
        order = np.argsort(np.asarray(sizes), kind="stable")
        self._sizes, self._owners = np.asarray(sizes)[order], np.asarray(owners)[order]

    def candidates(self, value: Value) -> Iterator[_Entry]:
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


def _entries(passage: Passage) -> Iterator[_Entry]:
    if passage.record is None:
        for value in passage.values:
            yield passage, None, value
    else:
        for cell, value in passage.cell_values:
            yield passage, cell, value
