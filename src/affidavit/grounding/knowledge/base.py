"""The knowledge base: documents in, relevant passages with their sources out."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, Self, TypeAlias, TypeVar

from affidavit._sync import run_sync
from affidavit.errors import KnowledgeError
from affidavit.grounding.knowledge.chunks import CHUNK_CHARS, chunks_of, searched_text
from affidavit.grounding.knowledge.document import Document
from affidavit.grounding.knowledge.fusion import fused
from affidavit.grounding.knowledge.readers.folder import Unread
from affidavit.grounding.knowledge.relevance import Relevance, coverage, relevance_of
from affidavit.grounding.knowledge.retriever import Hit, Passage, Source
from affidavit.grounding.knowledge.storage import Candidate, Prepared, Storage
from affidavit.grounding.knowledge.terms import terms_of
from affidavit.models.embedding import Encoder, load_encoder

Found = TypeVar("Found", Candidate, Hit)
Ranking: TypeAlias = Literal["hybrid", "words", "vectors"]

CANDIDATES = 50
"""Passages that each ranking puts forward, at least; ten for each hit asked for where that is more."""

PER_DOCUMENT = 2
"""Passages of one document that are let in before those of others: neighbours repeat each other."""

COMMON, ALWAYS_SOUGHT = 0.2, 2_000
"""A term that more than this share of the passages hold, and more than so many, is not looked for."""

_BATCH = 64
"""Documents that are encoded and committed together."""


@dataclass(frozen=True, slots=True)
class Ingested:
    """What became of the documents of one call, by id."""

    added: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    unread: tuple[Unread, ...] = ()
    """What a reader could not make a document of; active versions are left as they were."""


class KnowledgeBase:
    """Documents with their versions, searched by words and by meaning; a
    :class:`~affidavit.grounding.knowledge.retriever.Retriever`.

    ``storage`` is the path of an SQLite file (made where there is none), a ``postgresql://`` URL, or a
    storage. ``encoder`` is as in :func:`~affidavit.models.embedding.load_encoder`; a base belongs to
    the encoder that filled it. ``relevance`` turns similarities into a hit's score: for the embedded
    encoder it is calibrated, for others the score is the cosine itself, negative ones as 0, unless
    given. A floor belongs to an encoder and a corpus: measure it.

    Instances are thread-safe. Raises :class:`~affidavit.errors.KnowledgeError` when the storage cannot
    answer and :class:`~affidavit.errors.EncoderError` when the encoder cannot.
    """

    def __init__(
        self,
        storage: Storage | Path | str,
        *,
        encoder: Encoder | str | None = None,
        relevance: Relevance | None = None,
        chunk_chars: int = CHUNK_CHARS,
    ) -> None:
        if chunk_chars < 1:
            raise KnowledgeError(f"a passage holds at least one character, not {chunk_chars}")
        self._encoder = load_encoder(encoder)
        self._relevance = relevance or relevance_of(self._encoder.name)
        self._chunk_chars = chunk_chars
        self._storage = _storage(storage)
        self._storage.open(self._encoder.name, self._encoder.dimensions)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        self._storage.close()

    def ingest(self, documents: Iterable[Document | Unread]) -> Ingested:
        """Keep what is new: an unknown document, or a new version of a known one. Takes what
        :func:`~affidavit.grounding.knowledge.readers.folder.read_documents` gives.

        A document whose text and metadata are those of its active version is left as it is. A new
        version makes the one before outdated: kept, resolvable, and found by no search. Documents are
        committed in batches, each wholly or not at all, so an interrupted call can be repeated.
        Blocks while passages are encoded.
        """
        total = Ingested()
        for batch in _batches(documents, _BATCH):
            unread = tuple(each for each in batch if isinstance(each, Unread))
            done = self._ingest([each for each in batch if isinstance(each, Document)])
            total = Ingested(
                total.added + done.added,
                total.updated + done.updated,
                total.unchanged + done.unchanged,
                total.unread + unread,
            )
        if total.added or total.updated:
            self._storage.settle()
        return total

    def withdraw(self, *documents: str) -> int:
        """Make documents outdated without a newer version; how many were active."""
        return self._storage.withdraw(documents, datetime.now(UTC))

    async def search(self, query: str, *, limit: int = 5, by: Ranking = "hybrid") -> list[Hit]:
        """The passages of active versions that are most relevant to a query, best first.

        Rankings by words and by vectors are fused; of the first of them, relevance decides the order.
        ``by`` gives one of the two rankings alone and in its own order, for comparison. An empty list
        means that the base holds nothing to compare; a low score of the first hit, that nothing
        relevant was found.
        """
        return await asyncio.to_thread(self._search, query, limit, by)

    def search_sync(self, query: str, *, limit: int = 5, by: Ranking = "hybrid") -> list[Hit]:
        return run_sync(self.search(query, limit=limit, by=by))

    def resolve(self, id: str) -> Passage:  # noqa: A002 - the field's own name
        """The passage that a citation names, of whatever version; ``source.active`` says whether it
        still holds."""
        found = self._storage.passage(id)
        if found is None:
            raise KnowledgeError(f"there is no passage {id!r} in this knowledge base")
        return found

    def documents(self) -> list[Source]:
        """The active version of every document, by id."""
        return self._storage.documents()

    def versions(self, document: str) -> list[Source]:
        """Every version of a document, the newest first; empty for an unknown one."""
        return self._storage.versions(document)

    def _ingest(self, documents: Sequence[Document]) -> Ingested:
        # Of one id met twice, the last counts: as if they had come one after the other.
        latest = {document.id: document for document in documents}
        known = self._storage.digests(list(latest))
        new = [d for d in latest.values() if known.get(d.id) != d.digest]
        if new:
            self._storage.add(self._prepared(new), datetime.now(UTC))
        return Ingested(
            tuple(d.id for d in new if d.id not in known),
            tuple(d.id for d in new if d.id in known),
            tuple(d.id for d in latest.values() if known.get(d.id) == d.digest),
        )

    def _prepared(self, documents: Sequence[Document]) -> list[Prepared]:
        chunks = [chunks_of(document, limit=self._chunk_chars) for document in documents]
        texts = [
            [searched_text(document.title, chunk) for chunk in own]
            for document, own in zip(documents, chunks, strict=True)
        ]
        vectors = self._encoder.encode_documents([text for own in texts for text in own])
        prepared, at = [], 0
        for document, own, searched in zip(documents, chunks, texts, strict=True):
            rows = vectors[at : at + len(own)]
            prepared.append(Prepared(document, own, [terms_of(text) for text in searched], rows))
            at += len(own)
        return prepared

    def _search(self, query: str, limit: int, by: Ranking) -> list[Hit]:
        if limit < 1:
            raise KnowledgeError(f"a search gives at least one hit, not {limit}")
        terms = set(terms_of(query))
        statistics = self._storage.frequencies(sorted(terms))
        vector = self._encoder.encode_queries([query])[0]
        depth = max(CANDIDATES, 10 * limit)
        rankings = []
        if by != "vectors":
            rankings.append(self._storage.by_words(_telling(terms, *statistics), depth))
        if by != "words":
            rankings.append(self._storage.by_vector(vector, depth))
        order = fused(*rankings)
        found = self._storage.candidates(order, vector)
        candidates = [found[key] for key in order if key in found]
        if by != "hybrid":
            return self._hits(candidates[:limit], terms, *statistics)
        foremost = _spread(candidates, lambda c: c.passage.source)[: max(10, 2 * limit)]
        hits = _best_first(self._hits(foremost, terms, *statistics))
        return _best_first(_spread(hits, lambda hit: hit.source)[:limit])

    def _hits(
        self,
        candidates: Sequence[Candidate],
        terms: Set[str],
        total: int,
        frequencies: Mapping[str, int],
    ) -> list[Hit]:
        hits = []
        for found in candidates:
            covered = coverage(terms, set(found.stems), total, frequencies)
            score = self._score(found.cosine, covered)
            hits.append(Hit(found.passage.id, found.passage.text, score, found.passage.source))
        return hits

    def _score(self, cosine: float, covered: float) -> float:
        if self._relevance is None:
            return min(max(cosine, 0.0), 1.0)
        return self._relevance.score(cosine, covered)


def _telling(terms: Set[str], total: int, frequencies: Mapping[str, int]) -> list[str]:
    """The terms worth looking for: none that would bring in a good part of a large base to say next
    to nothing about it, unless the query has no others."""
    most = max(COMMON * total, ALWAYS_SOUGHT)
    return sorted(t for t in terms if frequencies.get(t, 0) <= most) or sorted(terms)


def _best_first(hits: Sequence[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda hit: hit.score, reverse=True)


def _spread(items: Sequence[Found], source: Callable[[Found], Source]) -> list[Found]:
    """The same items, with what exceeds ``PER_DOCUMENT`` of one document moved to the end."""
    seen: Counter[str] = Counter()
    first: list[Found] = []
    later: list[Found] = []
    for item in items:
        document = source(item).document_id
        seen[document] += 1
        (first if seen[document] <= PER_DOCUMENT else later).append(item)
    return first + later


def _storage(storage: Storage | Path | str) -> Storage:
    if isinstance(storage, str) and storage.startswith(("postgresql://", "postgres://")):
        from affidavit.grounding.knowledge.postgres import PostgresStorage

        return PostgresStorage(storage)
    if isinstance(storage, str | Path):
        from affidavit.grounding.knowledge.sqlite import SQLiteStorage

        return SQLiteStorage(storage)
    return storage


def _batches(
    documents: Iterable[Document | Unread], size: int
) -> Iterator[list[Document | Unread]]:
    batch: list[Document | Unread] = []
    for document in documents:
        batch.append(document)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
