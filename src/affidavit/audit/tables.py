"""Parquet and Arrow files: runs read from them, reports and claims written to them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from affidavit.audit.remote import Remote
from affidavit.errors import MissingExtra, TraceError

_RUN_COLUMNS = ("run", "trace", "record", "document", "payload", "json", "raw", "body", "data")
_AT_ONCE = 64
"""Rows in memory at a time; a run may be large."""
_ROWS_A_GROUP = 2000


def rows_of(file: Path | Remote) -> Iterator[tuple[int, Any]]:
    """The rows of a table as documents, each with its number."""
    pyarrow = _pyarrow()
    try:
        number = 0
        for batch in _batches(file):
            for row in batch.to_pylist():
                number += 1
                yield number, document_of(row)
    except (OSError, pyarrow.ArrowException) as error:
        raise TraceError(f"cannot be read: {error}", file=str(file)) from error


def _batches(file: Path | Remote) -> Iterator[Any]:
    if file.suffix.lower() == ".parquet":
        from pyarrow.parquet import ParquetFile

        with _seekable(file) as source, ParquetFile(source) as table:
            yield from table.iter_batches(batch_size=_AT_ONCE)
        return
    import pyarrow
    from pyarrow import ipc

    with _seekable(file) as source:
        try:
            reader = ipc.open_file(source)
            batches = (reader.get_batch(i) for i in range(reader.num_record_batches))
        except pyarrow.ArrowInvalid:
            source.seek(0)
            batches = iter(ipc.open_stream(source))
        for batch in batches:
            for start in range(0, batch.num_rows, _AT_ONCE):
                yield batch.slice(start, _AT_ONCE)


def _seekable(file: Path | Remote) -> Any:
    import pyarrow

    if isinstance(file, Remote):
        return pyarrow.PythonFile(file.open(), mode="r")
    return pyarrow.memory_map(str(file))


def document_of(row: Mapping[str, Any]) -> Any:
    """A row as a document: the run that one of its columns holds, or the row itself."""
    decoded = {key: _decoded(value) for key, value in row.items() if value is not None}
    for name in _RUN_COLUMNS:
        held = decoded.get(name)
        if isinstance(held, dict) and "context" not in decoded:
            rest = {key: value for key, value in decoded.items() if key != name}
            return {"run": held, **rest} if rest else held
    return decoded


def _decoded(value: Any) -> Any:
    """JSON in a string as what it stands for; what a table adds to fill a struct is left out."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    if isinstance(value, dict):
        return {k: _decoded(v) for k, v in value.items() if v is not None or k == "content"}
    if isinstance(value, list):
        if value and all(isinstance(one, tuple) and len(one) == 2 for one in value):
            return {str(key): _decoded(one) for key, one in value}  # a map column
        return [_decoded(one) for one in value]
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value


def write_reports(source: Path, target: Path) -> None:
    """Reports of a JSON Lines file as Parquet: what one sorts and filters by, and the report as JSON."""
    _write((_report_row(line) for line in _lines(source)), target, _report_schema())


def write_claims(source: Path, target: Path) -> None:
    """Claims of a JSON Lines file as Parquet, a row a claim."""
    _write((json.loads(line) for line in _lines(source)), target, _claim_schema())


def _write(rows: Iterable[dict[str, Any]], target: Path, schema: Any) -> None:
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    fresh = target.with_name(target.name + ".new")
    rows = iter(rows)
    with ParquetWriter(fresh, schema, compression="zstd") as writer:
        while group := list(islice(rows, _ROWS_A_GROUP)):
            writer.write_table(pyarrow.Table.from_pylist(group, schema=schema))
    fresh.replace(target)


def _lines(file: Path) -> Iterator[str]:
    with file.open(encoding="utf-8", errors="replace") as lines:
        yield from lines


def _report_row(line: str) -> dict[str, Any]:
    report = json.loads(line)
    return {
        "run_id": report["run_id"],
        "action": report["action"],
        "overall_score": report["overall_score"],
        "nothing_scored": report["nothing_scored"],
        "claims": report["coverage"]["claims"],
        "coverage": report["coverage"]["share"],
        "reasons": report["reasons"],
        "answer": report["answer"],
        "detector": report["detector"],
        "milliseconds": report["timings"]["total"],
        "report": line.rstrip("\n"),
    }


def _report_schema() -> Any:
    pa = _pyarrow()
    text, number = pa.string(), pa.float64()
    return pa.schema(
        {
            "run_id": text, "action": text, "overall_score": number, "nothing_scored": pa.bool_(),
            "claims": pa.int32(), "coverage": number, "reasons": pa.list_(text), "answer": text,
            "detector": text, "milliseconds": number, "report": text,
        }
    )  # fmt: skip


def _claim_schema() -> Any:
    pa = _pyarrow()
    text, number, whole = pa.string(), pa.float64(), pa.int32()
    return pa.schema(
        {
            "run_id": text, "claim": whole, "text": text, "start": whole, "end": whole, "kind": text,
            "critical": pa.bool_(), "status": text, "score": number, "reason": text, "decided_by": text,
            "explanation": text, "evidence_source": text, "evidence_tool": text, "evidence_call": text,
            "evidence_pointer": text, "evidence": text, "action": text, "overall_score": number,
        }
    )  # fmt: skip


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise MissingExtra("pyarrow", "parquet") from error
    return pyarrow
