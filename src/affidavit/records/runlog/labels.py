"""What people said of verdicts, as labelled examples: to measure a detector by, or to train on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from affidavit.records.runlog.store import Query

if TYPE_CHECKING:
    from affidavit.records.runlog.log import RunLog


class Label(BaseModel):
    """One reviewed verdict. ``claim`` is None where the whole answer was reviewed; ``evidence`` is what
    the verdict was held against, ``found`` what the detector said and ``label`` what the person says."""

    model_config = ConfigDict(frozen=True)

    run_id: str
    record: int
    claim: int | None
    text: str
    answer: str
    question: str | None
    evidence: tuple[str, ...]
    found: str
    score: float | None
    label: str
    reviewer: str
    reason: str


def labels(log: RunLog, query: Query | None = None) -> Iterator[Label]:
    """One label for each verdict that the reviews found by ``query`` are of: the last said of it."""
    last: dict[tuple[int, int | None], int] = {}
    for entry in log.search(replace(query or Query(), kind="overrule")):
        review = log.get(entry.seq).review()
        last[review.record, review.claim] = entry.seq
    for seq in sorted(last.values()):
        if (label := _label(log, seq)) is not None:
            yield label


def _label(log: RunLog, seq: int) -> Label | None:
    """None where the reviewed report has been pruned since."""
    review = log.get(seq).review()
    judged = next(log.search(Query(after=review.record - 1, before=review.record + 1)), None)
    if judged is None:
        return None
    record = log.get(judged.seq)
    report, trace = record.report(), record.trace()
    claim = None if review.claim is None else report.claims[review.claim]
    spans = () if claim is None else claim.evidence_spans
    return Label(
        run_id=report.run_id,
        record=review.record,
        claim=review.claim,
        text=claim.text if claim else report.answer,
        answer=report.answer,
        question=None if trace is None else trace.question,
        evidence=tuple(span.text for span in spans),
        found=claim.status if claim else report.action,
        score=claim.score if claim else report.overall_score,
        label=review.verdict,
        reviewer=review.reviewer,
        reason=review.reason,
    )
