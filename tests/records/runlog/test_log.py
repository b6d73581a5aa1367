"""What is appended is found again, whole, by what it says."""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affidavit import Detector, Guard, load_run
from affidavit.errors import LogError
from affidavit.records.runlog import Query, RunLog, open_log
from affidavit.records.runlog.chain import verify
from affidavit.records.runlog.facets import facets_of
from affidavit.records.runlog.lines import from_line, to_line
from affidavit.records.runlog.record import seal
from affidavit.testing import FixedEntailment
from affidavit.trace import Message, RunTrace, TextPart, ToolCallPart, ToolDefinition

EXAMPLE = Path(__file__).parents[3] / "specs" / "examples" / "invented-price.json"


@pytest.mark.spec("AFF-1201")
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


def test_a_callback_keeps_the_report_of_a_run(log: RunLog) -> None:
    guard = Guard(Detector(entailment=FixedEntailment()), on_report=log.report)
    decision = guard.check_answer("Hello!")
    assert log.latest(guard.run_id).report() == decision.report
    assert log.latest(guard.run_id).trace() is None


@pytest.mark.spec("AFF-1209")
def test_records_are_found_by_what_they_say(log: RunLog) -> None:
    trace = load_run(EXAMPLE)
    report = Detector(entailment=FixedEntailment()).check(trace)
    reason = next(claim.reason for claim in report.claims if claim.reason)
    days = iter(datetime(2026, 1, day, tzinfo=UTC) for day in range(1, 32))
    log._clock = lambda: next(days)
    for name in ("a", "b", "c"):
        log.report(report.model_copy(update={"run_id": name}), trace)

    def found(query: Query) -> list[str]:
        return [entry.run_id for entry in log.search(query)]

    assert found(Query(run_id="b")) == ["b"]
    assert found(Query(action="block", newest_first=True)) == ["c", "b", "a"]
    assert found(Query(reason=reason, after=1, limit=1)) == ["b"]
    assert found(Query(tool="get_repair", before=3)) == ["a", "b"]
    assert found(Query(tool="other")) == []
    assert found(Query(kind="call")) == []
    second = datetime(2026, 1, 2, tzinfo=UTC)
    assert found(Query(since=second, until=second + timedelta(days=1))) == ["b"]


def test_a_record_that_is_not_there_is_an_error(log: RunLog) -> None:
    with pytest.raises(LogError, match="no record 7"):
        log.get(7)
    with pytest.raises(LogError, match="no report of run 'x'"):
        log.latest("x")


class _Text:
    def __str__(self) -> str:
        return "as it calls itself"


def test_nothing_that_a_run_can_hold_keeps_it_from_being_kept(log: RunLog) -> None:
    broken = "half \ud800 and \0 nothing"
    call = ToolCallPart(id="1", name=broken, arguments={broken: float("nan")})
    trace = RunTrace(
        run_id="über\0id",
        messages=(Message(role="user", parts=(TextPart(text=broken), call)),),
        answer="It costs $5.",
        metadata={"object": _Text()},
    )
    report = Detector(entailment=FixedEntailment()).check(trace)
    record = log.report(report, trace)
    assert record.report().answer == trace.answer
    kept = log.get(record.seq).trace()
    assert kept is not None
    assert kept.messages[0].text == broken
    assert kept.metadata == {"object": "as it calls itself"}
    assert kept.run_id == trace.run_id
    assert [entry.run_id for entry in log.search(Query(run_id=trace.run_id))] == ["über␀id"]
    assert log.verify().ok


@given(run_id=st.text(max_size=20), text=st.text(st.characters(), max_size=40))
@settings(max_examples=60)
def test_a_line_gives_back_its_record(run_id: str, text: str) -> None:
    body = json.dumps({"validation": {"tool": text, "status": "accepted", "args": text}})
    facets = facets_of("call", json.loads(body))
    at = datetime(2026, 1, 1, tzinfo=UTC)
    record = seal(None, kind="call", run_id=run_id, body=body, facets=facets, at=at)
    assert from_line(to_line(record)) == record
    assert verify([record]).ok


@pytest.mark.parametrize(
    "address", ["mysql://host/db", "jsonl:", "sqlite:runs.db", "https://example.com/log"]
)
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(LogError, match="expected a path, sqlite"):
        open_log(address)


@pytest.mark.parametrize("scheme", ["sqlite:///", "jsonl:"])
def test_another_file_is_left_as_it_is(tmp_path: Path, scheme: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Things to do. " * 100)
    with pytest.raises(LogError, match=r"notes\.txt"):
        open_log(f"{scheme}{path}")
    assert path.read_text() == "Things to do. " * 100


def test_another_database_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "shop.db"
    with sqlite3.connect(path) as shop:
        shop.execute("CREATE TABLE orders (id INTEGER)")
    shop.close()
    with pytest.raises(LogError, match="not a run log"):
        open_log(path)


@pytest.mark.parametrize("scheme", ["sqlite:///", "jsonl:"])
def test_reading_begins_no_log(tmp_path: Path, scheme: str) -> None:
    with pytest.raises(LogError, match="there is no run log"):
        open_log(f"{scheme}{tmp_path}/none", create=False)
    assert list(tmp_path.iterdir()) == []
