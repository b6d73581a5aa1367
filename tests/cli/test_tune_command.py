"""``affidavit tune`` and ``affidavit shadow``: from runs and a log to a policy that ``check`` takes."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from affidavit.cli import main
from affidavit.policy import Policy
from affidavit.records.runlog import RunLog, labels, open_log
from affidavit.records.runlog.shadow import questions, shadowed
from affidavit.report import HallucinationReport, ToolCallValidation
from affidavit.stages.gate import decide
from affidavit.testing import claim_verdict, report_of
from affidavit.trace import Message, RunTrace, TextPart


def judged(
    name: str, *scores: float, calls: tuple[ToolCallValidation, ...] = ()
) -> HallucinationReport:
    claims = [claim_verdict(f"Claim {n} of {name}.", score) for n, score in enumerate(scores, 1)]
    report = report_of(*claims, run_id=name, calls=calls)
    made = decide(report.claims, calls, (), Policy())
    told = {"action": made.action, "reasons": made.reasons}
    return report.model_copy(update=told | {"policy": Policy().model_dump(mode="json")})


def trace(name: str, **metadata: Any) -> RunTrace:
    ask = Message(role="user", parts=(TextPart(text="What does it cost?"),))
    return RunTrace(run_id=name, messages=(ask,), answer="It is so.", metadata=metadata)


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    """Thirty answers, every third of them bad."""
    file = tmp_path / "reports.jsonl"
    found = [judged(f"r{n}", 0.3 if n % 3 == 0 else 0.9 + n / 1000) for n in range(60)]
    file.write_text("".join(one.model_dump_json() + "\n" for one in found), encoding="utf-8")
    return file


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    file = tmp_path / "labels.jsonl"
    rows = [{"run_id": f"r{n}", "label": "bad" if n % 3 == 0 else "good"} for n in range(60)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


@pytest.mark.parametrize("ending", ["toml", "json"])
def test_labels_make_a_policy(
    reports: Path, labelled: Path, tmp_path: Path, ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out, page = tmp_path / f"policy.{ending}", tmp_path / "curve.html"
    command = ["tune", str(reports), "--labels", str(labelled), "--out", str(out)]
    assert main([*command, "--html", str(page)]) == 0
    shown = capsys.readouterr().out
    assert "40 good and 20 bad answers" in shown
    assert "more labelled good answers make the interval" in shown
    policy = Policy.load(out)
    assert policy.prior < 0.95
    assert "100.0%" in shown
    assert main(["policy", "check", str(out)]) == 0
    assert "<svg" in page.read_text(encoding="utf-8")
    # The reports under it: as many good answers are stopped as was said.
    capsys.readouterr()
    after = tmp_path / "after.jsonl"
    assert main(["audit", "replay", str(reports), "--policy", str(out), "--out", str(after)]) == 0
    held = [json.loads(line) for line in after.read_text().splitlines()]
    stopped = [int(r["run_id"][1:]) for r in held if r["action"] != "emit"]
    assert sum(n % 3 != 0 for n in stopped) == 1
    assert sum(n % 3 == 0 for n in stopped) == 20


@pytest.mark.parametrize(
    ("scores", "told"),
    [
        ([0.95] * 40, "in keeping with the promise"),
        ([0.95] * 20 + [0.85] * 20, "The promise does not hold there: 50.0% of the good answers"),
    ],
)
def test_what_was_learnt_is_judged_on_other_runs(
    reports: Path, labelled: Path, tmp_path: Path, scores: list[float], told: str, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    others = tmp_path / "others.jsonl"
    found = [judged(f"o{n}", score) for n, score in enumerate(scores)]
    others.write_text("".join(one.model_dump_json() + "\n" for one in found), encoding="utf-8")
    with labelled.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps({"run_id": one.run_id, "label": "good"}) + "\n" for one in found)
    command = ["tune", str(reports), "--labels", str(labelled), "--prior", "0.95"]
    assert main([*command, "--held-out", str(others)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "held out emit at" in shown and told in shown
    assert "of 100 further good answers to be stopped (95 %)" in shown
    assert main([*command, "--held-out", str(others), "--json"]) == 0
    held = json.loads(capsys.readouterr().out)["held_out"]["false_stops"]
    assert (held["count"], held["of"]) == (20 if "not hold" in told else 0, 40)


def test_runs_that_are_held_out_need_labels(
    reports: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    others = tmp_path / "others.jsonl"
    others.write_text(judged("o", 0.9).model_dump_json() + "\n", encoding="utf-8")
    assert main(["tune", str(reports), "--held-out", str(others)]) == 2
    assert "that are held out have no labels" in capsys.readouterr().err


def test_figures_as_json(reports: Path, labelled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["tune", str(reports), "--labels", str(labelled), "--json", "--prior", "0.9"]
    assert main([*command, "--max-false-stops", "0.2"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["policy"]["prior"] == 0.9
    assert told["chosen"]["false_stops"]["value"] <= 0.2
    assert told["chosen"]["caught"]["count"] == 20


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--max-false-stops", "0.01"], "it takes 99 good answers, there are 40: label 59 more"),
        (["--out", "policy.yaml"], ".toml or .json"),
        (["--prior", "2"], "prior"),
        (["--policy", "none.toml"], "none.toml"),
    ],
)
def test_what_cannot_be_done(
    reports: Path,
    labelled: Path,
    arguments: list[str],
    told: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["tune", str(reports), "--labels", str(labelled), *arguments]) == 2
    assert told in capsys.readouterr().err


def test_runs_are_needed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tune"]) == 2
    assert "--log" in capsys.readouterr().err


class _Stub:
    """A detector whose scores stand in the answer."""

    def __init__(self, policy: Policy, **_: Any) -> None:
        pass

    def check(self, run: RunTrace) -> HallucinationReport:
        return judged(run.run_id, float(run.answer))


def test_recorded_runs_are_judged_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("affidavit.audit.work.Detector", _Stub)
    runs = tmp_path / "runs.jsonl"
    ask = [{"role": "user", "content": "How sure?"}]
    rows = [
        {"id": f"r{n}", "messages": ask, "answer": str(0.9 if n % 2 else 0.2), "label": bool(n % 2)}
        for n in range(60)
    ]
    broken = '{"id": "broken"}\n'
    runs.write_text("".join(json.dumps(row) + "\n" for row in rows) + broken, encoding="utf-8")
    assert main(["tune", str(runs)]) == 0
    shown = capsys.readouterr()
    assert "30 good and 30 bad answers; left out: 1 not judged" in shown.out
    assert "say what it is with --prior" in shown.out
    assert "runs.jsonl:61" in shown.err


def test_runs_known_to_be_good(reports: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tune", str(reports), "--max-false-stops", "0.4"]) == 0
    shown = capsys.readouterr().out
    assert "all runs are taken to be good" in shown
    assert "nothing is known of what is caught" in shown


@pytest.fixture
def log(tmp_path: Path) -> str:
    """A hundred answers in shadow mode, ten of them stopped, and one live draft that was."""
    address = str(tmp_path / "runs.db")
    rejected = ToolCallValidation(tool="pay", args={}, status="rejected", final_turn=True)
    with open_log(address) as opened:
        opened.report(judged("live", 0.1), trace("live"))
        for n in range(90):
            opened.report(judged(f"p{n}", 0.9 + n / 1000), trace(f"p{n}", shadow=True))
        for n in range(9):
            opened.report(judged(f"s{n}", 0.2 + n / 100, 0.7, 0.99), trace(f"s{n}", shadow=True))
        opened.report(judged("call", 0.99, calls=(rejected,)), trace("call", shadow=True))
    return address


def keys(monkeypatch: pytest.MonkeyPatch, pressed: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(pressed))


def said(log: RunLog) -> list[tuple[str, int | None, str]]:
    return [(label.run_id, label.claim, label.label) for label in labels(log)]


def test_a_key_is_a_review(
    log: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keys(monkeypatch, "r\nx w s q r")
    assert main(["shadow", log, "--reviewer", "Ida"]) == 0
    shown = capsys.readouterr().out
    assert "100 answers in shadow mode: 10 would have been stopped or sent back (10.0%)" in shown
    assert "Claim 1 of s0." in shown
    assert "asked: What does it cost?" in shown
    assert "live" not in shown
    assert "2 reviews kept: 1 right, 1 wrong" in shown
    with open_log(log) as opened:
        assert said(opened) == [("s0", 0, "supported"), ("s0", 1, "unsupported")]
        assert next(labels(opened)).reviewer == "Ida"
    keys(monkeypatch, "")  # what was said is not asked again, and the end of the input ends it
    assert main(["shadow", log]) == 0
    assert "Claim 1 of s1." in capsys.readouterr().out


def test_an_answer_that_no_claim_stopped_is_asked_about_whole(
    log: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys(monkeypatch, "r" * 40)
    assert main(["shadow", log]) == 0
    with open_log(log) as opened:
        assert ("call", None, "emit") in said(opened)
        assert len(said(opened)) == 19
        assert not list(questions(opened, shadowed(opened)))


def test_answers_that_passed_are_drawn(
    log: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keys(monkeypatch, "wr")
    assert main(["shadow", log, "--passed", "--limit", "2"]) == 0
    with open_log(log) as opened:
        found = said(opened)
    assert sorted(label for _, _, label in found) == ["block", "emit"]
    assert all(name.startswith("p") for name, _, _ in found)


@pytest.mark.parametrize("how", ["--list", "--json"])
def test_only_shown(log: str, how: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["shadow", log, how, "--limit", "3"]) == 0
    shown = capsys.readouterr().out
    assert "Claim 1 of s0." in shown
    assert "[r]ight" not in shown
    if how == "--json":
        rows = [json.loads(line) for line in shown.splitlines()]
        assert [(row["run_id"], row["claim"]) for row in rows] == [("s0", 1), ("s0", 2), ("s1", 1)]


def test_a_log_without_marks_is_taken_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = str(tmp_path / "runs.db")
    with open_log(address) as opened:
        opened.report(judged("a", 0.1), trace("a"))
        opened.report(judged("b", 0.9))
    assert main(["shadow", address, "--list"]) == 0
    assert "2 answers in the log: 1 would have been stopped" in capsys.readouterr().out


def test_what_was_said_in_shadow_is_learnt(
    log: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tune", "--log", log]) == 2
    assert "holds no reviews" in capsys.readouterr().err
    # s0 to s4 are good in both claims, the others wrong in the first; the call was right.
    keys(monkeypatch, "rr" * 5 + "wr" * 4 + "r")
    assert main(["shadow", log]) == 0
    out = tmp_path / "policy.toml"
    assert main(["tune", "--log", log, "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    assert "96 good and 4 bad answers" in shown
    assert "90 of the good answers are taken to be good" in shown
    assert Policy.load(out).emit_threshold < 0.85


def test_what_went_out_counts_as_far_as_what_was_stopped_was_reviewed(
    log: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keys(monkeypatch, "rr" * 3 + "q")
    assert main(["shadow", log]) == 0
    assert main(["tune", "--log", log, "--max-false-stops", "0.3"]) == 0
    shown = capsys.readouterr().out
    found = next(line for line in shown.splitlines() if " good and " in line)
    good = int(found.split()[0])
    assert found.endswith("good and 0 bad answers")
    assert good == pytest.approx(3 + 90 * 3 / 10, abs=12)


def test_reviews_of_runs_that_were_judged_elsewhere(
    log: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keys(monkeypatch, "r" * 40)
    assert main(["shadow", log, "--passed", "--limit", "30"]) == 0
    file = tmp_path / "reports.jsonl"
    found = [judged(f"p{n}", 0.8) for n in range(90)]
    file.write_text("".join(one.model_dump_json() + "\n" for one in found), encoding="utf-8")
    assert main(["tune", str(file), "--log", log]) == 0
    assert "30 good and 0 bad answers; left out: 60 without a label" in capsys.readouterr().out
