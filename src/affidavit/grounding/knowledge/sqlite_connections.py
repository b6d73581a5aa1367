"""Connections to one SQLite file, for many threads."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from affidavit.errors import KnowledgeError


class Connections:
    """Each transaction has a connection of its own, taken from those that are idle.

    Writers wait for each other up to ``timeout`` seconds; readers never wait for a writer. A base in
    memory has one connection, for which all wait. Errors of SQLite come as KnowledgeError.
    """

    def __init__(self, path: str, timeout: float) -> None:
        self._path = path
        self._timeout = timeout
        self._lock = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._memory = threading.RLock() if path == ":memory:" else None

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """One consistent view of the base."""
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """All that is written, or none of it."""
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        if self._memory:
            self._memory.acquire()
        try:
            connection = self._take()
            try:
                connection.execute(begin)
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            finally:
                with self._lock:
                    self._idle.append(connection)
        except sqlite3.Error as error:
            raise KnowledgeError(f"{self._path}: {error}") from error
        finally:
            if self._memory:
                self._memory.release()

    def _take(self) -> sqlite3.Connection:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        connection = sqlite3.connect(
            self._path, timeout=self._timeout, isolation_level=None, check_same_thread=False
        )
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA foreign_keys = ON")
        return connection
