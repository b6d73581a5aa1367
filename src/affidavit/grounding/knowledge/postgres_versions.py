"""The tables of a knowledge base in PostgreSQL, and how a version enters and leaves them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, LiteralString

from affidavit.grounding.knowledge.storage import Prepared

if TYPE_CHECKING:
    import numpy as np
    import psycopg
    from numpy.typing import NDArray

    Connection = psycopg.Connection[tuple[Any, ...]]

TABLES: LiteralString = """
CREATE TABLE about (key text PRIMARY KEY, value text NOT NULL);
CREATE TABLE versions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    document text NOT NULL,
    number integer NOT NULL,            -- counted from 1 within the document
    label text NOT NULL,                -- the document's own name for the version; empty for none
    title text NOT NULL,
    url text,
    document_date date,
    indexed_at timestamptz NOT NULL,
    outdated_at timestamptz,            -- null while active
    digest text NOT NULL,
    UNIQUE (document, number)
);
CREATE UNIQUE INDEX one_active_version ON versions (document) WHERE outdated_at IS NULL;
CREATE TABLE chunks (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    version bigint NOT NULL REFERENCES versions,
    position integer NOT NULL,          -- counted from 1 within the version
    section text,
    page integer,
    text text NOT NULL,
    stems text[] NOT NULL,
    embedding halfvec({dimensions}) NOT NULL,
    active boolean NOT NULL,            -- as its version is: an index cannot look at another table
    UNIQUE (version, position)
);
CREATE INDEX chunk_words ON chunks USING gin (stems) WHERE active;
-- How many active passages hold a stem.
CREATE TABLE stem_counts (stem text PRIMARY KEY, chunks bigint NOT NULL);
"""


def outdate(c: Connection, documents: Sequence[str], now: datetime) -> int:
    """Ends the active versions of the documents and takes their passages out of the indexes."""
    versions = c.execute(
        "UPDATE versions SET outdated_at = %s WHERE outdated_at IS NULL AND document = ANY(%s)"
        " RETURNING id",
        [now, list(documents)],
    ).fetchall()
    if versions:
        ended = c.execute(
            "UPDATE chunks SET active = false WHERE version = ANY(%s) RETURNING stems",
            [[row[0] for row in versions]],
        ).fetchall()
        _count(c, [row[0] for row in ended], -1)
    return len(versions)


def insert(c: Connection, new: Prepared, now: datetime) -> None:
    document = new.document
    version = c.execute(
        "INSERT INTO versions (document, number, label, title, url, document_date, indexed_at, digest)"
        " SELECT %(document)s, n, %(label)s, %(title)s, %(url)s, %(date)s,"
        " %(now)s, %(digest)s FROM (SELECT coalesce(max(number), 0) + 1 AS n FROM versions"
        " WHERE document = %(document)s) next RETURNING id",
        {
            "document": document.id, "label": document.version or "", "title": document.title,
            "url": document.url, "date": document.document_date, "now": now,
            "digest": document.digest,
        },
    ).fetchone()  # fmt: skip
    assert version is not None  # an insert that does not raise returns its row
    rows = zip(new.chunks, new.stems, new.vectors, strict=True)
    with c.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO chunks (version, position, section, page, text, stems, embedding, active)"
            " VALUES (%s, %s, %s, %s, %s, %s, %s::halfvec, true)",
            [
                (version[0], at, chunk.section, chunk.page, chunk.text, list(stems), written(row))
                for at, (chunk, stems, row) in enumerate(rows, 1)
            ],
        )
    _count(c, new.stems, 1)


def _count(c: Connection, chunks: Sequence[Sequence[str]], sign: int) -> None:
    held = Counter(stem for stems in chunks for stem in set(stems))
    c.execute(
        "INSERT INTO stem_counts SELECT * FROM unnest(%s::text[], %s::bigint[])"
        " ON CONFLICT (stem) DO UPDATE SET chunks = stem_counts.chunks + excluded.chunks",
        [list(held), [sign * n for n in held.values()]],
    )
    for key, more in (("active_chunks", len(chunks)), ("stems", sum(map(len, chunks)))):
        c.execute(
            "UPDATE about SET value = (value::bigint + %s)::text WHERE key = %s", [sign * more, key]
        )


def written(vector: NDArray[np.float32]) -> str:
    """As pgvector reads it."""
    return "[" + ",".join(f"{number:.7g}" for number in vector.tolist()) + "]"
