"""Runs from files: one JSON document, or JSON Lines; gzip where the content is."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BufferedReader
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import IO, Any

from affidavit.errors import TraceError
from affidavit.formats.exports import runs_in
from affidavit.formats.read import read_run
from affidavit.formats.tools import Tools, declared
from affidavit.trace import RunTrace

_GZIP_MAGIC = b"\x1f\x8b"
_BROKEN = (OSError, EOFError, zlib.error)
TABLES = (".csv", ".parquet", ".arrow", ".feather")
SEVERAL = "holds several runs, one a line; `affidavit audit` judges them"
"""Said where one run was expected."""


def load_run(
    path: str | PathLike[str], *, run_id: str | None = None, tools: Tools | None = None
) -> RunTrace:
    """The run of a file with one JSON document. Raises TraceError, also for a file that is not there."""
    if Path(path).suffix.lower() in TABLES and Path(path).exists():
        raise TraceError("is a table; `affidavit audit` judges each row of it", file=str(path))
    if Path(path).is_dir():
        raise TraceError("is a folder; `affidavit audit` judges the runs in it", file=str(path))
    with _opened(path) as stream:
        try:
            raw = stream.read()
        except _BROKEN as error:
            raise TraceError(f"cannot be read: {error}", file=str(path)) from error
    return _read(raw, str(path), None, run_id, tools)


def iter_runs(
    path: str | PathLike[str], *, tools: Tools | None = None
) -> Iterator[tuple[int, RunTrace | TraceError]]:
    """The runs of a JSON Lines file, each with its line number, one line in memory at a time.

    A line that cannot be read yields its error, and the rest goes on. A file that cannot be opened
    raises TraceError; one that breaks off yields an error for the line where it does.
    """
    tools = None if tools is None else declared(tools)
    with _opened(path) as stream:
        number = 0
        while True:
            number += 1
            try:
                raw = stream.readline()
            except _BROKEN as error:
                yield number, TraceError(f"cannot be read on: {error}", file=str(path), line=number)
                return
            if not raw:
                return
            if raw.strip():
                yield number, _attempt(raw, str(path), number, tools)


def _attempt(raw: bytes, file: str, line: int, tools: Tools | None) -> RunTrace | TraceError:
    try:
        return _read(raw, file, line, None, tools)
    except TraceError as error:
        return error


@contextmanager
def _opened(path: str | PathLike[str]) -> Iterator[IO[bytes] | gzip.GzipFile]:
    try:
        stream: BufferedReader = Path(path).open("rb")  # noqa: SIM115 - closed by the with below
    except OSError as error:
        reason = error.strerror or str(error)
        raise TraceError(f"cannot be opened: {reason}", file=str(path)) from error
    with stream:
        # By content, not by name: recorders compress without saying so.
        if stream.peek(2)[:2] == _GZIP_MAGIC:
            with gzip.GzipFile(fileobj=stream) as unpacked:
                yield unpacked
        else:
            yield stream


def is_lines(text: str) -> bool:
    """Whether a text that is no JSON document is JSON Lines: its first two lines are documents each."""
    lines = (line for line in text.splitlines() if line.strip())
    try:
        return all(isinstance(json.loads(next(lines, "")), Mapping) for _ in range(2))
    except (ValueError, RecursionError):
        return False


def _read(
    raw: bytes, file: str, line: int | None, run_id: str | None, tools: Tools | None
) -> RunTrace:
    if line is None and not raw.strip():
        raise TraceError("is empty; expected a recorded run as JSON", file=file)
    try:
        data = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise TraceError(f"not UTF-8: byte {error.start}", file=file, line=line) from error
    except json.JSONDecodeError as error:
        if line is None and is_lines(error.doc):
            raise TraceError(SEVERAL, file=file) from error
        where = error.lineno if line is None else line
        cut = "the JSON breaks off" if error.pos >= len(error.doc.rstrip()) else "not valid JSON"
        message = f"{cut}: {error.msg} at column {error.colno}"
        raise TraceError(message, file=file, line=where) from error
    except (ValueError, RecursionError) as error:
        raise TraceError(f"not readable JSON: {error}", file=file, line=line) from error
    if line is None:
        data = _only(data, file)
    try:
        return read_run(data, run_id=run_id, tools=tools)
    except TraceError as error:
        raise error.at(file=file, line=line) from error


def _only(data: Any, file: str) -> Any:
    """The one run that a document is or has in it: messages, or the parts of a trace, are one as well."""
    found = list(islice(runs_in(data), 2))
    if len(found) > 1:
        what = "a list" if isinstance(data, list) else "several runs"
        raise TraceError(f"holds {what}; `affidavit audit` judges each run of it", file=file)
    return found[0] if found else data
