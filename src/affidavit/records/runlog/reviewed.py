"""Reviewed runs as cases: what people said of verdicts, for ``affidavit conformance`` to hold a detector to."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from affidavit.records.runlog.labels import Label, labels
from affidavit.records.runlog.store import Query

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
        expect = _expect(list(of_one))
        if trace is None or not expect:
            continue
        yield {
            "id": f"{record.run_id}@{seq}",
            "pair": f"{record.run_id}@{seq}",
            "twin": "bad" if expect.get("unsupported") else "good",
            "family": "reviewed",
            "run": trace.model_dump(mode="json", fallback=str),
            "policy": record.report().policy,
            "expect": expect,
        }


def _expect(said: list[Label]) -> dict[str, list[str]]:
    expect: dict[str, list[str]] = {}
    for label in said:
        if label.claim is None:
            expect["action"] = [label.label]
        elif name := _EXPECTED.get(label.label):
            expect.setdefault(name, []).append(label.text)
    return expect
