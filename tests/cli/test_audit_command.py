"""``affidavit audit`` as a user runs it, with the embedded model."""

from __future__ import annotations

import gzip
import http.server
import json
import threading
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
    assert [(r["run_id"], r["action"]) for r in reports] == [
        ("repair-grounded", "emit"),
        ("repair-invented-price", "block"),
    ]
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
    assert main([*command, "--tools", str(tmp_path / "tools.json")]) == 0
    validation = json.loads(out.read_text(encoding="utf-8"))["tool_call_validations"][0]
    assert validation["status"] == "accepted"


@pytest.mark.parametrize("content", ["{}", "[7]", "{"])
def test_audit_refuses_tools_that_are_none(capsys: Captured, tmp_path: Path, content: str) -> None:
    (tmp_path / "tools.json").write_text(content, encoding="utf-8")
    command = ["audit", str(GOOD), "--out", str(tmp_path / "out.jsonl")]
    assert main([*command, "--tools", str(tmp_path / "tools.json")]) == 2
    assert "tools.json" in capsys.readouterr().err


@pytest.mark.parametrize("out", [".", "no/such/folder/out.jsonl"])
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


def test_audit_refuses_one_run_over_several_lines(capsys: Captured, tmp_path: Path) -> None:
    assert main(["audit", str(GOOD), "--out", str(tmp_path / "out.jsonl")]) == 2
    assert "expected one a line" in capsys.readouterr().err


class _Judge(http.server.BaseHTTPRequestHandler):
    """An OpenAI-compatible server whose model finds everything grounded."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        verdict = json.dumps({"score": 0.97, "reasoning": "The result says so."})
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


def test_audit_with_a_language_model_as_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("openai")
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    monkeypatch.setenv("NO_PROXY", "*")
    run = run_of(GOOD)
    run["messages"][-1]["content"] = "The bicycle stands in the workshop and can be fetched."
    runs, out = tmp_path / "runs.jsonl", tmp_path / "out.jsonl"
    runs.write_text(json.dumps(run) + "\n", encoding="utf-8")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Judge) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/v1"
        assert main(["audit", str(runs), "--out", str(out), "--judge", f"openai:m@{url}"]) == 0
        server.shutdown()
    report = json.loads(out.read_text(encoding="utf-8"))
    judge = "groundedness-judge/1.0.0@openai:m"
    assert report["models"]["entailment"] == judge
    checks = [check for claim in report["claims"] for check in claim["checks"]]
    assert {c["score"] for c in checks if c["produced_by"] == judge} == {0.97}
