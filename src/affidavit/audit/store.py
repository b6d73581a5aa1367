"""Where an audit keeps what it has judged: reports, claims, and an index by which it can be resumed.

``out`` is a folder (reports, claims and the index inside it), or a file of reports, one a line, with its
index beside it. The index is an SQLite file: memory stays the same however many
runs there are. Reports are written first and the index after them, so that whatever breaks off, the
index never names a report that is not there; what it does not name is cut off at the next start.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from affidavit.audit.item import Fault, Item, Judged, RunRow
from affidavit.audit.work import Work
from affidavit.errors import AffidavitError, TraceError
from affidavit.policy import Policy

INDEX = "audit.index"
SCHEMA = {
    "meta": "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "items": "CREATE TABLE IF NOT EXISTS items (id INTEGER PRIMARY KEY, key BLOB NOT NULL,"
    " met INTEGER NOT NULL, reports_start INTEGER NOT NULL, reports_end INTEGER NOT NULL,"
    " claims_start INTEGER NOT NULL, claims_end INTEGER NOT NULL)",
    "runs": "CREATE TABLE IF NOT EXISTS runs (item INTEGER NOT NULL, run_id TEXT NOT NULL,"
    " content BLOB NOT NULL, action TEXT NOT NULL, score REAL NOT NULL, scored INTEGER NOT NULL,"
    " agent TEXT, task TEXT, week TEXT, model TEXT, label TEXT, tools TEXT, statuses TEXT,"
    " reasons TEXT, worst TEXT, worst_score REAL, worst_why TEXT, milliseconds REAL)",
    # A table of its own: an index of an earlier version gets it too.
    "places": "CREATE TABLE IF NOT EXISTS places (item INTEGER PRIMARY KEY, file TEXT NOT NULL, line INTEGER)",
    "aside": "CREATE TABLE IF NOT EXISTS aside (key BLOB PRIMARY KEY, file TEXT, line INTEGER,"
    " kind TEXT NOT NULL, message TEXT NOT NULL)",
    "items_key": "CREATE INDEX IF NOT EXISTS items_key ON items (key)",
    "runs_item": "CREATE INDEX IF NOT EXISTS runs_item ON runs (item)",
    "runs_id": "CREATE INDEX IF NOT EXISTS runs_id ON runs (run_id)",
    "runs_content": "CREATE INDEX IF NOT EXISTS runs_content ON runs (content)",
}
COLUMNS = (
    "run_id", "action", "score", "scored", "statuses", "reasons", "agent", "task", "week", "model",
    "label", "tools", "worst", "worst_score", "worst_why", "milliseconds",
)  # fmt: skip
_ITEM = (
    "INSERT INTO items (key, met, reports_start, reports_end, claims_start, claims_end)"
    " VALUES (?, ?, ?, ?, ?, ?)"
)
_OPENING = b'{"run_id":'


class Store:
    """The output of one audit, open for writing. Only one process may hold it."""

    def __init__(self, out: Path, work: Work, *, folder: bool = False) -> None:
        self.out = out
        self.folder = folder
        self.reports = out / "reports.jsonl" if folder else out
        self.claims = out / "claims.jsonl" if folder else None
        self.index = index_of(out, folder=folder)
        self.options = options_digest(work)
        if folder:
            out.mkdir(parents=True, exist_ok=True)
        if not self.index.exists() and self.reports.exists() and self.reports.stat().st_size:
            raise TraceError(
                f"holds something else than an audit: its index {self.index.name} is not there, so "
                "nothing was added to it; name another --out",
                file=str(self.reports),
            )
        self._reports = self.reports.open("ab")
        self._claims = self.claims.open("ab") if self.claims else None
        try:
            self.db = self._opened()
            self._same_policy(work.policy)
            self._finish_swap()
            self._cut_to_index()
        except BaseException:
            self.close()
            raise
        self.passed = int(self._meta("pass") or 0) + 1
        self._set_meta("pass", str(self.passed))
        self.db.commit()

    def _opened(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.index, timeout=1.0)
        try:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
            db.execute("PRAGMA synchronous = NORMAL")
            for statement in SCHEMA.values():
                db.execute(statement)
            db.execute("INSERT OR REPLACE INTO meta VALUES ('opened', '')")
        except sqlite3.OperationalError as error:
            db.close()
            if "locked" in str(error):
                raise AffidavitError(f"{self.out}: another audit is writing there") from error
            raise AffidavitError(f"{self.index}: cannot be written: {error}") from error
        except sqlite3.DatabaseError as error:
            db.close()
            raise AffidavitError(f"{self.index}: is no index of an audit: {error}") from error
        return db

    def _same_policy(self, policy: Policy) -> None:
        told = json.dumps(policy.model_dump(mode="json"), sort_keys=True)
        held = self._meta("policy")
        if held is not None and held != told:
            raise TraceError(
                "these runs were judged under another policy; name another --out and compare the two "
                "with `affidavit audit compare`",
                file=str(self.out),
            )
        self._set_meta("policy", told)

    def key(self, item: Item) -> bytes:
        """What an item is known by: its content, and what it is judged by."""
        return key_of(item, self.options)

    def keys(self) -> Iterator[bytes]:
        """The keys of all items that were judged or set aside."""
        for table in ("items", "aside"):
            yield from (row[0] for row in self.db.execute(f"SELECT key FROM {table}"))

    def seen(self, item: Item) -> bool:
        """Whether there is a report of this item that this pass has not met yet."""
        found = self.db.execute(
            "SELECT id FROM items WHERE key = ? AND met <> ? LIMIT 1", (self.key(item), self.passed)
        ).fetchone()
        if found is None:
            return False
        self.db.execute("UPDATE items SET met = ? WHERE id = ?", (self.passed, found[0]))
        self._place(found[0], item)
        return True

    def aside(self, item: Item) -> Fault | None:
        """Why an item was set aside before, if it was."""
        found = self.db.execute(
            "SELECT kind, message FROM aside WHERE key = ?", (self.key(item),)
        ).fetchone()
        return None if found is None else Fault(found[1], kind=found[0])

    def forget_aside(self) -> None:
        """Let what was set aside be tried again."""
        self.db.execute("DELETE FROM aside")
        self.db.commit()

    def set_aside(self, item: Item, fault: Fault) -> None:
        row = (self.key(item), item.file, item.line, fault.kind, fault.message)
        self.db.execute("INSERT OR REPLACE INTO aside VALUES (?, ?, ?, ?, ?)", row)
        self.db.commit()

    def add(self, item: Item, judged: Judged, *, settle: bool = True) -> None:
        """Keep what was judged: whole, or after an interruption not at all.

        Without ``settle`` it is certain only after :meth:`settle`, which many that cost little share.
        """
        start, end = _append(self._reports, judged.reports)
        claims = _append(self._claims, judged.claims) if self._claims else (0, 0)
        place = (self.key(item), self.passed, start, end, *claims)
        added = self.db.execute(_ITEM, place).lastrowid or 0
        self._place(added, item)
        for row in judged.rows:
            insert_run(self.db, columns_of(added, item.content(), row))
        if settle:
            self.settle()

    def _place(self, number: int, item: Item) -> None:
        row = (number, item.file, item.line)
        self.db.execute("INSERT OR REPLACE INTO places VALUES (?, ?, ?)", row)

    def placed(self) -> Iterator[tuple[bytes, str, int | None]]:
        """Each report with the file and the line that its run was read from, one at a time; with its own, where
        the index does not know of another."""
        found = self.db.execute(
            "SELECT i.reports_end, p.file, p.line FROM items i LEFT JOIN places p ON p.item = i.id"
            " ORDER BY i.reports_start, i.reports_end"
        )
        with self.reports.open("rb") as lines:
            at, number = 0, 0
            for end, file, line in found:
                while at < end:
                    report = lines.readline()
                    at, number = at + len(report), number + 1
                    yield (
                        (report, file, line) if file else (report, self.reports.as_posix(), number)
                    )

    def settle(self) -> None:
        """Make certain what was added."""
        self.db.commit()

    def copy_of_index(self, target: Path) -> Path:
        """Write the index as it is now to another file, which is returned."""
        self.settle()
        target.unlink(missing_ok=True)
        with closing(sqlite3.connect(target)) as copy:
            self.db.backup(copy)
        return target

    def superseded(self) -> list[int]:
        """Items of earlier passes whose run this pass met with other content: an edited answer."""
        found = self.db.execute(
            "SELECT DISTINCT old.id FROM items old JOIN runs r ON r.item = old.id"
            " WHERE old.met < ? AND EXISTS (SELECT 1 FROM runs n JOIN items i ON i.id = n.item"
            " WHERE n.run_id = r.run_id AND i.met = ? AND i.key <> old.key)",
            (self.passed, self.passed),
        )
        return [row[0] for row in found]

    def drop(self, items: list[int]) -> None:
        """Take items out of the tables and of the index."""
        if not items:
            return
        gone = set(items)
        self._reports.close()
        if self._claims:
            self._claims.close()
        swaps = [self._without(gone, "reports", self.reports)]
        if self.claims:
            swaps.append(self._without(gone, "claims", self.claims))
        for table, column in (("runs", "item"), ("places", "item"), ("items", "id")):
            marks = [(one,) for one in gone]
            self.db.executemany(f"DELETE FROM {table} WHERE {column} = ?", marks)
        self._set_meta("swap", json.dumps([str(path) for path in swaps]))
        self.db.commit()
        self._finish_swap()
        self._reports = self.reports.open("ab")
        self._claims = self.claims.open("ab") if self.claims else None

    def _without(self, gone: set[int], what: str, file: Path) -> Path:
        """A copy of a file without some items, beside it; the index is told the new places."""
        fresh = file.with_name(file.name + ".new")
        at = 0
        rows = self.db.execute(
            f"SELECT id, {what}_start, {what}_end FROM items ORDER BY {what}_start, {what}_end"
        ).fetchall()
        with file.open("rb") as old, fresh.open("wb") as new:
            for number, start, end in rows:
                if number in gone:
                    continue
                old.seek(start)
                new.write(old.read(end - start))
                self.db.execute(
                    f"UPDATE items SET {what}_start = ?, {what}_end = ? WHERE id = ?",
                    (at, at + end - start, number),
                )
                at += end - start
        return fresh

    def _finish_swap(self) -> None:
        for name in json.loads(self._meta("swap") or "[]"):
            fresh = Path(name)
            if fresh.exists():
                fresh.replace(fresh.with_name(fresh.name.removesuffix(".new")))
        self._set_meta("swap", "[]")
        self.db.commit()

    def _cut_to_index(self) -> None:
        """Bring files and index to the same point: what only one of them has is judged again."""
        size = self.reports.stat().st_size
        claims = self.claims.stat().st_size if self.claims else 0
        lost = self.db.execute(
            "SELECT id FROM items WHERE reports_end > ? OR claims_end > ?",
            (size, claims),
        ).fetchall()
        self.db.executemany("DELETE FROM runs WHERE item = ?", lost)
        self.db.executemany("DELETE FROM places WHERE item = ?", lost)
        self.db.executemany("DELETE FROM items WHERE id = ?", lost)
        ends = self.db.execute("SELECT MAX(reports_end), MAX(claims_end) FROM items").fetchone()
        self._cut(self.reports, size, ends[0] or 0)
        if self.claims:
            self._cut(self.claims, claims, ends[1] or 0)
        self.db.commit()

    def _cut(self, file: Path, size: int, end: int) -> None:
        if size <= end:
            return
        with file.open("rb+") as held:
            held.seek(end)
            tail = held.read(len(_OPENING))
            # Only what this module wrote may be cut: the file could be somebody's by mistake.
            if tail != _OPENING[: len(tail)]:
                raise TraceError(
                    "holds something that no audit wrote; nothing was changed", file=str(file)
                )
            held.truncate(end)

    def rows(self) -> Iterator[RunRow]:
        """Every judged run, one at a time."""
        yield from read_rows(self.db)

    def _meta(self, name: str) -> str | None:
        found = self.db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return None if found is None else str(found[0])

    def _set_meta(self, name: str, value: str) -> None:
        self.db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    def close(self) -> None:
        for held in (getattr(self, "_reports", None), getattr(self, "_claims", None)):
            if held is not None:
                held.close()
        if hasattr(self, "db"):
            self.db.commit()
            self.db.close()


def index_of(out: Path, *, folder: bool) -> Path:
    return out / INDEX if folder else out.with_name(out.name + ".index")


def key_of(item: Item, options: bytes) -> bytes:
    """What an item is known by under options with this digest."""
    return hashlib.sha256(item.content() + options).digest()[:16]


def options_digest(work: Work) -> bytes:
    """A digest of all that decides what comes of a record, the record itself aside."""
    told = {
        "policy": work.policy.model_dump(mode="json"),
        "tools": None
        if work.tools is None
        else [tool.model_dump(mode="json") for tool in work.tools],
        "system": work.system,
        "every_turn": work.every_turn,
    }
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).digest()


def read_rows(db: sqlite3.Connection) -> Iterator[RunRow]:
    """The rows of an index."""
    for row in db.execute(f"SELECT {', '.join(COLUMNS)} FROM runs ORDER BY rowid"):
        yield row_from(row)


def row_from(row: Sequence[Any]) -> RunRow:
    """The columns of :data:`COLUMNS` as a row."""
    told = dict(zip(COLUMNS, row, strict=True))
    for name in ("statuses", "reasons", "tools"):
        told[name] = json.loads(told[name])
    return RunRow(**told | {"scored": bool(told["scored"]), "tools": tuple(told["tools"])})


def insert_run(db: sqlite3.Connection, columns: tuple[Any, ...], *, schema: str = "main") -> None:
    db.execute(f"INSERT INTO {schema}.runs VALUES ({', '.join('?' * len(columns))})", columns)


def columns_of(item: int, content: bytes, row: RunRow) -> tuple[Any, ...]:
    return (
        item, row.run_id, content, row.action, row.score, int(row.scored), row.agent, row.task, row.week,
        row.model, row.label, json.dumps(row.tools), json.dumps(row.statuses), json.dumps(row.reasons),
        row.worst, row.worst_score, row.worst_why, row.milliseconds,
    )  # fmt: skip


def _append(file: Any, lines: tuple[str, ...]) -> tuple[int, int]:
    start = file.seek(0, os.SEEK_END)
    if lines:
        file.write(("\n".join(lines) + "\n").encode("utf-8", "surrogatepass"))
        file.flush()
    return start, file.tell()
