"""Verdicts that nobody has reviewed yet, or one person alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from affidavit.records.page.serve.filters import Filters
from affidavit.records.runlog import Query, Record, RunLog
from affidavit.report import ClaimVerdict, HallucinationReport

DOUBTFUL = "doubtful"
"""The verdicts that are most often wrong: every one that is held against an answer, or could not be given."""

SECOND = "second"
"""The verdicts that one person has reviewed: a second look says how far people agree."""


@dataclass(frozen=True, slots=True)
class Pending:
    """One verdict to be reviewed. ``claim`` is an index into the report's claims."""

    record: Record
    report: HallucinationReport
    claim: int

    @property
    def verdict(self) -> ClaimVerdict:
        return self.report.claims[self.claim]

    @property
    def place(self) -> str:
        """Where it stands, as an address says it."""
        return f"{self.record.seq}.{self.claim}"


def pending(log: RunLog, filters: Filters, status: str, after: str = "") -> Iterator[Pending]:
    """Claims of that status without a review, those of the newest report first; with ``after``, the place of one of them,
    those behind it."""
    reviewers = reviewers_of(log)
    behind = _place(after)
    for entry in log.search(filters.query()):
        if behind is not None and entry.seq > behind[0]:
            continue
        record = log.get(entry.seq)
        report = record.report()
        for index, claim in enumerate(report.claims):
            if behind is not None and entry.seq == behind[0] and index <= behind[1]:
                continue
            if _wanted(claim, status, reviewers.get((entry.seq, index), 0)):
                yield Pending(record, report, index)


def reviewers_of(log: RunLog) -> dict[tuple[int, int | None], int]:
    """How many people have reviewed each verdict, by record and claim."""
    found: dict[tuple[int, int | None], set[str]] = {}
    for entry in log.search(Query(kind="overrule")):
        review = log.get(entry.seq).review()
        found.setdefault((review.record, review.claim), set()).add(review.reviewer)
    return {place: len(who) for place, who in found.items()}


def _place(text: str) -> tuple[int, int] | None:
    seq, _, claim = text.partition(".")
    return (int(seq), int(claim)) if seq.isdecimal() and claim.isdecimal() else None


def _wanted(claim: ClaimVerdict, status: str, reviewers: int) -> bool:
    if status == SECOND:
        return reviewers == 1
    if reviewers:
        return False
    if status == DOUBTFUL:
        return claim.is_held_against or claim.status == "unchecked"
    return claim.status == status
