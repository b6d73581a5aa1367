"""Both storages: an SQLite file, and a schema of a real PostgreSQL server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from affidavit.grounding.knowledge.base import KnowledgeBase
from affidavit.grounding.knowledge.sqlite import SQLiteStorage
from affidavit.grounding.knowledge.storage import Storage
from affidavit.models.embedding.onnx import EmbeddedEncoder

StorageMaker = Callable[[], Storage]
"""Another connection to the same base each time."""


@pytest.fixture(scope="session")
def encoder() -> EmbeddedEncoder:
    return EmbeddedEncoder(threads=2)


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def storages(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StorageMaker]:
    opened: list[Storage] = []

    def sqlite() -> Storage:
        return SQLiteStorage(tmp_path / "base.db")

    def postgres() -> Storage:
        from affidavit.grounding.knowledge.postgres import PostgresStorage

        return PostgresStorage(url, schema=schema)

    if request.param == "postgres":
        url = request.getfixturevalue("postgres")
        schema = f"base_{uuid4().hex}"
    make = sqlite if request.param == "sqlite" else postgres

    def kept() -> Storage:
        opened.append(make())
        return opened[-1]

    yield kept
    for storage in opened:
        storage.close()


@pytest.fixture
def base(storages: StorageMaker, encoder: EmbeddedEncoder) -> Iterator[KnowledgeBase]:
    with KnowledgeBase(storages(), encoder=encoder) as made:
        yield made
