"""What is appended is found again, whole, by what it says."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from affidavit import Detector, Guard, load_run
from affidavit.errors import LogError
from affidavit.records.runlog import Query, RunLog
from affidavit.testing import FixedEntailment
from affidavit.trace import Message, TextPart, ToolCallPart, ToolDefinition

EXAMPLE = Path(__file__).parents[3] / "specs" / "examples" / "invented-price.json"


def test_a_guard_keeps_each_call_and_each_report_in_one_line(log: RunLog) -> None:
    ask = Message(role="user", parts=(TextPart(text="What do I owe for RJ-3107?"),))
    schema = {"type": "object", "properties": {"ticket": {"type": "string"}}}
    tool = ToolDefinition(name="get_repair", input_schema=schema)
    detector = Detector(entailment=FixedEntailment())
    guard = Guard(detector, messages=[ask], tools=[tool], recorders=[log])
    guard.check_call(ToolCallPart(id="1", name="get_repair", arguments={"ticket": "RJ-3170"}))
    guard.check_call(ToolCallPart(id="2", name="get_repair", arguments={"ticket": "RJ-3107"}))
    guard.record_result("2", {"ticket": "RJ-3107", "price_cents": 6250})
    decision = guard.check_answer("The repair costs $62.50.")

    entries = list(log.search())
    assert [(e.kind, e.facets.action) for e in entries] == [
        ("call", "rejected"),
        ("call", "accepted"),
        ("report", decision.action),
    ]
    assert {entry.run_id for entry in entries} == {guard.run_id}
    assert log.get(1).validation() == guard.validations[0]
    kept = log.latest(guard.run_id)
    assert kept.report() == decision.report
    assert kept.trace() == guard.trace("The repair costs $62.50.")
    assert log.verify().ok


def test_records_are_found_by_what_they_say(log: RunLog) -> None:
    trace = load_run(EXAMPLE)
    report = Detector(entailment=FixedEntailment()).check(trace)
    days = iter(datetime(2026, 1, day, tzinfo=UTC) for day in range(1, 32))
    log._clock = lambda: next(days)
    for name in ("a", "b", "c"):
        log.report(report.model_copy(update={"run_id": name}), trace)

    def found(query: Query) -> list[str]:
        return [entry.run_id for entry in log.search(query)]

    assert found(Query(run_id="b")) == ["b"]
    assert found(Query(action="block", newest_first=True)) == ["c", "b", "a"]
    assert found(Query(reason="value_not_in_evidence", after=1, limit=1)) == ["b"]
    assert found(Query(tool="get_repair", before=3)) == ["a", "b"]
    assert found(Query(tool="other")) == []
    second = datetime(2026, 1, 2, tzinfo=UTC)
    assert found(Query(since=second, until=second + timedelta(days=1))) == ["b"]


def test_a_record_that_is_not_there_is_an_error(log: RunLog) -> None:
    with pytest.raises(LogError, match="no record 7"):
        log.get(7)
    with pytest.raises(LogError, match="no report of run 'x'"):
        log.latest("x")
