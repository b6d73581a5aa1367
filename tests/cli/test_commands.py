"""The commands as a user runs them, with the embedded model."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affidavit.cli import main
from affidavit.report import HallucinationReport
from affidavit.trace import RunTrace

EXAMPLES = Path(__file__).parents[2] / "specs" / "examples"
GOOD, BAD = EXAMPLES / "anthropic.json", EXAMPLES / "invented-price.json"

Captured = pytest.CaptureFixture[str]


def run_of(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return data


@pytest.mark.parametrize(
    ("file", "policy", "code"),
    [(GOOD, {}, 0), (BAD, {"on_critical": "revise"}, 3), (BAD, {"prior": 0.5}, 4)],
)
def test_check_exits_with_the_decision(
    file: Path, policy: dict[str, Any], code: int, tmp_path: Path
) -> None:
    (tmp_path / "policy.json").write_text(json.dumps(policy), encoding="utf-8")
    assert main(["check", str(file), "--policy", str(tmp_path / "policy.json")]) == code


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.json")), ids=lambda file: file.stem)
def test_every_example_is_read_and_judged_as_it_should_be(file: Path, capsys: Captured) -> None:
    code = main(["check", str(file), "--json"])
    report = HallucinationReport.model_validate_json(capsys.readouterr().out)
    assert code == {"emit": 0, "revise": 3, "block": 4}[report.action]
    assert (report.action == "emit") == (file != BAD)
    wrong = {claim.text for claim in report.claims if claim.status != "supported"}
    assert wrong == ({"The repair costs $74.90."} if file == BAD else set())


def test_check_names_the_decision_the_claim_and_the_evidence(capsys: Captured) -> None:
    main(["check", str(BAD)])
    text = capsys.readouterr().out
    assert text.startswith(("↻ REVISE", "✗ BLOCK"))
    assert "$74.90" in text
    assert "6250" in text


def test_check_reads_standard_input(capsys: Captured, stdin: Callable[[bytes], None]) -> None:
    stdin(GOOD.read_bytes())
    assert main(["check", "-", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["run_id"] == "repair-grounded"


def test_check_every_turn_reports_each_and_exits_with_the_worst(
    capsys: Captured, tmp_path: Path
) -> None:
    run = run_of(BAD)
    run["messages"] += [
        {"role": "user", "content": "Thank you!"},
        {"role": "assistant", "content": "You are welcome!"},
    ]
    file = tmp_path / "run.json"
    file.write_text(json.dumps(run), encoding="utf-8")
    assert main(["check", str(file)]) == 0
    capsys.readouterr()
    assert main(["check", str(file), "--every-turn", "--json"]) in (3, 4)
    reports = json.loads(capsys.readouterr().out)
    assert [(r["run_id"], r["action"] == "emit") for r in reports] == [
        ("repair-invented-price#0", False),
        ("repair-invented-price", True),
    ]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"messages": [', "run.json:1: the JSON breaks off"),
        ('{"messages": [{"role": "user", "content": 7}]}', "messages"),
        ("[]", "run.json"),
        (" \n", "run.json: is empty"),
        ('{"a": 1}\n{"b": 2}\n', "several runs, one a line; `affidavit audit` judges them"),
        ('[{"messages": []}, {"messages": []}]', "holds a list; `affidavit audit` judges each"),
        (
            '{"claims": [], "tool_call_validations": [], "overall_score": 1, "action": "emit"}',
            "this is a report, not a run",
        ),
    ],
)
def test_bad_input_exits_with_2_and_says_where(
    capsys: Captured, tmp_path: Path, content: str, told: str
) -> None:
    file = tmp_path / "run.json"
    file.write_text(content, encoding="utf-8")
    assert main(["check", str(file)]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith("affidavit: ")
    assert told in err


@pytest.mark.parametrize("name", ["missing.json", "."])
def test_a_file_that_cannot_be_opened_exits_with_2(capsys: Captured, name: str) -> None:
    assert main(["check", name]) == 2
    assert name in capsys.readouterr().err


def test_bad_standard_input_is_named_as_such(
    capsys: Captured, stdin: Callable[[bytes], None]
) -> None:
    stdin(b'{"messages"\n')
    assert main(["check", "-"]) == 2
    assert "standard input:2: the JSON breaks off" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "standard input: is empty"),
        ("[" * 100_000, "standard input: not readable JSON"),
        ('{"a": 1}\n{"b": 2}\n', "one a line; `affidavit audit`"),
    ],
)
def test_standard_input_that_is_no_run(
    capsys: Captured, stdin: Callable[[bytes], None], content: str, told: str
) -> None:
    stdin(content.encode())
    assert main(["check", "-"]) == 2
    assert told in capsys.readouterr().err


def _cases(tmp_path: Path, *, unsupported: str) -> Path:
    common = {"pair": "price", "family": "invented_value"}
    good = {"action": ["emit"], "supported": ["$62.50"], "accepted_calls": ["toolu_1"]}
    bad = {"action": ["revise", "block"], "unsupported": [unsupported]}
    cases = [
        common | {"id": "price-good", "twin": "good", "run": run_of(GOOD), "expect": good},
        common | {"id": "price-bad", "twin": "bad", "run": run_of(BAD), "expect": bad},
    ]
    file = tmp_path / "cases.jsonl"
    file.write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
    return file


def test_conformance_counts_pairs(capsys: Captured, tmp_path: Path) -> None:
    assert main(["conformance", str(_cases(tmp_path, unsupported="$74.90"))]) == 0
    text = capsys.readouterr().out
    assert "1 / 1" in text
    assert "✗" not in text


def test_conformance_lists_what_failed_and_what_came(capsys: Captured, tmp_path: Path) -> None:
    file = _cases(tmp_path, unsupported="since May 12")
    assert main(["conformance", str(file)]) == 1
    text = capsys.readouterr().out
    assert "✗ price-bad  invented_value" in text
    assert "expected unsupported: 'since May 12'" in text
    assert "came     supported" in text
    assert main(["conformance", str(file), "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["pairs"], data["pairs_right"]) == (1, 0)
    # The gate did right by both, and something that was to be said of one was not.
    assert data["families"]["invented_value"] == {
        "good": 1, "good_right": 1, "faulty": 1, "faulty_right": 1, "pairs": 1, "pairs_right": 0,
    }  # fmt: skip


def test_conformance_names_the_line_of_a_bad_case(capsys: Captured, tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text('\n{"id": "x"}\n', encoding="utf-8")
    assert main(["conformance", str(file)]) == 2
    assert "cases.jsonl:2: pair: " in capsys.readouterr().err


@pytest.mark.parametrize("of", ["report", "policy", "trace"])
def test_schema_prints_a_schema(capsys: Captured, of: str) -> None:
    assert main(["schema", of]) == 0
    assert json.loads(capsys.readouterr().out)["$id"].startswith(
        f"https://affidavit.example/schemas/{of}-"
    )


def test_the_trace_example_is_the_form_that_traces_are_written_in() -> None:
    text = (EXAMPLES / "trace.json").read_text(encoding="utf-8")
    assert RunTrace.model_validate_json(text).model_dump_json(indent=2) + "\n" == text


def test_the_demo_shows_each_stage_and_ends_well(capsys: Captured) -> None:
    assert main(["demo", "--fast"]) == 0
    text = capsys.readouterr().out
    steps = (
        "✗ rejected",
        "`RJ-3170`",
        "✓ accepted",
        "✗ contradicted",
        "↻ revise",
        "sent back to the model",
        "✓ asked again, the model says the same",
        "✓ emit",
        "✓ EMIT",
    )
    at = -1
    for step in steps:
        at = text.find(step, at + 1)
        assert at >= 0, step


def test_without_a_command_the_commands_are_listed(capsys: Captured) -> None:
    assert main([]) == 2
    assert "Judge one recorded run" in capsys.readouterr().err


def test_version_and_usage(capsys: Captured) -> None:
    with pytest.raises(SystemExit) as done:
        main(["--version"])
    assert done.value.code == 0
    assert capsys.readouterr().out.startswith("affidavit 0.")
    with pytest.raises(SystemExit) as usage:
        main(["cheque"])
    assert usage.value.code == 2
