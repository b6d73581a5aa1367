"""LangChain's own retrievers and vector stores as retrievers of this package."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Any

import pytest
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding, Embeddings
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import InMemoryVectorStore

from affidavit.errors import KnowledgeError
from affidavit.grounding.knowledge.langchain import LangChainRetriever
from affidavit.grounding.knowledge.retriever import Hit, Retriever
from affidavit.models.embedding.onnx import EmbeddedEncoder

FEES = Document(
    "The harbour card costs 5 euros a month.",
    metadata={
        "source": "https://bank.example/fees.pdf",
        "title": "Card fees",
        "page": 1,
        "version": "2.1",
        "section": "Monthly",
        "last_modified": "2026-03-01T10:00:00",
    },
)
HOURS = Document("The branch opens at nine.", metadata={"source": "kb/hours.md"}, id="hours-1")


class Kept(BaseRetriever):
    """Always the same documents, as a remote index would send them."""

    documents: list[Document]

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        if query == "down":
            raise ConnectionError("the index is down")
        return self.documents


class ByLength(Embeddings):
    """Two numbers a text, of length 1 together."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[0.6, 0.8] if "card" in text else [0.8, -0.6] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


def search(wrapped: Any, query: str, **options: Any) -> list[Hit]:
    limit = options.pop("limit", 5)
    retriever = LangChainRetriever(wrapped, **options)
    assert isinstance(retriever, Retriever)
    return asyncio.run(retriever.search(query, limit=limit))


def test_passages_without_a_score_are_compared_here() -> None:
    hits = search(Kept(documents=[HOURS, FEES]), "How much is the harbour card a month?")
    assert [hit.text for hit in hits] == [FEES.page_content, HOURS.page_content]
    assert hits[0].score > 0.75 and hits[1].score < 0.2


def test_metadata_become_a_source() -> None:
    source = search(Kept(documents=[FEES]), "card")[0].source
    assert (source.title, source.version, source.section) == ("Card fees", "2.1", "Monthly")
    assert source.url == source.document_id == "https://bank.example/fees.pdf"
    assert source.document_date == date(2026, 3, 1) and source.page == 2
    plain = search(Kept(documents=[HOURS]), "hours")[0]
    assert (plain.id, plain.source.title, plain.source.url) == ("hours-1", "kb/hours.md", None)
    assert plain.source.page is None and plain.source.document_date is None


def test_pages_as_the_loader_counts_them() -> None:
    labelled = Document("x", metadata={"page": 1, "page_label": "7"})
    from_one = Document("x", metadata={"page": 4})
    assert search(Kept(documents=[labelled]), "x")[0].source.page == 7
    assert search(Kept(documents=[from_one]), "x", first_page=1)[0].source.page == 4


def test_scores_of_a_reranker_count_where_they_are_relevances() -> None:
    ranked = [
        Document("low", metadata={"relevance_score": 0.2}),
        Document("high", metadata={"relevance_score": 0.9}),
    ]
    hits = search(Kept(documents=ranked), "x", scored=True)
    assert [(hit.text, hit.score) for hit in hits] == [("high", 0.9), ("low", 0.2)]
    for wrong in ({}, {"score": 14.2}):
        with pytest.raises(KnowledgeError, match="scored=True"):
            search(Kept(documents=[Document("x", metadata=wrong)]), "x", scored=True)


def test_outdated_documents_take_nobodys_place() -> None:
    old = Document("The harbour card costs 4 euros.", metadata={"active": False})
    hits = search(Kept(documents=[old, FEES]), "harbour card", limit=1)
    assert [hit.text for hit in hits] == [FEES.page_content]


def test_a_vector_store_gives_its_own_relevance() -> None:
    store = InMemoryVectorStore(ByLength())
    store.add_documents([FEES, HOURS])
    hits = search(scaled(store), "the card")
    assert [round(hit.score, 3) for hit in hits] == [1.0, 0.5]
    assert hits[0].text == FEES.page_content


@pytest.mark.parametrize("outdated", [3, 5, 40])
def test_outdated_documents_of_a_store_take_nobodys_place(outdated: int) -> None:
    store = InMemoryVectorStore(ByLength())
    store.add_documents(
        [Document(f"The card, {n}.", metadata={"active": False}) for n in range(outdated)]
    )
    store.add_documents([HOURS])
    assert [hit.text for hit in search(scaled(store), "the card", limit=3)] == [HOURS.page_content]


@pytest.mark.parametrize(("found", "score"), [(1.0000001, 1.0), (-0.0001, 0.0), (1.1, None)])
def test_a_relevance_that_was_rounded_is_one(found: float, score: float | None) -> None:
    ranked = Kept(documents=[Document("x", metadata={"score": found})])
    if score is None:
        with pytest.raises(KnowledgeError, match="outside 0 to 1"):
            search(ranked, "x", scored=True)
    else:
        assert search(ranked, "x", scored=True)[0].score == score


def scaled(store: InMemoryVectorStore) -> InMemoryVectorStore:
    """With a relevance function, as stores other than this one come."""
    store._select_relevance_score_fn = lambda: lambda cosine: (cosine + 1) / 2  # type: ignore[method-assign]
    return store


def test_a_retriever_of_a_vector_store() -> None:
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=8))
    store.add_documents([FEES, HOURS])
    hits = search(store.as_retriever(), "harbour card monthly", encoder=EmbeddedEncoder(threads=1))
    assert hits[0].text == FEES.page_content


def test_a_failed_search_is_no_empty_one() -> None:
    with pytest.raises(ConnectionError):
        search(Kept(documents=[]), "down")
    assert search(Kept(documents=[]), "x") == []


def test_something_else_is_told() -> None:
    with pytest.raises(KnowledgeError, match="not dict"):
        LangChainRetriever({})
