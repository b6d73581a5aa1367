"""A batch can be stopped anywhere and started again, and one bad run does not end it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from affidavit.audit.batch import Summary, audit
from affidavit.errors import AffidavitError, TraceError
from affidavit.policy import Policy
from affidavit.report import HallucinationReport
from affidavit.trace import Message, RunTrace, TextPart, ToolDefinition

MakeReport = Callable[..., HallucinationReport]


def run(name: str) -> RunTrace:
    ask = Message(role="user", parts=(TextPart(text="Which pads?"),))
    told = Message(role="assistant", parts=(TextPart(text="The small ones."),))
    return RunTrace(run_id=name, messages=(ask, told, ask), answer="The brake pads cost $24.50.")


class Checker:
    """Stands in for a detector; keeps which runs it was asked about."""

    def __init__(self, make_report: MakeReport) -> None:
        self.make_report, self.seen = make_report, list[RunTrace]()

    def __call__(self, trace: RunTrace) -> HallucinationReport:
        self.seen.append(trace)
        if trace.run_id == "broken":
            raise ZeroDivisionError("somewhere inside")
        claims = {"The brake pads cost $24.50.": "supported"}
        return self.make_report("The brake pads cost $24.50.", claims, run_id=trace.run_id)

    @property
    def ids(self) -> list[str]:
        return [trace.run_id for trace in self.seen]


@pytest.fixture
def checker(make_report: MakeReport) -> Checker:
    return Checker(make_report)


def numbered(*runs: RunTrace | TraceError) -> list[tuple[int, RunTrace | TraceError]]:
    return list(enumerate(runs, 1))


def written(out: Path) -> list[str]:
    return [json.loads(line)["run_id"] for line in out.read_text(encoding="utf-8").splitlines()]


def test_one_report_a_line_named_as_its_run(checker: Checker, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    summary = audit(numbered(run("a"), run("b")), out, checker)
    assert written(out) == ["a", "b"]
    assert (summary.actions["emit"], summary.claims["supported"]) == (2, 2)


def test_a_bad_line_is_reported_and_the_rest_goes_on(checker: Checker, tmp_path: Path) -> None:
    out, told = tmp_path / "out.jsonl", list[AffidavitError]()
    bad = TraceError("not valid JSON", file="runs.jsonl", line=2)
    summary = audit(numbered(run("a"), bad, run("c")), out, checker, on_fault=told.append)
    assert written(out) == ["a", "c"]
    assert summary.faults == told == [bad]


def test_a_run_that_breaks_the_check_is_reported_with_its_line(
    checker: Checker, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    summary = audit(numbered(run("broken"), run("b")), out, checker)
    assert written(out) == ["b"]
    assert "run broken could not be checked: ZeroDivisionError" in str(summary.faults[0])


def test_started_again_it_does_no_run_twice(checker: Checker, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    audit(numbered(run("a"), run("b")), out, checker)
    summary = audit(numbered(run("a"), run("b"), run("c")), out, checker)
    assert checker.ids == ["a", "b", "c"]
    assert written(out) == ["a", "b", "c"]
    assert (summary.resumed, summary.actions["emit"]) == (2, 3)


def test_runs_of_one_name_are_each_judged_once(checker: Checker, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    audit(numbered(run("a")), out, checker)
    summary = audit(numbered(run("a"), run("a")), out, checker)
    assert written(out) == ["a", "a"]
    assert summary.resumed == 1


@pytest.mark.parametrize("keep", range(1, 40, 3))
def test_wherever_it_was_cut_off_it_ends_up_the_same(
    checker: Checker, tmp_path: Path, keep: int
) -> None:
    out = tmp_path / "out.jsonl"
    audit(numbered(run("a"), run("b")), out, checker)
    whole = out.read_bytes()
    out.write_bytes(whole[: len(whole) * keep // 40])
    audit(numbered(run("a"), run("b")), out, checker)
    assert out.read_bytes() == whole


@pytest.mark.parametrize("content", ['{"id": "a"}\n', "my notes", '{"id": "a"}\nmy notes'])
def test_a_file_of_somebody_elses_is_left_as_it_is(
    checker: Checker, tmp_path: Path, content: str
) -> None:
    out = tmp_path / "notes.txt"
    out.write_text(content, encoding="utf-8")
    with pytest.raises(TraceError, match=r"notes\.txt:1: .*is not a report"):
        audit(numbered(run("a")), out, checker)
    assert out.read_text(encoding="utf-8") == content


def test_reports_of_two_policies_are_not_mixed(checker: Checker, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    audit(numbered(run("a")), out, checker)
    before = out.read_bytes()
    with pytest.raises(TraceError, match="run a was judged under another policy"):
        audit(numbered(run("a"), run("b")), out, checker, policy=Policy(task_type="creative"))
    assert out.read_bytes() == before


def test_every_turn_judges_what_was_answered_on_the_way(checker: Checker, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    audit(numbered(run("a")), out, checker, every_turn=True)
    assert written(out) == ["a#0", "a"]


def test_a_system_prompt_stands_in_only_where_a_run_has_none(
    checker: Checker, tmp_path: Path
) -> None:
    own = Message(role="system", parts=(TextPart(text="You sell tea."),))
    with_own = run("a").model_copy(update={"messages": (own, *run("a").messages)})
    audit(numbered(with_own, run("b")), tmp_path / "out", checker, system="You sell bread.")
    prompts = [[m.text for m in t.messages if m.role == "system"] for t in checker.seen]
    assert prompts == [["You sell tea."], ["You sell bread."]]


def test_tools_stand_in_only_where_a_run_declares_none(checker: Checker, tmp_path: Path) -> None:
    own, given = ToolDefinition(name="own"), ToolDefinition(name="given")
    declared = run("a").model_copy(update={"tools": (own,)})
    audit(numbered(declared, run("b")), tmp_path / "out", checker, tools=(given,))
    assert [trace.tools for trace in checker.seen] == [(own,), (given,)]


def test_an_empty_batch_comes_to_nothing(checker: Checker, tmp_path: Path) -> None:
    assert audit([], tmp_path / "out", checker) == Summary()
