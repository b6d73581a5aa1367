"""The guard: one run from its first call to the answer that goes out."""

import asyncio
import threading
from collections.abc import Sequence
from typing import Any

import pytest

from affidavit.detector import Detector
from affidavit.guard import ONLY_DELETES, Guard
from affidavit.policy import Policy
from affidavit.report import Attempt, HallucinationReport
from affidavit.stages.gate import decide
from affidavit.testing import (
    FixedEntailment,
    ScriptedModel,
    claim_verdict,
    drive,
    report_of,
)
from affidavit.trace import (
    DataPart,
    Message,
    RunTrace,
    TextPart,
    ToolCallPart,
    ToolDefinition,
    ToolResultPart,
)

GET_ORDER = ToolDefinition(
    name="get_order",
    input_schema={
        "type": "object",
        "properties": {"order_id": {"type": "string"}},
        "required": ["order_id"],
        "additionalProperties": False,
    },
)
TOOLS = {"get_order": lambda order_id: {"id": order_id, "total": "5.00"}}
ASKED = Message(role="user", parts=(TextPart(text="What did I pay for order BL-204518?"),))
GOOD = "You paid $5.00."
WEAK = "You paid about $5."
BAD = "You paid $9.00."

CIRCULAR: list[Any] = []
CIRCULAR.append(CIRCULAR)


def call(order_id: Any = "BL-204518", call_id: str = "c1", **more: Any) -> ToolCallPart:
    return ToolCallPart(id=call_id, name="get_order", arguments={"order_id": order_id}, **more)


class FixedDetector:
    """Judges an answer by a table of scores; an error in the table is raised."""

    def __init__(self, policy: Any = None, scores: dict[str, Any] | None = None) -> None:
        self.policy = Policy.model_validate(policy or {})
        self.scores = {GOOD: 0.95, WEAK: 0.7, BAD: 0.5} | (scores or {})
        self.traces: list[RunTrace] = []

    async def acheck(
        self,
        trace: RunTrace,
        *,
        revisions_used: int = 0,
        attempts: Sequence[Attempt] = (),
        **_: Any,
    ) -> HallucinationReport:
        self.traces.append(trace)
        await asyncio.sleep(0)
        score = self.scores.get(trace.answer, 0.5)
        if isinstance(score, BaseException):
            raise score
        claims = [claim_verdict(trace.answer, score)]
        made = decide(claims, [], [], self.policy, revisions_used=revisions_used)
        return report_of(
            *claims,
            run_id=trace.run_id,
            overall_score=made.overall_score,
            action=made.action,
            reasons=made.reasons,
            policy=self.policy.model_dump(mode="json"),
            attempts=tuple(attempts),
        )


def guard_of(policy: Any = None, scores: Any = None, **how: Any) -> tuple[Guard, FixedDetector]:
    detector = FixedDetector(policy, scores)
    how = {"messages": [ASKED], "tools": [GET_ORDER]} | how
    return Guard(detector, **how), detector


def run(guard: Guard, *turns: Any) -> Any:
    return asyncio.run(drive(guard, turns, TOOLS))


@pytest.mark.spec("AFF-801")
def test_an_invented_identifier_is_sent_back_and_the_corrected_call_runs_once() -> None:
    guard, detector = guard_of()
    done = run(guard, call("BL-999999"), call(call_id="c2"), GOOD)
    assert [c.id for c in done.ran] == ["c2"]
    assert "BL-999999" in done.told[0]
    assert done.sent == GOOD
    assert [v.status for v in guard.validations] == ["rejected", "accepted"]
    roles = [m.role for m in detector.traces[0].messages]
    assert roles == ["user", "assistant", "tool", "assistant", "tool"]


@pytest.mark.spec("AFF-802", "AFF-803")
def test_a_false_draft_is_sent_back_and_the_corrected_one_goes_out() -> None:
    guard, detector = guard_of()
    done = run(guard, call(), BAD, GOOD)
    assert done.sent == GOOD
    assert BAD in done.told[0]
    report = done.answers[-1].report
    assert [(a.answer, a.action, a.deletes_only) for a in report.attempts] == [
        (BAD, "revise", False)
    ]
    assert report.attempts[0].feedback == done.told[0]
    # Neither the draft nor the feedback that quotes it has become evidence.
    assert not any(BAD in m.text for m in detector.traces[-1].messages)


@pytest.mark.spec("AFF-502", "AFF-802")
@pytest.mark.parametrize("revisions", [0, 1, 2])
def test_an_answer_that_stays_false_ends_in_the_refusal(revisions: int) -> None:
    guard, _ = guard_of({"max_revisions": revisions})
    done = run(guard, call(), *[f"You paid ${n}." for n in range(10, 20)])
    assert len(done.answers) == revisions + 1
    assert done.answers[-1].action == "block"
    assert "$" not in done.sent
    assert len(done.answers[-1].report.attempts) == revisions


@pytest.mark.spec("AFF-502")
def test_of_the_last_answer_what_would_be_sent_back_is_refused() -> None:
    detector = FixedDetector()
    guard = Guard(detector, messages=[ASKED])
    decision = guard.check_answer(BAD, last=True)
    assert decision.action == "block" and BAD not in (decision.text or "")
    assert decision.report.reasons[0] == "no further draft can be asked for"
    assert len(detector.traces) == 1
    assert Guard(detector, messages=[ASKED]).check_answer(GOOD, last=True).text == GOOD


def test_the_refusal_is_replaceable() -> None:
    guard, _ = guard_of({"max_revisions": 0}, refusal_template="Ask us by telephone.")
    assert run(guard, BAD).sent == "Ask us by telephone."


@pytest.mark.spec("AFF-803")
def test_a_revision_that_only_deletes_is_reported_as_such() -> None:
    long = "You paid $9.00. It ships Monday."
    guard, _ = guard_of(scores={"It ships Monday.": 0.95})
    done = run(guard, long, "It ships Monday.")
    assert done.answers[-1].deletes_only
    assert ONLY_DELETES in done.answers[-1].report.reasons
    guard, _ = guard_of(scores={"Thanks!": 0.95})
    drafts = run(guard, long, "It ships Monday.", "Thanks!").answers[-1].report.attempts
    assert [a.deletes_only for a in drafts] == [False, True]


def test_retries_of_a_call_are_capped() -> None:
    guard, _ = guard_of({"max_call_retries": 2})
    made = [guard.check_call(call(f"BL-{n}00000", f"c{n}")) for n in range(1, 5)]
    assert [c.run for c in made] == [False] * 4
    assert [c.give_up for c in made] == [False, False, True, True]
    assert guard.check_call(call(call_id="ok")).run
    assert not guard.check_call(call("BL-700000", "c7")).give_up


@pytest.mark.spec("AFF-105")
def test_a_rejected_call_is_never_evidence() -> None:
    guard, _ = guard_of()
    guard.check_call(call("BL-999999"))
    guard.record_result("c1", {"total": "9.00"})
    results = [
        p for m in guard.trace(BAD).messages for p in m.parts if p.type == "tool_call_response"
    ]
    assert [r.is_error for r in results] == [True]
    assert "9.00" not in str(results)


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("five", (TextPart(text="five"),)),
        ({"a": [1, None]}, (DataPart(value={"a": [1, None]}),)),
        ([TextPart(text="a"), DataPart(value=1)], (TextPart(text="a"), DataPart(value=1))),
        (DataPart(value=1), (DataPart(value=1),)),
        ([], (DataPart(value=[]),)),
        (None, (DataPart(value=None),)),
        ({1, }, (DataPart(value=[1]),)),
        (object, (DataPart(value="<class 'object'>"),)),
        (CIRCULAR, (TextPart(text="[[...]]"),)),
    ],
)  # fmt: skip
def test_results_of_any_shape_are_recorded(content: Any, parts: Any) -> None:
    guard, _ = guard_of()
    guard.check_call(call())
    guard.record_result("c1", content)
    result = guard.trace(GOOD).messages[-1].parts[0]
    assert isinstance(result, ToolResultPart)
    assert result.content == parts


def test_a_call_that_came_in_a_recorded_message_is_recorded_once() -> None:
    guard, _ = guard_of()
    guard.observe(Message(role="assistant", parts=(TextPart(text="Looking."), call())))
    guard.check_call(call())
    assert [len(m.tool_calls) for m in guard.trace(GOOD).messages] == [0, 1]


@pytest.mark.spec("AFF-503", "AFF-811")
@pytest.mark.parametrize(
    ("policy", "action"),
    [
        ({"fail_mode": "open"}, "emit"),
        ({"fail_mode": "critical"}, "block"),
        ({"fail_mode": "closed"}, "block"),
        ({"fail_mode": "open", "uncovered": "block"}, "block"),
    ],
)
def test_a_detector_that_crashes_follows_the_fail_mode(policy: Any, action: str) -> None:
    guard, _ = guard_of(policy, {GOOD: RuntimeError("bug in line 7")})
    decision = guard.check_answer(GOOD)
    assert decision.action == decision.report.action == action
    assert [c.status for c in decision.report.claims] == ["unchecked"]
    assert decision.report.coverage.share == 0.0
    assert decision.report.stages["ground"].reason == "RuntimeError: bug in line 7"
    assert "line 7" not in str(decision.text)
    assert (GOOD in str(decision.text)) == (action == "emit")
    assert HallucinationReport.model_validate_json(decision.report.model_dump_json())


def test_a_crash_between_revisions_keeps_the_drafts() -> None:
    guard, _ = guard_of({"fail_mode": "open"}, {GOOD: RuntimeError("bug")})
    report = run(guard, BAD, GOOD).answers[-1].report
    assert report.action == "emit"
    assert [a.answer for a in report.attempts] == [BAD]


@pytest.mark.parametrize(("mode", "runs"), [("open", True), ("critical", False), ("closed", False)])
def test_a_verifier_that_crashes_follows_the_fail_mode(
    mode: str, runs: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    guard, _ = guard_of({"fail_mode": mode})
    monkeypatch.setattr("affidavit.stages.verify.CallVerifier.check", lambda *_: 1 / 0)
    decision = guard.check_call(call())
    assert decision.run is runs
    assert decision.validation.status == "unchecked"
    assert bool(decision.feedback) is not runs


def test_a_detector_that_is_cancelled_from_within_follows_the_fail_mode() -> None:
    guard, _ = guard_of({"fail_mode": "open"}, {GOOD: asyncio.CancelledError()})
    assert asyncio.run(guard.acheck_answer(GOOD)).action == "emit"


@pytest.mark.spec("AFF-804")
def test_shadow_mode_judges_and_touches_nothing() -> None:
    seen: list[HallucinationReport] = []
    guard, _ = guard_of({"max_revisions": 0}, shadow=True, on_report=seen.append)
    done = run(guard, call("BL-999999"), BAD)
    assert [c.id for c in done.ran] == ["c1"]
    assert done.calls[0].validation.status == "rejected"
    assert done.sent == BAD
    assert done.answers[0].report.action == "block"
    assert seen == [done.answers[0].report]


def test_weak_claims_of_an_answer_that_goes_out_are_marked() -> None:
    policy = {"emit_threshold": 0.85, "fail_mode": "open"}
    guard, _ = guard_of(policy, {GOOD: None})
    assert "could not be fully confirmed" in run(guard, GOOD).sent
    guard, _ = guard_of(policy, {GOOD: None}, mark=False)
    assert run(guard, GOOD).sent == GOOD


@pytest.mark.spec("AFF-809")
def test_one_report_of_the_run_is_handed_on_and_its_keeper_cannot_hurt_the_run() -> None:
    seen: list[str] = []

    def keep(report: HallucinationReport) -> None:
        seen.append(report.action)
        raise OSError("disk full")

    guard, _ = guard_of(on_report=keep)
    assert run(guard, BAD, GOOD).sent == GOOD
    assert seen == ["emit"]


def test_the_revise_loop() -> None:
    guard, _ = guard_of()
    asked: list[str | None] = []

    async def ask(feedback: str | None) -> str:
        asked.append(feedback)
        return GOOD if feedback else BAD

    decision = asyncio.run(guard.arevise(ask))
    assert decision.text == GOOD
    assert asked[0] is None
    assert BAD in str(asked[1])


@pytest.mark.spec("AFF-804")
def test_errors_of_the_host_pass_unchanged() -> None:
    guard, _ = guard_of()

    async def ask(feedback: str | None) -> str:
        raise KeyError("the host's own")

    with pytest.raises(KeyError, match="the host's own"):
        asyncio.run(guard.arevise(ask))


def test_from_synchronous_code_with_and_without_a_running_loop() -> None:
    assert guard_of()[0].check_answer(GOOD).text == GOOD

    async def inside() -> str | None:
        return guard_of()[0].check_answer(GOOD).text

    assert asyncio.run(inside()) == GOOD


def test_synchronous_calls_share_one_event_loop_and_may_be_nested() -> None:
    from affidavit._sync import run_sync

    async def loop() -> Any:
        return asyncio.get_running_loop()

    async def nested() -> Any:
        return run_sync(loop())

    assert run_sync(loop()) is run_sync(loop())
    assert run_sync(nested()) is not run_sync(loop())


@pytest.mark.spec("AFF-401", "AFF-801", "AFF-802")
def test_a_whole_run_with_the_real_detector() -> None:
    probed = ScriptedModel(["The total charged for it was $5.00."], repeat=True)
    detector = Detector(Policy(on_critical="revise"), entailment=FixedEntailment(), model=probed)
    guard = Guard(detector, messages=[ASKED], tools=[GET_ORDER])
    false, true = "Order BL-204518 was charged $9.00.", "Order BL-204518 has a total of $5.00."
    done = run(guard, call("BL-999999"), call(call_id="c2"), false, true)
    assert [c.id for c in done.ran] == ["c2"]
    assert false in done.told[1]
    assert done.sent == true
    report = done.answers[-1].report
    assert [v.corrected_by for v in report.tool_call_validations] == ["c2", None]
    assert [p.agreement for p in report.consistency_probes] == [1.0]
    assert [a.answer for a in report.attempts] == [false]


def test_many_runs_at_once_do_not_mix() -> None:
    detector = FixedDetector(scores={f"You paid $1{n}.00.": 0.95 for n in range(0, 40, 2)})

    async def one(n: int) -> Any:
        guard = Guard(detector, messages=[ASKED], tools=[GET_ORDER], run_id=f"run-{n}")
        return await drive(guard, [call(call_id=f"c{n}"), f"You paid $1{n}.00."], TOOLS)

    async def main() -> list[Any]:
        return await asyncio.gather(*(one(n) for n in range(40)))

    for n, done in enumerate(asyncio.run(main())):
        report = done.answers[0].report
        assert (report.run_id, report.answer) == (f"run-{n}", f"You paid $1{n}.00.")
        assert report.action == ("emit" if n % 2 == 0 else "revise")


def test_tools_of_one_turn_may_run_in_parallel_threads() -> None:
    guard, _ = guard_of()

    def work(n: int) -> None:
        guard.check_call(call(call_id=f"c{n}"))
        guard.record_result(f"c{n}", n)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    messages = guard.trace(GOOD).messages
    assert sum(len(m.tool_calls) for m in messages) == 20
    assert sum(p.type == "tool_call_response" for m in messages for p in m.parts) == 20
