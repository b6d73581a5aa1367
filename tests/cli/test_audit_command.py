"""``affidavit audit`` as a user runs it, with the embedded model."""

from __future__ import annotations

import csv
import gzip
import http.server
import json
import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from affidavit.cli import main

EXAMPLES = Path(__file__).parents[2] / "specs" / "examples"
GOOD, BAD = EXAMPLES / "anthropic.json", EXAMPLES / "invented-price.json"

Captured = pytest.CaptureFixture[str]


def run_of(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


def test_audit_judges_what_it_can_and_says_what_it_could_not(
    capsys: Captured, tmp_path: Path
) -> None:
    lines = [json.dumps(run_of(GOOD)), "{broken", json.dumps(run_of(BAD))]
    runs, out = tmp_path / "runs.jsonl.gz", tmp_path / "reports.jsonl"
    runs.write_bytes(gzip.compress("\n".join(lines).encode()))
    assert main(["audit", str(runs), "--out", str(out)]) == 1
    told, errors = capsys.readouterr()
    assert "runs.jsonl.gz:2: " in errors
    assert "2 reports in" in told
    assert "1 could not be judged" in told
    reports = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert {r["run_id"]: r["action"] == "emit" for r in reports} == {
        "repair-grounded": True,
        "repair-invented-price": False,
    }
    before = out.read_bytes()
    assert main(["audit", str(runs), "--out", str(out)]) == 1
    assert out.read_bytes() == before
    assert "2 of them from before" in capsys.readouterr().out


def test_audit_takes_tool_declarations_apart(tmp_path: Path) -> None:
    run = run_of(GOOD)
    tools = run.pop("tools")
    (tmp_path / "tools.json").write_text(json.dumps(tools), encoding="utf-8")
    (tmp_path / "runs.jsonl").write_text(json.dumps(run) + "\n", encoding="utf-8")
    out = tmp_path / "out.jsonl"
    command = ["audit", str(tmp_path / "runs.jsonl"), "--out", str(out)]
    assert main([*command, "--jobs", "0", "--tools", str(tmp_path / "tools.json")]) == 0
    validation = json.loads(out.read_text(encoding="utf-8"))["tool_call_validations"][0]
    assert validation["status"] == "accepted"


def test_audit_takes_an_openapi_document(tmp_path: Path) -> None:
    run = run_of(GOOD)
    (tool, *_) = run.pop("tools")
    schema = tool.get("input_schema") or tool["parameters"]
    parameters = [
        {"name": name, "in": "query", "required": True, "schema": kind}
        for name, kind in schema["properties"].items()
    ]
    operation = {"operationId": tool["name"], "parameters": parameters, "responses": {}}
    file, out = tmp_path / "openapi.json", tmp_path / "out.jsonl"
    (tmp_path / "runs.jsonl").write_text(json.dumps(run) + "\n", encoding="utf-8")
    for version in ("3.0.3", "3.1.0"):
        for name, status in ((tool["name"], "accepted"), ("another", "rejected")):
            get = {"get": operation | {"operationId": name}}
            document = {"openapi": version, "paths": {"/it": get}}
            file.write_text(json.dumps(document), encoding="utf-8")
            out.unlink(missing_ok=True)
            main(["audit", str(tmp_path / "runs.jsonl"), "--out", str(out), "--tools", str(file)])
            report = json.loads(out.read_text(encoding="utf-8"))
            assert report["tool_call_validations"][0]["status"] == status


@pytest.mark.parametrize("content", ["{}", "[7]", "{", '{"openapi": "2.0", "paths": {}}'])
def test_audit_refuses_tools_that_are_none(capsys: Captured, tmp_path: Path, content: str) -> None:
    (tmp_path / "tools.json").write_text(content, encoding="utf-8")
    command = ["audit", str(GOOD), "--out", str(tmp_path / "out.jsonl")]
    assert main([*command, "--tools", str(tmp_path / "tools.json")]) == 2
    assert "tools.json" in capsys.readouterr().err


@pytest.mark.parametrize("out", ["runs.jsonl/out", "no/such/folder/out.jsonl"])
def test_audit_says_where_it_cannot_write(
    capsys: Captured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("runs.jsonl").write_text(json.dumps(run_of(GOOD)), encoding="utf-8")
    assert main(["audit", "runs.jsonl", "--out", out]) == 2
    assert f"{out}: cannot be written" in capsys.readouterr().err


def test_audit_of_a_missing_file_leaves_nothing_behind(capsys: Captured, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert main(["audit", str(tmp_path / "none.jsonl"), "--out", str(out)]) == 2
    assert "none.jsonl: cannot be opened" in capsys.readouterr().err
    assert not out.exists()


def test_audit_takes_a_folder_and_writes_tables_and_a_summary(
    capsys: Captured, tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow")
    from pyarrow import parquet

    runs, out = tmp_path / "runs", tmp_path / "audit"
    runs.mkdir()
    (runs / "broken.jsonl").write_text('{"question": "?", "contexts": []}\n', encoding="utf-8")
    for number, path in enumerate((GOOD, BAD, GOOD)):
        (runs / f"{number}.json").write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    summary = tmp_path / "figures.csv"
    command = ["audit", str(runs), "--out", str(out), "--parquet", "--summary", str(summary)]
    assert main([*command, "--jobs", "2"]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert "3 reports in" in told and "summary.html and faults.jsonl" in told
    assert re.search(r"reasons [a-z ]+ 1 worst claims 0\.", told)
    assert "repair-invented-price: The repair costs $74.90." in told
    (fault,) = (out / "faults.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(fault)["line"] == 1 and "nearest is rag_record" in fault
    figures = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    assert (figures["runs"], figures["actions"]["emit"]["count"]) == (3, 2)
    assert [group["name"] for group in figures["groups"]["tool"]] == ["get_repair"]
    assert figures["worst"][0]["text"] == "The repair costs $74.90."
    page = (out / "summary.html").read_text(encoding="utf-8")
    assert "The repair costs $74.90." in page
    with summary.open(encoding="utf-8", newline="") as rows:
        named = {(row["by"], row["name"]): row for row in csv.DictReader(rows)}
    assert named["all", "all"]["runs"] == named["tool", "get_repair"]["runs"] == "3"
    ((reason, number),) = figures["reasons"].items()
    assert named["reason", reason]["claims"] == str(number) == "1"
    assert named["worst", "repair-invented-price"]["claim"] == "The repair costs $74.90."
    claims = parquet.read_table(out / "claims.parquet").to_pylist()
    bad = [claim for claim in claims if claim["status"] != "supported"]
    assert [(claim["run_id"], claim["text"], claim["evidence_tool"]) for claim in bad] == [
        ("repair-invented-price", "The repair costs $74.90.", "get_repair")
    ]
    reports = parquet.read_table(out / "reports.parquet").to_pylist()
    assert len(reports) == 3 and json.loads(reports[0]["report"])["action"] == reports[0]["action"]
    assert main(command) == 1
    assert "3 of them from before" in capsys.readouterr().out


def test_audit_compare_shows_what_a_policy_changed(capsys: Captured, tmp_path: Path) -> None:
    runs = tmp_path / "runs.jsonl"
    runs.write_text("".join(json.dumps(run_of(p)) + "\n" for p in (GOOD, BAD)), encoding="utf-8")
    (tmp_path / "soft.toml").write_text('groundedness = "off"\n', encoding="utf-8")
    a, b, page = tmp_path / "a", tmp_path / "b", tmp_path / "difference.html"
    for out, more in ((a, []), (b, ["--policy", str(tmp_path / "soft.toml")])):
        assert main(["audit", str(runs), "--out", str(out), "--jobs", "0", *more]) == 0
    capsys.readouterr()
    assert main(["audit", "compare", str(a), str(b), "--html", str(page)]) == 0
    told = capsys.readouterr().out
    assert "2 runs in both (2 the same record)" in told
    assert "→ emit" in told and "repair-invented-price" in told
    assert "Runs that flipped" in page.read_text(encoding="utf-8")
    flips = tmp_path / "flips.jsonl"
    assert main(["audit", "compare", str(a), str(b), "--json", "--flips", str(flips)]) == 0
    (flip,) = map(json.loads, flips.read_text(encoding="utf-8").splitlines())
    assert (flip["run_id"], flip["after"]) == ("repair-invented-price", "emit")
    ((move, count),) = json.loads(capsys.readouterr().out)["moves"].items()
    assert (move.endswith("→ emit"), count) == (True, 1)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--parquet"], "--parquet writes tables into a folder"),
        (["--summary", "figures.txt"], "a summary is .html, .json or .csv"),
    ],
)
def test_audit_says_what_it_cannot_write(
    capsys: Captured, tmp_path: Path, more: list[str], told: str
) -> None:
    command = ["audit", str(GOOD), "--out", str(tmp_path / "out.jsonl"), "--jobs", "0"]
    assert main([*command, *more]) == 2
    assert told in capsys.readouterr().err


class _Judge(http.server.BaseHTTPRequestHandler):
    """An OpenAI-compatible server whose model finds everything grounded, and no claim borne out by a quote."""

    def do_POST(self) -> None:
        asked = self.rfile.read(int(self.headers["Content-Length"])).decode()
        told = {"score": 0.97, "reasoning": "It is small talk.", "kind": "conversational"}
        verdict = json.dumps(told)
        if "<claim>" in asked:
            names = dict.fromkeys(re.findall(r"id: (C\d+)", asked))
            said = [
                {"claim": name, "verdict": "unsupported", "why": "No record says so."}
                for name in names
            ]
            verdict = json.dumps({"verdicts": said})
        message = {"role": "assistant", "content": verdict}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        body = {"id": "c", "object": "chat.completion", "created": 1, "model": "m"}
        payload = json.dumps({**body, "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def judge_at(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A language model that judges, by the name that a command takes."""
    pytest.importorskip("openai")
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("NO_PROXY", "*")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Judge) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"openai:m@http://127.0.0.1:{server.server_port}/v1"
        server.shutdown()


def _free_run(tmp_path: Path) -> Path:
    run = run_of(GOOD)
    run["messages"][-1]["content"] = "The bicycle stands in the workshop and can be fetched."
    runs = tmp_path / "runs.jsonl"
    runs.write_text(json.dumps(run) + "\n", encoding="utf-8")
    return runs


def test_audit_with_a_language_model_in_the_entailment_models_place(
    tmp_path: Path, judge_at: str
) -> None:
    runs, out, policy = _free_run(tmp_path), tmp_path / "out.jsonl", tmp_path / "policy.toml"
    policy.write_text(f'entailment = "judge:{judge_at}"\n')
    command = ["audit", str(runs), "--out", str(out), "--jobs", "0", "--policy", str(policy)]
    assert main(command) == 0
    report = json.loads(out.read_text(encoding="utf-8"))
    judge = "groundedness-judge/1.2.0@openai:m"
    assert report["models"]["entailment"] == judge
    checks = [check for claim in report["claims"] for check in claim["checks"]]
    assert {c["score"] for c in checks if c["produced_by"] == judge} == {0.97}


@pytest.mark.spec("AFF-1401", "AFF-1407")
@pytest.mark.parametrize("jobs", ["0", "1"])
def test_audit_with_a_judge_of_the_claims_in_doubt(
    tmp_path: Path, judge_at: str, jobs: str
) -> None:
    runs, out = _free_run(tmp_path), tmp_path / "out.jsonl"
    policy = tmp_path / "policy.toml"
    policy.write_text("[judge]\nlow = 0.0\nhigh = 1.0\n")
    command = ["audit", str(runs), "--out", str(out), "--jobs", jobs, "--policy", str(policy)]
    assert main([*command, "--judge", judge_at]) == 0
    report = json.loads(out.read_text(encoding="utf-8"))
    assert report["models"]["judge"] == "openai:m" == report["judge"]["model"]
    assert report["judge"]["requests"] == 1 and report["judge"]["claims"]
    words = [c for claim in report["claims"] for c in claim["checks"] if c["name"] == "judge"]
    assert words and {word["verdict"] for word in words} == {"missing"}
    assert report["policy"]["judge"]["model"] == judge_at


def test_audit_asks_nobody_unless_it_is_told_to(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    assert main(["audit", str(_free_run(tmp_path)), "--out", str(out), "--jobs", "0"]) == 0
    assert json.loads(out.read_text(encoding="utf-8"))["judge"] is None


def test_check_with_a_judge(tmp_path: Path, judge_at: str, capsys: Captured) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('[judge]\nlow = 0.0\nhigh = 1.0\nwhen = "never"\n')
    main(["check", str(GOOD), "--json", "--policy", str(policy)])
    assert json.loads(capsys.readouterr().out)["judge"] is None
    main(["check", str(GOOD), "--policy", str(policy), "--judge", judge_at])
    assert "judge: openai:m was asked about" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["nobody:m", "anthropic:"])
def test_a_judge_of_an_unknown_kind_is_bad_input(capsys: Captured, name: str) -> None:
    assert main(["check", str(GOOD), "--judge", name]) == 2
    assert "unknown language model" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--ray"], r"ray\[data\] is not installed; run: pip install 'affidavit\[ray\]'"),
        (["--gpu"], "give --ray too"),
    ],
)
def test_what_a_cluster_needs_is_said_before_anything_is_written(
    arguments: list[str],
    told: str,
    tmp_path: Path,
    capsys: Captured,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    out = tmp_path / "out"
    assert main(["audit", str(GOOD), "--out", str(out), *arguments]) == 2
    assert re.search(told, capsys.readouterr().err)
    assert not out.exists()
