"""Any LangChain retriever or vector store as a retriever of this package."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from affidavit.errors import KnowledgeError, MissingExtra
from affidavit.grounding.knowledge.readers.metadata import Metadata
from affidavit.grounding.knowledge.relevance import coverage, relevance_of
from affidavit.grounding.knowledge.retriever import Hit, Source
from affidavit.grounding.knowledge.terms import terms_of
from affidavit.grounding.metrics import SLACK
from affidavit.models.embedding import Encoder, load_encoder

if TYPE_CHECKING:
    from langchain_core.documents import Document

_SCORES = ("relevance_score", "score")
"""Where retrievers and rerankers of LangChain leave a score in a document's metadata."""
_MOST = 1000
"""A store is asked for no more documents than these: many refuse to give more at once."""


class LangChainRetriever:
    """Wraps a ``BaseRetriever`` or a ``VectorStore``; needs ``pip install 'affidavit[langchain]'``.

    A vector store is asked with its own relevance scores, which LangChain scales to [0, 1]. A
    retriever's hits have the score that stands in their metadata if ``scored`` says that it is a
    relevance in [0, 1]; otherwise (most leave none, or ranks) each passage is compared with the query
    by ``encoder``, as :class:`~affidavit.grounding.knowledge.base.KnowledgeBase` does.

    Citations come from the metadata: title, id, version, url or source, section, dates, ``active``.
    ``page_label`` is taken as it is; ``page`` counts from ``first_page``, which is 0 in LangChain's
    own PDF loaders.
    """

    def __init__(
        self,
        wrapped: Any,
        *,
        scored: bool = False,
        encoder: Encoder | str | None = None,
        first_page: int = 0,
    ) -> None:
        try:
            from langchain_core.retrievers import BaseRetriever
            from langchain_core.vectorstores import VectorStore
        except ImportError as error:
            raise MissingExtra("langchain-core", "langchain") from error
        if not isinstance(wrapped, BaseRetriever | VectorStore):
            kind = type(wrapped).__name__
            raise KnowledgeError(f"expected a LangChain retriever or vector store, not {kind}")
        self._wrapped = wrapped
        self._is_store = isinstance(wrapped, VectorStore)
        self._scored = scored
        self._encoder = load_encoder(encoder)
        self._first_page = first_page

    async def search(self, query: str, *, limit: int = 5) -> list[Hit]:
        documents, scores = await self._found(query, limit)
        hits = [
            Hit(_id(document), document.page_content, score, self._source(document))
            for document, score in zip(documents, scores, strict=True)
        ]
        active = [hit for hit in hits if hit.source.active]
        return sorted(active, key=lambda hit: hit.score, reverse=True)[:limit]

    async def _found(self, query: str, limit: int) -> tuple[list[Document], list[float]]:
        if self._is_store:
            pairs = await self._nearest(query, limit)
            return [document for document, _ in pairs], [_in_range(score) for _, score in pairs]
        documents = await self._wrapped.ainvoke(query)
        if self._scored:
            return documents, [_own_score(document.metadata) for document in documents]
        return documents, await asyncio.to_thread(self._compared, query, documents)

    async def _nearest(self, query: str, limit: int) -> list[tuple[Document, float]]:
        """So many that ``limit`` of them are active, so that outdated ones take nobody's place."""
        wanted = limit
        while True:
            pairs: list[tuple[Document, float]]
            pairs = await self._wrapped.asimilarity_search_with_relevance_scores(query, k=wanted)
            enough = sum(_is_active(document) for document, _ in pairs) >= limit
            if enough or len(pairs) < wanted or wanted >= _MOST:
                return pairs
            wanted = min(2 * wanted, _MOST)

    def _compared(self, query: str, documents: Sequence[Document]) -> list[float]:
        asked = self._encoder.encode_queries([query])[0]
        vectors = self._encoder.encode_documents([each.page_content for each in documents])
        relevance = relevance_of(self._encoder.name)
        terms = terms_of(query)
        scores = []
        for document, vector in zip(documents, vectors, strict=True):
            cosine = float(vector @ asked)
            # How rare a word is in the whole collection is not known here: all count alike.
            covered = coverage(terms, set(terms_of(document.page_content)), 0, {})
            scores.append(
                relevance.score(cosine, covered) if relevance else min(max(cosine, 0.0), 1.0)
            )
        return scores

    def _source(self, document: Document) -> Source:
        fields = document.metadata
        said = Metadata.of(fields)
        origin = fields.get("source")
        url = said.url or (origin if _is_url(origin) else None)
        return Source(
            title=said.title or str(origin or "Untitled"),
            document_id=said.id or str(origin or _id(document)),
            version=said.version,
            section=_text(fields.get("section")),
            page=self._page(fields),
            url=url,
            document_date=said.document_date,
            active=_is_active(document),
        )

    def _page(self, fields: Mapping[str, Any]) -> int | None:
        label, page = str(fields.get("page_label", "")), fields.get("page")
        if label.isdecimal():
            return int(label)
        return page - self._first_page + 1 if isinstance(page, int) else None


def _own_score(fields: Mapping[str, Any]) -> float:
    for name in _SCORES:
        if isinstance(fields.get(name), int | float):
            return _in_range(float(fields[name]))
    raise KnowledgeError(
        "a LangChain document has no score in its metadata (relevance_score or score): leave out "
        "scored=True, and passages are compared with the query here"
    )


def _in_range(score: float) -> float:
    if not -SLACK <= score <= 1 + SLACK:
        raise KnowledgeError(
            f"a LangChain relevance is {score}, outside 0 to 1: give the vector store a relevance "
            "score function, or wrap its retriever without scored=True"
        )
    return min(max(float(score), 0.0), 1.0)


def _is_active(document: Document) -> bool:
    return document.metadata.get("active") is not False


def _id(document: Document) -> str:
    return document.id or sha256(document.page_content.encode()).hexdigest()[:16]


def _is_url(origin: object) -> bool:
    return isinstance(origin, str) and origin.startswith(("http://", "https://"))


def _text(value: object) -> str | None:
    return None if value is None else str(value)
