"""When an expectation holds, on reports made by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from affidavit.audit.cases import Case, Expectations
from affidavit.audit.conformance import CaseResult, Conformance, judge
from affidavit.report import HallucinationReport, StageState

MakeReport = Callable[..., HallucinationReport]
ANSWER = "The pads cost $24.50 and the bell costs $9.00. See you!"


def case(twin: str = "good", pair: str = "pads", **expect: Any) -> Case:
    return Case.model_validate(
        {
            "id": f"{pair}-{twin}",
            "pair": pair,
            "twin": twin,
            "family": "restated_value",
            "run": {},
            "expect": Expectations.model_validate(expect),
        }
    )


def failed(report: HallucinationReport, **expect: Any) -> list[str]:
    return [failure.expected for failure in judge(case(**expect), report).failures]


def test_nothing_expected_and_probes_skipped_is_right(make_report: MakeReport) -> None:
    assert judge(case(), make_report(ANSWER)).right


def test_the_action_must_be_one_of_those_expected(make_report: MakeReport) -> None:
    report = make_report(ANSWER, action="revise", reasons=("the score is 0.70",))
    assert failed(report, action=["revise", "block"]) == []
    wrong = judge(case(action=["emit"]), report)
    assert wrong.failures[0].got == "revise: the score is 0.70"


def test_the_smallest_claim_that_holds_the_words_decides(make_report: MakeReport) -> None:
    report = make_report(
        ANSWER,
        {
            "The pads cost $24.50 and the bell costs $9.00.": "contradicted",
            "The pads cost $24.50": "supported",
        },
    )
    assert failed(report, supported=["$24.50"], unsupported=["$9.00"]) == []
    assert failed(report, unsupported=["$24.50"]) == ["unsupported: '$24.50'"]


def test_words_across_claims_need_all_of_them_supported(make_report: MakeReport) -> None:
    halves = {"The pads cost $24.50": "supported", "the bell costs $9.00": "unsupported"}
    report = make_report(ANSWER, halves)
    assert failed(report, supported=["$24.50 and the bell"]) == ["supported: '$24.50 and the bell'"]


def test_words_across_claims_need_one_of_them_unsupported(make_report: MakeReport) -> None:
    halves = {"The pads cost $24.50": "supported", "the bell costs $9.00": "unsupported"}
    assert failed(make_report(ANSWER, halves), unsupported=["$24.50 and the bell"]) == []


@pytest.mark.parametrize("word", ["supported", "unsupported", "exempt"])
def test_words_that_no_claim_covers_fail(make_report: MakeReport, word: str) -> None:
    report = make_report(ANSWER, {"The pads cost $24.50": "supported"})
    result = judge(case(**{word: ["See you!"]}), report)
    assert [failure.got for failure in result.failures] == ["no claim there"]


def test_unchecked_is_neither_supported_nor_unsupported(make_report: MakeReport) -> None:
    report = make_report(ANSWER, {"The pads cost $24.50": "unchecked"})
    assert len(failed(report, supported=["$24.50"], unsupported=["$24.50"])) == 2


def test_one_of_several_places_is_enough(make_report: MakeReport) -> None:
    answer = "Pads: $5. Bell: $5."
    report = make_report(answer, {"Pads: $5.": "contradicted", "Bell: $5.": "supported"})
    assert failed(report, supported=["$5"], unsupported=["$5"]) == []


def test_rejected_and_accepted_calls(make_report: MakeReport) -> None:
    report = make_report(ANSWER, calls={"a": "accepted", "b": "rejected", "c": "unchecked"})
    assert failed(report, accepted_calls=["a", "c"], rejected_calls=["b"]) == []
    assert len(failed(report, accepted_calls=["b"], rejected_calls=["a", "c"])) == 3
    assert failed(report, rejected_calls=["z"]) == ["call z rejected"]


@pytest.mark.parametrize(
    "probe",
    [StageState(state="checked"), StageState(state="skipped"), StageState(state="failed")],
)
def test_probes_must_be_reported_as_skipped_with_the_reason(
    make_report: MakeReport, probe: StageState
) -> None:
    report = make_report(ANSWER)
    report = report.model_copy(update={"stages": {**report.stages, "probe": probe}})
    assert failed(report) == ["probes reported as skipped, with the reason"]


def test_a_pair_is_right_when_both_twins_are(make_report: MakeReport) -> None:
    def result(pair: str, twin: str, *, right: bool) -> CaseResult:
        expect = {} if right else {"action": ["block"]}
        return judge(case(twin, pair, **expect), make_report(ANSWER))

    results = Conformance(
        cases=(
            result("a", "good", right=True),
            result("a", "bad", right=True),
            result("b", "good", right=True),
            result("b", "bad", right=False),
        )
    )
    assert results.pairs() == {"a": True, "b": False}
    score = results.score()
    assert results.families() == {"restated_value": score}
    assert (str(score.good), str(score.faulty), str(score.pairs)) == ("2 / 2", "1 / 2", "1 / 2")
    assert results.failed_ids == ("b-bad",)
