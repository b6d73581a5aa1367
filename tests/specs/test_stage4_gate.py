"""Section 5: the gate, through reports of whole runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from affidavit import Detector, HallucinationReport, Policy, RunTrace
from affidavit.errors import PolicyError, ScorerError
from affidavit.models.entailment.protocol import Entailment
from affidavit.stages.gate import decide, refusal, revision_feedback
from affidavit.testing import FixedEntailment, ScriptedModel, claim_verdict

Judge = Callable[..., HallucinationReport]
GOOD, BAD = "The total comes to $62.50.", "The total comes to $74.90."
INVENTED = ("get_repair", {"ticket": "RJ-3170"}, {"total_cents": 6250})
RIGHT = ("get_repair", {"ticket": "RJ-3107"}, {"total_cents": 6250})


def gate(*scores: float, critical: bool = True, **policy: Any) -> str:
    claims = [claim_verdict(score=score, critical=critical) for score in scores]
    return decide(claims, (), (), Policy.model_validate(policy)).action


@pytest.mark.spec("AFF-501")
def test_a_critical_claim_below_the_block_threshold_blocks() -> None:
    assert gate(0.95, 0.39) == "block"
    assert gate(0.95, 0.4) == "revise"
    assert gate(0.95, 0.39, critical=False) == "revise"


@pytest.mark.spec("AFF-502")
def test_used_up_revisions_block() -> None:
    claims = [claim_verdict(score=0.7)]
    actions = [decide(claims, (), (), Policy(), revisions_used=n).action for n in range(4)]
    assert actions == ["revise", "revise", "block", "block"]
    good = [claim_verdict(score=0.9)]
    assert decide(good, (), (), Policy(), revisions_used=3).action == "emit"


class LostModel:
    name = "lost"

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        raise ScorerError("connection refused")


@pytest.mark.spec("AFF-503", "AFF-318")
@pytest.mark.parametrize(
    ("fail_mode", "critical", "action"),
    [
        ("open", True, "emit"),
        ("critical", True, "block"),
        ("critical", False, "block"),
        ("closed", False, "block"),
    ],
)
def test_a_failed_check_stops_where_the_fail_mode_says_so(
    fail_mode: str, critical: bool, action: str
) -> None:
    claim = claim_verdict(score=None, critical=critical, status="unchecked", reason="check_failed")
    policy = Policy.model_validate({"fail_mode": fail_mode})
    assert decide([claim], (), (), policy).action == action


@pytest.mark.spec("AFF-504")
def test_emit_at_or_above_the_threshold() -> None:
    assert gate(0.85) == "emit"
    assert gate(0.8499) == "revise"


@pytest.mark.spec("AFF-504", "AFF-505")
def test_a_rejected_call_in_the_final_turn_keeps_the_answer_back(judge: Judge) -> None:
    changing = ("delete_repair", *INVENTED[1:])
    report = judge("Hello!", calls=[changing])
    assert report.action == "revise"
    earlier = [
        {"role": "user", "content": "Is RJ-3107 ready?"},
        {
            "role": "assistant",
            "content": [
                {"type": "tool_use", "id": "old", "name": "get_repair", "input": INVENTED[1]}
            ],
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "old", "content": "{}"}],
        },
        {"role": "assistant", "content": "One moment, please."},
    ]
    report = judge("Hello!", calls=[], before=earlier)
    assert report.tool_call_validations[0].status == "rejected"
    assert report.action == "emit"


@pytest.mark.spec("AFF-504", "AFF-505")
def test_a_divergence_is_revised(judge: Judge) -> None:
    assert judge(GOOD, model=ScriptedModel([BAD], repeat=True)).action == "revise"


@pytest.mark.spec("AFF-506")
def test_a_corrected_call_does_not_count(judge: Judge) -> None:
    report = judge(GOOD, calls=[INVENTED, RIGHT])
    rejected, accepted = report.tool_call_validations
    assert (rejected.status, rejected.corrected_by) == ("rejected", accepted.call_id)
    assert report.action == "emit"


@pytest.mark.spec("AFF-507")
def test_feedback_names_the_claims_and_what_the_evidence_says(judge: Judge) -> None:
    wrong = "The brake pads cost $42.50."
    report = judge(f"{wrong} The workshop closes at 18:30.", policy={"on_critical": "revise"})
    assert report.action == "revise"
    feedback = revision_feedback(report)
    assert wrong in feedback
    assert "The workshop closes" not in feedback


@pytest.mark.spec("AFF-507")
def test_feedback_tells_weak_support_from_none(judge: Judge) -> None:
    half = FixedEntailment(default=Entailment(0.7, 0.29, 0.01))
    report = judge("The bike is shiny. The bike is clean.", entailment=half)
    (one, other) = (
        c.model_copy(update={"score": s}) for c, s in zip(report.claims, (0.3, 0.7), strict=True)
    )
    claims = (one.model_copy(update={"status": "unsupported"}), other)
    feedback = revision_feedback(report.model_copy(update={"claims": claims}))
    unsupported, weak = feedback.index(one.text), feedback.index(other.text)
    assert "Only weakly supported" in feedback[unsupported:weak]


@pytest.mark.spec("AFF-508")
def test_a_refusal_says_what_went_wrong_and_nothing_internal(judge: Judge) -> None:
    report = judge(BAD)
    text = refusal(report)
    assert len(text) > 20
    internals = (
        "threshold", "score", "0.4", "entail", "claim", "get_repair", "call_1", "74.90", "critical",
    )  # fmt: skip
    assert not [word for word in internals if word in text.casefold()]
    assert refusal(judge("I have sent you the invoice.")) != text


@pytest.mark.spec("AFF-509")
def test_a_revision_may_be_asked_for_first(judge: Judge) -> None:
    assert judge(BAD, policy={"on_critical": "revise"}).action == "revise"


@pytest.mark.spec("AFF-510")
@pytest.mark.parametrize(("uncovered", "action"), [("emit", "emit"), ("block", "block")])
def test_what_no_check_covers_stops_only_by_policy(
    judge: Judge, uncovered: str, action: str
) -> None:
    report = judge("Il telaio è molto bello e pulito.", policy={"uncovered": uncovered})
    assert (report.claims[0].status, report.action) == ("unchecked", action)


@pytest.mark.spec("AFF-511")
@pytest.mark.parametrize("answer", [GOOD, BAD, "Hello!", "The bike is ready. It closes at 18:30."])
def test_one_more_fault_is_never_milder(make_run: Callable[..., RunTrace], answer: str) -> None:
    order = ["emit", "revise", "block"]
    detector = Detector()

    def severity(text: str, **run: Any) -> int:
        return order.index(detector.check(make_run(text, **run)).action)

    alone = severity(answer)
    assert severity(f"{answer} The pump costs $19.90.") >= alone
    assert severity(answer, calls=[RIGHT, ("get_repair", {"ticket": "RJ-0"}, "")]) >= alone


@pytest.mark.spec("AFF-512")
def test_thresholds_out_of_order_are_refused(tmp_path: Any) -> None:
    file = tmp_path / "policy.json"
    file.write_text('{"emit_threshold": 0.5}', encoding="utf-8")
    with pytest.raises(PolicyError, match="revise_threshold <= emit_threshold"):
        Policy.load(file)
