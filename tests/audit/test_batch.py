"""A batch can be stopped anywhere and started again, and one bad run does not end it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from affidavit.audit.batch import Summary, audit
from affidavit.audit.item import Item, RunRow
from affidavit.audit.page import summary_page
from affidavit.audit.store import Store
from affidavit.audit.summary import summarize
from affidavit.audit.work import Work
from affidavit.errors import AffidavitError, TraceError
from affidavit.policy import Policy
from affidavit.records.recording import Check
from affidavit.report import HallucinationReport
from affidavit.trace import RunTrace, ToolDefinition

MakeReport = Callable[..., HallucinationReport]
ANSWER = "The brake pads cost $24.50."


def record(name: str, answer: str = ANSWER, **fields: Any) -> Item:
    ask = {"role": "user", "content": "Which pads?"}
    told = {"role": "assistant", "content": "The small ones."}
    doc = {"id": name, "messages": [ask, told, ask], "answer": answer, **fields}
    return Item(json.dumps(doc).encode(), "runs.jsonl")


@dataclass
class Checker:
    """Stands in for a detector; keeps which runs it was asked about."""

    make_report: MakeReport
    seen: list[RunTrace] = field(default_factory=list)

    def work(self, **options: Any) -> Work:
        return Work(make=self._make, **options)

    def _make(self, work: Work) -> Check:
        return self._check

    def _check(self, trace: RunTrace) -> HallucinationReport:
        self.seen.append(trace)
        if trace.run_id == "broken":
            raise ZeroDivisionError("somewhere inside")
        status = "contradicted" if "$99" in trace.answer else "supported"
        action = "block" if status == "contradicted" else "emit"
        fields: dict[str, Any] = {"run_id": trace.run_id, "action": action}
        return self.make_report(trace.answer, {trace.answer: status}, **fields)

    @property
    def ids(self) -> list[str]:
        return [trace.run_id for trace in self.seen]


@pytest.fixture
def checker(make_report: MakeReport) -> Checker:
    return Checker(make_report)


def audited(
    out: Path, checker: Checker, *items: Item | TraceError, folder: bool = False, **options: Any
) -> Summary:
    on_fault = options.pop("on_fault", lambda error: None)
    work = checker.work(**options)
    store = Store(out, work, folder=folder)
    try:
        return audit(items, store, work, on_fault=on_fault)
    finally:
        store.close()


def written(out: Path) -> list[str]:
    return [json.loads(line)["run_id"] for line in out.read_text(encoding="utf-8").splitlines()]


def test_one_report_a_line_named_as_its_run(checker: Checker, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    summary = audited(out, checker, record("a"), record("b"))
    assert written(out) == ["a", "b"]
    assert (summary.actions["emit"], summary.claims["supported"]) == (2, 2)


def test_what_cannot_be_judged_is_reported_and_the_rest_goes_on(
    checker: Checker, tmp_path: Path
) -> None:
    out, told = tmp_path / "out.jsonl", list[AffidavitError]()
    bad = TraceError("cannot be read on", file="runs.jsonl", line=2)
    cut = Item(b'{"messages": [', "runs.jsonl", 3)
    given = record("a"), bad, cut, record("broken"), record("c")
    summary = audited(out, checker, *given, on_fault=told.append)
    assert written(out) == ["a", "c"]
    assert summary.faults == 3
    for error, part in zip(
        told, ("cannot be read on", "3: the JSON breaks off", "ZeroDivisionError"), strict=True
    ):
        assert part in str(error)


def test_started_again_it_does_no_run_twice_whatever_the_order(
    checker: Checker, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    audited(out, checker, record("a"), record("b"))
    summary = audited(out, checker, record("c"), record("b"), record("a"))
    assert checker.ids == ["a", "b", "c"]
    assert written(out) == ["a", "b", "c"]
    assert (summary.resumed, summary.actions["emit"]) == (2, 3)


def test_the_same_record_twice_is_judged_twice_and_once(checker: Checker, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    audited(out, checker, record("a"))
    summary = audited(out, checker, record("a"), record("a"))
    assert written(out) == ["a", "a"]
    assert summary.resumed == 1


@pytest.mark.parametrize("folder", [False, True], ids=["file", "folder"])
def test_an_edited_answer_under_the_same_id_is_judged_anew(
    checker: Checker, tmp_path: Path, folder: bool
) -> None:
    out = tmp_path / "out"
    audited(out, checker, record("a"), record("b"), record("c"), folder=folder)
    edited = record("b", "The brake pads cost $99.")
    summary = audited(out, checker, record("a"), edited, record("c"), folder=folder)
    assert (summary.resumed, summary.replaced, summary.actions["block"]) == (2, 1, 1)
    reports = out / "reports.jsonl" if folder else out
    assert sorted(written(reports)) == ["a", "b", "c"]
    assert "$99" in reports.read_text(encoding="utf-8")
    again = audited(out, checker, record("a"), edited, record("c"), folder=folder)
    assert (again.resumed, again.replaced) == (3, 0)
    if folder:
        assert sorted(written(out / "claims.jsonl")) == ["a", "b", "c"]


@pytest.mark.parametrize("keep", range(1, 40, 3))
def test_wherever_it_was_cut_off_it_ends_up_the_same(
    checker: Checker, tmp_path: Path, keep: int
) -> None:
    out = tmp_path / "out.jsonl"
    audited(out, checker, record("a"), record("b"))
    whole = out.read_bytes()
    out.write_bytes(whole[: len(whole) * keep // 40])
    audited(out, checker, record("a"), record("b"))
    assert out.read_bytes() == whole


def test_a_report_that_the_index_does_not_know_is_cut_off(checker: Checker, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    audited(out, checker, record("a"))
    whole = out.read_bytes()
    out.write_bytes(whole + whole[:50])  # written, and then the power went
    audited(out, checker, record("a"), record("b"))
    assert written(out) == ["a", "b"]


@pytest.mark.parametrize("content", ['{"id": "a"}\n', "my notes", '{"id": "a"}\nmy notes'])
def test_a_file_of_somebody_elses_is_left_as_it_is(
    checker: Checker, tmp_path: Path, content: str
) -> None:
    out = tmp_path / "notes.txt"
    out.write_text(content, encoding="utf-8")
    with pytest.raises(TraceError, match=r"notes\.txt: holds something else than an audit"):
        audited(out, checker, record("a"))
    assert out.read_text(encoding="utf-8") == content


def test_what_somebody_added_to_the_file_is_not_cut_off(checker: Checker, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    audited(out, checker, record("a"))
    out.write_bytes(out.read_bytes() + b"my notes\n")
    with pytest.raises(TraceError, match="holds something that no audit wrote"):
        audited(out, checker, record("a"))
    assert out.read_bytes().endswith(b"my notes\n")


def test_reports_of_two_policies_are_not_mixed(checker: Checker, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    audited(out, checker, record("a"))
    before = out.read_bytes()
    with pytest.raises(TraceError, match=r"another policy.*compare"):
        audited(out, checker, record("a"), record("b"), policy=Policy(task_type="creative"))
    assert out.read_bytes() == before


def test_two_audits_do_not_write_to_one_place(checker: Checker, tmp_path: Path) -> None:
    store = Store(tmp_path / "out.jsonl", checker.work())
    try:
        with pytest.raises(AffidavitError, match="another audit is writing there"):
            Store(tmp_path / "out.jsonl", checker.work())
    finally:
        store.close()


def test_every_turn_judges_what_was_answered_on_the_way(checker: Checker, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    audited(out, checker, record("a"), every_turn=True)
    assert written(out) == ["a#0", "a"]


def test_a_system_prompt_stands_in_only_where_a_run_has_none(
    checker: Checker, tmp_path: Path
) -> None:
    audited(
        tmp_path / "out", checker, record("a", system="You sell tea."), record("b"),
        system="You sell bread.",
    )  # fmt: skip
    prompts = [[m.text for m in t.messages if m.role == "system"] for t in checker.seen]
    assert prompts == [["You sell tea."], ["You sell bread."]]


def test_tools_stand_in_only_where_a_run_declares_none(checker: Checker, tmp_path: Path) -> None:
    given = ToolDefinition(name="given")
    own = record("a", tools=[{"name": "own"}])
    audited(tmp_path / "out", checker, own, record("b"), tools=(given,))
    assert [[tool.name for tool in trace.tools or ()] for trace in checker.seen] == [
        ["own"], ["given"],
    ]  # fmt: skip


def test_an_empty_batch_comes_to_nothing(checker: Checker, tmp_path: Path) -> None:
    assert audited(tmp_path / "out", checker) == Summary()


def test_the_summary_parts_runs_by_what_they_say_of_themselves(
    checker: Checker, tmp_path: Path
) -> None:
    def made() -> Iterator[Item]:
        for number in range(8):
            answer = "They cost $99." if number % 4 == 0 else ANSWER
            yield record(
                f"r{number}", answer, timestamp=f"2026-11-{9 + number:02}T10:00:00Z",
                metadata={"agent_version": "v2" if number > 3 else "v1", "task": "prices"},
                label="bad" if number % 4 == 0 else "good",
            )  # fmt: skip

    work = checker.work()
    store = Store(tmp_path / "out", work, folder=True)
    audit(made(), store, work)
    figures = summarize(store.rows())
    store.close()
    agents = {group.name: (group.runs, group.held_back.count) for group in figures.groups["agent"]}
    assert agents == {"v1": (4, 1), "v2": (4, 1)}
    assert [group.name for group in figures.groups["week"]] == ["2026-W46", "2026-W47"]
    assert [group.name for group in figures.groups["task"]] == ["prices"]
    for group in (*figures.groups["agent"], *figures.groups["task"]):
        assert sum(group.reasons.values()) == group.held_back.count == group.against.count
        assert {worst.text for worst in group.worst} == {"They cost $99."}
    assert [worst.run_id for worst in figures.groups["task"][0].worst] == ["r0", "r4"]
    page = summary_page(figures, "audit")
    assert "claim with the least behind it" in page and page.count("They cost $99.") >= 5
    assert figures.actions["block"].count == 2
    assert 0 < figures.actions["block"].low < 0.25 < figures.actions["block"].high < 1
    assert figures.catches and (figures.catches.count, figures.catches.of) == (2, 2)
    assert figures.false_stops and figures.false_stops.count == 0
    assert {worst.text for worst in figures.worst} == {"They cost $99."}
    assert figures.as_csv().splitlines()[1].startswith("all,all,8,6,0,2,0.25,")


def test_a_name_of_its_own_for_each_run_takes_no_more_memory() -> None:
    rows = (
        RunRow(f"r{n}", "emit", 1.0, True, {"supported": 1}, {}, task=f"task {n}")
        for n in range(10_050)
    )
    tasks = {group.name: group.runs for group in summarize(rows).groups["task"]}
    assert len(tasks) == 10_001 and tasks["(others)"] == 50
    assert sum(tasks.values()) == 10_050
    page = summary_page(
        summarize(RunRow(f"r{n}", "emit", 1.0, True, {}, {}, task=f"t{n}") for n in range(60)), "x"
    )
    assert "10 more in summary.json." in page
