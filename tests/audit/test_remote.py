"""Inputs and outputs by URL, through the file systems of pyarrow and of fsspec."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pyarrow
import pytest
from pyarrow import parquet

from affidavit.audit.item import Item
from affidavit.audit.mirror import mirrored
from affidavit.audit.remote import Remote, location
from affidavit.audit.sources import files_of, items
from affidavit.audit.store import Store
from affidavit.audit.work import Work
from affidavit.cli import main
from affidavit.errors import AffidavitError, TraceError

ASK = {"role": "user", "content": "What do they cost?"}


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFFIDAVIT_STATE", str(tmp_path / "state"))


def run(name: str, answer: str = "I could not find a price.") -> dict[str, Any]:
    return {"id": name, "messages": [ASK], "answer": answer}


def lines(*names: str) -> bytes:
    return b"".join(json.dumps(run(name)).encode() + b"\n" for name in names)


@pytest.fixture(params=["file", "memory"])
def base(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Remote]:
    """A folder of pyarrow's own file system, and one that only fsspec knows."""
    if request.param == "file":
        yield Remote(tmp_path.as_uri())
        return
    memory = pytest.importorskip("fsspec").filesystem("memory")
    folder = uuid4().hex
    memory.mkdir(f"/{folder}")
    yield Remote(f"memory:///{folder}")
    memory.rm(f"/{folder}", recursive=True)


def put(target: Remote, content: bytes, tmp_path: Path) -> Remote:
    local = tmp_path / "local"
    local.write_bytes(content)
    target.send(local)
    return target


def names_in(*inputs: str) -> list[str]:
    found = list(items(files_of(inputs)))
    assert all(isinstance(one, Item) for one in found)
    return [json.loads(one.raw)["id"] for one in found if isinstance(one, Item)]


def test_what_has_no_scheme_is_a_path() -> None:
    assert location("runs/a.jsonl") == Path("runs/a.jsonl")
    assert location("s3://bucket/a.jsonl") == Remote("s3://bucket/a.jsonl")


def test_files_and_folders_are_read_by_url(base: Remote, tmp_path: Path) -> None:
    put(base.child("in/a.jsonl"), lines("a", "b"), tmp_path)
    put(base.child("in/deep/b.jsonl.gz"), gzip.compress(lines("c")), tmp_path)
    put(base.child("in/.hidden/c.jsonl"), lines("x"), tmp_path)
    put(base.child("in/notes.txt"), b"none", tmp_path)
    put(base.child("in/audit/audit.index"), b"", tmp_path)
    put(base.child("in/audit/reports.jsonl"), lines("y"), tmp_path)
    table = tmp_path / "table.parquet"
    parquet.write_table(pyarrow.table({"run": [json.dumps(run("d"))]}), table)
    put(base.child("in/d.parquet"), table.read_bytes(), tmp_path)
    assert names_in(str(base.child("in"))) == ["a", "b", "d", "c"]
    assert names_in(str(base.child("in/deep/b.jsonl.gz"))) == ["c"]


PLACES = ("2026-01/x1.jsonl", "2026-01/x2.jsonl.gz", "2026-02/x1.jsonl", "2026-02/deep/x3.jsonl", "2025-12/x1.jsonl",
          "2026-01/y1.jsonl", "2026-01/.x.jsonl", "2026-03/[x].jsonl")  # fmt: skip
PATTERNS = {
    "2026-*/x*.jsonl": ["2026-01/x1.jsonl", "2026-02/x1.jsonl"],
    "2026-*/x*.jsonl*": ["2026-01/x1.jsonl", "2026-01/x2.jsonl.gz", "2026-02/x1.jsonl"],
    "2026-0[12]/x1.jsonl": ["2026-01/x1.jsonl", "2026-02/x1.jsonl"],
    "*/x1.jsonl": ["2025-12/x1.jsonl", "2026-01/x1.jsonl", "2026-02/x1.jsonl"],
    "2026-*/deep/*": ["2026-02/deep/x3.jsonl"],
    "**/x[13].jsonl": [
        "2025-12/x1.jsonl",
        "2026-01/x1.jsonl",
        "2026-02/deep/x3.jsonl",
        "2026-02/x1.jsonl",
    ],
    "2026-02/**": ["2026-02/deep/x3.jsonl", "2026-02/x1.jsonl"],
    "2026-01/.x*": ["2026-01/.x.jsonl"],
    "2026-03/[x].jsonl": ["2026-03/[x].jsonl"],
    "2026-*/none*": None,
    "1999/x*": None,
}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_pattern_in_a_url_finds_files(base: Remote, tmp_path: Path, pattern: str) -> None:
    for place in PLACES:
        put(base.child(place), lines(place), tmp_path)
    wanted = PATTERNS[pattern]
    if wanted is None:
        with pytest.raises(TraceError, match="no file matches"):
            files_of([f"{base}/{pattern}"])
        return
    found = [str(file).removeprefix(f"{base}/") for file in files_of([f"{base}/{pattern}"])]
    assert found == wanted


def test_the_same_pattern_finds_the_same_by_path_and_by_url(tmp_path: Path) -> None:
    folder = tmp_path / "a folder"
    for name in ("2026 1/x1.jsonl", "2026 2/x2.jsonl", "2026 2/.x.jsonl"):
        put(Remote(folder.as_uri()).child(name), lines(name), tmp_path)
    by_path = names_in(str(folder / "2026*" / "*.jsonl"))
    assert by_path == ["2026 1/x1.jsonl", "2026 2/x2.jsonl"]
    assert by_path == names_in(f"{folder.as_uri()}/2026%20*/*.jsonl")


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("https://example.test/runs/*.jsonl", "cannot be listed over https"),
        ("s3://*/x.jsonl", "a pattern cannot stand for the bucket"),
    ],
)
def test_where_nothing_can_be_listed_a_pattern_is_refused(url: str, told: str) -> None:
    with pytest.raises(AffidavitError, match=told):
        files_of([url])


@pytest.mark.parametrize(
    ("name", "told"), [("none.jsonl", "there is no such file"), ("empty", "no recorded runs in it")]
)
def test_what_is_not_there_is_said(base: Remote, tmp_path: Path, name: str, told: str) -> None:
    put(base.child("empty/notes.txt"), b"none", tmp_path)
    with pytest.raises(TraceError, match=told):
        files_of([str(base.child(name))])


def test_a_scheme_that_nobody_knows_is_said() -> None:
    with pytest.raises(AffidavitError, match="no file system for this URL"):
        files_of(["gopher://somewhere/runs.jsonl"])


@pytest.mark.parametrize("name", ["audit", "reports.jsonl"])
def test_an_output_by_url_is_gone_on_with(
    base: Remote, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = base.child("runs.jsonl"), base.child(f"out/{name}")
    command = ["audit", str(source), "--out", str(out), "--jobs", "0"]
    reports = out.child("reports.jsonl") if name == "audit" else out
    put(source, lines("a", "b"), tmp_path)
    assert main(command) == 0
    edited = json.dumps(run("a", "It is not known to me.")).encode() + b"\n"
    put(source, edited + lines("b", "c"), tmp_path)
    assert main(command) == 0
    assert "1 of them from before, 1 in place of older ones" in capsys.readouterr().out
    with reports.open() as file:
        told = [json.loads(line) for line in file]
    assert sorted((one["run_id"], one["answer"][:5]) for one in told) == [
        ("a", "It is"), ("b", "I cou"), ("c", "I cou"),
    ]  # fmt: skip


@pytest.mark.spec("AFF-1104")
@pytest.mark.parametrize("name", ["audit", "reports.jsonl"])
def test_a_copy_that_breaks_off_is_gone_on_with_and_nothing_judged_again(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "there" / name
    # What a file is to be copied to is taken by a folder: that copy cannot be made.
    taken = target / "summary.html" if name == "audit" else target.with_name(f"{name}.index")
    taken.mkdir(parents=True)
    reports = target / "reports.jsonl" if name == "audit" else target
    source = put(Remote((tmp_path / "runs.jsonl").as_uri()), lines("a", "b"), tmp_path)
    command = ["audit", str(source), "--out", target.as_uri(), "--jobs", "0"]
    assert main(command) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "give the same command again" in said
    first = reports.read_bytes()
    assert first.count(b"\n") == 2

    taken.rmdir()
    when = reports.stat().st_mtime_ns
    assert main(command) == 0
    assert "2 reports in" in (out := capsys.readouterr().out) and "2 of them from before" in out
    assert (reports.read_bytes(), reports.stat().st_mtime_ns) == (first, when), "it was there"
    assert main(command) == 0
    assert "2 of them from before" in capsys.readouterr().out
    assert not list((tmp_path / "state" / "audits").glob("*/*")), "what was sent is not kept here"


@pytest.mark.spec("AFF-1104")
def test_what_another_machine_has_put_there_since_is_gone_on_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "there" / "audit"
    (target / "summary.html").mkdir(parents=True)
    source = put(Remote((tmp_path / "runs.jsonl").as_uri()), lines("a", "b"), tmp_path)
    command = ["audit", str(source), "--out", target.as_uri(), "--jobs", "0"]
    assert main(command) == 2
    for name in ("summary.html", "reports.jsonl", "claims.jsonl"):
        left = target / name
        left.rmdir() if left.is_dir() else left.unlink()
    put(source, lines("a", "b", "c"), tmp_path)
    with monkeypatch.context() as other:
        other.setenv("AFFIDAVIT_STATE", str(tmp_path / "other state"))
        assert main(command) == 0
    theirs = (target / "reports.jsonl").read_bytes()
    capsys.readouterr()
    assert main(command) == 0
    assert "3 reports in" in (out := capsys.readouterr().out) and "3 of them from before" in out
    assert (target / "reports.jsonl").read_bytes() == theirs


def test_one_process_at_a_time_writes_to_a_target(tmp_path: Path) -> None:
    target = Remote((tmp_path / "audit").as_uri())
    with (
        mirrored(target),
        pytest.raises(AffidavitError, match="another audit is writing there"),
        mirrored(target),
    ):
        pass


def test_what_was_judged_is_there_though_the_work_broke_off(base: Remote) -> None:
    def broken_off() -> None:
        with mirrored(base.child("audit")) as mirror:
            Store(mirror.out, Work(), folder=True).close()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken_off()
    assert base.child("audit/audit.index").is_file()
