"""Inputs and outputs on S3."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from affidavit.audit.item import Item
from affidavit.audit.sources import files_of, items
from affidavit.cli import main
from affidavit.errors import TraceError

# Clients leave sockets to the end of the process.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
Captured = pytest.CaptureFixture[str]


def lines(*names: str) -> bytes:
    ask = {"role": "user", "content": "What do they cost?"}
    runs = ({"id": name, "messages": [ask], "answer": "I do not know."} for name in names)
    return b"".join(json.dumps(run).encode() + b"\n" for run in runs)


def names_in(*inputs: str) -> list[str]:
    found = list(items(files_of(inputs)))
    return [json.loads(one.raw)["id"] for one in found if isinstance(one, Item)]


def test_files_folders_and_patterns_are_read(bucket: Any, tmp_path: Path) -> None:
    bucket.create()
    bucket.put("2026-01/x1.jsonl", lines("a", "b"))
    bucket.put("2026-02/x2.jsonl.gz", gzip.compress(lines("c")))
    bucket.put("2026-02/y.jsonl", lines("d"))
    bucket.put("2025-12/x1.jsonl", lines("e"))
    table = tmp_path / "runs.parquet"
    parquet.write_table(pyarrow.table({"run": [lines("f").decode()]}), table)
    bucket.put("2026-03/x3.parquet", table.read_bytes())
    assert names_in(f"{bucket.url}/2026-*/x*") == ["a", "b", "c", "f"]
    assert names_in(f"{bucket.url}/2026-*/x*.jsonl.gz") == ["c"]
    assert names_in(f"{bucket.url}/**/x1.jsonl") == ["e", "a", "b"]
    assert names_in(f"{bucket.url}/2026-02") == ["c", "d"]
    assert names_in(f"{bucket.url}/2026-01/x1.jsonl") == ["a", "b"]
    with pytest.raises(TraceError, match="no file matches"):
        files_of([f"{bucket.url}/2024-*/x*"])
    with pytest.raises(TraceError, match="there is no such file"):
        files_of([f"{bucket.url}/none.jsonl"])


@pytest.mark.parametrize("name", ["audit", "reports.jsonl"])
def test_an_output_is_gone_on_with(bucket: Any, name: str, capsys: Captured) -> None:
    bucket.create()
    command = ["audit", f"{bucket.url}/in", "--out", f"{bucket.url}/out/{name}", "--jobs", "0"]
    bucket.put("in/runs.jsonl", lines("a", "b"))
    assert main(command) == 0
    bucket.put("in/more.jsonl", lines("c"))
    assert main(command) == 0
    assert "3 reports in" in (out := capsys.readouterr().out) and "2 of them from before" in out
    reports = "out/audit/reports.jsonl" if name == "audit" else "out/reports.jsonl"
    told = [json.loads(line)["run_id"] for line in bucket.get(reports).splitlines()]
    assert sorted(told) == ["a", "b", "c"]


@pytest.mark.spec("AFF-1104")
def test_a_copy_that_breaks_off_is_gone_on_with(
    bucket: Any, tmp_path: Path, capsys: Captured
) -> None:
    runs = tmp_path / "runs.jsonl"
    runs.write_bytes(lines("a", "b"))
    command = ["audit", str(runs), "--out", f"{bucket.url}/audit", "--jobs", "0"]
    assert main(command) == 2, "there is no such bucket yet"
    assert "give the same command again" in " ".join(capsys.readouterr().err.split())
    bucket.create()
    assert main(command) == 0
    assert "2 reports in" in (out := capsys.readouterr().out) and "2 of them from before" in out
    names = (
        "audit.index",
        "claims.jsonl",
        "faults.jsonl",
        "reports.jsonl",
        "summary.html",
        "summary.json",
    )
    assert bucket.keys() == [f"audit/{name}" for name in names]
