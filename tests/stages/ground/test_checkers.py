"""Further entailment models between the first one and the judge: asked about claims in doubt alone."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from affidavit import Detector, Policy
from affidavit.errors import ScorerError
from affidavit.models.entailment import Entailment
from affidavit.report import CHECKER, CheckRecord, HallucinationReport
from affidavit.testing import FixedEntailment, ScriptedModel
from affidavit.trace import Message, RunTrace, TextPart, ToolCallPart, ToolResultPart

REPAIR = {"ticket": "RJ-3107", "bike": "Fuji Touring, green", "note": "brakes worn, chain new"}
TRUE, HAZY = "Your bike is a green Fuji Touring.", "The brakes of your bike need replacing."
RUN = RunTrace(
    run_id="run",
    messages=(
        Message(role="user", parts=(TextPart(text="How is my bike, RJ-3107?"),)),
        Message(
            role="assistant",
            parts=(ToolCallPart(id="c1", name="get_repair", arguments={"ticket": "RJ-3107"}),),
        ),
        Message(
            role="tool",
            parts=(ToolResultPart(id="c1", content=(TextPart(text=json.dumps(REPAIR)),)),),
        ),
    ),
    answer=f"{TRUE} {HAZY}",
)
UNSURE = Entailment(0.5, 0.49, 0.01)


def first() -> FixedEntailment:
    """Sure of one claim, in two minds about the other."""
    return FixedEntailment(
        rule=lambda _, said: UNSURE if "brakes" in said else "entailment", name="first"
    )


def checked(*checkers: object, **of_policy: object) -> HallucinationReport:
    policy = Policy.model_validate({"judge": {"low": 0.02, "high": 0.97}, **of_policy})
    return Detector(policy, entailment=first(), checkers=checkers).check(RUN)  # type: ignore[arg-type]


def records(report: HallucinationReport, claim: int) -> list[CheckRecord]:
    return [c for c in report.claims[claim].checks if c.name in ("entailment", CHECKER)]


@pytest.mark.spec("AFF-1410")
@pytest.mark.parametrize("says", ["entailment", "neutral", "contradiction"])
def test_its_word_takes_the_place_of_the_first_ones(says: str) -> None:
    checker = FixedEntailment(default=says, name="second")  # type: ignore[arg-type]
    report, alone = checked(checker), checked()
    assert [said for _, said in checker.pairs if TRUE[:-1] in said] == [], "it was in no doubt"
    assert len(checker.pairs) == 1 and "brakes" in checker.pairs[0][1]
    assert checker.pairs[0][1] == HAZY, "it reads plain words, and the claim alone"
    (before, after) = records(report, 1)
    assert (before.name, before.produced_by, before.score) == ("entailment", "first", 0.5)
    assert (after.name, after.produced_by) == (CHECKER, "second")
    # As if that model had been asked in the first place.
    asked_first = FixedEntailment(
        rule=lambda _, said: says if "brakes" in said else "entailment"  # type: ignore[arg-type,return-value]
    )
    instead = Detector(report_policy(report), entailment=asked_first).check(RUN)
    assert [c.score for c in report.claims] == [c.score for c in instead.claims]
    assert [c.status for c in report.claims] == [c.status for c in instead.claims]
    assert report.claims[1].score != alone.claims[1].score, "nothing came of it"
    assert report.models["checkers"] == "second"
    decided = instead.claims[1].decided_by
    assert report.claims[1].decided_by == (CHECKER if decided == "entailment" else decided)


def report_policy(report: HallucinationReport) -> Policy:
    return Policy.model_validate(report.policy)


@pytest.mark.spec("AFF-1410")
def test_each_is_asked_about_what_is_in_doubt_by_then() -> None:
    unsure = FixedEntailment(default=UNSURE, name="second")
    sure = FixedEntailment(default="neutral", name="third")
    unasked = FixedEntailment(default="contradiction", name="fourth")
    report = checked(unsure, sure, unasked, judge={"low": 0.6, "high": 0.97})
    assert (len(unsure.pairs), len(sure.pairs), len(unasked.pairs)) == (1, 1, 0)
    assert [r.produced_by for r in records(report, 1)] == ["first", "second", "third"]


@pytest.mark.spec("AFF-1410")
def test_the_judge_is_asked_about_what_they_leave_in_doubt() -> None:
    judge = ScriptedModel([json.dumps({"verdicts": []})], repeat=True, name="judge")
    policy = Policy.model_validate({"judge": {"low": 0.6, "high": 0.97}})
    for says, asked in ((UNSURE, 1), ("neutral", 0)):
        checker = FixedEntailment(default=says)  # type: ignore[arg-type]
        judge.calls.clear()
        Detector(policy, entailment=first(), checkers=[checker], judge=judge).check(RUN)
        assert len(judge.calls) == asked


class Down:
    name = "down"

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        raise ScorerError("nobody is there")


@pytest.mark.spec("AFF-1410")
def test_one_that_fails_leaves_the_verdict_as_it_was() -> None:
    report, alone = checked(Down()), checked()
    assert [c.score for c in report.claims] == [c.score for c in alone.claims]
    assert report.action == alone.action and report.stages["ground"].state == "checked"
    (_, failed) = records(report, 1)
    assert (failed.state, failed.detail) == ("failed", "nobody is there")
    closed = checked(Down(), fail_mode="closed")
    assert closed.action == "block" and any("a checker failed" in why for why in closed.reasons)


def test_a_policy_names_them() -> None:
    policy = Policy(checkers=("cross-encoder:somewhere#1",))
    assert [checker.name for checker in Detector(policy).checkers] == ["cross-encoder:somewhere#1"]
    assert Detector(policy, checkers=()).checkers == ()
    with pytest.raises(ScorerError, match="unknown entailment model"):
        Detector(Policy(checkers=("sideways",)))
