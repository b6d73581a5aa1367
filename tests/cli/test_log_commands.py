"""``affidavit log``, and what ``check`` and ``audit`` keep."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from affidavit.cli import main
from affidavit.records.runlog import open_log
from affidavit.report import ToolCallValidation

EXAMPLES = Path(__file__).parents[2] / "specs" / "examples"
RUN = "repair-invented-price"


@pytest.fixture
def log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    address = str(tmp_path / "runs.db")
    policy = tmp_path / "policy.toml"
    policy.write_text('on_critical = "revise"\n', encoding="utf-8")
    bad = str(EXAMPLES / "invented-price.json")
    assert main(["check", bad, "--policy", str(policy), "--log", address]) == 3
    capsys.readouterr()
    return address


def test_audit_keeps_each_report_with_its_run(tmp_path: Path) -> None:
    runs = tmp_path / "runs.jsonl"
    run = json.loads((EXAMPLES / "trace.json").read_text())
    runs.write_text("".join(json.dumps(run | {"run_id": name}) + "\n" for name in "ab"))
    address = f"jsonl:{tmp_path}/log.jsonl"
    main(["audit", str(runs), "--out", str(tmp_path / "out.jsonl"), "--log", address])
    with open_log(address) as log:
        assert sorted(entry.run_id for entry in log.search()) == ["a", "b"]
        assert log.latest("b").trace() is not None


def test_list_shows_what_matches(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["log", "list", log, "--action", "revise", "--since", "1d"]) == 0
    shown = capsys.readouterr().out
    assert RUN in shown
    assert "revise" in shown
    assert main(["log", "search", log, "--tool", "other", "--json"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", ["1", RUN])
def test_show_takes_a_number_or_a_run(
    log: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["log", "overrule", log, "1", "supported", "--claim", "1", "--reviewer", "Ida",
          "--reason", "It is in the price list."])  # fmt: skip
    assert main(["log", "show", log, name]) == 0
    shown = capsys.readouterr().out
    assert "REVISE" in shown
    assert "Ida says of claim 1: supported: It is in the price list." in shown


def test_show_of_a_call_and_of_a_review(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    with open_log(log) as opened:
        opened.call("r", ToolCallValidation(tool="get_repair", args={}, status="rejected"))
        opened.overrule(1, "emit", reviewer="Ida", reason="Fine.")
    assert main(["log", "show", log, "2"]) == 0
    assert main(["log", "show", log, "3"]) == 0
    shown = capsys.readouterr().out
    assert "rejected  get_repair()" in shown
    assert '"reviewer": "Ida"' in shown


def test_verify_tells_what_was_done_to_a_log(
    log: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["log", "anchor", log]) == 0
    anchors = tmp_path / "anchors.txt"
    anchors.write_text(capsys.readouterr().out)
    assert main(["log", "verify", log, "--anchors", str(anchors)]) == 0
    later = f"7:{'0' * 64}"
    assert main(["log", "verify", log, "--anchor", later]) == 1
    assert "truncated  record 7" in capsys.readouterr().out


def test_prune_removes_and_says_so(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["log", "prune", log, "--before", "2020-01-01"]) == 0
    assert main(["log", "prune", log, "--before", "0m"]) == 0
    assert main(["log", "verify", log]) == 0
    shown = capsys.readouterr().out
    assert "0 records removed" in shown
    assert "1 records removed" in shown
    assert "1 to 1 were removed on record" in shown


def test_an_export_is_a_log(log: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["log", "export", log]) == 0
    copy = tmp_path / "copy.jsonl"
    copy.write_text(capsys.readouterr().out)
    assert main(["log", "verify", f"jsonl:{copy}"]) == 0
    with open_log(log) as a, open_log(f"jsonl:{copy}") as b:
        assert list(a.records()) == list(b.records())


@pytest.mark.parametrize(
    ("what", "has"), [("reports", "claims"), ("runs", "messages"), ("labels", "label")]
)
def test_an_export_of_parts(
    log: str, what: str, has: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_log(log) as opened:
        opened.overrule(1, "supported", claim=0, reviewer="Ida", reason="It is.")
    assert main(["log", "export", log, "--what", what]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert has in json.loads(line)


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "9"],
        ["show", "no such run"],
        ["overrule", "1", "perhaps", "--claim", "1", "--reviewer", "I", "--reason", "so"],
        ["overrule", "1", "supported", "--claim", "99", "--reviewer", "I", "--reason", "so"],
        ["verify", "--anchor", "nothing"],
        ["verify", "--anchors", "/nonexistent"],
        ["verify", "--key", "/nonexistent"],
    ],
)
def test_what_is_not_there_is_bad_input(
    log: str, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    command, *rest = arguments
    assert main(["log", command, log, *rest]) == 2
    assert capsys.readouterr().err.startswith("affidavit: ")


def test_a_log_that_is_not_there_is_not_begun(tmp_path: Path) -> None:
    assert main(["log", "list", str(tmp_path / "typo.db")]) == 2
    assert list(tmp_path.iterdir()) == []
