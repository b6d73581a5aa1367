"""The run log in a SQLite file: the default, for any number of processes of one machine."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

from affidavit.errors import LogError
from affidavit.records.runlog.sql import Row, SqlStore

_APPLICATION_ID = 0x41464449  # "AFDI": tells a log from somebody else's database
_WAIT_FOR_LOCK = 60.0
"""Seconds that a writer waits for the others: each has the file for about a millisecond."""


class SqliteStore(SqlStore):
    """Records in one file, with a write-ahead log: readers do not wait for a writer.

    ``durable`` keeps what was acknowledged through a loss of power as well; without it, through the
    end of the process only.
    """

    types: ClassVar[dict[str, str]] = {"seq": "INTEGER", "time": "TEXT", "facets": "TEXT"}

    def __init__(self, path: Path, *, create: bool = True, durable: bool = True) -> None:
        if not create and not path.exists():
            raise LogError(f"{path}: there is no run log")
        self._path, self._create, self._durable = path, create, durable
        self._lock = threading.RLock()
        self._pid = 0
        self._connection: sqlite3.Connection | None = None
        with self._reading():
            pass

    def close(self) -> None:
        with self._lock:
            if self._connection is not None and self._pid == os.getpid():
                self._connection.close()
            self._connection, self._pid = None, 0

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self._lock:
            try:
                self._open()
                yield
            except sqlite3.Error as error:
                raise LogError(f"{self._path}: {error}") from error

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._reading():
            self._run("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._run("ROLLBACK")
                raise
            self._run("COMMIT")

    def _open(self) -> None:
        # A connection must not be carried into a forked process.
        if self._connection is not None and self._pid == os.getpid():
            return
        self._connection = sqlite3.connect(
            self._path, timeout=_WAIT_FOR_LOCK, isolation_level=None, check_same_thread=False
        )
        self._pid = os.getpid()
        try:
            self._refuse_others()
            self._run(f"PRAGMA synchronous = {'FULL' if self._durable else 'NORMAL'}")
            self._run("PRAGMA secure_delete = ON")  # what was pruned is not to be found in the file
            self._migrate(self._create)
        except BaseException:
            self.close()
            raise

    def _refuse_others(self) -> None:
        (application,) = self._run("PRAGMA application_id")[0]
        (tables,) = self._run("SELECT count(*) FROM sqlite_master")[0]
        if tables and application != _APPLICATION_ID:
            raise LogError(f"{self._path}: is a database, but not a run log")

    def _run(self, statement: str, *values: object) -> list[Row]:
        assert self._connection is not None
        return self._connection.execute(statement, values).fetchall()

    def _having(self, facet: str) -> str:
        if facet == "action":
            return "json_extract(facets, '$.action') = ?"
        return f"EXISTS (SELECT 1 FROM json_each(facets, '$.{facet}') WHERE value = ?)"

    def _version(self) -> int:
        return int(self._run("PRAGMA user_version")[0][0])

    def _prepare(self) -> None:
        self._run("PRAGMA journal_mode = WAL")

    def _set_version(self, version: int) -> None:
        self._run(f"PRAGMA user_version = {version}")
        self._run(f"PRAGMA application_id = {_APPLICATION_ID}")
