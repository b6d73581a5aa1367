"""A knowledge base in one SQLite file: FTS5 for words, vectors compared in memory."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affidavit.errors import KnowledgeError
from affidavit.grounding.knowledge.retriever import Passage, Source
from affidavit.grounding.knowledge.sqlite_connections import Connections
from affidavit.grounding.knowledge.storage import (
    Candidate,
    Prepared,
    mismatch,
    parsed_passage_id,
    passage_id,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SCHEMA_VERSION = 1

_SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE versions (
    id INTEGER PRIMARY KEY,
    document TEXT NOT NULL,
    number INTEGER NOT NULL,            -- counted from 1 within the document
    label TEXT NOT NULL,                -- the document's own name for the version; empty for none
    title TEXT NOT NULL,
    url TEXT,
    document_date TEXT,                 -- ISO 8601 day
    indexed_at TEXT NOT NULL,           -- ISO 8601, UTC
    outdated_at TEXT,                   -- null while active
    digest TEXT NOT NULL,
    UNIQUE (document, number)
);
CREATE UNIQUE INDEX one_active_version ON versions (document) WHERE outdated_at IS NULL;
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY,
    version INTEGER NOT NULL REFERENCES versions,
    position INTEGER NOT NULL,          -- counted from 1 within the version
    section TEXT,
    page INTEGER,
    text TEXT NOT NULL,
    stems TEXT NOT NULL,                -- separated by spaces
    embedding BLOB NOT NULL,            -- float16, little-endian
    UNIQUE (version, position)
);
-- Stems of active passages only. Contentless: what is deleted is named by its content, in chunks.
CREATE VIRTUAL TABLE chunk_words USING fts5(stems, content='', tokenize='unicode61 remove_diacritics 0');
CREATE VIRTUAL TABLE chunk_word_counts USING fts5vocab(chunk_words, row);
"""

_SOURCE = (
    "v.title, v.document, CASE v.label WHEN '' THEN CAST(v.number AS TEXT) ELSE v.label END, c.section, c.page, v.url,"
    " v.document_date, v.indexed_at, v.outdated_at, v.label = ''"
)


@dataclass(frozen=True, slots=True)
class _Matrix:
    """The vectors of the active passages, as of one generation of the base."""

    generation: int
    keys: NDArray[np.int64]
    vectors: NDArray[np.float32]


class SQLiteStorage:
    """The default storage; ``":memory:"`` keeps nothing after ``close``.

    Vectors are read into memory at the first search (4 bytes × dimensions each) and again after the
    base has changed, whichever process changed it; each search compares the query with all of them.
    Writers wait for each other up to ``timeout`` seconds; searches never wait for a writer.
    """

    def __init__(self, path: Path | str, *, timeout: float = 30.0) -> None:
        self._path = str(path)
        self._connections = Connections(self._path, timeout)
        self._lock = threading.Lock()
        self._matrix: _Matrix | None = None

    def open(self, encoder: str, dimensions: int) -> None:
        wanted = {
            "schema": str(SCHEMA_VERSION), "encoder": encoder, "dimensions": str(dimensions)
        }  # fmt: skip
        with self._connections.writing() as c:
            tables = c.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            if not tables:
                for statement in _statements(_SCHEMA):
                    c.execute(statement)
                c.executemany(
                    "INSERT INTO about VALUES (?, ?)", [*wanted.items(), ("generation", "0")]
                )
                return
            found = _about(c, self._path)
        for key, value in wanted.items():
            if found.get(key) != value:
                raise KnowledgeError(mismatch(self._path, key, found.get(key), value))

    def digests(self, documents: Sequence[str]) -> Mapping[str, str]:
        with self._connections.reading() as c:
            rows = c.execute(
                "SELECT document, digest FROM versions WHERE outdated_at IS NULL"
                " AND document IN (SELECT value FROM json_each(?))",
                [json.dumps(list(documents))],
            )
            return dict(rows.fetchall())

    def add(self, prepared: Sequence[Prepared], now: datetime) -> None:
        with self._connections.writing() as c:
            for each in prepared:
                _outdate(c, [each.document.id], now)
                _insert(c, each, now)
            _next_generation(c)

    def withdraw(self, documents: Sequence[str], now: datetime) -> int:
        with self._connections.writing() as c:
            count = _outdate(c, documents, now)
            if count:
                _next_generation(c)
        return count

    def documents(self) -> list[Source]:
        with self._connections.reading() as c:
            rows = c.execute(
                f"SELECT {_SOURCE} FROM versions v, (SELECT NULL AS section, NULL AS page) c"
                " WHERE v.outdated_at IS NULL ORDER BY v.document"
            ).fetchall()
        return [_source(row) for row in rows]

    def versions(self, document: str) -> list[Source]:
        with self._connections.reading() as c:
            rows = c.execute(
                f"SELECT {_SOURCE} FROM versions v, (SELECT NULL AS section, NULL AS page) c"
                " WHERE v.document = ? ORDER BY v.number DESC",
                [document],
            ).fetchall()
        return [_source(row) for row in rows]

    def passage(self, id: str) -> Passage | None:  # noqa: A002 - the protocol's name
        parsed = parsed_passage_id(id)
        if parsed is None:
            return None
        with self._connections.reading() as c:
            row = c.execute(
                f"SELECT c.text, {_SOURCE} FROM chunks c JOIN versions v ON v.id = c.version"
                " WHERE v.document = ? AND v.number = ? AND c.position = ?",
                parsed,
            ).fetchone()
        return row and Passage(id, row[0], _source(row[1:]))

    def by_words(self, stems: Sequence[str], limit: int) -> list[int]:
        if not stems:
            return []
        query = " OR ".join('"' + stem.replace('"', '""') + '"' for stem in stems)
        with self._connections.reading() as c:
            rows = c.execute(
                "SELECT rowid FROM chunk_words WHERE chunk_words MATCH ? ORDER BY rank LIMIT ?",
                [query, limit],
            ).fetchall()
        return [row[0] for row in rows]

    def by_vector(self, vector: NDArray[np.float32], limit: int) -> list[int]:
        import numpy as np

        matrix = self._current_matrix()
        cosines = matrix.vectors @ vector
        if len(cosines) > limit:
            nearest = np.argpartition(-cosines, limit)[:limit]
        else:
            nearest = np.arange(len(cosines))
        ordered = nearest[np.argsort(-cosines[nearest], kind="stable")]
        return [int(key) for key in matrix.keys[ordered]]

    def candidates(
        self, keys: Sequence[int], vector: NDArray[np.float32]
    ) -> Mapping[int, Candidate]:
        with self._connections.reading() as c:
            rows = c.execute(
                f"SELECT c.id, c.embedding, c.stems, v.number, c.position, c.text, {_SOURCE}"
                " FROM chunks c JOIN versions v ON v.id = c.version"
                " WHERE v.outdated_at IS NULL AND c.id IN (SELECT value FROM json_each(?))",
                [json.dumps(list(keys))],
            ).fetchall()
        found = {}
        for key, embedding, stems, number, position, text, *rest in rows:
            source = _source(rest)
            name = passage_id(source.document_id, number, position)
            cosine = float(_vector(embedding) @ vector)
            found[key] = Candidate(Passage(name, text, source), cosine, stems.split())
        return found

    def frequencies(self, stems: Sequence[str]) -> tuple[int, Mapping[str, int]]:
        with self._connections.reading() as c:
            total = int(_about(c, self._path).get("active_chunks", 0))
            # One by one: for a list, SQLite would walk through every term there is.
            counted = {
                stem: row[0]
                for stem in stems
                for row in c.execute("SELECT doc FROM chunk_word_counts WHERE term = ?", [stem])
            }
        return total, counted

    def settle(self) -> None:
        # It may write statistics, and a reader that turns writer does not wait for another one.
        with self._connections.writing() as c:
            c.execute("PRAGMA optimize")

    def close(self) -> None:
        self._connections.close()
        with self._lock:
            self._matrix = None

    def _current_matrix(self) -> _Matrix:
        with self._connections.reading() as c:
            generation = int(_about(c, self._path)["generation"])
            with self._lock:
                known = self._matrix
            if known is None or known.generation != generation:
                # One thread may load what another is loading too; both are right.
                known = _load_matrix(c, generation)
                with self._lock:
                    self._matrix = known
        return known


def _statements(script: str) -> Iterator[str]:
    """``executescript`` would commit first; a schema half made must be rolled back."""
    yield from (statement for statement in script.split(";\n") if statement.strip())


def _about(c: sqlite3.Connection, path: str) -> dict[str, str]:
    try:
        return dict(c.execute("SELECT key, value FROM about").fetchall())
    except sqlite3.OperationalError as error:
        raise KnowledgeError(f"{path} is a database, but no knowledge base: {error}") from error


def _outdate(c: sqlite3.Connection, documents: Sequence[str], now: datetime) -> int:
    """Ends the active versions of the documents and takes their passages out of the word index."""
    versions = [
        row[0]
        for row in c.execute(
            "SELECT id FROM versions WHERE outdated_at IS NULL"
            " AND document IN (SELECT value FROM json_each(?))",
            [json.dumps(list(documents))],
        )
    ]
    for version in versions:
        passages = c.execute("SELECT id, stems FROM chunks WHERE version = ?", [version]).fetchall()
        c.executemany(
            "INSERT INTO chunk_words (chunk_words, rowid, stems) VALUES ('delete', ?, ?)", passages
        )
        c.execute("UPDATE versions SET outdated_at = ? WHERE id = ?", [now.isoformat(), version])
        _count(c, -len(passages))
    return len(versions)


def _insert(c: sqlite3.Connection, new: Prepared, now: datetime) -> None:
    import numpy as np

    document = new.document
    number = c.execute(
        "SELECT coalesce(max(number), 0) + 1 FROM versions WHERE document = ?", [document.id]
    ).fetchone()[0]
    written = document.document_date and document.document_date.isoformat()
    version = c.execute(
        "INSERT INTO versions (document, number, label, title, url, document_date, indexed_at, digest)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
        [
            document.id, number, document.version or "", document.title, document.url,
            written, now.isoformat(), document.digest,
        ],
    ).fetchone()[0]  # fmt: skip
    rows = zip(new.chunks, new.stems, np.asarray(new.vectors, "<f2"), strict=True)
    for position, (chunk, stems, vector) in enumerate(rows, 1):
        joined = " ".join(stems)
        key = c.execute(
            "INSERT INTO chunks (version, position, section, page, text, stems, embedding)"
            " VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id",
            [version, position, chunk.section, chunk.page, chunk.text, joined, vector.tobytes()],
        ).fetchone()[0]
        c.execute("INSERT INTO chunk_words (rowid, stems) VALUES (?, ?)", [key, joined])
    _count(c, len(new.chunks))


def _count(c: sqlite3.Connection, more: int) -> None:
    c.execute(
        "INSERT INTO about VALUES ('active_chunks', ?) ON CONFLICT (key)"
        " DO UPDATE SET value = CAST(value AS INTEGER) + excluded.value",
        [more],
    )


def _next_generation(c: sqlite3.Connection) -> None:
    c.execute("UPDATE about SET value = CAST(value AS INTEGER) + 1 WHERE key = 'generation'")


def _load_matrix(c: sqlite3.Connection, generation: int) -> _Matrix:
    import numpy as np

    rows = c.execute(
        "SELECT c.id, c.embedding FROM chunks c JOIN versions v ON v.id = c.version"
        " WHERE v.outdated_at IS NULL"
    ).fetchall()
    keys = np.array([row[0] for row in rows], np.int64)
    halves = np.frombuffer(b"".join(row[1] for row in rows), "<f2")
    width = int(_dimensions(c))
    return _Matrix(generation, keys, halves.reshape(-1, width).astype(np.float32))


def _dimensions(c: sqlite3.Connection) -> int:
    return int(c.execute("SELECT value FROM about WHERE key = 'dimensions'").fetchone()[0])


def _vector(embedding: bytes) -> NDArray[np.float32]:
    import numpy as np

    return np.frombuffer(embedding, "<f2").astype(np.float32)


def _source(row: Sequence[Any]) -> Source:
    title, document, label, section, page, url, written, indexed, outdated, counted = row
    return Source(
        title=title,
        document_id=document,
        version=label,
        section=section,
        page=page,
        url=url,
        document_date=None if written is None else date.fromisoformat(written),
        indexed_at=datetime.fromisoformat(indexed),
        active=outdated is None,
        counted=bool(counted),
    )
