"""A run log of each kind, empty, and a real PostgreSQL server for one of them."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from affidavit.records.runlog import RunLog, open_log

TABLES = ("sqlite", pytest.param("postgresql", marks=pytest.mark.postgres))
KINDS = (*TABLES, "jsonl")


@pytest.fixture
def new_schema(request: pytest.FixtureRequest) -> Callable[[], str]:
    """Makes empty schemas; gives the address of each."""

    def make() -> str:
        import psycopg

        server: str = request.getfixturevalue("postgres")
        name = f"log_{uuid.uuid4().hex}"
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f'CREATE SCHEMA "{name}"')
        return f"{server}&options=-csearch_path%3D{name}"

    return make


@pytest.fixture(params=KINDS)
def address(request: pytest.FixtureRequest, tmp_path: Path, new_schema: Callable[[], str]) -> str:
    """The address of a log that is not there yet."""
    match request.param:
        case "sqlite":
            return f"sqlite:///{tmp_path}/runs.db"
        case "jsonl":
            return f"jsonl:{tmp_path}/runs.jsonl"
        case _:
            return new_schema()


@pytest.fixture
def log(address: str) -> Iterator[RunLog]:
    with open_log(address) as opened:
        yield opened
