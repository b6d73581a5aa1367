"""An audit on two nodes: the reports of one machine, each once, whatever is lost on the way."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from affidavit.audit.batch import Summary
from affidavit.audit.ray.audit import audit_on
from affidavit.audit.ray.cluster import Capacity, connected
from affidavit.audit.store import Store
from affidavit.audit.work import Work
from affidavit.cli import main
from affidavit.errors import AffidavitError
from affidavit.policy import Policy

# Ray leaves sockets and files to the end of the process.
pytestmark = pytest.mark.filterwarnings("ignore")
EXAMPLES = Path(__file__).parents[3] / "specs" / "examples"


def runs_file(path: Path, answers: list[str]) -> Path:
    ask = {"role": "user", "content": "What do they cost?"}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "".join(
            json.dumps({"id": f"r{number}", "messages": [ask], "answer": answer}) + "\n"
            for number, answer in enumerate(answers)
        ),
        encoding="utf-8",
    )
    return path


def audited(out: Path, work: Work, *files: Path, **options: Any) -> Summary:
    store = Store(out, work)
    try:
        with connected() as capacity:
            return audit_on(capacity, files, store, work, **options)
    finally:
        store.close()


def reports(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def ids(out: Path) -> list[str]:
    return sorted(report["run_id"] for report in reports(out))


def without_times(out: Path) -> list[dict[str, Any]]:
    told = [{k: v for k, v in report.items() if k != "timings"} for report in reports(out)]
    return sorted(told, key=lambda report: str(report["run_id"]))


def workers(out: Path) -> list[tuple[int, int]]:
    """The process that judged each run, and the actor that it is a child of."""
    pids = [report["claims"][0]["explanation"].split() for report in reports(out)]
    return [(int(judge), int(actor)) for judge, actor in pids]


JUDGE, ACTOR = 0, 1


def once(do: Callable[[], None], after: int) -> Callable[[], None]:
    """What does something once, when it has been called so often."""
    calls = Counter[str]()

    def called() -> None:
        calls["n"] += 1
        if calls["n"] == after:
            do()

    return called


@pytest.mark.spec("AFF-1103")
def test_the_reports_are_those_of_one_machine(nodes: Any, tmp_path: Path) -> None:
    docs = [
        json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))
        for name in ("invented-price", "anthropic", "openai-chat")
    ]
    lines = [json.dumps(docs[n % 3] | {"run_id": f"r{n}"}) for n in range(12)]
    first, second = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    first.write_text("\n".join([*lines[:7], "{broken"]) + "\n", encoding="utf-8")
    second.write_text("\n".join(lines[7:]) + "\n", encoding="utf-8")
    ours, theirs = tmp_path / "here", tmp_path / "there"
    command = ["audit", str(first), second.as_uri(), "--out"]
    assert main([*command, str(ours), "--jobs", "0"]) == 1
    assert main([*command, str(theirs), "--ray"]) == 1
    assert without_times(theirs / "reports.jsonl") == without_times(ours / "reports.jsonl")
    for name in ("faults.jsonl", "claims.jsonl"):
        there, here = ((folder / name).read_text(encoding="utf-8") for folder in (theirs, ours))
        assert sorted(there.splitlines()) == sorted(here.splitlines())


@pytest.mark.spec("AFF-1101", "AFF-1102")
def test_started_again_it_goes_on_and_leaves_what_was_set_aside(nodes: Any, tmp_path: Path) -> None:
    out, work, told = tmp_path / "out.jsonl", Work(make=nodes.checks.make), list[AffidavitError]()
    runs = runs_file(tmp_path / "runs.jsonl", ["a", "poison", "b", "hang", "c"])
    summary = audited(out, work, runs, actors=1, timeout=3, on_fault=told.append)
    assert (summary.actions["emit"], summary.faults) == (3, 2)
    assert ids(out) == ["r0", "r2", "r4"]
    of_r1, of_r3 = sorted(str(error) for error in told)
    assert ":2: its worker died twice" in of_r1 and ":4: took longer than 3 s" in of_r3

    lines = runs.read_text(encoding="utf-8").splitlines(keepends=True)
    fresh = lines[0].replace('"r0"', '"r5"')
    runs.write_text("".join([*lines, lines[0], fresh]), encoding="utf-8")  # r0 is there twice
    again = audited(out, work, runs, actors=1, timeout=3, on_fault=told.append)
    assert (again.resumed, again.actions["emit"], again.faults) == (3, 5, 2)
    assert ids(out) == ["r0", "r0", "r2", "r4", "r5"]
    assert all("set aside before: " in str(error) for error in told[2:])
    with pytest.raises(AffidavitError, match="another policy"):
        audited(out, Work(Policy(task_type="creative"), make=nodes.checks.make), runs)


@pytest.mark.spec("AFF-1101")
def test_workers_that_somebody_ends_cost_no_run(nodes: Any, tmp_path: Path) -> None:
    out, killed = tmp_path / "out.jsonl", list[int]()
    runs = runs_file(tmp_path / "runs.jsonl", [f"slow {n}" for n in range(96)])

    def kill(process: int) -> Callable[[], None]:
        def do() -> None:
            killed.append(workers(out)[-1][process])
            os.kill(killed[-1], signal.SIGKILL)

        return do

    both = [once(kill(JUDGE), after=1), once(kill(ACTOR), after=3)]
    audited(out, Work(make=nodes.checks.make), runs, kept=lambda: [do() for do in both])
    assert len(killed) == 2
    assert ids(out) == sorted(f"r{n}" for n in range(96))


@pytest.mark.spec("AFF-1102")
def test_a_run_that_ends_its_actor_again_and_again_is_set_aside(nodes: Any, tmp_path: Path) -> None:
    out, work, told = tmp_path / "out.jsonl", Work(make=nodes.checks.make), list[AffidavitError]()
    runs = runs_file(tmp_path / "runs.jsonl", ["a", "b", "poison of actors", "c"])
    audited(out, work, runs, actors=1, on_fault=told.append)
    assert ids(out) == ["r0", "r1", "r3"]
    assert ":3: its worker was lost" in str(told[0]) and len(told) == 1


@pytest.mark.spec("AFF-1101")
def test_a_node_that_is_lost_costs_no_run(nodes: Any, tmp_path: Path) -> None:
    out, node, met = tmp_path / "out.jsonl", nodes.other(), tmp_path / "met"
    met.mkdir()
    files = [
        runs_file(tmp_path / f"{name}.jsonl", [f"meet {met} {name} {n}" for n in range(48)])
        for name in "ab"
    ]
    removed = once(lambda: nodes.cluster.remove_node(node, allow_graceful=False), after=1)
    audited(out, Work(make=nodes.checks.make), *files, kept=removed)
    assert Counter(ids(out)) == {f"r{n}": 2 for n in range(48)}
    assert not nodes.cluster.worker_nodes
    assert len(list(met.iterdir())) >= 2


def test_workers_that_lack_something_end_the_audit(nodes: Any, tmp_path: Path) -> None:
    runs = runs_file(tmp_path / "runs.jsonl", ["a"])
    with pytest.raises(AffidavitError, match="there is no such model"):
        audited(tmp_path / "out.jsonl", Work(make=nodes.checks.lacking), runs, actors=1)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--ray", "--gpu"], "no node of the Ray cluster offers a GPU; start one with"),
        (["--gpu"], "give --ray too"),
        (["--ray", "--jobs", "0"], "a number of actors"),
        (["--ray", "--log", "runs.db"], "a run log is a PostgreSQL database, or is left out"),
    ],
)
def test_what_cannot_be_done_is_said(
    nodes: Any, tmp_path: Path, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = runs_file(tmp_path / "runs.jsonl", ["a"])
    assert main(["audit", str(runs), "--out", str(tmp_path / "out.jsonl"), *arguments]) == 2
    assert told in capsys.readouterr().err


def test_a_gpu_takes_a_model_that_torch_runs(tmp_path: Path) -> None:
    work, out = Work(), tmp_path / "out.jsonl"
    store = Store(out, work)
    with pytest.raises(AffidavitError, match=r"entailment is 'embedded'.*cross-encoder:NAME"):
        audit_on(Capacity(2, 1), [], store, work, gpu=True)
    store.close()
