"""What a host's OpenTelemetry is told of a run."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from typing import TYPE_CHECKING, Any

import pytest

from affidavit import Detector, Guard, Policy
from affidavit.records.telemetry import Telemetry, names
from affidavit.records.telemetry.evaluations import evaluations
from affidavit.testing import FixedEntailment, ScriptedModel, claim_verdict, report_of
from affidavit.trace import Message, RunTrace, TextPart, ToolCallPart

if TYPE_CHECKING:
    from tests.records.telemetry.conftest import Host

pytestmark = pytest.mark.otel

STAGES = ["affidavit.verify", "affidavit.ledger", "affidavit.ground", "affidavit.probe"]


def detector(host: Host, **options: Any) -> Detector:
    model = ScriptedModel(["It costs $24.50."], repeat=True)
    observer = Telemetry(**host.providers, **options)
    return Detector(entailment=FixedEntailment(), model=model, observer=observer)


@pytest.mark.spec("AFF-1301")
def test_a_run_is_a_span_with_its_stages_inside_the_hosts_own(host: Host, run: RunTrace) -> None:
    with host.tracer.start_as_current_span("invoke_agent"):
        report = detector(host).check(run)
    outer, check = host.span("invoke_agent"), host.span("affidavit.check")
    assert check.parent.span_id == outer.context.span_id
    stages = [host.span(name) for name in [*STAGES, "affidavit.gate"]]
    assert {stage.parent.span_id for stage in stages} == {check.context.span_id}
    assert {stage.context.trace_id for stage in stages} == {outer.context.trace_id}
    assert len(host.spans()) == 7, "no span twice, and none in the place of the host's"
    assert outer.events == ()
    told = check.attributes
    assert told["affidavit.run.id"] == "parts"
    assert told["affidavit.action"] == report.action
    assert told["affidavit.overall_score"] == report.overall_score
    assert told["affidavit.tool_calls.rejected"] == 1
    assert told["affidavit.run.model"] == "model-x"


def test_without_a_span_of_the_host_the_run_is_the_root(host: Host, run: RunTrace) -> None:
    asyncio.run(detector(host).acheck(run))
    assert host.span("affidavit.check").parent is None


def test_what_the_model_is_asked_by_a_probe_is_inside_its_span(host: Host, run: RunTrace) -> None:
    def ask(messages: object) -> str:
        with host.tracer.start_as_current_span("chat"):
            return "It costs $24.50."

    judge = detector(host)
    judge.model = ScriptedModel([ask], repeat=True)
    judge.check(run)
    probe = host.span("affidavit.probe").context.span_id
    assert {chat.parent.span_id for chat in host.spans("chat")} == {probe}


@pytest.mark.spec("AFF-1409")
def test_asking_a_judge_is_a_span_inside_that_of_stage_2(host: Host, run: RunTrace) -> None:
    asked = ScriptedModel(['{"verdicts": []}'])
    policy = Policy.model_validate({"judge": {"low": 0.0, "high": 1.0}})
    observer = Telemetry(**host.providers)
    judge = Detector(policy, entailment=FixedEntailment(), judge=asked, observer=observer)
    report = judge.check(run)
    ground, span = host.span("affidavit.ground"), host.span("affidavit.judge")
    assert span.parent.span_id == ground.context.span_id
    assert span.attributes["openinference.span.kind"] == "EVALUATOR"
    told = host.span("affidavit.check").attributes
    assert (told["affidavit.judge.model"], told["affidavit.judge.requests"]) == ("scripted", 1)
    assert report.judge is not None
    assert told["affidavit.judge.claims"] == len(report.judge.claims) > 0
    assert "affidavit.judge.input_tokens" not in told, "the model does not tell"
    assert host.points("affidavit.stage.duration")[("judge",)] == 1


def test_without_a_claim_in_doubt_there_is_no_span_of_a_judge(host: Host, run: RunTrace) -> None:
    policy = Policy.model_validate({"judge": {"low": 0.0, "high": 0.0}})
    observer = Telemetry(**host.providers)
    Detector(
        policy, entailment=FixedEntailment(), judge=ScriptedModel([]), observer=observer
    ).check(run)
    assert host.spans("affidavit.judge") == []


@pytest.mark.spec("AFF-1302")
def test_evaluation_results_are_span_events_and_log_events(host: Host, run: RunTrace) -> None:
    with host.tracer.start_as_current_span("chat"):
        report = detector(host).check(run)
    events = [dict(event.attributes) for event in host.span("affidavit.check").events]
    assert {event.name for event in host.span("affidavit.check").events} == {
        "gen_ai.evaluation.result"
    }
    assert len(events) == 1 + len(report.claims)
    assert events[0]["gen_ai.evaluation.name"] == "affidavit.groundedness"
    assert events[0]["gen_ai.evaluation.score.label"] == report.action
    assert events[0]["gen_ai.evaluation.score.value"] == report.overall_score
    for event, claim in zip(events[1:], report.claims, strict=True):
        assert event["gen_ai.evaluation.name"] == "affidavit.claim"
        assert event["gen_ai.evaluation.score.label"] == claim.status
        assert event.get("gen_ai.evaluation.score.value") == claim.score
        assert event.get("affidavit.reason") == claim.reason
    logs = host.logs()
    assert {log.event_name for log in logs} == {"gen_ai.evaluation.result"}
    assert [dict(log.attributes) for log in logs] == events
    # The convention has the event under the operation that was evaluated.
    assert {log.span_id for log in logs} == {host.span("chat").context.span_id}


def test_what_could_not_be_checked_has_no_score() -> None:
    lost = claim_verdict("It is quiet.", None, reason="check_failed", critical=False)
    run, claim = (result.attributes() for result in evaluations(report_of(lost), None))
    assert names.EVALUATION_SCORE not in run
    assert names.EVALUATION_SCORE not in claim
    assert claim["gen_ai.evaluation.score.label"] == "unchecked"
    assert claim["error.type"] == "check_failed"


@pytest.mark.spec("AFF-1303")
@pytest.mark.parametrize("setting", [None, "", "false", "NO_CONTENT", "0"])
def test_nothing_that_was_said_leaves_unless_it_is_asked_for(
    host: Host, run: RunTrace, setting: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(names.CAPTURE_CONTENT, raising=False)
    if setting is not None:
        monkeypatch.setenv(names.CAPTURE_CONTENT, setting)
    detector(host).check(run)
    left = all_that_left(host)
    for said in ("24.50", "99.10", "BP-7", "BP-9", "ida@", "costs", "The fee"):
        # 16:54:24.507825 is a time, and says nothing.
        assert not re.search(rf"(?<![:\d]){re.escape(said)}(?!\d)", left), said


@pytest.mark.spec("AFF-1303")
@pytest.mark.parametrize("setting", ["true", "SPAN_ONLY", "EVENT_ONLY", "SPAN_AND_EVENT"])
def test_content_leaves_redacted_where_it_is_asked_for(
    host: Host, run: RunTrace, setting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(names.CAPTURE_CONTENT, setting)
    detector(host).check(run)
    left = all_that_left(host)
    assert "The fee is $99.10" in left
    assert "ida@example.com" not in left
    assert "[e-mail]" in left
    claims = [dict(log.attributes) for log in host.logs()[1:]]
    assert claims[0]["affidavit.claim.text"] == "Part BP-7 costs $24.50."
    assert any("24.50" in text for text in claims[0]["affidavit.claim.evidence"])
    (message,) = json.loads(host.span("affidavit.check").attributes[names.OUTPUT_MESSAGES])
    assert message["parts"][0]["content"].startswith("Part BP-7 costs $24.50. I wrote to [e-mail]")


def all_that_left(host: Host) -> str:
    spans = [span.to_json() for span in host.spans()]
    return "\n".join([*spans, *(repr(dict(log.attributes)) for log in host.logs())])


@pytest.mark.spec("AFF-1304")
def test_metrics(host: Host, run: RunTrace) -> None:
    judge = detector(host)
    report = judge.check(run)
    judge.check(run.model_copy(update={"run_id": "again"}))
    assert host.points("affidavit.actions") == {(report.action,): 2}
    assert host.points("affidavit.tool_calls") == {
        ("rejected", "get_part"): 2,
        ("accepted", "get_part"): 2,
    }
    stages = host.points("affidavit.stage.duration")
    assert stages == dict.fromkeys(
        [("verify",), ("ledger",), ("ground",), ("probe",), ("gate",)], 2
    )
    assert sum(host.points("affidavit.claims").values()) == 2 * len(report.claims)
    assert host.points("affidavit.check.duration") == {(report.action,): 2}
    assert host.points("affidavit.coverage") == {(): 2}
    assert host.points("affidavit.revisions") == {(report.action,): 2}


def test_a_guards_calls_are_counted_once_and_rejections_are_events(
    host: Host, run: RunTrace
) -> None:
    telemetry = Telemetry(**host.providers)
    judge = Detector(Policy(on_critical="revise"), entailment=FixedEntailment(), observer=telemetry)
    ask = Message(role="user", parts=(TextPart(text="What does BP-7 cost?"),))
    guard = Guard(judge, messages=[ask], tools=run.tools, recorders=[telemetry])
    with host.tracer.start_as_current_span("invoke_agent"):
        guard.check_call(ToolCallPart(id="1", name="get_part", arguments={"part_id": "BP-9"}))
        guard.check_call(ToolCallPart(id="2", name="get_part", arguments={"part_id": "BP-7"}))
        guard.record_result("2", {"part_id": "BP-7", "price": "$24.50"})
        for draft in ("It costs $99.", "It costs $98.", "BP-7 costs $24.50."):
            guard.check_answer(draft)
    (rejected,) = host.span("invoke_agent").events
    assert rejected.name == "affidavit.tool_call.rejected"
    assert rejected.attributes["affidavit.tool_call.errors"] == ("provenance",)
    assert host.points("affidavit.tool_calls") == {
        ("rejected", "get_part"): 1,
        ("accepted", "get_part"): 1,
    }
    assert len(host.spans("affidavit.check")) == 3


def test_an_answer_that_is_still_being_written_is_not_told(host: Host) -> None:
    judge = Detector(entailment=FixedEntailment(), observer=Telemetry(**host.providers))
    guard = Guard(judge)
    guard.judge("It costs", partial=True)
    assert host.spans() == []
    guard.check_answer("It costs nothing.")
    assert len(host.spans("affidavit.check")) == 1


def test_an_error_passes_unchanged_and_is_told_by_its_type(
    host: Host, run: RunTrace, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = detector(host)
    monkeypatch.setattr(judge, "_ground", None)
    with pytest.raises(TypeError) as raised:
        judge.check(run)
    check = host.span("affidavit.check")
    assert check.attributes["error.type"] == "TypeError"
    assert not check.status.is_ok
    assert check.status.description is None
    assert check.events == ()
    assert "NoneType" in str(raised.value)


@pytest.mark.spec("AFF-1305")
def test_telemetry_that_fails_is_nobodys_concern(
    host: Host, run: RunTrace, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(text: str) -> str:
        raise RuntimeError("redaction failed")

    class Broken:
        def put(self, *what: object) -> None:
            raise RuntimeError("sink failed")

    with caplog.at_level(logging.WARNING, "affidavit.telemetry"):
        expected = detector(host).check(run)
        assert same(detector(host, content=True, redact=broken).check(run), expected)
        assert same(detector(host, sinks=[Broken()]).check(run), expected)
    own = [record for record in caplog.records if record.name == "affidavit.telemetry"]
    assert len(own) == 2
    assert all_that_left(host).count("99.10") == 0


def same(one: Any, other: Any) -> bool:
    return bool(one.model_copy(update={"timings": other.timings}) == other)


def test_a_host_without_open_telemetry_is_told_nothing(run: RunTrace) -> None:
    plain = Detector(entailment=FixedEntailment()).check(run)
    assert same(Detector(entailment=FixedEntailment(), observer=Telemetry()).check(run), plain)


def test_a_run_without_claims_has_an_evaluation_without_a_score(host: Host) -> None:
    report = Detector(observer=Telemetry(**host.providers)).check(
        RunTrace(run_id="r", messages=(), answer="Hello!")
    )
    assert report.nothing_scored
    (only, *_) = host.logs()
    assert names.EVALUATION_SCORE not in only.attributes
    assert report_of().nothing_scored
