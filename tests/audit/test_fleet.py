"""Runs judged in several processes: each once, and what ends or hangs a worker is set aside."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from affidavit.audit.batch import audit
from affidavit.audit.fleet import in_processes
from affidavit.audit.item import Fault, Item, Judged
from affidavit.audit.store import Store
from affidavit.audit.work import Work
from affidavit.errors import AffidavitError
from affidavit.policy import Policy

# In a file of its own: a new process must be able to import what it is to do.
MODULE = """
import os, signal, time
from pathlib import Path
from affidavit.errors import PolicyError
from affidavit.testing import claim_verdict, report_of

def make(work):
    return check

def check(trace):
    if trace.answer == "poison":
        os.kill(os.getpid(), signal.SIGKILL)
    if trace.answer.startswith("once "):
        mark = Path(trace.answer.removeprefix("once "))
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    if trace.answer == "hang":
        time.sleep(60)
    return report_of(claim_verdict(trace.answer), run_id=trace.run_id)

def lacking(work):
    raise PolicyError("there is no such model")

def dying(work):
    os._exit(7)
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "poisoned_checks.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "poisoned_checks", raising=False)
    import poisoned_checks  # type: ignore[import-not-found]

    return poisoned_checks


def item(name: str, answer: str = "The pads cost $5.") -> Item:
    ask = {"role": "user", "content": "What do they cost?"}
    return Item(json.dumps({"id": name, "messages": [ask], "answer": answer}).encode(), "runs", 1)


@pytest.mark.spec("AFF-1101")
def test_each_run_is_judged_once(module: Any) -> None:
    items = [item(f"r{number}") for number in range(40)]
    done = list(in_processes(items, Work(make=module.make), jobs=2))
    assert Counter(one.raw for one, _ in done) == Counter(one.raw for one in items)
    assert all(isinstance(outcome, Judged) for _, outcome in done)


@pytest.mark.spec("AFF-1101", "AFF-1102")
def test_a_run_that_ends_its_worker_twice_is_set_aside(module: Any, tmp_path: Path) -> None:
    given = [item("a"), item("b", "poison"), item("c", f"once {tmp_path / 'mark'}"), item("d")]
    out, told = tmp_path / "out.jsonl", list[AffidavitError]()
    work = Work(make=module.make)
    for _ in range(2):
        store = Store(out, work)
        summary = audit(given, store, work, jobs=2, on_fault=told.append)
        store.close()
        assert (summary.actions["emit"], summary.faults) == (3, 1)
    reports = out.read_text(encoding="utf-8").splitlines()
    assert sorted(json.loads(line)["run_id"] for line in reports) == ["a", "c", "d"]
    assert "its worker died twice" in str(told[0])
    assert "set aside before: its worker died twice" in str(told[1])
    store = Store(out, work)
    store.forget_aside()
    audit(given, store, work, jobs=2, on_fault=told.append)
    store.close()
    assert "set aside" not in str(told[2]) and "its worker died twice" in str(told[2])


@pytest.mark.spec("AFF-1102")
def test_a_run_that_takes_too_long_is_set_aside(module: Any) -> None:
    given = [item("a"), item("b", "hang"), item("c"), item("d")]
    done = dict(in_processes(given, Work(make=module.make), jobs=2, timeout=2))
    late = done.pop(given[1])
    assert isinstance(late, Fault) and late.kind == "timeout"
    assert all(isinstance(outcome, Judged) for outcome in done.values()) and len(done) == 3


@pytest.mark.spec("AFF-1101")
def test_a_worker_killed_by_somebody_else_costs_no_run(module: Any) -> None:
    import multiprocessing

    items, killed, done = [item(f"r{number}") for number in range(200)], 0, Counter[str]()
    for _, outcome in in_processes(items, Work(make=module.make), jobs=2):
        assert isinstance(outcome, Judged)
        done[outcome.rows[0].run_id] += 1
        if sum(done.values()) % 60 == 0:
            victim = multiprocessing.active_children()[0]
            assert victim.pid
            os.kill(victim.pid, signal.SIGKILL)
            killed += 1
    assert killed == 3
    assert done == Counter(f"r{number}" for number in range(200))


@pytest.mark.parametrize(
    ("make", "told"),
    [("lacking", "there is no such model"), ("dying", r"end before .*exit code 7")],
)
def test_workers_that_cannot_start_end_the_audit(module: Any, make: str, told: str) -> None:
    with pytest.raises(AffidavitError, match=told):
        list(in_processes([item("a")], Work(make=getattr(module, make)), jobs=2))


TOGETHER = """
import os, signal, threading, time
from affidavit.testing import claim_verdict, report_of

side_by_side, lock, most = set(), threading.Lock(), 0

def make(work):
    return check

def check(trace):
    global most
    with lock:
        side_by_side.add(trace.run_id)
        most = max(most, len(side_by_side))
    time.sleep(0.1)
    if trace.answer == "poison":
        os.kill(os.getpid(), signal.SIGKILL)
    if trace.answer == "hang":
        time.sleep(60)
    with lock:
        side_by_side.discard(trace.run_id)
    return report_of(claim_verdict(trace.answer, explanation=str(most)), run_id=trace.run_id)
"""


@pytest.mark.spec("AFF-1101", "AFF-1102")
@pytest.mark.parametrize("jobs", [1, 2])
def test_runs_side_by_side_in_one_worker_cost_one_another_nothing(
    jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "checks_together.py").write_text(TOGETHER, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "checks_together", raising=False)
    import checks_together  # type: ignore[import-not-found]

    given = [item(f"r{number}") for number in range(40)]
    given[5], given[20] = item("r5", "poison"), item("r20", "hang")
    work = Work(make=checks_together.make, together=8)
    done = [
        (json.loads(one.raw)["id"], outcome)
        for one, outcome in in_processes(given, work, jobs=jobs, timeout=5)
    ]
    assert Counter(name for name, _ in done) == Counter(f"r{number}" for number in range(40))
    faults = {name: outcome.kind for name, outcome in done if isinstance(outcome, Fault)}
    assert faults == {"r5": "crash", "r20": "timeout"}
    reports = [json.loads(o.reports[0]) for _, o in done if isinstance(o, Judged)]
    assert max(int(report["claims"][0]["explanation"]) for report in reports) > 4


@pytest.mark.torch
@pytest.mark.spec("AFF-1103")
@pytest.mark.filterwarnings("ignore")
def test_a_cross_encoder_in_large_batches_says_what_it_says_run_by_run(tmp_path: Path) -> None:
    """What ``--gpu`` does, on the processor."""
    _cross_encoder(tmp_path / "model")
    policy = Policy(entailment=f"cross-encoder:{tmp_path / 'model'}")
    runs = []
    for number in range(12):
        answer = f"The {'large ' * (number % 5)}pads cost ${number}.50. They are on the shelf."
        call = {"type": "tool_use", "id": "c", "name": "get", "input": {"part": "pads"}}
        result = {"type": "tool_result", "tool_use_id": "c", "content": f"price: {number}.50"}
        told: list[dict[str, Any]] = [
            {"role": "user", "content": "What do they cost?"},
            {"role": "assistant", "content": [call]},
            {"role": "user", "content": [result]},
        ]
        doc = {"id": f"r{number}", "messages": told, "answer": answer}
        runs.append(Item(json.dumps(doc).encode(), "runs", number))

    def claims(**options: Any) -> dict[str, list[tuple[str, str]]]:
        judged = {}
        for _, outcome in in_processes(runs, Work(policy, device="cpu", **options), jobs=1):
            assert isinstance(outcome, Judged)
            report = json.loads(outcome.reports[0])
            checks = [check for claim in report["claims"] for check in claim["checks"]]
            judged[report["run_id"]] = [
                (c["produced_by"], f"{c['score']:.3f}") for c in checks if c["score"] is not None
            ]
        return judged

    together = claims(together=8)
    assert together == claims() and len(together) == 12
    assert any("cross-encoder:" in by for checks in together.values() for by, _ in checks)


def _cross_encoder(place: Path) -> None:
    """A small classifier with random weights."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("sentence_transformers")
    from affidavit.models.entailment.onnx import EMBEDDED

    torch.manual_seed(7)
    labels = dict(enumerate(("entailment", "neutral", "contradiction")))
    config = transformers.BertConfig(
        vocab_size=30522, hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
        intermediate_size=16, id2label=labels, label2id={name: i for i, name in labels.items()},
    )  # fmt: skip
    transformers.BertForSequenceClassification(config).save_pretrained(place)
    transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(EMBEDDED / "tokenizer.json"), pad_token="[PAD]", cls_token="[CLS]",
        sep_token="[SEP]", unk_token="[UNK]", mask_token="[MASK]", model_max_length=128,
    ).save_pretrained(place)  # fmt: skip
