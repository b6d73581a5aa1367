"""What people said of a log's verdicts, as cases that a detector is held to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from affidavit import Detector, load_run
from affidavit.audit.cases import load_cases
from affidavit.audit.conformance import run_cases
from affidavit.cli import main
from affidavit.records.runlog import RunLog, open_log
from affidavit.testing import claim_verdict, report_of

EXAMPLES = Path(__file__).parents[3] / "specs" / "examples"


@pytest.fixture
def log(tmp_path: Path) -> RunLog:
    run = load_run(EXAMPLES / "invented-price.json")
    log = open_log(tmp_path / "runs.db")
    log.report(Detector().check(run), run)
    log.report(report_of(claim_verdict("Its run was not kept.")))
    return log


def review(log: RunLog, verdict: str, claim: int | None, record: int = 1) -> None:
    log.overrule(record, verdict, claim=claim, reviewer="Ines", reason="Seen")


@pytest.mark.parametrize(("verdict", "right"), [("unsupported", True), ("supported", False)])
def test_a_detector_is_held_to_what_people_said(
    log: RunLog, tmp_path: Path, capsys: pytest.CaptureFixture[str], verdict: str, right: bool
) -> None:
    review(log, "supported", 0)
    review(log, "supported", 1)
    review(log, verdict, 1)  # the last that was said of a claim counts
    review(log, "block", None)
    review(log, "supported", 0, record=2)
    assert main(["log", "export", str(tmp_path / "runs.db"), "--what", "cases"]) == 0
    file = tmp_path / "cases.jsonl"
    file.write_text(capsys.readouterr().out, encoding="utf-8")
    (case,) = load_cases(file)
    assert case.expect.action == ("block",)
    assert case.expect.supported[0].startswith("Yes, your green Fuji")
    (result,) = run_cases([case])
    # People said "block"; a fitted verdict that sends it back instead is held to that.
    assert not result.right or right


def test_what_nobody_could_say_is_no_case(
    log: RunLog, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    review(log, "unchecked", 1)
    assert main(["log", "export", str(tmp_path / "runs.db"), "--what", "cases"]) == 0
    assert capsys.readouterr().out == ""
    assert main(["log", "export", str(tmp_path / "runs.db"), "--what", "labels"]) == 0
    assert json.loads(capsys.readouterr().out)["label"] == "unchecked"
