"""What searching a knowledge base gives: texts, how relevant they are, and where each comes from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Source:
    """Where a text comes from, as far as the retriever knows; unknown is None, never a guess."""

    title: str
    document_id: str
    version: str | None = None
    section: str | None = None
    """The headings above the text, outermost first, joined by " › "."""
    page: int | None = None
    """Of a paginated document, counted from 1."""
    url: str | None = None
    document_date: date | None = None
    """When the document itself was written or last changed."""
    indexed_at: datetime | None = None
    """When this version entered the index; carries its time zone."""
    active: bool = True
    """False for an outdated version: one that a newer version replaced, or that was withdrawn."""
    counted: bool = False
    """Whether ``version`` is the knowledge base's own count: the document has none, and none is cited."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document. ``id`` names it within its knowledge base and stays valid when the
    document gets newer versions."""

    id: str
    text: str
    source: Source


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that was found: ``id`` and ``text`` are the passage's."""

    id: str
    text: str
    score: float
    """Relevance to the query in [0, 1]; what a value means belongs to the retriever that gave it."""
    source: Source

    def __post_init__(self) -> None:
        if not 0 <= self.score <= 1:  # NaN fails as well
            raise ValueError(f"a relevance is a number from 0 to 1, not {self.score!r}")


@runtime_checkable
class Retriever(Protocol):
    """Anything that can be searched.

    ``search`` gives at most ``limit`` hits, best first, none of them outdated; no hits is an empty
    list. It raises when it could not search: an error is never an empty result.
    """

    async def search(self, query: str, *, limit: int = 5) -> list[Hit]: ...
