"""Where a knowledge base is kept: what a database must be able to do for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from affidavit.grounding.knowledge.chunks import Chunk
from affidavit.grounding.knowledge.document import Document
from affidavit.grounding.knowledge.retriever import Passage, Source

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from affidavit.models.embedding.protocol import Vectors


@dataclass(frozen=True, slots=True)
class Prepared:
    """A version that is ready to be kept: its passages, their stems for search by words (in order,
    repeated as often as they occur), and their vectors."""

    document: Document
    chunks: Sequence[Chunk]
    stems: Sequence[Sequence[str]]
    vectors: Vectors


@dataclass(frozen=True, slots=True)
class Candidate:
    """An active passage that a search may return. ``cosine`` is that of its vector and the query's;
    ``stems`` are those it was kept with."""

    passage: Passage
    cosine: float
    stems: Sequence[str]


class Storage(Protocol):
    """A database that keeps documents, versions, passages and vectors.

    Methods block, are safe to call from several threads, and raise
    :class:`~affidavit.errors.KnowledgeError` when the database cannot answer. Searches see active
    versions only. Nothing is ever deleted.
    """

    def open(self, encoder: str, dimensions: int) -> None:
        """Make the tables where there are none; refuse a base that another encoder filled."""
        ...

    def digests(self, documents: Sequence[str]) -> Mapping[str, str]:
        """The digests of the active versions among these documents."""
        ...

    def add(self, prepared: Sequence[Prepared], now: datetime) -> None:
        """Keep new versions, all or none; the ones they follow become outdated in the same step."""
        ...

    def withdraw(self, documents: Sequence[str], now: datetime) -> int:
        """Make the active versions of these documents outdated; how many there were."""
        ...

    def documents(self) -> list[Source]:
        """The active version of every document, by id."""
        ...

    def versions(self, document: str) -> list[Source]:
        """Every version of a document, the newest first."""
        ...

    def passage(self, id: str) -> Passage | None:  # noqa: A002 - the field's own name
        """The passage with this id, of whatever version."""
        ...

    def by_words(self, stems: Sequence[str], limit: int) -> list[int]:
        """Keys of the passages that hold any of the stems, best first."""
        ...

    def by_vector(self, vector: NDArray[np.float32], limit: int) -> list[int]:
        """Keys of the passages nearest in direction, nearest first."""
        ...

    def candidates(
        self, keys: Sequence[int], vector: NDArray[np.float32]
    ) -> Mapping[int, Candidate]:
        """Those of ``keys`` that are still active, with their passages."""
        ...

    def frequencies(self, stems: Sequence[str]) -> tuple[int, Mapping[str, int]]:
        """How many active passages there are, and how many of them hold each stem."""
        ...

    def settle(self) -> None:
        """After an ingest: the time to build what is better built at once than row by row."""
        ...

    def close(self) -> None: ...


def passage_id(document: str, number: int, position: int) -> str:
    """Readable, and the same for as long as the base lives: ``fees.md@2#14``."""
    return f"{document}@{number}#{position}"


def parsed_passage_id(id: str) -> tuple[str, int, int] | None:  # noqa: A002 - as above
    """The document, its version's number and the passage's position; None for what is no such id."""
    way, _, position = id.rpartition("#")
    document, _, number = way.rpartition("@")
    if not document or not number.isdecimal() or not position.isdecimal():
        return None
    return document, int(number), int(position)


def mismatch(place: str, key: str, found: str | None, wanted: str) -> str:
    """Why a base that is there already cannot be opened."""
    if key == "schema":
        return f"{place} has knowledge schema {found}; this version of affidavit reads {wanted}"
    return (
        f"{place} was filled with another encoder ({key} {found}, not {wanted}): open it with that "
        "encoder, or ingest the documents into a new base"
    )
