"""Two audits held against each other, and the figures behind it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from affidavit.audit.batch import audit
from affidavit.audit.compare import Comparison, compare
from affidavit.audit.item import Item
from affidavit.audit.statistics import holm, paired, rate, unpaired
from affidavit.audit.store import Store
from affidavit.audit.work import Work
from affidavit.errors import AffidavitError
from affidavit.policy import Policy
from affidavit.records.recording import Check
from affidavit.report import HallucinationReport
from affidavit.testing import claim_verdict, report_of
from affidavit.trace import RunTrace


def _make(work: Work) -> Check:
    def check(trace: RunTrace) -> HallucinationReport:
        bad = "wrong" in trace.answer and work.policy.task_type != "creative"
        claim = claim_verdict(
            trace.answer, 0.02 if bad else 0.97,
            **({"status": "contradicted", "reason": "contradicts_evidence"} if bad else {}),
        )  # fmt: skip
        return report_of(claim, run_id=trace.run_id, action="block" if bad else "emit")

    return check


def audited(out: Path, answers: dict[str, str], task_type: str = "general") -> Path:
    work = Work(policy=Policy.model_validate({"task_type": task_type}), make=_make)
    store = Store(out, work, folder=not out.suffix)
    audit([item(name, answer) for name, answer in answers.items()], store, work)
    store.close()
    return out


def item(name: str, answer: str) -> Item:
    ask = {"role": "user", "content": "What do they cost?"}
    doc = {"id": name, "messages": [ask], "answer": answer, "task": "prices"}
    return Item(json.dumps(doc).encode())


def answers(wrong: range, of: int = 40, name: str = "r") -> dict[str, str]:
    return {f"{name}{n}": "It is wrong." if n in wrong else "It is right." for n in range(of)}


def changes(found: Comparison) -> dict[str, tuple[int, int, bool]]:
    return {c.measure: (c.a.count, c.b.count, c.significant) for c in found.changes}


def test_a_new_policy_over_the_same_records(tmp_path: Path) -> None:
    a = audited(tmp_path / "a", answers(range(12)))
    b = audited(tmp_path / "b.jsonl", answers(range(12)), "creative")
    found = compare(a, b)
    assert (found.pairs, found.same_record, found.only_a, found.only_b) == (40, 40, 0, 0)
    assert found.moves == {"block → emit": 12}
    assert changes(found) == {
        "held back": (12, 0, True),
        "block": (12, 0, True),
        "a claim: contradicts_evidence": (12, 0, True),
    }
    assert {flip.run_id for flip in found.flips} == {f"r{n}" for n in range(12)}
    assert found.flips[0].why == "It is wrong."
    assert [c.measure for c in found.by_group["task"]] == ["prices"]
    difference = found.changes[0].difference
    assert difference.value == pytest.approx(-0.3)
    assert difference.low < -0.3 < difference.high < 0


def test_a_new_model_over_the_same_tasks_is_paired_by_name(tmp_path: Path) -> None:
    a = audited(tmp_path / "a", answers(range(3)))
    b = audited(tmp_path / "b", answers(range(2, 6)) | {"new": "It is right."})
    found = compare(a, b)
    assert (found.pairs, found.only_a, found.only_b) == (40, 0, 1)
    assert found.moves == {"emit → block": 3, "block → emit": 2}
    assert not any(c.significant for c in found.changes)


def test_other_runs_are_two_samples(tmp_path: Path) -> None:
    a = audited(tmp_path / "a", answers(range(2)))
    b = audited(tmp_path / "b", answers(range(20), name="other"))
    found = compare(a, b)
    assert (found.pairs, found.only_a, found.only_b) == (0, 40, 40)
    assert changes(found)["held back"] == (2, 20, True)


@pytest.mark.parametrize("packed", [False, True])
def test_a_file_of_reports_without_an_index(tmp_path: Path, packed: bool) -> None:
    a = audited(tmp_path / "a.jsonl", answers(range(3)))
    (tmp_path / "a.jsonl.index").unlink()
    if packed:
        a.write_bytes(gzip.compress(a.read_bytes()))
    found = compare(a, audited(tmp_path / "b", answers(range(3))))
    assert (found.pairs, found.same_record, found.moves) == (40, 0, {})


@pytest.mark.parametrize("content", [None, "my notes\n"])
def test_what_is_no_audit(content: str | None, tmp_path: Path) -> None:
    other = tmp_path / "other"
    if content is not None:
        other.write_text(content, encoding="utf-8")
    with pytest.raises(AffidavitError, match=r"other"):
        compare(other, other)


def test_intervals_and_tests_are_those_of_the_books() -> None:
    wilson = rate(15, 148)
    assert (wilson.low, wilson.high) == pytest.approx((0.0624, 0.1605), abs=1e-4)
    assert rate(0, 10).high == pytest.approx(0.2775, abs=1e-4)
    assert paired(3, 15, 100).p == pytest.approx(0.0075, abs=1e-4)  # two-sided binomial, 3 of 18
    tea = unpaired(rate(3, 4), rate(1, 4))
    assert tea.p == pytest.approx(0.4857, abs=1e-4)  # Fisher's tea
    newcombe = unpaired(rate(48, 80), rate(56, 70))
    assert (newcombe.low, newcombe.high) == pytest.approx((0.0524, 0.3339), abs=1e-3)
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
