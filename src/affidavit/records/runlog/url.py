"""Opening a run log by its address."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

from affidavit.errors import LogError
from affidavit.records.runlog.log import RunLog
from affidavit.records.runlog.store import Store


def open_log(address: str | Path) -> RunLog:
    """Open a run log, or begin one: ``runs.db``, ``sqlite:///runs.db``, ``postgresql://…`` or
    ``jsonl:runs.jsonl``. A plain path is a SQLite file. Raises :class:`LogError`.
    """
    return RunLog(_store(address))


def _store(address: str | Path) -> Store:
    text = str(address)
    if isinstance(address, Path) or ":" not in text:
        return _sqlite(Path(address))
    scheme, _, rest = text.partition(":")
    match scheme:
        case "sqlite":
            return _sqlite(Path(unquote(rest.removeprefix("///"))))
        case _:
            raise LogError(
                f"not the address of a run log: {text}; expected a path, sqlite:///PATH, "
                "postgresql://… or jsonl:PATH"
            )


def _sqlite(path: Path) -> Store:
    from affidavit.records.runlog.sqlite import SqliteStore

    return SqliteStore(path)
