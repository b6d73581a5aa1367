"""What checking may cost, and what becomes of what is left undone."""

import asyncio
import time
from typing import Any

import pytest

from affidavit.detector import Detector
from affidavit.errors import PolicyError
from affidavit.evidence import RunEvidence
from affidavit.guard import Guard
from affidavit.policy import Policy
from affidavit.report import HallucinationReport
from affidavit.testing import FixedEntailment, ScriptedModel
from affidavit.trace import Message, RunTrace, TextPart, ToolCallPart, ToolResultPart

ASKED = Message(role="user", parts=(TextPart(text="What did I pay for BL-204518?"),))
CALL = ToolCallPart(id="c1", name="get_order", arguments={"id": "BL-204518"})
RESULT = ToolResultPart(
    id="c1",
    content=(
        TextPart(
            text='{"id": "BL-204518", "total": "$45.18", "note": "The parcel was left with a neighbour."}'
        ),
    ),
)
MESSAGES = (
    ASKED,
    Message(role="assistant", parts=(CALL,)),
    Message(role="tool", parts=(RESULT,)),
)
EXACT = "The total of BL-204518 is $45.18."
OPEN = "The parcel is next door."
AGREES = ["The total is $45.18."]


def trace(answer: str) -> RunTrace:
    return RunTrace(run_id="r", messages=MESSAGES, answer=answer)


def guard_of(detector: Any, **how: Any) -> Guard:
    guard = Guard(detector, messages=[ASKED], **how)
    guard.check_call(CALL)
    guard.record_result("c1", RESULT.content)
    return guard


class Slow(FixedEntailment):
    """Takes its time over every batch."""

    def score(self, pairs: Any) -> Any:
        time.sleep(0.3)
        return super().score(pairs)


def statuses(report: HallucinationReport) -> dict[str, str]:
    return {claim.text: claim.status for claim in report.claims}


@pytest.mark.spec("AFF-808")
def test_a_claim_that_the_time_did_not_reach_is_unchecked_and_the_proven_ones_stand() -> None:
    class Never(FixedEntailment):
        def score(self, pairs: Any) -> Any:
            raise AssertionError("asked after the time was up")

    # Stage 2 runs in its own time; the model is asked only while there is some left.
    policy = Policy.model_validate({"budgets": {"milliseconds": 0.001}, "fail_mode": "open"})
    report = Detector(policy, entailment=Never()).check(trace(f"{EXACT} {OPEN}"))
    assert set(statuses(report).values()) == {"unchecked"}
    assert "time" in report.claims[0].explanation
    assert report.coverage.share == 0.0


@pytest.mark.spec("AFF-808")
@pytest.mark.parametrize(("mode", "action"), [("open", "emit"), ("closed", "block")])
def test_a_scorer_that_is_too_slow_follows_the_fail_mode(mode: str, action: str) -> None:
    policy = Policy.model_validate({"budgets": {"milliseconds": 100}, "fail_mode": mode})
    report = Detector(policy, entailment=Slow(default="entailment")).check(trace(OPEN))
    assert statuses(report) == {OPEN: "unchecked"}
    assert report.claims[0].reason == "check_failed"
    assert report.action == action


def test_a_budget_that_is_enough_changes_nothing() -> None:
    policy = Policy.model_validate({"budgets": {"milliseconds": 60_000, "model_calls": 100}})
    model = FixedEntailment(default="entailment")
    report = Detector(policy, entailment=model).check(trace(f"{EXACT} {OPEN}"))
    assert set(statuses(report).values()) == {"supported"}


@pytest.mark.spec("AFF-808")
@pytest.mark.parametrize(("allowed", "asked"), [(0, 0), (2, 2), (5, 5), (None, 8)])
def test_model_calls_are_counted_over_all_drafts_of_a_run(allowed: Any, asked: int) -> None:
    policy = Policy.model_validate({"budgets": {"model_calls": allowed}, "on_critical": "revise"})
    model = ScriptedModel(AGREES, repeat=True)
    guard = guard_of(Detector(policy, entailment=FixedEntailment(), model=model))
    guard.check_answer("The total of BL-204518 is $93.70.")
    more = ToolCallPart(id="c2", name="get_order", arguments={"id": "BL-204518"})
    guard.check_call(more)
    guard.record_result("c2", RESULT.content)  # new evidence: asked again
    report = guard.check_answer(EXACT).report
    assert len(model.calls) == asked
    assert report.stages["probe"].state == ("checked" if allowed in (None, 5) else "skipped")
    if allowed in (0, 2):
        assert "used up" in report.stages["probe"].reason


def test_drafts_over_the_same_evidence_share_one_re_ask() -> None:
    model = ScriptedModel(AGREES, repeat=True)
    policy = Policy(on_critical="revise")
    guard = guard_of(Detector(policy, entailment=FixedEntailment(), model=model))
    guard.check_answer("The total of BL-204518 is $93.70.")
    assert guard.check_answer(EXACT).report.stages["probe"].state == "checked"
    assert len(model.calls) == 1 + 3  # the question in other words, and the samples


def test_what_is_proven_is_not_asked_about_again_where_the_policy_says_so() -> None:
    policy = Policy.model_validate({"probes": {"proven": "skip"}})
    model = ScriptedModel(AGREES, repeat=True)
    detector = Detector(policy, entailment=FixedEntailment(default="entailment"), model=model)
    proven = detector.check(trace(EXACT))
    assert (proven.stages["probe"].state, proven.consistency_probes) == ("checked", ())
    assert model.calls == []
    report = detector.check(trace("The total of BL-204518 was $45.18 and Ada Quill paid it."))
    assert len(model.calls) == 1 + 3
    assert report.consistency_probes


def test_what_is_proven_goes_out_where_probes_are_required() -> None:
    settings = {"task_type": "high_stakes", "probes": {"proven": "skip"}}
    for allowed, action in (("skip", "emit"), ("probe", "block")):
        settings["probes"] = {"proven": allowed}
        detector = Detector(
            Policy.model_validate(settings), entailment=FixedEntailment(default="entailment")
        )
        assert detector.check(trace(EXACT)).action == action


@pytest.mark.spec("AFF-810")
def test_probes_in_the_background_hold_up_the_report_and_not_the_answer() -> None:
    policy = Policy.model_validate({"probes": {"mode": "background"}})
    reports: list[HallucinationReport] = []

    async def main() -> None:
        let_go = asyncio.Event()

        class Waits(ScriptedModel):
            async def complete(self, messages: Any, **how: Any) -> str:
                await let_go.wait()
                return await super().complete(messages)

        model = Waits(["The total is $1.00."], repeat=True)
        detector = Detector(policy, entailment=FixedEntailment(), model=model)
        guard = guard_of(detector, on_report=reports.append)
        decision = await guard.acheck_answer(EXACT)
        guard.finish()
        assert decision.action == "emit"
        assert decision.report.stages["probe"].state == "skipped"
        assert reports == []
        let_go.set()
        while not reports:
            await asyncio.sleep(0.01)

    asyncio.run(main())
    assert [r.stages["probe"].state for r in reports] == ["checked"]
    # What it would have been, had the answer waited.
    assert reports[0].action == "revise"
    assert reports[0].consistency_probes[0].diverges


@pytest.mark.spec("AFF-809", "AFF-810")
def test_the_report_is_not_lost_with_the_loop() -> None:
    policy = Policy.model_validate({"probes": {"mode": "background"}})
    reports: list[HallucinationReport] = []

    class Never(ScriptedModel):
        async def complete(self, messages: Any, **how: Any) -> str:
            await asyncio.sleep(3600)
            return ""

    detector = Detector(policy, entailment=FixedEntailment(), model=Never([]))

    async def main() -> None:
        await guard_of(detector, on_report=reports.append).acheck_answer(EXACT)

    asyncio.run(main())
    assert [r.stages["probe"].state for r in reports] == ["failed"]


def test_required_probes_cannot_be_left_for_later(tmp_path: Any) -> None:
    file = tmp_path / "policy.json"
    file.write_text('{"probes": {"required": true, "mode": "background"}}')
    with pytest.raises(PolicyError, match="cannot run in the background"):
        Policy.load(file)


def test_evidence_is_read_once_and_comes_out_the_same() -> None:
    detector = Detector(Policy(), entailment=FixedEntailment())
    evidence = RunEvidence(detector.policy)
    evidence.ledger(trace("").model_copy(update={"messages": MESSAGES[:1]}))

    async def both() -> list[HallucinationReport]:
        return [
            await detector.acheck(trace(EXACT), evidence=evidence),
            await detector.acheck(trace(EXACT)),
        ]

    piecewise, whole = asyncio.run(both())
    assert piecewise.model_dump(exclude={"timings"}) == whole.model_dump(exclude={"timings"})
    assert len(evidence.ledger(trace("")).sources) == len(evidence.ledger(trace(EXACT)).sources)
