"""Sections 6 and 7: the report, and task types."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from affidavit import HallucinationReport, Policy
from affidavit.errors import ScorerError
from affidavit.policy import ProbePolicy
from affidavit.testing import FixedEntailment, ScriptedModel

Judge = Callable[..., HallucinationReport]
SCHEMA = Path(__file__).parents[2] / "specs" / "report.schema.json"
ANSWER = "Hello! The total comes to $74.90. The workshop closes at 18:30."


@pytest.fixture(
    params=[
        {},
        {"policy": {"groundedness": "off"}},
        {"policy": {"task_type": "creative"}},
        {"calls": []},
        {"calls": [("get_repair", '{"ticket": ', "oops"), ("other", {"x": [1, None]}, [])]},
        {"model": ScriptedModel(["The total comes to $62.50."], repeat=True)},
    ],
    ids=["plain", "off", "creative", "no-calls", "bad-calls", "probed"],
)
def report(request: pytest.FixtureRequest, judge: Judge) -> HallucinationReport:
    return judge(ANSWER, **request.param)


@pytest.mark.spec("AFF-601")
def test_a_report_has_the_fields_of_the_specification(judge: Judge) -> None:
    probed = judge(ANSWER, model=ScriptedModel(["The total comes to $62.50."], repeat=True))
    data = probed.model_dump(mode="json")
    fields = {
        "claims": {"text", "evidence_spans", "score", "critical", "status"},
        "tool_call_validations": {"tool", "args", "status", "errors"},
        "consistency_probes": {"claim", "original", "probe_answers", "agreement"},
    }
    assert data.keys() >= {"run_id", "overall_score", "action", "version"} | fields.keys()
    for name, inner in fields.items():
        assert data[name]
        assert all(item.keys() >= inner for item in data[name])


@pytest.mark.spec("AFF-602")
def test_a_report_is_valid_by_the_schema_and_survives_json(report: HallucinationReport) -> None:
    text = report.model_dump_json()
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(json.loads(text))
    assert HallucinationReport.model_validate_json(text) == report


@pytest.mark.spec("AFF-603")
def test_a_report_says_what_it_was_made_with(report: HallucinationReport) -> None:
    assert report.run_id == "run-7"
    assert Policy.model_validate(report.policy).model_dump(mode="json") == report.policy
    assert report.models["entailment"]
    assert report.detector.startswith("affidavit 0.")
    assert report.version


@pytest.mark.spec("AFF-604")
def test_a_report_tells_the_state_of_each_stage(report: HallucinationReport) -> None:
    assert set(report.stages) == {"verify", "ground", "probe", "gate"}
    for state in report.stages.values():
        assert state.state == "checked" or state.reason


@pytest.mark.spec("AFF-605")
def test_a_report_says_which_rule_decided(report: HallucinationReport) -> None:
    assert report.reasons
    assert all(report.reasons)


@pytest.mark.spec("AFF-606")
def test_a_report_says_how_long_it_took(report: HallucinationReport) -> None:
    timings = report.timings
    stages = timings.ledger + timings.verify + timings.ground + timings.probe + timings.gate
    assert 0 < stages <= timings.total * 1.01


@pytest.mark.spec("AFF-512", "AFF-701")
def test_high_stakes_is_stricter_everywhere() -> None:
    default, strict = Policy(), Policy(task_type="high_stakes")
    thresholds = (default.emit_threshold, default.revise_threshold, default.block_threshold)
    assert thresholds == (0.85, 0.6, 0.4)
    assert strict.emit_threshold > default.emit_threshold
    assert strict.revise_threshold > default.revise_threshold
    assert strict.block_threshold > default.block_threshold
    assert (strict.aggregation, strict.fail_mode, strict.uncovered) == (
        "minimum",
        "closed",
        "block",
    )
    assert strict.probes.required


@pytest.mark.parametrize("probes", [{"samples": 5}, ProbePolicy(samples=5)])
def test_high_stakes_requires_probes_however_they_are_set(probes: Any) -> None:
    strict = Policy(task_type="high_stakes", probes=probes)
    assert (strict.probes.samples, strict.probes.required) == (5, True)
    mine = Policy(task_type="high_stakes", probes=ProbePolicy(required=False))
    assert not mine.probes.required


class LostModel(FixedEntailment):
    def score(self, pairs: Any) -> Any:
        raise ScorerError("gone")


@pytest.mark.spec("AFF-701", "AFF-503", "AFF-510")
@pytest.mark.parametrize(
    ("answer", "entailment", "general"),
    [
        ("The bike rides well again.", LostModel(), "block"),
        ("Il telaio è molto bello e pulito.", FixedEntailment(), "emit"),
    ],
    ids=["failed", "not covered"],
)
def test_high_stakes_stops_what_could_not_be_checked(
    judge: Judge, answer: str, entailment: FixedEntailment, general: str
) -> None:
    assert judge(answer, entailment=entailment).action == general
    strict = judge(answer, entailment=entailment, policy={"task_type": "high_stakes"})
    assert strict.action == "block"


@pytest.mark.spec("AFF-702")
def test_in_creative_work_invention_is_free_and_false_reports_are_not(judge: Judge) -> None:
    creative = {"task_type": "creative"}
    invented = "Once upon a time Ottilie rode a tandem called Zorro to Lisbon."
    free = judge(invented, policy=creative)
    assert {claim.status for claim in free.claims} == {"exempt"}
    assert free.action == "emit"
    assert judge("I have emailed you the invoice.", policy=creative).action != "emit"
    assert judge("The brake pads cost $42.50.", policy=creative).action != "emit"


@pytest.mark.spec("AFF-703")
def test_groundedness_can_be_left_out_and_the_report_says_so(judge: Judge) -> None:
    report = judge("The total comes to $74.90.", policy={"groundedness": "off"})
    assert report.stages["ground"].state == "skipped"
    assert report.stages["ground"].reason
    assert (report.nothing_scored, report.action) == (True, "emit")
