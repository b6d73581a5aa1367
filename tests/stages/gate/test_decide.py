"""The gate's decision: each rule, their order, the equalities, and what must always be true."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affidavit.policy import Policy
from affidavit.report import ConsistencyProbe, HallucinationReport, StageState, ToolCallValidation
from affidavit.stages.gate import decide, overall_score
from affidavit.testing import claim_verdict as claim
from affidavit.testing import report_of

PROBED = StageState(state="checked")
SKIPPED = StageState(state="skipped", reason="no model configured")
FAILED = StageState(state="failed", reason="3 of 3 samples failed")
UNREACHED = claim(score=None, reason="not_covered")
BROKEN = claim(score=None, reason="check_failed")
BROKEN_ASIDE = claim(score=None, reason="check_failed", critical=False)
GOOD = claim()
SEVERITY = {"emit": 0, "revise": 1, "block": 2}


def probe(diverges: bool) -> ConsistencyProbe:
    return ConsistencyProbe(
        claim="It was $5.", original="It was $5.", probe_answers=("It was $6.",),
        agreement=0.0 if diverges else 1.0, diverges=diverges,
    )  # fmt: skip


def call(**fields: Any) -> ToolCallValidation:
    return ToolCallValidation(
        **{"tool": "get_order", "args": {}, "status": "rejected", "final_turn": True, **fields}
    )


def outcome(*claims: Any, calls: Any = (), probes: Any = (), policy: Any = None, **how: Any) -> str:
    return decide(claims, calls, probes, Policy.model_validate(policy or {}), **how).action


@pytest.mark.spec("AFF-501", "AFF-504", "AFF-505")
@pytest.mark.parametrize(
    ("score", "critical", "action"),
    [
        (0.85, True, "emit"),
        (0.8499, True, "revise"),
        (0.6, True, "revise"),
        (0.4, True, "revise"),
        (0.3999, True, "block"),
        (0.0, True, "block"),
        (0.85, False, "emit"),
        (0.3999, False, "revise"),
        (0.0, False, "revise"),
    ],
)
def test_thresholds(score: float, critical: bool, action: str) -> None:
    assert outcome(claim(score=score, critical=critical), GOOD) == action


@pytest.mark.spec("AFF-701")
@pytest.mark.parametrize(
    ("score", "action"), [(0.92, "emit"), (0.9199, "revise"), (0.5, "revise"), (0.4999, "block")]
)
def test_high_stakes_is_tighter(score: float, action: str) -> None:
    policy = {"task_type": "high_stakes"}
    assert outcome(claim(score=score), policy=policy, probe_state=PROBED) == action


@pytest.mark.spec("AFF-502")
@pytest.mark.parametrize(
    ("used", "allowed", "score", "action"),
    [
        (0, 2, 0.7, "revise"),
        (1, 2, 0.7, "revise"),
        (2, 2, 0.7, "block"),
        (3, 2, 0.7, "block"),
        (2, 2, 0.9, "emit"),
        (0, 0, 0.7, "block"),
        (0, 0, 0.9, "emit"),
    ],
)
def test_revisions_run_out(used: int, allowed: int, score: float, action: str) -> None:
    policy = {"max_revisions": allowed}
    assert outcome(claim(score=score), policy=policy, revisions_used=used) == action


@pytest.mark.spec("AFF-509")
@pytest.mark.parametrize(("used", "action"), [(0, "revise"), (1, "revise"), (2, "block")])
def test_a_critical_claim_may_be_given_a_revision_first(used: int, action: str) -> None:
    assert (
        outcome(claim(score=0.0), policy={"on_critical": "revise"}, revisions_used=used) == action
    )


@pytest.mark.spec("AFF-503")
@pytest.mark.parametrize(
    ("mode", "broken", "action"),
    [
        ("open", BROKEN, "emit"),
        ("critical", BROKEN, "block"),
        ("closed", BROKEN, "block"),
        ("open", BROKEN_ASIDE, "emit"),
        ("critical", BROKEN_ASIDE, "emit"),
        ("closed", BROKEN_ASIDE, "block"),
        ("closed", UNREACHED, "emit"),
        ("critical", UNREACHED, "emit"),
    ],
)
def test_a_failed_check_follows_the_fail_mode(mode: str, broken: Any, action: str) -> None:
    assert outcome(GOOD, broken, policy={"fail_mode": mode}) == action


@pytest.mark.parametrize(
    "verdict",
    [
        claim(score=None, status="unchecked", reason=None),
        claim(score=None, status="supported"),
        claim(score=None, status="contradicted", reason="contradicts_evidence"),
    ],
)
def test_a_claim_with_neither_score_nor_reason_is_a_failed_check(verdict: Any) -> None:
    assert outcome(verdict) == "block"
    assert outcome(verdict, policy={"fail_mode": "open"}) == "emit"


@pytest.mark.spec("AFF-510")
@pytest.mark.parametrize("broken", [UNREACHED, BROKEN_ASIDE])
def test_what_is_not_covered_stops_only_where_the_policy_says_so(broken: Any) -> None:
    assert outcome(GOOD, broken) == "emit"
    assert outcome(GOOD, broken, policy={"uncovered": "block"}) == "block"


@pytest.mark.spec("AFF-407")
@pytest.mark.parametrize(
    ("claims", "state", "action"),
    [
        ([GOOD], PROBED, "emit"),
        ([GOOD], SKIPPED, "block"),
        ([GOOD], FAILED, "block"),
        ([GOOD], None, "block"),
        ([claim(critical=False)], SKIPPED, "emit"),
        ([claim(status="exempt")], SKIPPED, "emit"),
        ([], SKIPPED, "emit"),
    ],
)
def test_required_probes(claims: Any, state: Any, action: str) -> None:
    policy = {"probes": {"required": True}}
    assert outcome(*claims, policy=policy, probe_state=state) == action


@pytest.mark.parametrize(
    ("mode", "action"), [("open", "emit"), ("critical", "emit"), ("closed", "block")]
)
def test_optional_probes_that_failed(mode: str, action: str) -> None:
    assert outcome(GOOD, policy={"fail_mode": mode}, probe_state=FAILED) == action


@pytest.mark.spec("AFF-403", "AFF-404")
def test_a_divergence_asks_for_a_revision_and_agreement_rescues_nothing() -> None:
    assert outcome(GOOD, probes=[probe(diverges=True)], probe_state=PROBED) == "revise"
    assert outcome(claim(score=0.1), probes=[probe(diverges=False)], probe_state=PROBED) == "block"
    assert outcome(claim(score=0.7), probes=[probe(diverges=False)], probe_state=PROBED) == "revise"


def test_a_divergence_on_a_claim_that_is_free_does_not_count() -> None:
    free = claim("It was $5.", status="exempt")
    assert outcome(free, probes=[probe(diverges=True)]) == "emit"
    assert outcome(free, claim("It was $5."), probes=[probe(diverges=True)]) == "revise"


@pytest.mark.spec("AFF-504", "AFF-506")
@pytest.mark.parametrize(
    ("fields", "action"),
    [
        ({}, "revise"),
        ({"final_turn": False}, "emit"),
        ({"corrected_by": "call_2"}, "emit"),
        ({"status": "accepted"}, "emit"),
        ({"status": "unchecked"}, "emit"),
    ],
)
def test_a_rejected_call_of_the_final_turn(fields: Any, action: str) -> None:
    assert outcome(GOOD, calls=[call(**fields)]) == action


def test_block_comes_before_revise_and_says_why_first() -> None:
    decision = decide([claim("It cost $9.", 0.1)], [call()], [], Policy())
    assert decision.action == "block"
    assert "It cost $9." in decision.reasons[0]
    assert any("get_order" in reason for reason in decision.reasons[1:])


@pytest.mark.spec("AFF-605")
def test_every_decision_says_why() -> None:
    for verdict in (GOOD, claim(score=0.7), claim(score=0.1), UNREACHED, BROKEN):
        assert decide([verdict], [], [], Policy()).reasons


@pytest.mark.spec("AFF-314")
@pytest.mark.parametrize(
    ("claims", "aggregation", "expected"),
    [
        ([], "minimum", (1.0, True)),
        ([claim(status="exempt"), UNREACHED, BROKEN], "minimum", (1.0, True)),
        ([claim(score=0.9), claim(score=0.7, critical=False)], "minimum", (0.7, False)),
        ([claim(score=1.0), claim(score=0.0, critical=False)], "weighted_mean", (0.75, False)),
        ([claim(score=0.5, status="exempt"), GOOD], "weighted_mean", (0.95, False)),
    ],
)
def test_overall_score(claims: Any, aggregation: str, expected: Any) -> None:
    assert overall_score(claims, Policy.model_validate({"aggregation": aggregation})) == expected


@pytest.mark.spec("AFF-505")
@pytest.mark.parametrize(
    ("one", "action"),
    [
        (claim(score=0.45), "revise"),
        (claim(score=0.2, critical=False), "revise"),
        (claim(score=0.7, critical=False, status="contradicted"), "revise"),
        (claim(score=0.39), "block"),
        (claim(score=0.6), "emit"),
        (claim(score=0.84, critical=False), "emit"),
    ],
)
def test_a_good_mean_does_not_carry_a_bad_claim(one: Any, action: str) -> None:
    policy = Policy(aggregation="weighted_mean")
    made = decide([claim(score=1.0)] * 20 + [one], (), (), policy)
    assert made.overall_score > 0.85
    assert made.action == action


@given(n=st.integers(1, 40), score=st.floats(0, 1))
def test_the_mean_of_equal_scores_is_that_score(n: int, score: float) -> None:
    claims = [claim(score=score, critical=i % 2 == 0) for i in range(n)]
    assert overall_score(claims, Policy(aggregation="weighted_mean"))[0] == score


scores = st.integers(0, 100).map(lambda n: n / 100)
claims_of = st.lists(
    st.one_of(
        st.builds(claim, score=scores, critical=st.booleans()),
        st.sampled_from([UNREACHED, BROKEN, BROKEN_ASIDE, claim(status="exempt")]),
    ),
    max_size=6,
)
policies = st.builds(
    Policy,
    aggregation=st.sampled_from(["minimum", "weighted_mean"]),
    on_critical=st.sampled_from(["block", "revise"]),
    fail_mode=st.sampled_from(["open", "closed", "critical"]),
    uncovered=st.sampled_from(["emit", "block"]),
    max_revisions=st.integers(0, 2),
)
cases = st.fixed_dictionaries(
    {
        "validations": st.lists(st.builds(call, final_turn=st.booleans()), max_size=2),
        "probes": st.lists(st.builds(probe, diverges=st.booleans()), max_size=2),
        "policy": policies,
        "revisions_used": st.integers(0, 3),
        "probe_state": st.sampled_from([None, PROBED, SKIPPED, FAILED]),
    }
)


@pytest.mark.spec("AFF-511")
@given(claims=claims_of, case=cases, faulty=scores.filter(lambda s: s < 0.85), at=st.integers(0, 6))
def test_adding_a_faulty_claim_never_softens_the_gate(
    claims: Any, case: Any, faulty: float, at: int
) -> None:
    worse = [*claims[:at], claim(score=faulty), *claims[at:]]
    before, after = decide(claims, **case), decide(worse, **case)
    # Where nothing could be checked, a fault is something that was: the answer may be sent back for it.
    if not claims or any(c.score is not None for c in claims):
        assert SEVERITY[after.action] >= SEVERITY[before.action]
    assert after.action != "emit" or case["policy"].aggregation == "weighted_mean"


@given(claims=claims_of.filter(bool), case=cases, data=st.data())
def test_lowering_a_score_never_softens_the_gate(claims: Any, case: Any, data: Any) -> None:
    i = data.draw(st.integers(0, len(claims) - 1))
    if claims[i].score is None:
        return
    lower = claims[i].model_copy(update={"score": claims[i].score * data.draw(scores)})
    before, after = decide(claims, **case), decide([*claims[:i], lower, *claims[i + 1 :]], **case)
    assert SEVERITY[after.action] >= SEVERITY[before.action]


@given(claims=claims_of, case=cases)
def test_one_more_revision_used_never_softens_the_gate(claims: Any, case: Any) -> None:
    later = {**case, "revisions_used": case["revisions_used"] + 1}
    assert SEVERITY[decide(claims, **later).action] >= SEVERITY[decide(claims, **case).action]


@given(claims=claims_of, case=cases)
def test_the_decision_depends_on_its_inputs_alone(claims: Any, case: Any) -> None:
    assert decide(claims, **case) == decide(list(claims), **case)
    assert decide(claims[::-1], **case).action == decide(claims, **case).action


@pytest.mark.spec("AFF-602")
@given(claims=claims_of, case=cases)
def test_a_report_of_the_decision_survives_json(claims: Any, case: Any) -> None:
    decision = decide(claims, **case)
    report = report_of(
        *claims,
        calls=case["validations"],
        consistency_probes=tuple(case["probes"]),
        overall_score=decision.overall_score,
        action=decision.action,
        reasons=decision.reasons,
        policy=case["policy"].model_dump(mode="json"),
    )
    assert HallucinationReport.model_validate_json(report.model_dump_json()) == report
