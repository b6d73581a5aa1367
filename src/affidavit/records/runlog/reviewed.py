"""Reviewed runs as cases: what people said of verdicts, for ``affidavit conformance`` to hold a detector to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from affidavit.records.runlog.labels import Label, labels
from affidavit.records.runlog.store import Query
from affidavit.report import HallucinationReport

if TYPE_CHECKING:
    from affidavit.records.runlog.log import RunLog

_EXPECTED = {
    "supported": "supported",
    "contradicted": "unsupported",
    "unsupported": "unsupported",
    "exempt": "exempt",
}
"""What a case expects of a claim by the person's verdict. Of an unchecked one nothing can be expected."""


def reviewed_cases(log: RunLog, query: Query | None = None) -> Iterator[dict[str, Any]]:
    """One case (:class:`affidavit.audit.cases.Case`, as JSON) for each reviewed report whose run was kept."""
    found = sorted(labels(log, query), key=lambda label: label.record)
    for seq, of_one in groupby(found, key=lambda label: label.record):
        record = log.get(seq)
        trace = record.trace()
        said = list(of_one)
        expect = _expect(said)
        if trace is None or not expect:
            continue
        yield {
            "id": f"{record.run_id}@{seq}",
            "pair": f"{record.run_id}@{seq}",
            "twin": _twin(expect, record.report(), said),
            "family": "reviewed",
            "run": trace.model_dump(mode="json", fallback=str),
            "policy": record.report().policy,
            "expect": expect,
        }


def _twin(
    expect: Mapping[str, list[str]], report: HallucinationReport, said: Sequence[Label]
) -> str:
    """Whether the answer is good or bad as people say; ``partial`` where they said nothing against it and have not said
    enough to call it good: neither that it may go out, nor something of each of its claims."""
    if expect.get("unsupported") or set(expect.get("action", ())) & {"revise", "block"}:
        return "bad"
    reviewed = {label.claim for label in said if label.label in _EXPECTED}
    made = {n for n, claim in enumerate(report.claims) if claim.status != "exempt"}
    return "good" if "action" in expect or made <= reviewed else "partial"


def _expect(said: list[Label]) -> dict[str, list[str]]:
    expect: dict[str, list[str]] = {}
    for label in said:
        if label.claim is None:
            expect["action"] = [label.label]
        elif name := _EXPECTED.get(label.label):
            expect.setdefault(name, []).append(label.text)
    return expect
