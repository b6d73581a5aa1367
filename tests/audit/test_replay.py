"""Reports under another policy: scores shifted, statuses and gate anew, no model asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.audit.batch import audit
from affidavit.audit.compare import compare
from affidavit.audit.item import Item
from affidavit.audit.replay import Replay
from affidavit.audit.reports import read_reports
from affidavit.audit.shift import shifted
from affidavit.audit.store import Store
from affidavit.audit.tune import answer_of
from affidavit.audit.work import Work
from affidavit.cli import main
from affidavit.errors import AffidavitError, PolicyError
from affidavit.policy import JudgePolicy, Policy
from affidavit.records.recording import Check
from affidavit.report import (
    CheckRecord,
    ClaimVerdict,
    ConsistencyProbe,
    HallucinationReport,
    Judging,
    StageState,
    ToolCallValidation,
)
from affidavit.stages.gate import decide
from affidavit.stages.gate.decide import RULES
from affidavit.stages.gate.failure import failed_report
from affidavit.testing import claim_verdict, report_of
from affidavit.trace import RunTrace

BEFORE = Policy()


def judged(
    *scores: float, policy: Policy = BEFORE, run_id: str = "run", **fields: Any
) -> HallucinationReport:
    """A report as the detector makes one of claims with these scores."""
    claims = [claim_verdict(f"Claim {n} holds.", score, **fields) for n, score in enumerate(scores)]
    return gated(report_of(*claims, run_id=run_id), policy)


def gated(report: HallucinationReport, policy: Policy) -> HallucinationReport:
    made = decide(
        report.claims, report.tool_call_validations, report.consistency_probes, policy,
        revisions_used=len(report.attempts), probe_state=report.stages.get("probe"),
        cut_off=report.cut_off, judging=report.judge,
    )  # fmt: skip
    return report.model_copy(
        update={
            "action": made.action, "reasons": made.reasons, "overall_score": made.overall_score,
            "nothing_scored": made.nothing_scored, "policy": policy.model_dump(mode="json"),
        }
    )  # fmt: skip


scores = st.integers(0, 10_000).map(lambda n: n / 10_000)
rates = st.floats(0.01, 0.99)
claims = st.builds(
    claim_verdict,
    st.just("It holds."),
    st.one_of(st.none(), scores),
    critical=st.booleans(),
)
limits = st.lists(scores, min_size=3, max_size=3).map(sorted)


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    block, revise, emit = draw(limits)
    return Policy(
        block_threshold=block, revise_threshold=revise, emit_threshold=emit, prior=draw(rates),
        aggregation=draw(st.sampled_from(["minimum", "weighted_mean"])),
        on_critical=draw(st.sampled_from(["block", "revise"])),
        fail_mode=draw(st.sampled_from(["open", "closed", "critical"])),
        uncovered=draw(st.sampled_from(["emit", "block"])),
        max_revisions=draw(st.integers(0, 2)),
    )  # fmt: skip


@given(st.lists(claims, max_size=5), policies())
def test_under_the_same_policy_nothing_changes(found: list[ClaimVerdict], policy: Policy) -> None:
    report = gated(report_of(*found), policy)
    assert Replay(policy)(report) == report


GOOD = claim_verdict("It holds.", 0.99)
UNCITED = CheckRecord(name="citations", state="skipped", reason="not_cited")
HELD_BY: dict[str, tuple[HallucinationReport, dict[str, Any]]] = {
    "critical_claim_below_block": (report_of(claim_verdict(score=0.1)), {}),
    "failed_check": (
        report_of(GOOD, judge=Judging(model="m", state="failed", reason="gone")),
        {"fail_mode": "closed"},
    ),
    "uncovered_claim": (
        report_of(GOOD, claim_verdict(score=None, reason="not_covered")),
        {"uncovered": "block"},
    ),
    "required_probes_missing": (
        report_of(GOOD, stages={"probe": StageState(state="skipped", reason="no model")}),
        {"probes": {"required": True}},
    ),
    "overall_below_emit": (report_of(claim_verdict(score=0.7)), {}),
    "claim_below_revise": (report_of(claim_verdict(score=0.99, status="contradicted")), {}),
    "probe_diverges": (
        report_of(
            GOOD,
            consistency_probes=(
                ConsistencyProbe(
                    claim="It holds.", original="It holds.", probe_answers=("It does not.",),
                    agreement=0.0, diverges=True,
                ),
            ),
        ),
        {},
    ),
    "call_rejected_in_final_turn": (
        report_of(
            GOOD,
            calls=[ToolCallValidation(tool="pay", args={}, status="rejected", final_turn=True)],
        ),
        {},
    ),
    "claim_without_source": (
        report_of(claim_verdict(score=0.99, checks=(UNCITED,))),
        {"uncited": "revise"},
    ),
    "broken_off": (report_of(GOOD, cut_off=True), {}),
}  # fmt: skip


@pytest.mark.parametrize("rule", [rule.reasons.__name__ for rule in RULES])
def test_what_each_rule_holds_back_stays_held_under_the_same_policy(rule: str) -> None:
    found, changed = HELD_BY[rule]
    policy = Policy.model_validate(changed)
    report = gated(found, policy)
    assert report.action != "emit"
    assert Replay(policy)(report) == report
    # The fit lowers thresholds: only what they decide may go out by that.
    held = answer_of(report, policy, good=True).held
    by_scores = {"critical_claim_below_block", "overall_below_emit"}
    assert held == ("" if rule in by_scores else report.reasons[0])


@given(st.lists(claims, max_size=5), policies(), scores)
def test_a_stricter_threshold_lets_no_more_out(
    found: list[ClaimVerdict], policy: Policy, emit: float
) -> None:
    report = gated(report_of(*found), policy)
    stricter = policy.model_copy(update={"emit_threshold": max(emit, policy.emit_threshold)})
    if Replay(policy)(report).action != "emit":
        assert Replay(stricter)(report).action != "emit"


@given(st.lists(claims, max_size=5), policies(), rates)
def test_at_a_higher_rate_no_claim_scores_less(
    found: list[ClaimVerdict], policy: Policy, rate: float
) -> None:
    higher = policy.model_copy(update={"prior": max(rate, policy.prior)})
    report = gated(report_of(*found), policy)
    for before, after in zip(report.claims, Replay(higher)(report).claims, strict=True):
        assert (before.score is None) == (after.score is None)
        assert (after.score or 0) >= (before.score or 0)


@given(scores, scores, rates, rates)
def test_a_shift_keeps_the_order_of_claims(one: float, other: float, a: float, b: float) -> None:
    low, high = sorted((one, other))
    assert shifted(low, a, b) <= shifted(high, a, b)


@pytest.mark.parametrize(
    ("score", "before", "after", "expected"),
    [
        (0.5, 0.5, 0.95, 0.95),
        (0.95, 0.95, 0.5, 0.5),
        (0.85, 0.95, 0.9, 0.7286),
        (1.0, 0.5, 0.95, 1.0),
        (0.0, 0.95, 0.5, 0.0),
        (0.3, 0.8, 0.8, 0.3),
    ],
)
def test_a_score_moves_by_the_log_odds_of_the_rates(
    score: float, before: float, after: float, expected: float
) -> None:
    assert shifted(score, before, after) == pytest.approx(expected, abs=1e-4)


def test_a_claim_is_told_by_its_new_score() -> None:
    against = CheckRecord(
        name="values", state="checked", verdict="missing", detail="$5 is nowhere in the results"
    )
    backing = CheckRecord(name="formulas", state="checked", verdict="supports", detail="2 + 3 = 5")
    report = judged(0.9, checks=(against, backing), decided_by="formulas", explanation="2 + 3 = 5")
    lower = Replay(Policy(prior=0.5))(report).claims[0]
    assert (lower.status, lower.reason) == ("unsupported", "value_not_in_evidence")
    assert (lower.decided_by, lower.explanation) == ("values", "$5 is nowhere in the results")
    again = Replay(BEFORE)(gated(report_of(lower), Policy(prior=0.5))).claims[0]
    assert (again.status, again.reason, again.explanation) == ("supported", None, "2 + 3 = 5")


def test_what_becomes_likelier_true_than_not_is_no_longer_contradicted() -> None:
    said = "the results say otherwise"
    denied = CheckRecord(
        name="entailment", state="checked", verdict="contradicts", score=0.9, detail=said
    )
    held = judged(0.3, checks=(denied,), decided_by="entailment", status="contradicted")
    raised = Replay(BEFORE.model_copy(update={"prior": 0.997}))(held).claims[0]
    assert raised.score is not None and 0.5 < raised.score < BEFORE.emit_threshold
    assert (raised.status, raised.reason) == ("unsupported", "not_entailed")
    assert raised.explanation == "the results do not clearly bear it out"
    place = CheckRecord(
        name="rows", state="checked", verdict="contradicts", detail="fee: 8 (get_fee)"
    )
    held = judged(0.3, checks=(place,), decided_by="rows", status="contradicted")
    raised = Replay(BEFORE.model_copy(update={"prior": 0.997}))(held).claims[0]
    assert (raised.status, raised.explanation) == ("unsupported", "fee: 8 (get_fee)")
    fallen = Replay(Policy(prior=0.96))(judged(0.9, checks=(denied,), decided_by="entailment"))
    assert (fallen.claims[0].status, fallen.claims[0].explanation) == (
        "unsupported",
        "the results do not clearly bear it out",
    )
    gone = Replay(Policy(prior=0.3))(judged(0.9, checks=(denied,), decided_by="entailment"))
    assert (gone.claims[0].status, gone.claims[0].explanation) == ("contradicted", said)


@pytest.mark.spec("AFF-1407")
@pytest.mark.parametrize("rate", [0.5, 0.9, 0.98, 0.999])
def test_the_word_of_a_judge_is_kept(rate: float) -> None:
    """Its log-odds are in the score that is shifted, and what it said decides the status that follows."""
    word = CheckRecord(
        name="judge", state="checked", verdict="contradicts", detail="the record says $5",
        log_odds=-2.9,
    )  # fmt: skip
    fields = {"checks": (word,), "decided_by": "judge", "status": "contradicted"}
    (claim,) = judged(0.4, **fields).claims
    (after,) = Replay(BEFORE.model_copy(update={"prior": rate}))(judged(0.4, **fields)).claims
    assert after.checks == claim.checks
    assert after.score == shifted(0.4, BEFORE.prior, rate)
    if after.score is not None and after.score < BEFORE.revise_threshold:
        assert (after.status, after.decided_by) == ("contradicted", "judge")
    supported = judged(0.99, **{**fields, "status": "supported", "decided_by": "values"})
    (held,) = Replay(BEFORE.model_copy(update={"prior": 0.3}))(supported).claims
    assert (held.status, held.decided_by) == ("contradicted", "judge")
    assert held.reason == "contradicts_evidence" and held.explanation == "the record says $5"


def test_another_judge_would_have_to_be_asked() -> None:
    other = BEFORE.model_copy(update={"judge": JudgePolicy(model="anthropic:m")})
    with pytest.raises(PolicyError, match="the judge would have to be asked again"):
        Replay(other)(judged(0.9))


def test_what_low_relevance_allows_stays_its_most() -> None:
    from affidavit.stages.ground.relevance import CAVEAT_SCORE, NAME, WEAK_SCORE, WEAK_WHY

    weak = CheckRecord(name=NAME, state="checked", detail=WEAK_WHY)
    report = judged(WEAK_SCORE, checks=(weak,))
    assert Replay(Policy(prior=0.99))(report).claims[0].score == WEAK_SCORE
    report = judged(CAVEAT_SCORE, decided_by=NAME)
    assert Replay(Policy(prior=0.5))(report).claims[0].score == CAVEAT_SCORE


def test_where_the_detector_failed_the_fail_mode_decides_alone() -> None:
    report = failed_report(OSError("gone"), run_id="r", answer="It is $5.", policy=BEFORE)
    assert report.action == "block"
    assert Replay(BEFORE)(report) == report
    assert Replay(Policy(fail_mode="open"))(report).action == "emit"


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"evidence_scope": "tool_results"}, "evidence_scope"),
        ({"entailment": "remote:http://localhost"}, "entailment"),
        ({"task_type": "high_stakes"}, "task_type"),
        ({"task_type": "creative"}, "task_type"),
        ({"groundedness": "off"}, "groundedness"),
        ({"encoder": "embedded"}, "encoder"),
        ({"tools": {"pay": {"provenance": False}}}, "tools"),
        ({"probes": {"samples": 5}}, "probes.samples"),
        ({"probes": {"paraphrase": "framing"}}, "probes.paraphrase"),
        ({"budgets": {"milliseconds": 5}}, "budgets"),
    ],
)
def test_what_cannot_be_replayed_is_said(changed: dict[str, Any], named: str) -> None:
    with pytest.raises(PolicyError, match=rf"judge the runs again.*{named}"):
        Replay(Policy.model_validate(changed))(judged(0.9))


def test_free_claims_of_creative_work_have_no_score_to_shift() -> None:
    creative = Policy(task_type="creative")
    with pytest.raises(PolicyError, match="prior"):
        Replay(Policy(task_type="creative", prior=0.5))(judged(0.9, policy=creative))
    assert Replay(Policy(task_type="creative", on_critical="revise"))(
        judged(0.1, policy=creative)
    ).action == "revise"  # fmt: skip


def test_a_report_without_a_rate_is_of_an_earlier_version() -> None:
    old = judged(0.9)
    old = old.model_copy(update={"policy": {k: v for k, v in old.policy.items() if k != "prior"}})
    with pytest.raises(AffidavitError, match="earlier version"):
        Replay(BEFORE)(old)


SCORES = {"a": [0.97, 0.99], "b": [0.9], "c": [0.3, 0.99], "d": []}


def _make(work: Work) -> Check:
    def check(trace: RunTrace) -> HallucinationReport:
        return judged(*SCORES[trace.run_id], policy=work.policy, run_id=trace.run_id)

    return check


@pytest.fixture
def audited(tmp_path: Path) -> Path:
    out = tmp_path / "before"
    work = Work(policy=BEFORE, make=_make)
    store = Store(out, work, folder=True)
    ask = [{"role": "user", "content": "What does it cost?"}]
    docs = [
        {"id": name, "messages": ask, "answer": "It holds.", "task": "prices", "label": "good"}
        for name in SCORES
    ]
    audit([Item(json.dumps(doc).encode()) for doc in docs], store, work)
    store.close()
    return out


def policy_file(tmp_path: Path, text: str) -> str:
    file = tmp_path / "policy.toml"
    file.write_text(text, encoding="utf-8")
    return str(file)


@pytest.mark.parametrize("name", ["after", "after.jsonl"])
def test_a_replayed_audit_is_an_audit(
    audited: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / name
    file = policy_file(tmp_path, "emit_threshold = 0.95\n")
    assert main(["audit", "replay", str(audited), "--policy", file, "--out", str(out)]) == 0
    assert "4 reports in" in capsys.readouterr().out
    found = compare(audited, out)
    assert (found.pairs, found.same_record) == (4, 4)
    assert found.moves == {"emit → revise": 1}
    assert found.flips[0].run_id == "b"
    assert [change.measure for change in found.by_group["task"]] == ["prices"]
    rows = [row for one in read_reports(out) for row in one.rows]
    assert {row.label for row in rows} == {"good"}
    again = tmp_path / "again.jsonl"
    for _ in range(2):  # the second finds all there
        assert main(["audit", "replay", str(out), "--policy", file, "--out", str(again)]) == 0
    assert "4 of them from before" in capsys.readouterr().out
    assert [one.reports for one in read_reports(again)] == [
        one.reports for one in read_reports(out)
    ]


def test_a_replay_that_broke_off_goes_on(
    audited: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, calls = Replay.__call__, 0

    def breaks(self: Replay, report: HallucinationReport) -> HallucinationReport:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt
        return whole(self, report)

    out, file = tmp_path / "out", policy_file(tmp_path, "prior = 0.9\n")
    command = ["audit", "replay", str(audited), "--policy", file, "--out", str(out)]
    with monkeypatch.context() as patch:
        patch.setattr(Replay, "__call__", breaks)
        assert main(command) == 130
    assert main(command) == 0
    names = [report.run_id for one in read_reports(out) for report in one.reports]
    assert sorted(names) == ["a", "b", "c", "d"]


def test_a_bare_file_of_reports(audited: Path, tmp_path: Path) -> None:
    import gzip

    packed = tmp_path / "reports.jsonl.gz"
    packed.write_bytes(gzip.compress((audited / "reports.jsonl").read_bytes()))
    file = policy_file(tmp_path, "prior = 0.5\n")
    out = tmp_path / "out"
    assert main(["audit", "replay", str(packed), "--policy", file, "--out", str(out)]) == 0
    assert {p.name for p in out.iterdir()} >= {"reports.jsonl", "claims.jsonl", "summary.html"}
    assert compare(audited, out).pairs == 4


def test_only_the_figures(
    audited: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = policy_file(tmp_path, "emit_threshold = 0.98\n")
    assert main(["audit", "replay", str(audited), "--policy", file]) == 0
    assert "4 reports, under" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("policy", "told"),
    [('evidence_scope = "tool_results"\n', "evidence_scope"), ("emit_threshold = 3\n", "emit_thr")],
)
def test_nothing_is_written_where_it_cannot_be_replayed(
    audited: Path, tmp_path: Path, policy: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    file = policy_file(tmp_path, policy)
    assert main(["audit", "replay", str(audited), "--policy", file, "--out", str(out)]) == 2
    assert told in capsys.readouterr().err
    assert not out.exists()


def test_what_is_no_audit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = policy_file(tmp_path, "")
    other = tmp_path / "notes.jsonl"
    other.write_text("my notes\n", encoding="utf-8")
    assert main(["audit", "replay", str(other), "--policy", file]) == 2
    assert "notes.jsonl:1: is not a report" in capsys.readouterr().err
    assert main(["audit", "replay", str(tmp_path / "none"), "--policy", file]) == 2


def test_stage_states_are_kept(audited: Path) -> None:
    report = next(read_reports(audited)).reports[0]
    assert report.stages["ground"] == StageState(state="checked")
