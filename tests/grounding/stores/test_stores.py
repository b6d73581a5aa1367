"""Hits as the stores' own packages return them: what is below the floor is never a success."""

from __future__ import annotations

import uuid
from typing import Any

import chromadb
import pytest
from langchain_core.documents import Document
from llama_index.core.base.response.schema import Response
from llama_index.core.schema import NodeWithScore, TextNode
from pinecone.models import QueryResponse, ScoredVector
from qdrant_client import QdrantClient, models
from sqlalchemy import create_engine, text
from weaviate.collections.classes.internal import MetadataReturn, Object, QueryReturn

from affidavit.grounding.metrics import Metric
from affidavit.grounding.tool import grounded_tool

TEXT = "Basic costs $49."
NEAR, FAR = 0.9, 0.13
"""Cosines of the query with the passage."""


def state(value: Any, metric: Metric | None = None) -> str:
    return grounded_tool(metric=metric)(lambda: value)().state


def vector(cosine: float) -> list[float]:
    return [cosine, (1 - cosine * cosine) ** 0.5]


def langchain_pair(cosine: float) -> Any:
    return [(Document(TEXT), cosine)]


def langchain_metadata(cosine: float) -> Any:
    return [Document(TEXT, metadata={"relevance_score": cosine})]


def llama_index_nodes(cosine: float) -> Any:
    return [NodeWithScore(node=TextNode(text=TEXT), score=cosine)]


def llama_index_response(cosine: float) -> Any:
    return Response(response=TEXT, source_nodes=llama_index_nodes(cosine))


def pinecone(cosine: float) -> Any:
    return QueryResponse(matches=[ScoredVector(id="1", score=cosine, metadata={"text": TEXT})])


def qdrant(cosine: float) -> Any:
    client = QdrantClient(":memory:")
    size = models.VectorParams(size=2, distance=models.Distance.COSINE)
    client.create_collection("prices", vectors_config=size)
    point = models.PointStruct(id=1, vector=[1, 0], payload={"text": TEXT})
    client.upsert("prices", [point])
    return client.query_points("prices", query=vector(cosine))


def qdrant_points(cosine: float) -> Any:
    return qdrant(cosine).points


def rows(cosine: float, column: str) -> Any:
    query = text(f"select 1 as id, '{TEXT}' as content, {cosine} as {column}")
    with create_engine("sqlite://").connect() as connection:
        return connection.execute(query).all()


def database(cosine: float) -> Any:
    return rows(cosine, "similarity")


def database_mappings(cosine: float) -> Any:
    return [dict(row._mapping) for row in database(cosine)]


def weaviate_object(**metadata: float) -> Any:
    found = Object(
        uuid=uuid.uuid4(),
        metadata=MetadataReturn(**metadata),
        properties={"text": TEXT},
        references=None,
        vector={},
        collection="Prices",
    )
    return QueryReturn(objects=[found])


def weaviate_certainty(cosine: float) -> Any:
    return weaviate_object(certainty=(1 + cosine) / 2)


SIMILARITIES = [
    langchain_pair, langchain_metadata, llama_index_nodes, llama_index_response, pinecone, qdrant,
    qdrant_points, database, database_mappings, weaviate_certainty,
]  # fmt: skip


@pytest.mark.spec("AFF-1003")
@pytest.mark.parametrize("store", SIMILARITIES)
def test_similarities_are_held_against_the_floors(store: Any) -> None:
    assert [state(store(cosine)) for cosine in (NEAR, 0.6, FAR)] == [
        "success",
        "low_relevance",
        "not_found",
    ]


@pytest.mark.parametrize("store", SIMILARITIES)
def test_what_was_found_reaches_the_model(store: Any) -> None:
    assert TEXT in str(grounded_tool(lambda: store(NEAR))())


@pytest.mark.parametrize(
    "empty", [QueryResponse(matches=[]), QueryReturn(objects=[]), type(qdrant(NEAR))(points=[])]
)
def test_nothing_found_is_not_found(empty: Any) -> None:
    assert state(empty) == "not_found"


def chroma(cosine: float, space: str) -> Any:
    client = chromadb.EphemeralClient()
    name = f"prices-{uuid.uuid4().hex}"
    collection = client.create_collection(name, metadata={"hnsw:space": space})
    collection.add(ids=["1"], documents=[TEXT], embeddings=[[1.0, 0.0]])
    return collection.query(query_embeddings=[vector(cosine)], n_results=1)


def weaviate_distance(cosine: float, _: str) -> Any:
    return weaviate_object(distance=1 - cosine)


def pgvector(cosine: float, _: str) -> Any:
    return rows(1 - cosine, "distance")


def faiss(cosine: float, _: str) -> Any:
    """What LangChain's ``similarity_search_with_score`` gives of an index by L2."""
    return [(Document(TEXT), 2 * (1 - cosine)), (Document("Other."), 2.0)]


DISTANCES: list[Any] = [
    (chroma, "cosine", "cosine"), (chroma, "l2", "squared_l2"), (chroma, "ip", "inner_product"),
    (weaviate_distance, "", "cosine"), (pgvector, "", "cosine"), (faiss, "", "squared_l2"),
]  # fmt: skip


@pytest.mark.spec("AFF-1003")
@pytest.mark.parametrize(("store", "space", "metric"), DISTANCES)
def test_distances_are_turned_into_similarities_by_the_metric(
    store: Any, space: str, metric: Metric
) -> None:
    states = [state(store(cosine, space), metric) for cosine in (NEAR, 0.6, FAR)]
    assert states == ["success", "low_relevance", "not_found"]


@pytest.mark.parametrize(("store", "space", "metric"), DISTANCES)
def test_distances_by_nobody_s_metric_are_an_error(store: Any, space: str, metric: Metric) -> None:
    result = grounded_tool(lambda: store(NEAR, space))()
    assert (result.state, result.fault) == ("technical_error", "configuration")
    assert "metric" in result.detail and metric


def test_chroma_without_a_match_is_not_found() -> None:
    client = chromadb.EphemeralClient()
    collection = client.create_collection(f"empty-{uuid.uuid4().hex}")
    assert state(collection.query(query_embeddings=[[1.0, 0.0]], n_results=1)) == "not_found"


@pytest.mark.parametrize(
    "plain",
    [[Document(TEXT)], [NodeWithScore(node=TextNode(text=TEXT))], rows(0.4, "discount")],
    ids=["documents", "nodes", "rows"],
)
def test_what_says_nothing_of_its_relevance_stays_a_success(plain: Any) -> None:
    result = grounded_tool(lambda: plain)()
    assert (result.state, result.score) == ("success", None)
