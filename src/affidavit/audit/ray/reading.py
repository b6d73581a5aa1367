"""Sources read on the nodes, a few runs at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from affidavit.audit.item import Item
from affidavit.audit.ray.chunk import Chunk, Met, Row, without_content
from affidavit.audit.sources import Source, items
from affidavit.audit.store import key_of
from affidavit.errors import AffidavitError, TraceError

_BYTES = 2**20
"""A chunk ends where its runs exceed this, so that large runs are not many in memory."""


@dataclass(frozen=True)
class Reading:
    """How sources are read: chunks of up to ``runs`` runs, those in ``known`` without their content.

    With ``lacking``, only its sources are read, and of each the runs that :func:`is_told` says are not told of.
    """

    files: tuple[Source, ...]
    options: bytes
    known: Collection[bytes] = ()
    lacking: Mapping[int, bytes] | None = None
    runs: int = 16

    def rows(self, row: Row) -> Iterator[Row]:
        """The chunks of the source that a row names, as rows."""
        yield from (chunk.row() for chunk in self.chunks(int(row["item"])))

    def chunks(self, source: int) -> Iterator[Chunk]:
        """The chunks of a source; the last one says how many runs there are."""
        gathered, end = _Gathered(source), 0
        told = self.lacking[source] if self.lacking is not None else b""
        try:
            for number, found in enumerate(items([self.files[source]], gathered.moved)):
                end = number + 1
                if is_told(told, number):
                    continue
                if gathered.is_full(self.runs):
                    yield gathered.taken()
                gathered.add(number, self._without_known(found))
        except AffidavitError as error:
            yield Chunk(source, (), (), 0, error=str(error))
        else:
            yield gathered.taken(end)

    def _without_known(self, found: Item | TraceError) -> Item | Met | TraceError:
        if isinstance(found, Item) and key_of(found, self.options) in self.known:
            return Met(without_content(found), "known")
        return found


def is_told(told: bytes | bytearray, number: int) -> bool:
    """Whether a run was told of, where ``told`` has a byte a run, 1 for yes."""
    return number < len(told) and told[number] == 1


@dataclass
class _Gathered:
    source: int
    numbers: list[int] = field(default_factory=list)
    runs: list[Item | Met | TraceError] = field(default_factory=list)
    at: int = 0
    size: int = 0

    def moved(self, at: int) -> None:
        self.at = at

    def add(self, number: int, run: Item | Met | TraceError) -> None:
        self.numbers.append(number)
        self.runs.append(run)
        self.size += len(run.raw) if isinstance(run, Item) else 0

    def is_full(self, most: int) -> bool:
        return len(self.runs) >= most or self.size >= _BYTES

    def taken(self, end: int | None = None) -> Chunk:
        chunk = Chunk(self.source, tuple(self.numbers), tuple(self.runs), self.at, end)
        self.numbers, self.runs, self.size = [], [], 0
        return chunk
