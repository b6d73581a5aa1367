"""Opening a run log by its address."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

from affidavit.errors import LogError
from affidavit.records.runlog.log import RunLog
from affidavit.records.runlog.store import Store


def open_log(address: str | Path, *, create: bool = True) -> RunLog:
    """Open a run log: ``runs.db``, ``sqlite:///runs.db``, ``postgresql://…`` or ``jsonl:runs.jsonl``.

    A plain path is a SQLite file. Where there is no log it is begun, or, without ``create``, refused.
    Raises :class:`LogError`.
    """
    return RunLog(_store(address, create))


def _store(address: str | Path, create: bool) -> Store:
    text = str(address)
    scheme, found, rest = text.partition(":")
    if isinstance(address, Path) or not found:
        return _sqlite(Path(address), create)
    match scheme:
        case "sqlite" if rest.startswith("///"):
            return _sqlite(Path(unquote(rest.removeprefix("///"))), create)
        case "postgresql" | "postgres":
            from affidavit.records.runlog.postgres import PostgresStore

            return PostgresStore(text, create=create)
        case "jsonl" if rest:
            from affidavit.records.runlog.jsonl import JsonlStore

            return JsonlStore(Path(rest), create=create)
        case _:
            raise LogError(
                f"not the address of a run log: {text}; expected a path, sqlite:///PATH, "
                "postgresql://… or jsonl:PATH"
            )


def _sqlite(path: Path, create: bool) -> Store:
    from affidavit.records.runlog.sqlite import SqliteStore

    return SqliteStore(path, create=create)
