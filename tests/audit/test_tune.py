"""A policy learnt from labelled runs: what is promised, what is caught, and when there is too little to say."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.audit.shift import chance, odds
from affidavit.audit.tune import (
    Gathered,
    Labels,
    answer_of,
    from_reports,
    judged_on,
    read_labels,
    tune,
)
from affidavit.audit.tune.fit import fewest_good
from affidavit.audit.tune.page import tune_page
from affidavit.audit.tune.words import notes, written
from affidavit.errors import AffidavitError, TraceError
from affidavit.policy import Policy
from affidavit.report import HallucinationReport, StageState, ToolCallValidation
from affidavit.testing import claim_verdict, report_of

BASE = Policy()


def judged(*scores: float | None, policy: Policy = BASE, **fields: Any) -> HallucinationReport:
    claims = [claim_verdict(f"Claim {n}.", score) for n, score in enumerate(scores, 1)]
    report = report_of(*claims, **fields)
    return report.model_copy(update={"policy": policy.model_dump(mode="json")})


def gathered(good: list[float], bad: list[float] | None = None, policy: Policy = BASE) -> Gathered:
    """Answers of one claim each."""
    found = Gathered(policy)
    for is_good, scores in ((True, good), (False, bad or [])):
        for n, score in enumerate(scores):
            report = judged(score, policy=policy, run_id=f"{is_good}{n}")
            found.add(answer_of(report, policy, good=is_good), labelled=True)
    return found


levels = st.floats(0, 1).map(lambda p: round(p, 4))
many = st.lists(levels, min_size=40, max_size=80)


@given(many, st.lists(levels, max_size=30), st.floats(0.03, 0.4))
def test_no_more_good_answers_are_stopped_than_allowed(
    good: list[float], bad: list[float], allowed: float
) -> None:
    told = tune(gathered(good, bad), max_false_stops=allowed)
    stopped = sum(
        answer.level(told.policy) < told.policy.emit_threshold for answer in gathered(good).answers
    )
    assert stopped == told.chosen.false_stops.count
    # The good answer that is still to come counts as one of them.
    assert stopped + 1 <= allowed * (len(good) + 1) + 1e-6


@pytest.mark.parametrize(("labels", "allowed"), [(45, 0.05), (60, 0.2)])
def test_the_interval_for_further_answers_holds_as_often_as_it_says(
    labels: int, allowed: float
) -> None:
    """Over many samples of labels and of answers that come after them, whatever the threshold came to be."""
    rng = random.Random(labels)
    pool = gathered([round(rng.random(), 6) for _ in range(600)]).answers
    rounds, within, rates = 60, 0, 0.0
    for _ in range(rounds):
        drawn = rng.sample(pool, labels + 80)
        told = tune(Gathered(BASE, drawn[:labels]), max_false_stops=allowed)
        low, high = told.expected(80)
        real = judged_on(Gathered(BASE, drawn[labels:]), told).false_stops.value
        assert real is not None
        within += low <= real <= high
        rates += real
    assert within / rounds >= 0.88
    assert rates / rounds <= allowed + 0.02


@given(many, many)
def test_a_stricter_threshold_never_stops_fewer(good: list[float], bad: list[float]) -> None:
    curve = tune(gathered(good, bad)).curve
    for looser, stricter in pairwise(curve):
        assert looser.threshold < stricter.threshold
        assert looser.false_stops.count <= stricter.false_stops.count
        assert looser.caught.count <= stricter.caught.count
    assert (curve[0].threshold, curve[-1].threshold) == (0.0, 1.0)
    assert curve[0].false_stops.count == 0


@given(many, st.floats(0.03, 0.4), st.floats(0.03, 0.4))
def test_who_allows_more_false_stops_gets_a_stricter_threshold(
    good: list[float], a: float, b: float
) -> None:
    low, high = (tune(gathered(good), max_false_stops=x) for x in sorted((a, b)))
    assert low.policy.emit_threshold <= high.policy.emit_threshold


@given(many, many, st.floats(0.2, 0.98))
def test_the_rate_moves_scores_and_threshold_together(
    good: list[float], bad: list[float], rate: float
) -> None:
    """Rounding aside, whom a threshold stops does not depend on the rate at which it is told."""
    one = tune(gathered(good, bad), prior=0.95)
    other = tune(gathered(good, bad), prior=rate)
    # Scores that were rounded to one may not be told apart at another rate.
    assert other.chosen.false_stops.count <= one.max_false_stops * (len(good) + 1)


@pytest.mark.parametrize(
    ("allowed", "needed"), [(0.05, 20), (0.04, 24), (0.02, 49), (0.01, 99), (0.5, 20)]
)
def test_too_few_labels_say_how_many_are_needed(allowed: float, needed: int) -> None:
    assert fewest_good(allowed) == needed
    with pytest.raises(
        AffidavitError, match=rf"takes {needed} good answers, there are {needed - 1}"
    ):
        tune(gathered([0.9] * (needed - 1), [0.1] * 50), max_false_stops=allowed)
    assert tune(gathered([0.9] * needed), max_false_stops=allowed).good == needed


@pytest.mark.parametrize("allowed", [0.0, 1.0, -1.0, 7.0])
def test_a_share_that_is_none(allowed: float) -> None:
    with pytest.raises(AffidavitError, match="between 0 and 1"):
        tune(gathered([0.9] * 30), max_false_stops=allowed)


def test_what_no_threshold_changes_breaks_the_promise() -> None:
    found = gathered([0.9] * 40)
    rejected = ToolCallValidation(tool="pay", args={}, status="rejected", final_turn=True)
    for n in range(4):
        report = judged(0.99, calls=[rejected], run_id=f"r{n}")
        found.add(answer_of(report, BASE, good=True), labelled=True)
    with pytest.raises(AffidavitError, match=r"4 of 44 good .* 4 of them as in: a call to pay .*"):
        tune(found)
    aside = tune(found, scores_only=True)
    assert (aside.good, aside.left_aside, aside.chosen.false_stops.count) == (40, 4, 0)
    assert any("4 answers are left out" in note for note in notes(aside))
    told = tune(found, max_false_stops=0.2)
    assert told.held_good == 4
    assert told.chosen.false_stops.count >= 4


def test_a_critical_claim_stops_whatever_the_mean() -> None:
    mean = Policy(aggregation="weighted_mean")
    found = Gathered(mean)
    for n in range(30):
        report = judged(0.3, 0.99, 0.99, policy=mean, run_id=str(n))
        found.add(answer_of(report, mean, good=True), labelled=True)
    with pytest.raises(AffidavitError, match=r"30 of 30 .* below block_threshold"):
        tune(found)


def test_lower_thresholds_come_down_with_it() -> None:
    policy = tune(gathered([0.5] * 40)).policy
    assert (policy.block_threshold, policy.revise_threshold, policy.emit_threshold) == (
        0.4,
        0.5,
        0.5,
    )


def drawn(prior: float, answers: int, seed: int) -> list[tuple[list[float], list[bool]]]:
    """Answers of four claims whose scores are calibrated at the default rate, drawn at another."""
    rng = random.Random(seed)
    found = []
    for _ in range(answers):
        right = [rng.random() < prior for _ in range(4)]
        # Two normal distributions with the same spread: their log-odds ratio is the score's own.
        found.append(
            ([chance(rng.gauss(2 if r else -2, 2) + odds(Policy().prior)) for r in right], right)
        )
    return found


@pytest.mark.parametrize(
    ("prior", "named"), [(0.98, True), (0.9, True), (0.7, True), (0.98, False), (0.9, False)]
)
def test_the_rate_is_found_again(prior: float, named: bool) -> None:
    found = Gathered(BASE)
    for n, (scores, right) in enumerate(drawn(prior, 600, 7)):
        report = judged(*(round(score, 4) for score in scores), run_id=str(n))
        claims = dict(enumerate(right)) if named else {}
        found.add(answer_of(report, BASE, good=all(right), claims=claims), labelled=True)
    told = tune(found)
    assert told.prior is not None
    assert told.prior.value == pytest.approx(prior, abs=0.02)
    assert told.prior.share.low <= prior <= told.prior.share.high


def test_good_answers_alone_do_not_tell_the_rate() -> None:
    told = tune(gathered([0.9] * 100))
    assert (told.prior, told.policy.prior) == (None, Policy().prior)
    assert any("prior stays" in note for note in notes(told))
    assert tune(gathered([0.9] * 100), prior=0.8).policy.prior == 0.8


def test_left_out_answers_keep_the_promise_on_average() -> None:
    rng = random.Random(3)
    stopped = of = 0
    for _ in range(20):
        told = tune(gathered([rng.betavariate(8, 1) for _ in range(60)]), max_false_stops=0.1)
        assert told.left_out is not None
        stopped += told.left_out.false_stops.count
        of += told.left_out.false_stops.of
    assert stopped / of <= 0.1 + 0.03


def test_missing_labels_shrink_as_labels_come() -> None:
    few, more = (tune(gathered([0.9] * n, [0.2, 0.95] * (n // 2))) for n in (30, 300))
    assert few.missing_good > more.missing_good == 0
    assert few.missing_bad > more.missing_bad > 0


@pytest.mark.parametrize(
    ("scores", "said", "expected"),
    [
        ((0.95, 0.97), {0: True}, True),  # nothing of it was in question
        ((0.5, 0.97), {0: True}, True),
        ((0.5, 0.3), {0: True}, None),  # a partial review
        ((0.5, 0.3), {0: True, 1: False}, False),
        ((0.5, 0.3), {1: False}, False),
        ((0.5, 0.3), {}, None),
        ((0.5, None), {0: True}, True),
    ],
)
def test_an_answer_by_its_claims(
    scores: tuple[float | None, ...], said: dict[int, bool], expected: bool | None
) -> None:
    assert answer_of(judged(*scores), BASE, good=None, claims=said).good is expected


def test_a_wrong_claim_makes_an_answer_bad_whatever_else_is_said() -> None:
    assert answer_of(judged(0.9, 0.9), BASE, good=True, claims={1: False}).good is False


def written_labels(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "labels.jsonl"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("line", "answers", "claims"),
    [
        ('{"run_id": "a", "label": "good"}', {"a": True}, {}),
        ('{"run_id": "a", "label": "hallucinated"}', {"a": False}, {}),
        ('{"id": "a", "correct": false}', {"a": False}, {}),
        ('{"run_id": "a", "label": 1}', {"a": True}, {}),
        ('{"run_id": "a", "verdict": "block"}', {"a": False}, {}),
        ('{"run_id": "a", "claim": 2, "label": "supported"}', {}, {"a": {1: True}}),
        ('{"run_id": "a", "record": 9, "claim": 2, "label": "unsupported"}', {}, {"a": {2: False}}),
        (
            '{"run_id": "a", "record": 9, "claim": null, "text": "x", "label": "emit"}',
            {"a": True},
            {},
        ),
        ('{"run_id": "a", "text": " It  is. ", "label": "wrong"}', {}, {"a": {"It is.": False}}),
        ('{"run_id": "a", "label": "good"}\n{"run_id": "a", "label": "bad"}', {"a": False}, {}),
        ('{"run_id": "a", "label": "good"}\n\n{"run_id": "b", "label": null}', {"a": True}, {}),
    ],
)
def test_labels_as_people_write_them(
    tmp_path: Path, line: str, answers: dict[str, bool], claims: dict[str, Any]
) -> None:
    found = read_labels(written_labels(tmp_path, line))
    assert (found.answers, found.claims) == (answers, claims)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no labels"),
        ("[]", "labels.jsonl:1: expected an object"),
        ('{"label": "good"}', "expected run_id"),
        ('{"run_id": "a"}', "label: expected label: good or bad"),
        (
            '\n{"run_id": "a", "label": "meh"}',
            "labels.jsonl:2: label: expected good or bad, got 'meh'",
        ),
        ('{"run_id": "a", "claim": 0, "label": "good"}', "claims count from 1"),
        ('{"run_id": "a", "claim": [], "label": "good"}', "expected a number or a text"),
        ("{", "not valid JSON"),
    ],
)
def test_labels_that_cannot_be_read(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(TraceError, match=told.replace("(", r"\(")):
        read_labels(written_labels(tmp_path, text))


def reports_file(tmp_path: Path, reports: list[HallucinationReport]) -> Path:
    file = tmp_path / "reports.jsonl"
    file.write_text("".join(r.model_dump_json() + "\n" for r in reports), encoding="utf-8")
    return file


def test_labels_join_reports_by_run(tmp_path: Path) -> None:
    file = reports_file(tmp_path, [judged(0.5, 0.9, run_id=name) for name in "abcd"])
    labels = Labels()
    labels.say("a", None, True)
    labels.say("b", "Claim 1.", False)
    labels.say("c", 1, True)
    labels.say("x", None, True)
    found = from_reports([file], labels)
    assert {answer.run_id: answer.good for answer in found.answers} == {"a": True, "b": False}
    assert (found.partial, found.unlabelled, found.unmatched) == (1, 1, 1)
    stranger = Labels(answers={"x": True})
    with pytest.raises(AffidavitError, match="none of the labels"):
        from_reports([file], stranger)


def test_without_any_label_runs_are_taken_to_be_good(tmp_path: Path) -> None:
    found = from_reports([reports_file(tmp_path, [judged(0.9, run_id=str(n)) for n in range(25)])])
    assert found.known_good
    told = tune(found)
    assert (told.good, told.bad, told.assumed) == (25, 0, 25)
    assert told.chosen.caught.value is None
    assert any("nobody has labelled" in note for note in notes(told))


def test_reports_that_another_policy_judged_are_put_under_one(tmp_path: Path) -> None:
    reports = [judged(0.5, policy=Policy(prior=0.5), run_id=str(n)) for n in range(30)]
    found = from_reports([reports_file(tmp_path, reports)], policy=Policy(prior=0.95))
    assert tune(found).policy.emit_threshold == pytest.approx(0.95)
    strict = Policy(evidence_scope="tool_results")
    with pytest.raises(AffidavitError, match="evidence_scope"):
        from_reports([reports_file(tmp_path, reports)], policy=strict)


@pytest.mark.parametrize("task_type", ["general", "high_stakes"])
def test_the_policy_is_written_as_what_differs(task_type: str) -> None:
    before = Policy.model_validate(
        {
            "task_type": task_type,
            "tools": {"pay": {"allow": ["EUR"]}},
            "aggregation": "weighted_mean",
        }
    )
    found = Gathered(before)
    checked = {"ground": StageState(state="checked"), "probe": StageState(state="checked")}
    for n in range(40):
        report = judged(0.97, policy=before, run_id=str(n), stages=checked)
        found.add(answer_of(report, before, good=True), labelled=True)
    policy = tune(found).policy
    told = written(policy)
    assert Policy.model_validate(told) == policy
    assert "max_revisions" not in told


def test_the_page_shows_the_curve_and_what_is_missing() -> None:
    page = tune_page(tune(gathered([0.9, 0.8] * 30, [0.3] * 10)), "policy.toml")
    for part in ("<svg", "← chosen", "more labelled bad answers", "100.0%"):
        assert part in page
    assert "<svg" not in tune_page(tune(gathered([0.9] * 30)), "x")
