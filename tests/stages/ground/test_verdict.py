"""The fitted verdict: monotone, capped, calibrated to a prior, and explained without contradicting itself."""

from __future__ import annotations

import math
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.report import EvidenceSpan
from affidavit.stages.ground.signal import Relation, Signal, WitnessName
from affidavit.stages.ground.verdict import explained, features_of, load_verdict
from affidavit.stages.ground.verdict.features import FEATURES

SLOTS = ("figure", "code", "word", "agent", "unsaid", "search", "words", "source", "statement")
FAULTS = [
    Signal("values", "absent", 1.0, "figure", "“9” is nowhere in the results"),
    Signal("rows", "other_row", 0.8, "figure", "“9” is Ann's"),
    Signal("calls", "absent", 1.0, "agent", "no call of this run does that"),
    Signal("citations", "absent", 1.0, "source", "[4] was not retrieved"),
]
READ = (
    Signal("entailment", "same", 0.7, "statement"),
    Signal("entailment", "opposed", 0.1, "statement"),
)

signals = st.lists(
    st.builds(
        Signal,
        st.sampled_from([w for w in get_args(WitnessName) if w != "entailment"]),
        st.sampled_from(get_args(Relation)),
        st.floats(0, 1),
        st.sampled_from(SLOTS),
    ),
    max_size=8,
)


def score(*said: Signal, prior: float = 0.95) -> float:
    return load_verdict().judge(said, prior=prior).supported


@given(signals)
def test_chances_sum_to_one_and_features_stay_in_range(said: list[Signal]) -> None:
    verdict = load_verdict().judge(said, prior=0.9)
    assert verdict.supported + verdict.open + verdict.contradicted == pytest.approx(1)
    assert min(verdict.supported, verdict.open, verdict.contradicted) >= 0
    assert all(0 <= value <= 1 for value in features_of(said))
    assert len(features_of(said)) == len(FEATURES)


@pytest.mark.spec("AFF-317")
@given(signals, st.sampled_from(FAULTS))
def test_a_fault_never_raises_a_score(said: list[Signal], fault: Signal) -> None:
    assert score(*said, *READ, fault) <= score(*said, *READ) + 1e-12


@pytest.mark.spec("AFF-317")
@given(signals, st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_more_entailment_never_lowers_a_score(said: list[Signal], a: float, b: float) -> None:
    low, high = sorted((a, b))
    less, more = (Signal("entailment", "same", p, "statement") for p in (low, high))
    assert score(*said, less) <= score(*said, more) + 1e-12


@pytest.mark.spec("AFF-317")
@given(signals)
def test_no_witness_brings_more_than_its_cap(said: list[Signal]) -> None:
    verdict = load_verdict().judge((*said, *READ), prior=0.9)
    by_witness: dict[str, float] = {}
    for name, part in verdict.contributions.items():
        by_witness[FEATURES[name][0]] = by_witness.get(FEATURES[name][0], 0.0) + part
    assert all(
        abs(total) <= load_verdict().heads["read"].cap + 1e-9 for total in by_witness.values()
    )


@pytest.mark.spec("AFF-302")
@given(st.floats(0.3, 0.98), st.floats(0.3, 0.98))
def test_the_prior_shifts_log_odds_by_its_own(a: float, b: float) -> None:
    def odds(p: float) -> float:
        return math.log(p / (1 - p))

    moved = odds(score(*READ, prior=b)) - odds(score(*READ, prior=a))
    assert moved == pytest.approx(odds(b) - odds(a), abs=1e-6)


@pytest.mark.spec("AFF-302")
@given(signals, st.integers(0, 30), st.integers(0, 30))
def test_a_claim_is_held_to_more_the_fewer_others_are_borne_out(
    said: list[Signal], a: int, b: int
) -> None:
    few, many = (
        load_verdict().judge((*said, *READ), prior=0.95, vouched=n).supported
        for n in sorted((a, b))
    )
    assert few <= many
    whole = load_verdict().judge((*said, *READ), prior=0.95, vouched=9).supported
    assert many <= whole + 1e-12
    assert score(*said, *READ) == whole


@pytest.mark.parametrize("fault", FAULTS)
def test_a_low_score_is_explained_by_what_speaks_against_it(fault: Signal) -> None:
    said = (fault, Signal("values", "same", 1.0, "figure", "“8”: eight"), *READ)
    verdict = load_verdict().judge(said, prior=0.95)
    why = explained(verdict, said, least=1.01)
    assert why.status in ("unsupported", "contradicted")
    assert why.text == fault.detail
    assert why.reason is not None


def test_a_supported_claim_is_explained_by_what_speaks_for_it() -> None:
    span = EvidenceSpan(source="tool_result", text="fee: 8", pointer="/fee", tool="get_fee")
    said = (FAULTS[0], Signal("values", "same", 1.0, "figure", "“8”: fee: 8", spans=(span,)), *READ)
    why = explained(load_verdict().judge(said, prior=0.95), said, least=0.0)
    assert (why.status, why.reason, why.text) == ("supported", None, "“8”: fee: 8")
    assert why.spans == (span,)


@given(signals, st.floats(0.02, 0.99))
def test_what_is_likelier_true_than_not_is_not_called_contradicted(
    said: list[Signal], prior: float
) -> None:
    denied = (*said, Signal("entailment", "opposed", 1.0, "statement", "the results say otherwise"))
    verdict = load_verdict().judge(denied, prior=prior)
    why = explained(verdict, denied, least=1.01)
    assert why.status == ("contradicted" if verdict.supported < 0.5 else "unsupported")
    assert why.status == "contradicted" or "otherwise" not in why.text


def test_nothing_heard_is_explained_too() -> None:
    why = explained(load_verdict().judge((), prior=0.95), (), least=1.01)
    assert (why.status, why.reason) == ("unsupported", "not_entailed")
    assert why.text
