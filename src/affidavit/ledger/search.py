"""Finding the evidence that bears on a claim: exact values first, then words.

Similarity only decides what is read, never what is true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, compress
from typing import Literal, TypeVar

from affidavit.ledger.extent import read_whole
from affidavit.ledger.kept import Kept
from affidavit.ledger.ledger import Ledger, Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.unread_index import UnreadIndex
from affidavit.ledger.value_index import Entry, ValueIndex, entries_of
from affidavit.ledger.values import AMOUNTS, Match, Value, compare
from affidavit.ledger.values.units import time_unit
from affidavit.ledger.word_index import WordIndex
from affidavit.ledger.words import content_stems

T = TypeVar("T")

PLACES = 64
"""Passages that are read for one value, of those that are not read whole."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A value of the evidence that is, or might have been, the one a claim states."""

    passage: Passage
    cell: Cell | None
    value: Value
    match: Match


class Search:
    """An index over the passages of one answer's evidence. Safe to share by threads.

    Up to a size (:func:`read_whole`) all of them are read, and what is not found is nowhere. Of what is beyond it every
    word is known, and a value is read where a claim's words and digits lead to it; ``unread`` counts the rest.
    """

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = tuple(passages)
        self._whole = read_whole(self.passages)
        self._unread = {id(p): at for at, p in enumerate(self.passages) if not self._whole[at]}
        self._read: set[int] = set()
        self._hits: dict[
            tuple[Value, date | None, int], tuple[tuple[Hit, ...], frozenset[int]]
        ] = {}
        self._kept = Kept()

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What ``make`` gives, computed once for all claims that are held against this evidence."""
        return self._kept.once(name, make)

    @property
    def is_whole(self) -> bool:
        """Whether all of its values are read in advance."""
        return not self._unread

    @property
    def unread(self) -> int:
        """How many passages no claim has led to, of those that are not read whole."""
        return len(self._unread) - len(self._read)

    @property
    def value_count(self) -> int:
        """How many values the passages hold, in all of their readings; of those that are not read whole, how many fields."""
        return sum(
            len(passage.values) if whole else max(1, len(passage.cells))
            for passage, whole in zip(self.passages, self._whole, strict=True)
        )

    def weight(self, word: str) -> float:
        """How much a stem tells passages apart: its inverse document frequency."""
        return self._words.weight(word)

    def has_word(self, word: str) -> bool:
        """Whether a stem occurs anywhere in the evidence."""
        return len(self._words.postings[word]) > 0

    def by_words(self, text: str, limit: int) -> list[tuple[Passage, float]]:
        """Passages that share words with a text, best first (BM25)."""
        best = self._words.best(text, limit)
        return [(self.passages[at], score) for at, score in best]

    def hits(
        self,
        value: Value,
        *,
        today: date | None = None,
        near: Iterable[Passage] = (),
        most: int = PLACES,
    ) -> list[Hit]:
        """Every place in the evidence that holds this value, exactly or as people round. Of passages that are not read
        whole, the places in those ``near`` the claim, and in at most so many others that may hold it."""
        # Several checks ask for one value; where it stands in the claim makes no difference.
        key = (_anywhere(value), today, most)
        if key not in self._hits:
            places = [] if self.is_whole else self._places.candidates(value, most)
            entries = chain(self._values.candidates(value), self._entries_at(places))
            self._hits[key] = tuple(_equal(value, entries, today)), frozenset(places)
        hits, seen = self._hits[key]
        beside = (self._unread.get(id(passage)) for passage in near)
        more = [at for at in beside if at is not None and at not in seen]
        return [*hits, *_equal(value, self._entries_at(more), today)]

    def _entries_at(self, positions: Iterable[int]) -> Iterator[Entry]:
        """The values of passages that are not read whole."""
        for at in positions:
            self._read.add(at)
            yield from entries_of(self.passages[at])

    @property
    def _words(self) -> WordIndex:
        return self.once("words", lambda: WordIndex(self.passages))

    @property
    def _values(self) -> ValueIndex:
        return self.once("values", lambda: ValueIndex(list(compress(self.passages, self._whole))))

    @property
    def _places(self) -> UnreadIndex:
        return self.once(
            "places",
            lambda: UnreadIndex(self.passages, list(self._unread.values()), self._words),
        )


def _equal(value: Value, entries: Iterable[Entry], today: date | None) -> Iterator[Hit]:
    matches: dict[Value, Match] = {}  # ten thousand rows have a few hundred different values
    for passage, cell, other in entries:
        plain = other if cell is not None else _anywhere(other)
        if plain not in matches:
            matches[plain] = compare(value, plain, today=today)
        match = matches[plain]
        if match in ("same", "rounded") and not _read_otherwise(value, passage, cell, other):
            yield Hit(passage, cell, other, match)


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
        measured = value.kind in AMOUNTS and other.kind in AMOUNTS
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
