"""Section 3: claims and grounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from affidavit import ClaimVerdict, Detector, HallucinationReport, RunTrace
from affidavit.errors import ScorerError
from affidavit.models.entailment.protocol import Entailment
from affidavit.testing import FixedEntailment

Judge = Callable[..., HallucinationReport]
Only = Callable[..., ClaimVerdict]


@pytest.fixture
def only(judge: Judge) -> Only:
    """The one claim of an answer."""

    def judged(answer: str, **run: Any) -> ClaimVerdict:
        (claim,) = judge(answer, **run).claims
        return claim

    return judged


class LostModel:
    """An entailment model that is not there any more."""

    name = "lost"

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        raise ScorerError("connection refused")


@pytest.mark.spec("AFF-301")
def test_claims_are_stretches_of_the_answer_no_larger_than_a_sentence(judge: Judge) -> None:
    answer = "The bike is ready. You owe $62.50, and it closes at 18:30!\n- The pads: $24.50\n"
    report = judge(answer)
    assert len(report.claims) >= 3
    for claim in report.claims:
        assert answer[claim.start : claim.end] == claim.text
        assert not any(stop in claim.text for stop in (". ", "! ", "\n"))


@pytest.mark.spec("AFF-302")
def test_looking_alike_is_no_support(only: Only, says_neutral: FixedEntailment) -> None:
    note = "Ottilie lent the red pump to Marek."
    claim = only(
        "Marek lent the red pump to Ottilie.", result={"note": note}, entailment=says_neutral
    )
    assert claim.status == "unsupported"


@pytest.mark.spec("AFF-303")
def test_what_the_model_finds_contradicted_is_not_supported(only: Only) -> None:
    denies = FixedEntailment(default="contradiction")
    claim = only("The bike is still in pieces.", entailment=denies)
    assert (claim.status, claim.reason) == ("contradicted", "contradicts_evidence")


CONTRACT = {"monthly_fee_usd": 850, "notice_days": 60, "seats": 12, "penalty_percent_per_day": 0.5}
USERS = {"price_per_month": 850, "users": 50}
DRILL = {"battery_hours": 20, "charge_hours": 2, "ports": 3}
PARCEL = {"delivery_days": 4, "boxes": 6, "price_eur": 90}


@pytest.mark.spec("AFF-303")
@pytest.mark.parametrize(
    ("result", "wrong", "right"),
    [
        (CONTRACT, "The notice period is 30 days.", "The notice period is 60 days."),
        (CONTRACT, "The penalty is 50% a day.", "The penalty is 0.5% a day."),
        (CONTRACT, "The monthly fee is $700.", "The monthly fee is $850."),
        (CONTRACT, "The monthly fee is $720.", "The monthly fee is $850."),
        (USERS, "It costs $50 per month.", "It costs $850 per month."),
        (DRILL, "The battery lasts 40 hours.", "The battery lasts 20 hours."),
        (PARCEL, "Delivery takes 24 days.", "Delivery takes 4 days."),
        (PARCEL, "The price is €15.", "The price is €15 for each of the 6 boxes."),
    ],
)
def test_a_formula_or_a_count_that_fits_bears_out_nothing_that_a_field_denies(
    result: dict[str, Any], wrong: str, right: str, make_run: Callable[..., RunTrace]
) -> None:
    detector = Detector()

    def stands(answer: str) -> bool:
        calls = [("get_contract", {}, result)]
        run = make_run(answer, calls=calls, user="What are the terms?", tools=None)
        return detector.check(run).action == "emit"

    assert (stands(wrong), stands(right)) == (False, True)


@pytest.mark.spec("AFF-304")
@pytest.mark.parametrize(
    ("user", "wrong", "right", "stopped"),
    [
        ("I was charged $90, right?", "You were charged $90.", "You were charged $62.50.", True),
        # A name that stands nowhere weighs less than a figure: alone it need not stop an answer.
        ("I live in Porto. What was I charged?", "As you said, you live in Lisbon.", "You live in Porto, as you said.", False),
    ],
)  # fmt: skip
def test_what_the_user_said_shows_that_it_was_said(
    user: str, wrong: str, right: str, stopped: bool, make_run: Callable[..., RunTrace]
) -> None:
    detector = Detector()

    def judged(answer: str) -> HallucinationReport:
        calls = [("get_charge", {}, {"charged_cents": 6250})]
        return detector.check(make_run(answer, calls=calls, user=user, tools=None))

    assert judged(right).action == "emit"
    assert judged(wrong).overall_score < judged(right).overall_score - 0.01
    assert judged(wrong).action != "emit" or not stopped


@pytest.mark.spec("AFF-306")
def test_a_source_that_was_not_retrieved_supports_nothing(only: Only) -> None:
    claim = only("Brake pads wear out after two winters [3].")
    assert claim.status in ("unsupported", "contradicted")
    assert claim.reason == "source_not_retrieved"


@pytest.mark.spec("AFF-307")
def test_an_action_without_its_call_is_not_supported(only: Only) -> None:
    claim = only("I have sent you an email with the invoice.")
    assert claim.status in ("unsupported", "contradicted")
    assert claim.reason == "action_not_performed"


@pytest.mark.spec("AFF-309")
@pytest.mark.parametrize(
    "answer",
    [
        "The total is $62.50.",
        "The total is 62.50 USD.",
        "The bike has been ready since 12 May 2026.",
        "The bike has been ready since Tuesday, May 12.",
        "The workshop closes at 6:30 pm.",
    ],
)
def test_another_notation_is_the_same_value(only: Only, answer: str) -> None:
    assert only(answer).status == "supported"


@pytest.mark.spec("AFF-311")
@pytest.mark.parametrize(
    ("answer", "critical"),
    [
        ("The total is $62.50.", True),
        ("It has been ready since May 12.", True),
        ("The pads are worn [1].", True),
        ("Ottilie Brandt worked on it.", True),
        ("It is filed under RJ-3107.", True),
        ("I have cancelled the repair.", True),
        ("Ottilie fixed it.", True),
        ("Mechanics fixed it.", False),
        ("The bike is ready.", False),
    ],
)
def test_what_is_critical(only: Only, answer: str, critical: bool) -> None:
    assert only(answer).critical is critical


@pytest.mark.spec("AFF-312")
def test_small_talk_is_exempt(judge: Judge, says_neutral: FixedEntailment) -> None:
    report = judge(
        "Hello! Would you like a receipt? I can look up another repair. I think it is a lovely "
        "bike. I will keep an eye on it.",
        entailment=says_neutral,
    )
    assert {(claim.status, claim.score) for claim in report.claims} == {("exempt", None)}
    assert (report.action, report.overall_score) == ("emit", 1.0)


@pytest.mark.spec("AFF-313", "AFF-606")
def test_unchecked_is_a_status_of_its_own(judge: Judge) -> None:
    report = judge("Il totale è di 62,50 $. Il telaio è molto bello e pulito.")
    supported, unchecked = report.claims
    assert (supported.status, unchecked.status, unchecked.score) == ("supported", "unchecked", None)
    assert unchecked.reason == "not_covered"
    assert report.overall_score == supported.score
    assert (report.coverage.unchecked, report.coverage.share) == (1, 0.5)
    alone = judge("Il totale è di 62,50 $.")
    assert alone.claims[0].score == supported.score, "what was not checked vouches for nothing"


@pytest.mark.spec("AFF-314")
def test_the_overall_score_is_the_lowest_or_the_weighted_mean(judge: Judge) -> None:
    answer = "The total comes to $74.90. The workshop closes at 18:30."
    lowest = judge(answer)
    scores = [claim.score for claim in lowest.claims if claim.score is not None]
    assert all(0 <= score <= 1 for score in scores)
    assert lowest.overall_score == min(scores)
    mean = judge(answer, policy={"aggregation": "weighted_mean"})
    assert min(scores) < mean.overall_score < max(scores)


@pytest.mark.spec("AFF-314")
def test_with_nothing_scored_the_report_says_so(judge: Judge) -> None:
    report = judge("Hello!")
    assert (report.overall_score, report.nothing_scored) == (1.0, True)


@pytest.mark.spec("AFF-315")
def test_a_check_that_failed_is_no_verdict(only: Only) -> None:
    claim = only("The bike rides well again.", entailment=LostModel())
    assert (claim.status, claim.reason, claim.score) == ("unchecked", "check_failed", None)
    failed = [check for check in claim.checks if check.state == "failed"]
    assert failed
    assert all(check.verdict is None and check.score is None for check in failed)
    assert "connection refused" in failed[0].detail


@pytest.mark.spec("AFF-316")
def test_values_are_checked_in_any_language(judge: Judge) -> None:
    right, wrong = judge(
        "Das Fahrrad ist seit dem 12. Mai fertig. Der Gesamtbetrag ist 74,90 $."
    ).claims
    assert right.score is not None and wrong.score is not None
    assert right.score > wrong.score
