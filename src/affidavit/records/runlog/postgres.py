"""The run log in PostgreSQL: for processes of many machines."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar

from affidavit.errors import LogError, MissingExtra
from affidavit.records.runlog.sql import Row, SqlStore

if TYPE_CHECKING:
    import psycopg

_CONNECT_TIMEOUT = 10
"""Seconds; an address that says ``connect_timeout`` decides."""
_APPEND_LOCK = 0x4146464944415649  # "AFFIDAVI": the advisory lock that writers take in turn


class PostgresStore(SqlStore):
    """Records in one table of the connection's schema. A lost connection is opened again."""

    types: ClassVar[dict[str, str]] = {
        "seq": "BIGINT", "time": 'TEXT COLLATE "C"', "facets": "JSONB",
    }  # fmt: skip
    facets_index: ClassVar[str] = (
        "CREATE INDEX affidavit_records_facets ON affidavit_records"
        " USING GIN (facets jsonb_path_ops)"
    )

    def __init__(self, url: str, *, create: bool = True) -> None:
        try:
            import psycopg
        except ImportError as error:
            raise MissingExtra("psycopg", "postgres") from error
        self._psycopg, self._url, self._create = psycopg, url, create
        self._lock = threading.RLock()
        self._pid = 0
        self._connection: psycopg.Connection | None = None
        with self._reading():
            pass

    def close(self) -> None:
        with self._lock:
            if self._connection is not None and self._pid == os.getpid():
                self._connection.close()
            self._connection = None

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self._lock:
            try:
                self._open()
                yield
            except self._psycopg.Error as error:
                raise LogError(f"the run log in PostgreSQL: {str(error).strip()}") from error

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._reading():
            assert self._connection is not None
            with self._connection.transaction():
                self._run(f"SELECT pg_advisory_xact_lock({_APPEND_LOCK})")
                yield

    def _open(self) -> None:
        if self._connection is not None and self._pid == os.getpid() and self._alive():
            return
        self._connection, self._pid = self._connected(), os.getpid()
        try:
            self._migrate(self._create)
        except BaseException:
            self.close()
            raise

    def _connected(self) -> psycopg.Connection:
        timeout = None if "connect_timeout" in self._url else _CONNECT_TIMEOUT
        return self._psycopg.connect(self._url, autocommit=True, connect_timeout=timeout)

    def _alive(self) -> bool:
        """Whether the server still knows the connection: it may have been started anew since."""
        assert self._connection is not None
        if self._connection.closed:
            return False
        if self._connection.info.transaction_status != self._psycopg.pq.TransactionStatus.IDLE:
            return True
        try:
            self._connection.execute("")
        except self._psycopg.OperationalError:
            self._connection.close()
            return False
        return True

    def _run(self, statement: str, *values: object) -> list[Row]:
        assert self._connection is not None
        cursor = self._connection.execute(statement.replace("?", "%s"), values)
        return [] if cursor.description is None else list(cursor.fetchall())

    def _having(self, facet: str) -> str:
        value = "?::text" if facet == "action" else "jsonb_build_array(?::text)"
        return f"facets @> jsonb_build_object('{facet}', {value})"

    def _version(self) -> int:
        if self._run("SELECT to_regclass('affidavit_log_version')")[0][0] is None:
            return 0
        return int(self._run("SELECT version FROM affidavit_log_version")[0][0])

    def _prepare(self) -> None:
        pass

    def _set_version(self, version: int) -> None:
        self._run("CREATE TABLE IF NOT EXISTS affidavit_log_version (version INTEGER NOT NULL)")
        self._run("DELETE FROM affidavit_log_version")
        self._run("INSERT INTO affidavit_log_version VALUES (?)", version)
