"""What ran in shadow mode: which answers would have been stopped, and for which claims nobody has said whether rightly."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from affidavit.policy import emit_threshold_of
from affidavit.records.runlog.record import Entry, Record
from affidavit.records.runlog.store import Query
from affidavit.report import ClaimVerdict, HallucinationReport

if TYPE_CHECKING:
    from affidavit.records.runlog.log import RunLog

MARK = "shadow"
"""Under which the metadata of a run says that it was judged in shadow mode."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something to say right or wrong of: a claim of a report, or, where ``claim`` is None, the whole answer."""

    record: Record
    report: HallucinationReport
    claim: int | None

    @property
    def verdict(self) -> ClaimVerdict | None:
        """The claim asked about."""
        return None if self.claim is None else self.report.claims[self.claim]

    def as_verdict(self, right: bool) -> str:
        """What a person's word for it is, as a review has it."""
        if self.claim is None:
            return "emit" if right else "block"
        if right:
            return "supported"
        claim = self.report.claims[self.claim]
        return claim.status if claim.is_held_against else "unsupported"


@dataclass(frozen=True, slots=True)
class Shadowed:
    """The reports of a log that ran in shadow mode, by what would have become of their answers."""

    stopped: tuple[Entry, ...]
    passed: tuple[Entry, ...]
    marked: bool
    """Whether runs are marked as such; where none is, all reports of the log are taken."""

    @property
    def runs(self) -> int:
        return len(self.stopped) + len(self.passed)


def shadowed(log: RunLog, since: datetime | None = None) -> Shadowed:
    """The reports of runs in shadow mode. In a log where no run is marked, as one of an audit, that is all."""
    entries = list(log.search(Query(kind="report", since=since)))
    marked = [entry for entry in entries if _is_marked(log.get(entry.seq))]
    found = marked or entries
    return Shadowed(
        stopped=tuple(entry for entry in found if entry.facets.action != "emit"),
        passed=tuple(entry for entry in found if entry.facets.action == "emit"),
        marked=bool(marked),
    )


def questions(log: RunLog, found: Shadowed, *, passed: bool = False) -> Iterator[Question]:
    """What nobody has said right or wrong of yet: the claims that stopped answers, the oldest first.

    With ``passed`` the answers that would have gone out, whole and in an order that has nothing to do
    with them, so that the first of them are a sample.
    """
    said = _reviewed(log)
    if passed:
        for entry in sorted(found.passed, key=lambda entry: _shuffled(entry.seq)):
            if not said.get(entry.seq):
                record = log.get(entry.seq)
                yield Question(record, record.report(), None)
        return
    for entry in found.stopped:
        before = said.get(entry.seq, set())
        if None in before:
            continue
        record = log.get(entry.seq)
        report = record.report()
        emit = emit_threshold_of(report.policy)
        asked = [n for n, claim in enumerate(report.claims) if claim.is_in_question(emit)]
        if not asked:
            yield Question(record, report, None)  # no claim stopped it: a call, a check, a probe
        for claim in asked:
            if claim not in before:
                yield Question(record, report, claim)


def _reviewed(log: RunLog) -> dict[int, set[int | None]]:
    said: dict[int, set[int | None]] = {}
    for entry in log.search(Query(kind="overrule")):
        review = log.get(entry.seq).review()
        said.setdefault(review.record, set()).add(review.claim)
    return said


def _is_marked(record: Record) -> bool:
    trace = record.data.get("trace")
    return isinstance(trace, dict) and bool((trace.get("metadata") or {}).get(MARK))


def _shuffled(seq: int) -> bytes:
    return hashlib.sha256(str(seq).encode()).digest()
