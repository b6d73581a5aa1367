"""``affidavit report``: from a run, or from a report that was written before."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from affidavit.cli import main

EXAMPLES = Path(__file__).parents[2] / "specs" / "examples"
RUN = EXAMPLES / "invented-price.json"
BOX = EXAMPLES / "box-office"

Captured = pytest.CaptureFixture[str]


def test_a_run_is_judged_and_written_as_a_page(tmp_path: Path, capsys: Captured) -> None:
    out = tmp_path / "page.html"
    assert main(["report", str(RUN), "--html", "--out", str(out)]) == 0
    page = out.read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "The repair costs $74.90." in page
    assert "Ottilie Brandt" in page  # of the result, cited by nobody
    assert capsys.readouterr().out == ""


def test_a_report_alone_shows_what_it_quotes_and_with_its_run_the_whole(capsys: Captured) -> None:
    assert main(["report", str(BOX / "report.json"), "--html"]) == 0
    alone = capsys.readouterr().out
    assert main(["report", str(BOX / "report.json"), "--html", "--run", str(BOX / "run.json")]) == 0
    whole = capsys.readouterr().out
    assert "the run itself was not given" in alone
    assert "the run itself was not given" not in whole
    assert "moved_at" not in alone.partition("<script")[0]
    assert "moved_at" in whole


def test_without_html_it_prints_the_report(capsys: Captured) -> None:
    assert main(["report", str(BOX / "report.json")]) == 0
    assert capsys.readouterr().out.startswith("✗ BLOCK")


def test_it_reads_standard_input_and_a_policy(
    capsys: Captured, stdin: Callable[[bytes], None], tmp_path: Path
) -> None:
    policy = tmp_path / "policy.json"
    policy.write_text(json.dumps({"on_critical": "revise"}), encoding="utf-8")
    stdin(RUN.read_bytes())
    assert main(["report", "-", "--html", "--policy", str(policy)]) == 0
    assert "Revise" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["check", "report"])
@pytest.mark.parametrize("given", ["file", "-"])
def test_a_run_is_read_however_it_is_packed(
    command: str, given: str, capsys: Captured, stdin: Callable[[bytes], None], tmp_path: Path
) -> None:
    run = json.loads(RUN.read_text(encoding="utf-8"))
    packed = gzip.compress(json.dumps({"data": [run], "meta": {"page": 1}}).encode())
    (tmp_path / "file").write_bytes(packed)
    stdin(packed)
    main([command, "-" if given == "-" else str(tmp_path / "file")])
    assert "$74.90" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["missing.json"], "missing.json: cannot be opened"),
        ([str(RUN), "--out", "x.html"], "add --html"),
        ([str(RUN), "--run", str(RUN)], "--run is for a report"),
        ([str(BOX / "report.json"), "--run", str(RUN)], "is another run than the one"),
        (
            [str(BOX / "report.json"), "--html", "--out", "/no/such/folder/x.html"],
            "cannot be written",
        ),
    ],
)
def test_bad_usage_exits_with_2_and_says_why(
    arguments: list[str], told: str, capsys: Captured
) -> None:
    assert main(["report", *arguments]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"claims": ', ":1: the JSON breaks off"),
        (
            '{"claims": [], "tool_call_validations": [], "overall_score": 2, "action": "emit"}',
            "report.json: ",
        ),
        ("[" * 100_000, "report.json: not readable JSON"),
        ('{"something": 1}', "not a run of a known format"),
        ("[1]", "report.json"),
    ],
)
def test_a_document_that_is_neither_is_refused(
    content: str, told: str, tmp_path: Path, capsys: Captured
) -> None:
    file = tmp_path / "report.json"
    file.write_text(content, encoding="utf-8")
    assert main(["report", str(file), "--html"]) == 2
    assert told in capsys.readouterr().err
