"""What the SQL back ends share: the table, its versions, and the statements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar

from affidavit.errors import LogError
from affidavit.records.runlog.facets import facets_of, from_json, to_json
from affidavit.records.runlog.record import Anchor, Entry, Facets, Record, stamp
from affidavit.records.runlog.store import Query

SCHEMA_VERSION = 2

_CREATE = """CREATE TABLE affidavit_records (
    seq {seq} PRIMARY KEY,
    time {time} NOT NULL,
    kind TEXT NOT NULL,
    run_id TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL,
    body TEXT NOT NULL
)"""
_HEAD = "seq, time, kind, run_id, facets, previous, hash"
_PAGE = 200
"""Records read at once: a long walk neither holds them all in memory nor holds up a writer."""

Row = Sequence[Any]


class SqlStore(ABC):
    """A back end over one SQL table. Statements are written with ``?``.

    ``types`` names the column types of ``seq``, ``time`` (compared by code point) and ``facets``.
    """

    types: ClassVar[dict[str, str]]
    facets_index: ClassVar[str] = ""

    def append(self, follow: Callable[[Anchor | None], Record], *, dropping: int = 0) -> Record:
        with self._writing():
            record = follow(self._last())
            self._run(
                f"INSERT INTO affidavit_records ({_HEAD}, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                record.seq, record.time, record.kind, record.run_id, to_json(record.facets),
                record.previous, record.hash, record.body,
            )  # fmt: skip
            if dropping:
                self._run("DELETE FROM affidavit_records WHERE seq <= ?", dropping)
        return record

    def last(self) -> Anchor | None:
        with self._reading():
            return self._last()

    def get(self, seq: int) -> Record | None:
        with self._reading():
            rows = self._run(f"SELECT {_HEAD}, body FROM affidavit_records WHERE seq = ?", seq)
        return _record(rows[0]) if rows else None

    def search(self, query: Query) -> Iterator[Entry]:
        left = query.limit
        newest = query.newest_first
        at = query.before if newest else query.after
        while left is None or left > 0:
            conditions, values = self._where(query, at)
            statement = (
                f"SELECT {_HEAD} FROM affidavit_records WHERE {' AND '.join(conditions)}"
                f" ORDER BY seq {'DESC' if newest else 'ASC'} LIMIT ?"
            )
            page = _PAGE if left is None else min(_PAGE, left)
            with self._reading():
                rows = self._run(statement, *values, page)
            yield from (_entry(row) for row in rows)
            if len(rows) < page:
                return
            at = rows[-1][0]
            left = None if left is None else left - len(rows)

    def records(self, after: int = 0) -> Iterator[Record]:
        statement = (
            f"SELECT {_HEAD}, body FROM affidavit_records WHERE seq > ? ORDER BY seq LIMIT ?"
        )
        while True:
            with self._reading():
                rows = self._run(statement, after, _PAGE)
            yield from (_record(row) for row in rows)
            if len(rows) < _PAGE:
                return
            after = rows[-1][0]

    @abstractmethod
    def close(self) -> None: ...

    @abstractmethod
    def _reading(self) -> AbstractContextManager[object]:
        """This thread alone has the connection."""

    @abstractmethod
    def _writing(self) -> AbstractContextManager[object]:
        """This thread of this process alone appends; all is kept at the end, or nothing."""

    @abstractmethod
    def _run(self, statement: str, *values: object) -> list[Row]: ...

    @abstractmethod
    def _having(self, facet: str) -> str:
        """The condition that a facet of a record is, or holds, the value ``?``."""

    @abstractmethod
    def _version(self) -> int:
        """The schema's version in the database, 0 where there is none."""

    @abstractmethod
    def _prepare(self) -> None:
        """What must be set of a database before its first table, outside any transaction."""

    @abstractmethod
    def _set_version(self, version: int) -> None: ...

    def _last(self) -> Anchor | None:
        rows = self._run("SELECT seq, hash FROM affidavit_records ORDER BY seq DESC LIMIT 1")
        return Anchor(*rows[0]) if rows else None

    def _where(self, query: Query, at: int | None) -> tuple[list[str], list[object]]:
        after, before = (query.after, at) if query.newest_first else (at, query.before)
        wanted: list[tuple[str, object]] = [
            ("run_id = ?", query.run_id),
            ("kind = ?", query.kind),
            ("time >= ?", None if query.since is None else stamp(query.since)),
            ("time < ?", None if query.until is None else stamp(query.until)),
            ("seq > ?", after),
            ("seq < ?", before),
            (self._having("action"), query.action),
            (self._having("reason"), query.reason),
            (self._having("tool"), query.tool),
        ]
        given = [(condition, value) for condition, value in wanted if value is not None]
        return ["1 = 1", *(c for c, _ in given)], [v for _, v in given]

    def _migrate(self, create: bool) -> None:
        """Bring the database to this version's schema; the records' hashes stay as they are."""
        version = self._version()
        if version == SCHEMA_VERSION:
            return
        if version == 0 and not create:
            raise LogError("there is no run log in this database")
        self._prepare()
        with self._writing():
            version = self._version()  # another process may have been here in between
            if version > SCHEMA_VERSION:
                raise LogError(
                    f"the log has schema version {version}, and this version of affidavit knows "
                    f"none above {SCHEMA_VERSION}: upgrade affidavit to read it"
                )
            for step in (self._to_1, self._to_2)[version:]:
                step()
            self._set_version(SCHEMA_VERSION)

    def _to_1(self) -> None:
        self._run(_CREATE.format(**self.types))

    def _to_2(self) -> None:
        """Search by what a record says: version 1 could only be read from end to end."""
        self._run(f"ALTER TABLE affidavit_records ADD COLUMN facets {self.types['facets']}")
        self._run("CREATE INDEX affidavit_records_run ON affidavit_records (run_id)")
        self._run("CREATE INDEX affidavit_records_time ON affidavit_records (time)")
        if index := self.facets_index:
            self._run(index)
        at = 0
        while rows := self._run(
            f"SELECT {_HEAD}, body FROM affidavit_records WHERE seq > ? ORDER BY seq LIMIT ?",
            at, _PAGE,
        ):  # fmt: skip
            for row in rows:
                record = _record(row)
                held = to_json(facets_of(record.kind, record.data))
                at = record.seq
                self._run("UPDATE affidavit_records SET facets = ? WHERE seq = ?", held, at)


def _entry(row: Row) -> Entry:
    seq, time, kind, run_id, facets, previous, digest = row
    return Entry(seq, time, kind, run_id, _facets(facets), previous, digest)


def _record(row: Row) -> Record:
    seq, time, kind, run_id, facets, previous, digest, body = row
    # SQLite keeps in a column of text whatever was put there.
    texts = map(str, (time, kind, run_id, previous, digest, body))
    time, kind, run_id, previous, digest, body = texts
    return Record(seq, time, kind, run_id, _facets(facets), previous, digest, body)


def _facets(held: Any) -> Facets:
    """Facets as they are kept; those that somebody broke are not those of any body."""
    try:
        return from_json(held)
    except (ValueError, KeyError, TypeError):
        return Facets(action="unreadable")
