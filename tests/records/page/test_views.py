"""The gate and the thread, as they are drawn."""

from __future__ import annotations

from typing import Any

import pytest

from affidavit import HallucinationReport, Policy, RunTrace
from affidavit.records.page.view import view_of
from affidavit.records.page.view.gate import gate_of
from affidavit.records.page.view.headline import headline_of
from affidavit.report import Attempt, CheckRecord, Judging, StageState, ToolCallValidation
from affidavit.testing import claim_verdict, report_of


def test_close_scores_stand_on_each_other() -> None:
    claims = [claim_verdict(f"C{n}.", score) for n, score in enumerate((0.95, 0.951, 0.3, 0.95))]
    gate = gate_of(report_of(*claims))
    assert [(dot.claim, dot.level) for dot in gate.dots] == [(1, 0), (2, 1), (3, 0), (4, 2)]
    assert gate.tallest == 3


def test_thresholds_are_those_of_the_policy_or_the_defaults() -> None:
    strict = {"emit_threshold": 0.92, "revise_threshold": 0.75, "block_threshold": 0.5}
    for policy, expected in (({}, (0.4, 0.6, 0.85)), (strict, (0.5, 0.75, 0.92))):
        gate = gate_of(report_of(policy=policy))
        assert (gate.block, gate.revise, gate.emit) == expected


def test_what_was_not_scored_is_not_drawn() -> None:
    exempt = claim_verdict("Hello!", 1.0, status="exempt")
    gate = gate_of(report_of(exempt, claim_verdict("Eh.", None)))
    assert gate.dots == ()
    assert gate.overall is None


def test_each_step_has_its_figures_and_one_decided() -> None:
    claims = [claim_verdict("A.", 0.1), claim_verdict("B.", 0.7), claim_verdict("C.", None)]
    draft = Attempt(answer="A.", action="revise", overall_score=0.1)
    report = report_of(*claims, action="block", attempts=(draft,), policy={"max_revisions": 2})
    block, emit, revise = gate_of(report).steps
    assert [step.decided for step in (block, emit, revise)] == [True, False, False]
    assert block.findings == (
        "Critical claims below 0.4: claim 1 (0.10).",
        "Claims that could not be checked: 3; the fail mode is critical.",
        "Revisions used: 1 of 2.",
    )
    assert emit.findings[0] == "Overall score (minimum): 0.10 < 0.85."
    assert revise.findings == (
        "Below 0.6, named as unsupported: claim 1.",
        "From 0.6 to 0.85, named as weakly supported: claim 2.",
    )


UNCITED = CheckRecord(name="citations", state="skipped", reason="not_cited")


@pytest.mark.parametrize(
    ("policy", "fields", "action", "told"),
    [
        ({}, {"cut_off": True}, "revise", "The reply broke off at the model's limit of tokens."),
        (
            {"cut_off": "block"},
            {"cut_off": True},
            "block",
            "The reply broke off at the model's limit of tokens.",
        ),
        (
            {"cut_off": "emit"},
            {"cut_off": True},
            "emit",
            "The reply broke off at the model's limit of tokens.",
        ),
        (
            {"uncited": "revise"},
            {},
            "revise",
            "Claims without a source, in an answer that gives some: 1.",
        ),
        (
            {"probes": {"required": True}},
            {"stages": {"probe": StageState(state="skipped", reason="no model")}},
            "block",
            "Probes are required and were skipped: no model.",
        ),
        (
            {"fail_mode": "closed"},
            {"judge": Judging(model="m", state="failed", reason="gone")},
            "block",
            "The judge failed: gone; the fail mode is closed.",
        ),
    ],
)
def test_what_decided_beside_the_scores_stands_in_its_step(
    policy: dict[str, Any], fields: dict[str, Any], action: Any, told: str
) -> None:
    claim = claim_verdict("A.", 0.99, checks=(UNCITED,) if "uncited" in policy else ())
    full = Policy.model_validate(policy).model_dump(mode="json")
    for written in (policy, full):
        steps = gate_of(report_of(claim, action=action, policy=written, **fields)).steps
        assert [step.action for step in steps if told in step.findings] == [action]
        assert [step.action for step in steps if step.decided] == [action]


def test_a_call_that_harmed_nothing_is_not_named_as_the_cause() -> None:
    looked = ToolCallValidation(
        tool="read", args={}, status="rejected", final_turn=True, ran=True, reads=True
    )
    report = report_of(claim_verdict("A.", 0.7), calls=[looked], action="revise")
    assert headline_of(report).claim == 1
    harmed = looked.model_copy(update={"reads": False})
    report = report_of(claim_verdict("A.", 0.7), calls=[harmed], action="revise")
    assert "A call to read was rejected" in headline_of(report).words


def test_the_thread_ties_each_value_to_where_it_came_from(
    report: HallucinationReport, trace: RunTrace
) -> None:
    thread = view_of(report, trace).thread
    told = [
        (thread.knots[tie.origin].exhibit, thread.knots[tie.used].text, tie.value)
        for tie in thread.ties
        if thread.knots[tie.used].kind == "call"
    ]
    assert told == [
        ("A", "get_booking", "TH-48213"),
        ("D", "find_wheelchair_spaces", "WL-0620E"),
        ("A", "move_booking", "TH-48213"),
        ("D", "move_booking", "WL-0620E"),
    ]
    to_answer = {
        thread.knots[t.origin].exhibit for t in thread.ties if t.used == len(thread.knots) - 1
    }
    assert to_answer == {"C", "D", "E", "F", "G"}


def test_without_the_run_the_thread_holds_what_the_report_knows(
    report: HallucinationReport, trace: RunTrace
) -> None:
    whole, alone = (view_of(report, run).thread for run in (trace, None))
    for thread in (whole, alone):
        assert [k.text for k in thread.knots if k.kind == "call"] == [
            call.tool for call in report.tool_call_validations
        ]
        assert thread.knots[-1].kind == "answer"
    assert {tie.value for tie in alone.ties} == {tie.value for tie in whole.ties}


def test_a_reply_that_broke_off_is_named_before_what_is_only_weak() -> None:
    why = "the reply broke off at the model's limit of tokens"
    weak = claim_verdict("A.", 0.7)
    report = report_of(weak, action="revise", cut_off=True, reasons=(why,))
    assert headline_of(report).words == "The reply broke off at the model's limit of tokens"
    let_be = report_of(weak, action="revise", cut_off=True, reasons=("overall score 0.7",))
    assert headline_of(let_be).claim == 1
