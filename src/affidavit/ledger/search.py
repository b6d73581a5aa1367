"""Finding the evidence that bears on a claim: exact values first, then words.

Similarity only decides what is read, never what is true.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import TypeVar, cast

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.values import Match, Value, compare, lookup_sizes, lookup_words
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
    """An index over the passages of one answer's evidence."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = tuple(passages)
        self._postings: dict[str, dict[int, int]] = defaultdict(dict)
        self._lengths: list[int] = []
        for at, passage in enumerate(self.passages):
            counts = Counter(content_stems(passage.text))
            self._lengths.append(len(counts))
            for word, n in counts.items():
                self._postings[word][at] = n
        self._mean = sum(self._lengths) / len(self._lengths) if self._lengths else 1.0
        self._values: _ValueIndex | None = None
        self._hits: dict[tuple[Value, date | None], list[Hit]] = {}
        self._once: dict[str, object] = {}

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What ``make`` gives, computed once for all claims that are held against this evidence."""
        if name not in self._once:
            self._once[name] = make()
        return cast("T", self._once[name])

    def weight(self, word: str) -> float:
        """How much a stem tells passages apart: its inverse document frequency."""
        n, seen = len(self.passages), len(self._postings.get(word, ()))
        return math.log(1 + (n - seen + 0.5) / (seen + 0.5))

    def has_word(self, word: str) -> bool:
        """Whether a stem, or another word for it, occurs anywhere in the evidence."""
        return any(other in self._postings for other in notions(word))

    def by_words(self, text: str, limit: int) -> list[tuple[Passage, float]]:
        """Passages that share words with a text, best first (BM25; another word counts half)."""
        scores: dict[int, float] = defaultdict(float)
        for word in content_stems(text):
            best: dict[int, float] = {}
            for other in notions(word):
                factor = 1.0 if other == word else 0.5
                for at, n in self._postings.get(other, {}).items():
                    norm = n + _K1 * (1 - _B + _B * self._lengths[at] / self._mean)
                    gain = factor * self.weight(other) * n * (_K1 + 1) / norm
                    best[at] = max(best.get(at, 0.0), gain)
            for at, gain in best.items():
                scores[at] += gain
        ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:limit]
        return [(self.passages[at], score) for at, score in ranked]

    def hits(self, value: Value, *, today: date | None = None) -> list[Hit]:
        """Every place in the evidence that holds this value, exactly or as people round."""
        # Several checks ask for one value; where it stands in the claim makes no difference.
        key = (replace(value, start=0, end=0), today)
        if key not in self._hits:
            self._hits[key] = list(self._found(value, today))
        return list(self._hits[key])

    def _found(self, value: Value, today: date | None) -> Iterator[Hit]:
        if self._values is None:
            self._values = _ValueIndex(self.passages)
        matches: dict[Value, Match] = {}  # ten thousand rows have a few hundred different values
        for passage, cell, other in self._values.candidates(value):
            plain = replace(other, start=0, end=0)
            if plain not in matches:
                matches[plain] = compare(value, plain, today=today)
            match = matches[plain]
            if match in ("same", "rounded") and not _read_otherwise(value, passage, cell, other):
                yield Hit(passage, cell, other, match)


def _read_otherwise(value: Value, passage: Passage, cell: Cell | None, other: Value) -> bool:
    """Whether the cell has a reading of the claim's own kind, beside which a looser one counts for
    nothing: 840 under ``fare_pence`` is £8.40 and so not £840."""
    if other.kind == value.kind:
        return False
    if cell is None:  # running text says its units, so a bare number there is not so many hours
        measured = value.kind in _MEASURED and other.kind in _MEASURED
        return measured and not (other.kind == "number" and not other.unit)
    return any(c is cell and v.kind == value.kind for c, v in passage.cell_values)


_MEASURED = frozenset({"number", "money", "percent", "quantity", "duration"})

_Entry = tuple[Passage, Cell | None, Value]


class _ValueIndex:
    """Values by what they can be equal to, so that a claim is not compared with all of them."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        sized: list[tuple[Decimal, int, _Entry]] = []
        self._moments: list[_Entry] = []
        self._words: dict[str, list[_Entry]] = defaultdict(list)
        for passage in passages:
            for entry in _entries(passage):
                value = entry[2]
                if value.moment is not None:
                    self._moments.append(entry)
                for size in lookup_sizes(value):
                    sized.append((size, len(sized), entry))
                for word in lookup_words(value):
                    self._words[word].append(entry)
        sized.sort(key=lambda item: item[:2])
        self._sized = sized
        self._sizes = [item[0] for item in sized]

    def candidates(self, value: Value) -> Iterator[_Entry]:
        """What ``compare`` may find equal, each once: a like size, a shared word, or any moment."""
        found: dict[int, _Entry] = {}
        for size in lookup_sizes(value):
            low = bisect_left(self._sizes, size * Decimal("0.8"))
            high = bisect_right(self._sizes, size * Decimal("1.25"))
            found.update((id(e), e) for _, _, e in self._sized[low:high])
        if value.moment is not None:
            found.update((id(e), e) for e in self._moments)
        words = lookup_words(value)
        # All identifiers of a list share their prefix; their digits tell them apart.
        numbered = (
            {w for w in words if any(map(str.isdigit, w))} if value.kind == "identifier" else set()
        )
        for word in numbered or words:
            found.update((id(e), e) for e in self._words.get(word, ()))
        yield from found.values()


def _entries(passage: Passage) -> Iterator[_Entry]:
    if passage.record is None:
        for value in passage.values:
            yield passage, None, value
    else:
        for cell, value in passage.cell_values:
            yield passage, cell, value
