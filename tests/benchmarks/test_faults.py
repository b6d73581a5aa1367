"""Faults put into grounded answers: each kind is made where there is room for it, and only there."""

from __future__ import annotations

import json

import pytest
from faults import faults_in

from affidavit import Detector, RunTrace, read_run
from affidavit.testing import FixedEntailment

ORDERS = {
    "orders": [
        {"order_id": "#W4410", "status": "pending", "total": 61.35, "placed": "2026-03-04"},
        {"order_id": "#W5521", "status": "delivered", "total": 18.9, "placed": "2026-02-11"},
    ]
}
ANSWER = "Order #W4410 is pending. It comes to $61.35 and was placed on 2026-03-04."


def run_of(answer: str) -> RunTrace:
    use = {"type": "tool_use", "id": "c", "name": "list_orders", "input": {}}
    told = {"type": "tool_result", "tool_use_id": "c", "content": json.dumps(ORDERS)}
    messages = [
        {"role": "user", "content": "Which orders do I have?"},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [told]},
        {"role": "assistant", "content": answer},
    ]
    tools = [
        {"name": "list_orders", "input_schema": {"type": "object"}},
        {"name": "cancel_order", "input_schema": {"type": "object"}},
    ]
    return read_run({"tools": tools, "messages": messages}, run_id="orders")


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector(entailment=FixedEntailment(default="entailment"))


def test_every_kind_is_made_and_says_where_it_stands(detector: Detector) -> None:
    trace = run_of(ANSWER)
    faults = {f.kind: f for f in faults_in(trace, detector.check(trace), seed=1)}
    assert set(faults) == {"value", "row", "date", "negation", "action", "absence"}
    for fault in faults.values():
        put = fault.answer[fault.start : fault.end]
        assert fault.answer != ANSWER
        assert put != fault.original
        if fault.original:
            restored = fault.answer[: fault.start] + fault.original + fault.answer[fault.end :]
            assert restored == ANSWER


def test_a_value_fault_is_nowhere_in_the_run_and_a_row_fault_is(detector: Detector) -> None:
    trace = run_of(ANSWER)
    report = detector.check(trace)
    for seed in range(8):
        faults = {f.kind: f for f in faults_in(trace, report, seed=seed)}
        value, row = faults["value"], faults["row"]
        assert value.answer[value.start : value.end].strip("$") not in json.dumps(ORDERS)
        put = row.answer[row.start : row.end].strip("$")
        assert put in json.dumps(ORDERS) or put == "18.90"


def test_the_same_seed_gives_the_same_faults(detector: Detector) -> None:
    trace = run_of(ANSWER)
    report = detector.check(trace)
    assert list(faults_in(trace, report, seed=3)) == list(faults_in(trace, report, seed=3))


def test_an_answer_without_supported_claims_gets_none(detector: Detector) -> None:
    trace = run_of("Hello! How can I help you?")
    assert list(faults_in(trace, detector.check(trace), seed=1)) == []


def test_the_faults_are_found(detector: Detector) -> None:
    trace = run_of(ANSWER)
    plain = detector.check(trace)
    lower = [
        detector.check(trace.model_copy(update={"answer": fault.answer})).overall_score
        < plain.overall_score
        for fault in faults_in(trace, plain, seed=1)
        if fault.kind != "negation"  # this model entails everything
    ]
    assert sum(lower) >= len(lower) / 2


KETTLES = {
    "kettles": [
        {"name": "Kettle", "item_id": "551101", "color": "green", "price": 20.5},
        {"name": "Kettle", "item_id": "551102", "color": "green", "price": 22.5},
        {"name": "Kettle", "item_id": "551103", "color": "white", "price": 24.5},
    ],
}


RULES = "The green kettle cannot be changed. The kettle is no longer sold in green."


def kettles(answer: str) -> RunTrace:
    use = {"type": "tool_use", "id": "c", "name": "list_kettles", "input": {}}
    told = {"type": "tool_result", "tool_use_id": "c", "content": json.dumps(KETTLES)}
    messages = [
        {"role": "user", "content": "Which kettles are there?"},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [told]},
        {"role": "assistant", "content": answer},
    ]
    return read_run({"system": RULES, "messages": messages}, run_id="kettles")


def put(trace: RunTrace, detector: Detector, kind: str, seed: int) -> str | None:
    """What stands in the place of a fault of one kind, None where none is made."""
    report = detector.check(trace)
    fault = next((f for f in faults_in(trace, report, seed=seed) if f.kind == kind), None)
    return fault.answer[fault.start : fault.end] if fault else None


def test_a_row_of_which_all_else_is_true_as_well_is_no_wrong_row(detector: Detector) -> None:
    trace = kettles("The green kettle is item 551101.")
    assert {put(trace, detector, "row", seed) for seed in range(12)} == {"551103"}


@pytest.mark.parametrize(
    ("answer", "altered"),
    [
        ("There are three kettles to choose from.", "There are no"),
        ("The green kettle cannot be changed.", "can"),
        ("The kettle is no longer sold in green.", "is"),
        ("Kettle 551101 is green and costs $20.50.", "is not"),
        ("Here are the green kettles, from $20.50:", None),
    ],
)
def test_a_negation_is_one_that_could_be_said(
    detector: Detector, answer: str, altered: str | None
) -> None:
    assert put(kettles(answer), detector, "negation", seed=1) == altered


def test_an_amount_of_another_row_is_written_like_the_first(detector: Detector) -> None:
    trace = kettles("The green kettle 551101 costs $20.50.")
    assert {put(trace, detector, "row", seed) for seed in range(12)} <= {
        "$22.50", "$24.50", "551102", "551103",
    }  # fmt: skip
