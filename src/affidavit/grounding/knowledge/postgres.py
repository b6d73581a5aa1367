"""A knowledge base in PostgreSQL: pgvector for meaning, an inverted index for words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, LiteralString

from affidavit.errors import KnowledgeError, MissingExtra
from affidavit.grounding.knowledge.bm25 import best_by_words, inverse_frequency
from affidavit.grounding.knowledge.postgres_versions import TABLES, insert, outdate, written
from affidavit.grounding.knowledge.retriever import Passage, Source
from affidavit.grounding.knowledge.storage import (
    Candidate,
    Prepared,
    mismatch,
    parsed_passage_id,
    passage_id,
)

if TYPE_CHECKING:
    import numpy as np
    import psycopg
    from numpy.typing import NDArray
    from psycopg_pool import ConnectionPool

    Connection = psycopg.Connection[tuple[Any, ...]]

SCHEMA_VERSION = 1

_SOURCE: LiteralString = (
    "v.title, v.document, coalesce(nullif(v.label, ''), v.number::text), c.section, c.page, v.url,"
    " v.document_date, v.indexed_at, v.outdated_at IS NULL, v.label = ''"
)
_NO_CHUNK: LiteralString = "(SELECT NULL::text AS section, NULL::integer AS page) c"

INDEXED_FROM = 20_000
"""Active passages from which on vectors have an HNSW index, which is approximate and slow to fill. Up
to here every vector is compared, which takes about as long as encoding the query."""

RERANKED = 200
"""Passages with the rarest words of the query, whose exact BM25 score is computed."""


class PostgresStorage:
    """A storage for several writers and hosts. Needs ``pip install 'affidavit[postgres]'`` and a
    server with pgvector 0.7 or newer.

    ``url`` is a connection string as libpq takes it; the tables lie in a schema of their own, so that
    one database can hold several bases. Vectors are kept in half precision; from 20,000 passages
    on they are found through an HNSW index, which is approximate.
    """

    def __init__(
        self,
        url: str,
        *,
        schema: str = "affidavit_knowledge",
        connections: int = 8,
        timeout: float = 30.0,
    ) -> None:
        try:
            from psycopg_pool import ConnectionPool
        except ImportError as error:
            raise MissingExtra("psycopg", "postgres") from error
        self._schema = schema
        self._pool: ConnectionPool[Connection] = ConnectionPool(
            url,
            min_size=1,
            max_size=connections,
            open=False,
            configure=self._configure,
            timeout=timeout,
            reconnect_timeout=timeout,
        )

    def open(self, encoder: str, dimensions: int) -> None:
        from psycopg.sql import SQL, Identifier, Literal

        wanted = {
            "schema": str(SCHEMA_VERSION), "encoder": encoder, "dimensions": str(dimensions)
        }  # fmt: skip
        self._pool.open()
        with self._transaction(writing=True) as c:
            c.execute(SQL("CREATE SCHEMA IF NOT EXISTS {}").format(Identifier(self._schema)))
            known = c.execute("SELECT to_regclass('about') IS NOT NULL").fetchone()
            if not known or not known[0]:
                # Where it exists, no right to create extensions is needed.
                c.execute("CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public")
                c.execute(SQL(TABLES).format(dimensions=Literal(dimensions)))
                for key, value in {**wanted, "active_chunks": "0", "stems": "0"}.items():
                    c.execute("INSERT INTO about VALUES (%s, %s)", [key, value])
                return
            found = _about(c)
        for key, value in wanted.items():
            if found.get(key) != value:
                place = f"PostgreSQL schema {self._schema}"
                raise KnowledgeError(mismatch(place, key, found.get(key), value))

    def digests(self, documents: Sequence[str]) -> Mapping[str, str]:
        with self._transaction() as c:
            return dict(
                c.execute(
                    "SELECT document, digest FROM versions"
                    " WHERE outdated_at IS NULL AND document = ANY(%s)",
                    [list(documents)],
                ).fetchall()
            )

    def add(self, prepared: Sequence[Prepared], now: datetime) -> None:
        with self._transaction(writing=True) as c:
            for each in prepared:
                outdate(c, [each.document.id], now)
                insert(c, each, now)

    def withdraw(self, documents: Sequence[str], now: datetime) -> int:
        with self._transaction(writing=True) as c:
            return outdate(c, documents, now)

    def documents(self) -> list[Source]:
        with self._transaction() as c:
            rows = c.execute(
                f"SELECT {_SOURCE} FROM versions v, {_NO_CHUNK}"
                ' WHERE v.outdated_at IS NULL ORDER BY v.document COLLATE "C"'
            ).fetchall()
        return [Source(*row) for row in rows]

    def versions(self, document: str) -> list[Source]:
        with self._transaction() as c:
            rows = c.execute(
                f"SELECT {_SOURCE} FROM versions v, {_NO_CHUNK}"
                " WHERE v.document = %s ORDER BY v.number DESC",
                [document],
            ).fetchall()
        return [Source(*row) for row in rows]

    def passage(self, id: str) -> Passage | None:  # noqa: A002 - the protocol's name
        parsed = parsed_passage_id(id)
        if parsed is None:
            return None
        with self._transaction() as c:
            row = c.execute(
                f"SELECT c.text, {_SOURCE} FROM chunks c JOIN versions v ON v.id = c.version"
                " WHERE v.document = %s AND v.number = %s AND c.position = %s",
                parsed,
            ).fetchone()
        return Passage(id, row[0], Source(*row[1:])) if row else None

    def by_words(self, stems: Sequence[str], limit: int) -> list[int]:
        with self._transaction() as c:
            total, frequencies, mean = _statistics(c, stems)
            if not frequencies:
                return []
            weights = inverse_frequency(total, frequencies)
            rows = c.execute(
                "SELECT c.id, c.stems FROM chunks c JOIN ("
                " SELECT c.id, sum(w.weight) AS total"
                " FROM unnest(%s::text[], %s::float8[]) AS w (stem, weight)"
                " JOIN chunks c ON c.active AND c.stems @> ARRAY[w.stem]"
                " GROUP BY c.id ORDER BY total DESC LIMIT %s) best USING (id)",
                [list(weights), list(weights.values()), max(limit, RERANKED)],
            ).fetchall()
        return best_by_words(dict(rows), weights, mean)[:limit]

    def by_vector(self, vector: NDArray[np.float32], limit: int) -> list[int]:
        with self._transaction() as c:
            # The index looks at no more than this many; pgvector allows up to 1000.
            c.execute(
                "SELECT set_config('hnsw.ef_search', %s, true)", [str(min(1000, max(100, limit)))]
            )
            rows = c.execute(
                "SELECT id FROM chunks WHERE active ORDER BY embedding <=> %s::halfvec LIMIT %s",
                [written(vector), limit],
            ).fetchall()
        return [row[0] for row in rows]

    def candidates(
        self, keys: Sequence[int], vector: NDArray[np.float32]
    ) -> Mapping[int, Candidate]:
        with self._transaction() as c:
            rows = c.execute(
                "SELECT c.id, 1 - (c.embedding <=> %s::halfvec), c.stems, v.number, c.position, c.text,"
                f" {_SOURCE} FROM chunks c JOIN versions v ON v.id = c.version"
                " WHERE c.active AND c.id = ANY(%s)",
                [written(vector), list(keys)],
            ).fetchall()
        found = {}
        for key, cosine, stems, number, position, text, *rest in rows:
            source = Source(*rest)
            name = passage_id(source.document_id, number, position)
            found[key] = Candidate(Passage(name, text, source), float(cosine), stems)
        return found

    def frequencies(self, stems: Sequence[str]) -> tuple[int, Mapping[str, int]]:
        with self._transaction() as c:
            total, frequencies, _ = _statistics(c, stems)
        return total, frequencies

    def settle(self) -> None:
        with self._transaction(writing=True) as c:
            indexed = c.execute("SELECT to_regclass('chunk_vectors') IS NOT NULL").fetchone()
            if indexed == (False,) and int(_about(c)["active_chunks"]) >= INDEXED_FROM:
                c.execute("SET LOCAL maintenance_work_mem = '256MB'")
                c.execute(
                    "CREATE INDEX chunk_vectors ON chunks USING hnsw (embedding halfvec_cosine_ops)"
                    " WHERE active"
                )
            c.execute("ANALYZE versions, chunks, stem_counts")

    def close(self) -> None:
        self._pool.close()

    def _configure(self, connection: Connection) -> None:
        from psycopg.sql import SQL, Identifier

        path = SQL("SET search_path TO {}, public").format(Identifier(self._schema))
        connection.execute(path)
        connection.commit()

    @contextmanager
    def _transaction(self, *, writing: bool = False) -> Iterator[Connection]:
        import psycopg

        try:
            with self._pool.connection() as connection:
                if writing:
                    # One writer at a time: two that count the same stems in another order would
                    # each wait for the other.
                    connection.execute(
                        "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [self._schema]
                    )
                yield connection
        except psycopg.Error as error:
            raise KnowledgeError(f"PostgreSQL schema {self._schema}: {error}") from error


def _about(c: Connection) -> dict[str, str]:
    return dict(c.execute("SELECT key, value FROM about").fetchall())


def _statistics(c: Connection, stems: Sequence[str]) -> tuple[int, dict[str, int], float]:
    """Active passages, how many of them hold each stem, and how many stems they have on average."""
    about = _about(c)
    total = int(about["active_chunks"])
    counted: dict[str, int] = dict(
        c.execute(
            "SELECT stem, chunks FROM stem_counts WHERE chunks > 0 AND stem = ANY(%s)",
            [list(stems)],
        ).fetchall()
    )
    return total, counted, int(about["stems"]) / max(total, 1)
