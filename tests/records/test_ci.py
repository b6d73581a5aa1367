"""Reports for build servers and code review."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from affidavit.cli import main
from affidavit.records.ci import Placed, junit, sarif
from affidavit.report import CallError, EvidenceSpan, ToolCallValidation
from affidavit.testing import claim_verdict, report_of

EXAMPLES = Path(__file__).parents[2] / "specs" / "examples"
SPAN = EvidenceSpan(
    source="tool_result", tool="get_part", pointer="/price", text="price: 5 <b>&\x00"
)


def placed() -> list[Placed]:
    bad = claim_verdict(
        'It costs "$9" <now>\x07.', 0.02, status="contradicted", reason="contradicts_evidence",
        explanation="the evidence has 5", evidence=[SPAN],
    )  # fmt: skip
    loose = claim_verdict("It is blue.", 0.1, status="unsupported", critical=False)
    call = ToolCallValidation(
        tool="get_part", args={}, status="rejected",
        errors=(CallError(kind="schema", message="part_id is missing"),),
    )  # fmt: skip
    good = report_of(claim_verdict(), run_id="good")
    reports = good, report_of(bad, loose, run_id="bad & <co>", action="block", calls=[call])
    return [Placed(report, "runs.jsonl", n) for n, report in enumerate(reports, 1)]


def test_junit_has_a_case_for_each_answer() -> None:
    root = ElementTree.fromstring("".join(junit(placed())).encode())
    suite = root[0]
    assert (root.tag, suite.get("tests"), suite.get("failures")) == ("testsuites", "2", "1")
    good, bad = suite
    assert (good.get("name"), len(good), bad.get("name")) == ("good", 0, "bad & <co>")
    (failure,) = bad
    assert failure.get("type") == "block" and failure.text
    assert "contradicted: It costs" in failure.text and "part_id is missing" in failure.text


def test_sarif_has_a_result_for_each_claim_and_call() -> None:
    log: dict[str, Any] = json.loads("".join(sarif(placed(), "1.0")))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    told = [(result["ruleId"], result["level"]) for result in run["results"]]
    assert told == [
        ("contradicts_evidence", "error"), ("not_entailed", "warning"), ("rejected_call", "warning"),
    ]  # fmt: skip
    assert {rule for rule, _ in told} <= rules
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "runs.jsonl"}, "region": {"startLine": 2}}
    prints = {result["partialFingerprints"]["affidavitClaim/v1"] for result in run["results"]}
    assert len(prints) == 3


def test_nothing_to_tell() -> None:
    assert json.loads("".join(sarif([], "1.0")))["runs"][0]["results"] == []
    assert ElementTree.fromstring("".join(junit([])))[0].get("tests") == "0"


@pytest.mark.parametrize("command", ["check", "audit"])
def test_the_commands_write_both(command: str, tmp_path: Path) -> None:
    bad = str(EXAMPLES / "invented-price.json")
    out = ["--junit", str(tmp_path / "j.xml"), "--sarif", str(tmp_path / "s.sarif")]
    audit = ["--out", str(tmp_path / "out"), "--jobs", "0", "--fail-on", "revise"]
    assert main([command, bad, *out, *(audit if command == "audit" else [])]) in (3, 4)
    assert 'failures="1"' in (tmp_path / "j.xml").read_text(encoding="utf-8")
    log = json.loads((tmp_path / "s.sarif").read_text(encoding="utf-8"))
    result = log["runs"][0]["results"][0]
    assert "$74.90" in result["message"]["text"]
    # A finding stands at the recorded run: in a pull request that adds it, beside its line.
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == bad


def test_a_finding_stands_at_the_line_of_its_run_however_often_it_moves(tmp_path: Path) -> None:
    good, bad = (
        " ".join((EXAMPLES / f"{name}.json").read_text(encoding="utf-8").split())
        for name in ("anthropic", "invented-price")
    )
    runs, found = tmp_path / "runs.jsonl", tmp_path / "found.sarif"
    command = ["audit", str(runs), "--out", str(tmp_path / "out"), "--jobs", "0"]
    for lines in ([bad, good], [good, good, bad]):
        runs.write_text("\n".join(lines) + "\n", encoding="utf-8")
        assert main([*command, "--sarif", str(found)]) == 0
        places = [
            result["locations"][0]["physicalLocation"]
            for result in json.loads(found.read_text(encoding="utf-8"))["runs"][0]["results"]
        ]
        assert {place["artifactLocation"]["uri"] for place in places} == {str(runs)}
        assert {place["region"]["startLine"] for place in places} == {lines.index(bad) + 1}
