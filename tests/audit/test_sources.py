"""Recorded runs are found wherever and however they are kept."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affidavit import read_run
from affidavit.audit import sources
from affidavit.audit.item import Item
from affidavit.errors import MissingExtra, TraceError


def run(name: str) -> dict[str, Any]:
    ask = {"role": "user", "content": "What do the pads cost?"}
    return {"id": name, "messages": [ask], "answer": "The pads cost $5."}


def lines(*names: str) -> bytes:
    return b"".join(json.dumps(run(name)).encode() + b"\n" for name in names)


def zstd(data: bytes) -> bytes:
    zstandard = pytest.importorskip("zstandard")
    packed: bytes = zstandard.ZstdCompressor().compress(data)
    return packed


def found(*inputs: Path | str) -> list[str]:
    items = sources.items(sources.files_of([str(one) for one in inputs]))
    return [
        read_run(json.loads(one.raw)).run_id if isinstance(one, Item) else str(one) for one in items
    ]


def pages(*names: str) -> bytes:
    return b"".join(
        json.dumps({"data": [run(name), run(name * 2)]}).encode() + b"\n" for name in names
    )


FILES: dict[str, Callable[[], bytes]] = {
    "lines": lambda: lines("a", "b"),
    "no newline at the end, empty lines": lambda: b"\n" + lines("a") + b"\n" + lines("b").rstrip(),
    "gzip": lambda: gzip.compress(lines("a", "b")),
    "zstandard": lambda: zstd(lines("a", "b")),
    "a list": lambda: json.dumps([run("a"), run("b")]).encode(),
    "a list over lines": lambda: json.dumps([run("a"), run("b")], indent=2).encode(),
    "a page of an API": lambda: json.dumps({"data": [run("a"), run("b")], "meta": {"page": 1}}).encode(),
    "byte order mark": lambda: b"\xef\xbb\xbf" + lines("a", "b"),
}  # fmt: skip


@pytest.mark.parametrize("made", FILES.values(), ids=FILES)
def test_whatever_the_file(made: Callable[[], bytes], tmp_path: Path) -> None:
    file = tmp_path / "runs"
    file.write_bytes(made())
    assert found(file) == ["a", "b"]


def test_a_page_of_an_api_on_each_line(tmp_path: Path) -> None:
    (tmp_path / "pages.jsonl").write_bytes(pages("a", "b", "c"))
    assert found(tmp_path / "pages.jsonl") == ["a", "aa", "b", "bb", "c", "cc"]


def test_one_run_over_several_lines(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps(run("a"), indent=2), encoding="utf-8")
    assert found(tmp_path / "run.json") == ["a"]


def test_folders_and_patterns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("x/2.jsonl", "x/1.json.gz", "y/deep/3.ndjson", "y/notes.txt", ".hidden/4.jsonl"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(lines(name.split("/")[-1][0]))
    assert found(tmp_path) == ["1", "2", "3"]
    assert found(tmp_path / "*" / "*.jsonl") == ["2"]
    assert found(tmp_path / "x", tmp_path / "x" / "2.jsonl") == ["1", "2"]
    monkeypatch.chdir(tmp_path)
    assert found("**/*.ndjson") == ["3"]


def test_what_an_audit_wrote_is_not_audited(tmp_path: Path) -> None:
    for name in ("a.jsonl", "out/reports.jsonl", "out/audit.index", "r.jsonl", "r.jsonl.index"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(lines("a"))
    assert sources.files_of([tmp_path]) == [tmp_path / "a.jsonl"]


@pytest.mark.parametrize(
    ("given", "told"),
    [("none.jsonl", "cannot be opened"), ("*.jsonl", "no file matches"), (".", "no recorded runs")],
)
def test_what_is_not_there(given: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=told):
        sources.files_of([tmp_path / given])


def test_a_bad_line_is_one_item_and_a_file_that_breaks_off_says_so(tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_bytes(b"{broken\n" + lines("a"))
    bad, good = sources.items([tmp_path / "bad.jsonl"])
    assert isinstance(bad, Item) and (bad.raw, bad.line) == (b"{broken\n", 1)
    assert isinstance(good, Item) and good.line == 2
    packed = gzip.compress(lines(*map(str, range(5000))))
    (tmp_path / "cut.gz").write_bytes(packed[: len(packed) // 2])
    *read, last = sources.items([tmp_path / "cut.gz"])
    assert len(read) > 10 and isinstance(last, TraceError) and "cannot be read on" in str(last)


def csv_of(*names: str) -> bytes:
    said = [json.dumps(run(name)["messages"]).replace('"', '""') for name in names]
    rows = [f'{n},"{m}",They cost $5.' for n, m in zip(names, said, strict=True)]
    return "\n".join(["id,messages,answer", *rows]).encode()


def _cut(packed: bytes) -> bytes:
    return packed[: len(packed) // 2]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.parquet", lambda: b"junk", "a.parquet: cannot be read"),
        ("a.arrow", lambda: b"junk", "a.arrow: cannot be read"),
        ("a.csv", lambda: _cut(gzip.compress(csv_of(*map(str, range(5000))))), "cannot be read on"),
        ("a.csv", lambda: csv_of("a", "x" * 2000), "field larger than field limit"),
    ],
)
def test_a_broken_file_is_told_and_the_others_are_read(
    name: str,
    content: Callable[[], bytes],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.setattr("affidavit.audit.comma_separated._LONGEST", 1000)
    (tmp_path / name).write_bytes(content())
    (tmp_path / "b.json").write_text(json.dumps(run("b")), encoding="utf-8")
    *read, broken, good = found(tmp_path)
    assert (told in broken, good) == (True, "b")
    assert bool(read) is (name == "a.csv")


LONG: dict[str, tuple[Callable[[], bytes], list[str]]] = {
    "a list on one line": (lambda: json.dumps([run(n) for n in "abcdefgh"]).encode(), [*"abcdefgh"]),
    "a list over lines": (lambda: json.dumps([run(n) for n in "abcdefgh"], indent=2).encode(), [*"abcdefgh"]),
    "a list with a run a line": (lambda: b"[\n" + b"\n,".join(json.dumps(run(n)).encode() for n in "abcdefgh") + b"\n]", [*"abcdefgh"]),
    "a list of little": (lambda: json.dumps([{}] * 400, indent=1).encode(), ["bad"] * 400),
    "letters of several bytes": (lambda: json.dumps([run("ä" * 40 + n) for n in "abcd"], ensure_ascii=False).encode(), ["ä" * 40 + n for n in "abcd"]),
    "lists one after another": (lambda: (json.dumps([run(n) for n in "abcdefgh"]) + "\n").encode() * 2, [*"abcdefgh"] * 2),
    "a list that breaks off": (lambda: json.dumps([run(n) for n in "abcdefgh"], indent=2).encode()[:-90], [*"abcdefg", "the JSON list breaks off"]),
    "a list with a comma too few": (lambda: json.dumps([run(n) for n in "abcdefgh"]).encode().replace(b"}, {\"id\": \"c", b"} {\"id\": \"c"), ["a", "b", "the JSON list breaks off"]),
    "one run that is too long": (lambda: json.dumps([run("a"), run("x" * 700), run("b")]).encode(), ["a", "the JSON list breaks off"]),
    "a document that is no list": (lambda: json.dumps({"data": [run(n) for n in "abcdefgh"]}, indent=2).encode(), ["a JSON document of more than"]),
    "a line among others": (lambda: lines("a") + lines("x" * 700) + lines("b"), ["a", "a line of more than", "b"]),
    "the first line": (lambda: lines("x" * 700) + lines("b"), ["a line of more than", "b"]),
    "the last line": (lambda: lines("a") + lines("x" * 700).rstrip(), ["a", "a line of more than"]),
    "a broken first line": (lambda: b"{broken\n" + lines(*"abcdefgh"), ["bad", *"abcdefgh"]),
}  # fmt: skip


@pytest.mark.spec("AFF-1105")
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize("case", LONG)
def test_what_is_too_long_to_be_held_is_read_piece_by_piece(
    case: str, packed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "MOST_BYTES", 500)
    monkeypatch.setattr(sources, "_PIECE", 64)
    made, wanted = LONG[case]
    (tmp_path / "runs").write_bytes(gzip.compress(made()) if packed else made())
    names = []
    for one in sources.items([tmp_path / "runs"]):
        doc = sources._loaded(one.raw) if isinstance(one, Item) else str(one)
        names.append(doc if isinstance(doc, str) else (doc or {}).get("id", "bad"))
    assert len(names) == len(wanted)
    assert all(part in name for name, part in zip(names, wanted, strict=True))


def test_lines_are_not_all_held_at_once(tmp_path: Path) -> None:
    file = tmp_path / "runs.jsonl"
    file.write_bytes(lines(*map(str, range(1000))))
    told: list[int] = []
    items = sources.items([file], told.append)
    next(items)
    assert told[-1] < file.stat().st_size
    list(items)
    assert told[-1] == file.stat().st_size


def _parquet(rows: list[dict[str, Any]], file: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    table = pa.Table.from_pylist(rows)
    if file.suffix == ".parquet":
        from pyarrow import parquet

        parquet.write_table(table, file)
    else:
        with pa.OSFile(str(file), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)


ROWS: dict[str, Callable[[str], dict[str, Any]]] = {
    "the columns of a run": run,
    "messages as JSON": lambda name: run(name) | {"messages": json.dumps(run(name)["messages"])},
    "a column of runs": lambda name: {"run": run(name), "label": "good"},
    "a column of runs as JSON": lambda name: {"trace": json.dumps(run(name))},
}


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_tables(row: Callable[[str], dict[str, Any]], suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"runs{suffix}"
    _parquet([row("a"), row("b")], file)
    assert found(file) == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [("runs.parquet", "pyarrow", "parquet"), ("runs.jsonl.zst", "zstandard", "zstd")],
)
def test_a_missing_extra_says_what_to_install(
    name: str, module: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    (tmp_path / name).write_bytes(b"\x28\xb5\x2f\xfd rest")
    with pytest.raises(MissingExtra, match=rf"pip install 'affidavit\[{extra}\]'"):
        list(sources.items([tmp_path / name]))


def span(trace: str, number: int, answer: str) -> dict[str, Any]:
    asked = [{"role": "user", "parts": [{"type": "text", "content": "What do the pads cost?"}]}]
    told = [{"role": "assistant", "parts": [{"type": "text", "content": answer}]}]
    return {
        "trace_id": trace, "span_id": f"{trace}{number}", "name": "chat",
        "start_time": f"2026-11-23T10:00:0{number}Z", "end_time": f"2026-11-23T10:00:1{number}Z",
        "attributes": {"gen_ai.input.messages": json.dumps(asked), "gen_ai.output.messages": json.dumps(told)},
    }  # fmt: skip


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".parquet"])
def test_spans_are_gathered_by_trace(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"spans{suffix}"
    rows = [span("t1", 1, "Wait."), span("t2", 1, "They cost $6."), span("t1", 2, "They cost $5.")]
    match suffix:
        case ".jsonl":
            file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        case ".json":
            file.write_text(json.dumps(rows, indent=1), encoding="utf-8")
        case _:
            flat = [row | {"attributes": json.dumps(row["attributes"])} for row in rows]
            _parquet(flat, file)
    items = [one for one in sources.items([file]) if isinstance(one, Item)]
    assert [read_run(json.loads(one.raw)).answer for one in items] == [
        "They cost $5.",
        "They cost $6.",
    ]
