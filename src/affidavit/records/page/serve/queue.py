"""Verdicts that nobody has reviewed yet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from affidavit.records.page.serve.filters import Filters
from affidavit.records.runlog import Query, Record, RunLog
from affidavit.report import ClaimVerdict, HallucinationReport

DOUBTFUL = "doubtful"
"""The verdicts that are most often wrong: every one that is held against an answer, or could not be given."""


@dataclass(frozen=True, slots=True)
class Pending:
    """One verdict to be reviewed. ``claim`` is an index into the report's claims."""

    record: Record
    report: HallucinationReport
    claim: int

    @property
    def verdict(self) -> ClaimVerdict:
        return self.report.claims[self.claim]


def pending(log: RunLog, filters: Filters, status: str) -> Iterator[Pending]:
    """Claims of that status without a review, those of the newest report first."""
    reviewed = reviewed_claims(log)
    for entry in log.search(filters.query()):
        record = log.get(entry.seq)
        report = record.report()
        for index, claim in enumerate(report.claims):
            if _wanted(claim, status) and (entry.seq, index) not in reviewed:
                yield Pending(record, report, index)


def reviewed_claims(log: RunLog) -> set[tuple[int, int | None]]:
    """Record and claim of every review."""
    found = (log.get(entry.seq).review() for entry in log.search(Query(kind="overrule")))
    return {(review.record, review.claim) for review in found}


def _wanted(claim: ClaimVerdict, status: str) -> bool:
    if status == DOUBTFUL:
        return claim.status in ("contradicted", "unsupported", "unchecked")
    return claim.status == status
