"""Reports that an audit wrote, read back one record at a time, with what its index knows of each run."""

from __future__ import annotations

import gzip
import hashlib
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import IO
from urllib.request import pathname2url

from pydantic import ValidationError

from affidavit.audit.item import JudgedItem, RunRow
from affidavit.audit.store import COLUMNS, index_of, row_from
from affidavit.audit.work import row_of
from affidavit.errors import AffidavitError
from affidavit.formats.read import OF_A_REPORT
from affidavit.report import HallucinationReport

_OF_THE_RECORD = ("agent", "task", "week", "model", "label")
"""What a row knows from the record itself, and no report says."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The reports on one record, with the row of each: several where each turn was judged."""

    item: JudgedItem
    reports: tuple[HallucinationReport, ...]
    rows: tuple[RunRow, ...]


def reports_file(path: Path) -> Path:
    """The file of reports that a path names: itself, or the one in an audit's folder. Raises where there is none."""
    file = path / "reports.jsonl" if path.is_dir() else path
    if not file.is_file():
        what = "no audit: it holds no reports.jsonl" if path.is_dir() else "no such file"
        raise AffidavitError(f"{path}: {what}")
    return file


def are_reports(path: Path) -> bool:
    """Whether a path names what an audit wrote, rather than runs: by its index, or by its first line."""
    if path.is_dir():
        return index_of(path, folder=True).exists()
    if not path.is_file():
        return False
    try:
        with _opened(path) as lines:
            first = json.loads(next((line for line in lines if line.strip()), b"null"))
    except (OSError, EOFError, ValueError, RecursionError):
        return False
    return isinstance(first, dict) and first.keys() >= OF_A_REPORT


def read_reports(path: Path) -> Iterator[Recorded]:
    """The reports of an audit's folder, or of a file of reports (plain or gzip), streamed."""
    file, index = reports_file(path), index_of(path, folder=path.is_dir())
    if index.exists():
        yield from _indexed(file, index)
        return
    with _opened(file) as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                report = _report(line, file, number)
                digest = hashlib.sha256(line.strip()).digest()[:16]
                yield Recorded(
                    JudgedItem(b"", str(file), number, digest), (report,), (row_of(report),)
                )


def _indexed(file: Path, index: Path) -> Iterator[Recorded]:
    """Reports by their places in the file, so that what is not in the index (an audit broken off) is left out."""
    wanted = ", ".join(f"runs.{name}" for name in COLUMNS)
    query = (
        f"SELECT items.id, items.reports_start, items.reports_end, runs.content, {wanted} FROM items"
        " JOIN runs ON runs.item = items.id ORDER BY items.reports_start, items.id, runs.rowid"
    )
    url = f"file:{pathname2url(str(index.resolve()))}?mode=ro"
    try:
        with closing(sqlite3.connect(url, uri=True)) as db, file.open("rb") as held:
            number = 0
            for (_, start, end, content), found in groupby(db.execute(query), lambda row: row[:4]):
                held.seek(start)
                lines = held.read(end - start).splitlines()
                reports = tuple(_report(line, file, number + n) for n, line in enumerate(lines, 1))
                rows = tuple(row_from(row[4:]) for row in found)
                if len(rows) != len(reports):
                    raise AffidavitError(f"{index}: does not fit {file.name}")
                yield Recorded(JudgedItem(b"", str(file), number + 1, content), reports, rows)
                number += len(lines)
    except sqlite3.Error as error:
        raise AffidavitError(f"{index}: cannot be read: {error}") from error


def row_again(report: HallucinationReport, before: RunRow) -> RunRow:
    """The row of a report that was judged anew, with what its record said about itself."""
    kept = {name: getattr(before, name) for name in _OF_THE_RECORD}
    return replace(row_of(report), **kept)


def _report(line: bytes, file: Path, number: int) -> HallucinationReport:
    try:
        return HallucinationReport.model_validate_json(line)
    except ValidationError as error:
        raise AffidavitError(f"{file}:{number}: is not a report") from error


def _opened(file: Path) -> IO[bytes]:
    with file.open("rb") as raw:
        packed = raw.read(2) == b"\x1f\x8b"
    return gzip.open(file) if packed else file.open("rb")  # type: ignore[return-value]
