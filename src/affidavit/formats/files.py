"""Runs from files: one JSON document, or JSON Lines; gzip where the content is."""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import IO, Any, cast

from affidavit.errors import TraceError
from affidavit.formats.exports import runs_in
from affidavit.formats.read import read_run
from affidavit.formats.tools import Tools, declared
from affidavit.trace import RunTrace

_GZIP_MAGIC = b"\x1f\x8b"
_BROKEN = (OSError, EOFError, zlib.error)
TABLES = (".csv", ".parquet", ".arrow", ".feather")
_SEVERAL = "holds several runs, one a line; `affidavit audit` judges them"


def load_run(
    path: str | PathLike[str], *, run_id: str | None = None, tools: Tools | None = None
) -> RunTrace:
    """The run of a file with one JSON document, or, where the path is ``-``, of standard input. Raises TraceError, also for a
    file that is not there."""
    try:
        return read_run(load_document(path), run_id=run_id, tools=tools)
    except TraceError as error:
        raise error.at(file=_name(path)) from error


def load_document(path: str | PathLike[str]) -> Any:
    """The one JSON document of a file or of standard input: a run, or what else is kept as one. Raises TraceError."""
    name = _name(path)
    if Path(path).suffix.lower() in TABLES and Path(path).exists():
        raise TraceError("is a table; `affidavit audit` judges each row of it", file=name)
    if Path(path).is_dir():
        raise TraceError("is a folder; `affidavit audit` judges the runs in it", file=name)
    with opened(path) as stream:
        try:
            raw = stream.read()
        except _BROKEN as error:
            raise TraceError(f"cannot be read: {error}", file=name) from error
    return document(raw, name)


def _name(path: str | PathLike[str]) -> str:
    return "standard input" if str(path) == "-" else str(path)


def iter_runs(
    path: str | PathLike[str], *, tools: Tools | None = None
) -> Iterator[tuple[int, RunTrace | TraceError]]:
    """The runs of a JSON Lines file, each with its line number, one line in memory at a time.

    A line that cannot be read yields its error, and the rest goes on. A file that cannot be opened
    raises TraceError; one that breaks off yields an error for the line where it does.
    """
    tools = None if tools is None else declared(tools)
    with opened(path) as stream:
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
        return read_run(document(raw, file, line), tools=tools)
    except TraceError as error:
        return error.at(file=file, line=line)


@contextmanager
def opened(path: str | PathLike[str]) -> Iterator[IO[bytes]]:
    """The bytes of a file or of standard input, unpacked where they are packed."""
    held: AbstractContextManager[Any]
    try:
        # Standard input is its owner's to close.
        held = nullcontext(sys.stdin.buffer) if str(path) == "-" else Path(path).open("rb")  # noqa: SIM115
    except OSError as error:
        reason = error.strerror or str(error)
        raise TraceError(f"cannot be opened: {reason}", file=str(path)) from error
    with held as stream:
        # By content, not by name: recorders compress without saying so.
        if stream.peek(2)[:2] == _GZIP_MAGIC:
            with gzip.GzipFile(fileobj=stream) as unpacked:
                yield cast("IO[bytes]", unpacked)
        else:
            yield stream


def document(raw: bytes, name: str, line: int | None = None) -> Any:
    """What JSON stands for: the one run that is in it, or with ``line`` whatever one of many lines holds. Raises TraceError."""
    if line is None and not raw.strip():
        raise TraceError("is empty; expected one JSON document", file=name)
    try:
        data = json.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise TraceError(f"not UTF-8: byte {error.start}", file=name, line=line) from error
    except json.JSONDecodeError as error:
        if line is None and _is_lines(error.doc):
            raise TraceError(_SEVERAL, file=name) from error
        where = error.lineno if line is None else line
        cut = "the JSON breaks off" if error.pos >= len(error.doc.rstrip()) else "not valid JSON"
        message = f"{cut}: {error.msg} at column {error.colno}"
        raise TraceError(message, file=name, line=where) from error
    except (ValueError, RecursionError) as error:
        raise TraceError(f"not readable JSON: {error}", file=name, line=line) from error
    return _only(data, name) if line is None else data


def _is_lines(text: str) -> bool:
    """Whether a text that is no JSON document is JSON Lines: its first two lines are documents each."""
    lines = (line for line in text.splitlines() if line.strip())
    try:
        return all(isinstance(json.loads(next(lines, "")), Mapping) for _ in range(2))
    except (ValueError, RecursionError):
        return False


def _only(data: Any, file: str) -> Any:
    """The one run that a document is or has in it: messages, or the parts of a trace, are one as well."""
    found = list(islice(runs_in(data), 2))
    if len(found) > 1:
        what = "a list" if isinstance(data, list) else "several runs"
        raise TraceError(f"holds {what}; `affidavit audit` judges each run of it", file=file)
    return found[0] if found else data
