"""Where labelled answers come from: an audit's reports, recorded runs, and the reviews in a run log."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from affidavit.audit.item import Fault
from affidavit.audit.replay import policy_of_report
from affidavit.audit.reports import are_reports, read_reports
from affidavit.audit.sources import files_of, items
from affidavit.audit.tune.answers import Gathered, answer_of
from affidavit.audit.tune.labels import Labels, right_or_wrong
from affidavit.audit.work import Work, judge
from affidavit.errors import AffidavitError, LogError, TraceError
from affidavit.policy import Policy
from affidavit.records.runlog import Query, RunLog
from affidavit.records.runlog.shadow import shadowed
from affidavit.report import HallucinationReport

OnFault = Callable[[AffidavitError], None]


def from_reports(
    inputs: Iterable[Path],
    labels: Labels | None = None,
    policy: Policy | None = None,
    *,
    on_fault: OnFault = lambda error: None,
) -> Gathered:
    """Answers of audits and reports, and of recorded runs, which are judged for it.

    ``labels`` come first, then what the records themselves say. Where there is not one of either, all
    runs are taken to be good. Without a ``policy`` that of the first report is the one to start from.
    """
    gathered: Gathered | None = None
    waiting: list[HallucinationReport] = []
    seen: set[str] = set()
    for report, own in _judged(inputs, policy, on_fault):
        if gathered is None:
            gathered = Gathered(policy or policy_of_report(report))
        seen.add(report.run_id)
        good = _label(report, own, labels)
        claims = labels.of_claims(report) if labels else {}
        if good is None and not claims:
            # Whether they are known to be good is told only when no label has come up to the end.
            waiting.append(report)
            continue
        gathered.add(answer_of(report, gathered.policy, good=good, claims=claims), labelled=True)
    if gathered is None:
        raise AffidavitError("there are no runs to learn from")
    if labels is not None:
        gathered.unmatched = len(labels.runs - seen)
        if gathered.unmatched == len(labels.runs):
            raise AffidavitError("none of the labels is of a run that was given (by run_id)")
    gathered.known_good = labels is None and not gathered.answers and not gathered.partial
    for report in waiting:
        if gathered.known_good:
            answer = answer_of(report, gathered.policy, good=True, assumed=True)
            gathered.add(answer, labelled=False)
        else:
            gathered.unlabelled += 1
    return gathered


def from_log(log: RunLog, policy: Policy | None = None) -> Gathered:
    """Answers of a run log: those that were reviewed, and those that went out.

    Reviews are mostly of what was stopped. Alone they would say that nearly all good answers are
    stopped, so that what went out and nobody reviewed is counted as good, in the same proportion in which
    what was stopped has been reviewed.
    """
    said: dict[int, dict[int | None, bool]] = {}
    for entry in log.search(Query(kind="overrule")):
        review = log.get(entry.seq).review()
        right = right_or_wrong(review.verdict)
        if right is not None:
            said.setdefault(review.record, {})[review.claim] = right
    if not said:
        raise LogError(
            "the log holds no reviews to learn from: `affidavit shadow` or `affidavit log serve` takes them"
        )
    # Drafts that a live guard sent back are no answers that anybody was given.
    found = shadowed(log)
    stopped, passed = ({entry.seq for entry in part} for part in (found.stopped, found.passed))
    share = len(stopped & said.keys()) / len(stopped) if stopped else 1.0
    gathered: Gathered | None = None
    for entry in log.search(Query(kind="report")):
        seq = entry.seq
        reviewed = said.get(seq)
        if reviewed is None and (seq not in passed or not _drawn(seq, share)):
            continue
        report = log.get(seq).report()
        gathered = gathered or Gathered(policy or policy_of_report(report))
        if reviewed is None:
            answer = answer_of(report, gathered.policy, good=True, assumed=True)
        else:
            claims = {place: right for place, right in reviewed.items() if place is not None}
            answer = answer_of(report, gathered.policy, good=reviewed.get(None), claims=claims)
        gathered.add(answer, labelled=reviewed is not None)
    if gathered is None:
        raise LogError("the reports that the reviews are of are no longer in the log")
    return gathered


def _drawn(seq: int, share: float) -> bool:
    """Whether a record is in a sample of that share: always the same ones."""
    digest = hashlib.sha256(str(seq).encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64 < share


def _label(report: HallucinationReport, own: str, labels: Labels | None) -> bool | None:
    if labels is not None and (told := labels.answers.get(report.run_id)) is not None:
        return told
    return {"good": True, "bad": False}.get(own)


def _judged(
    inputs: Iterable[Path], policy: Policy | None, on_fault: OnFault
) -> Iterator[tuple[HallucinationReport, str]]:
    """Each report with what its record says is right of it."""
    for path in inputs:
        if are_reports(path):
            for one in read_reports(path):
                yield from zip(one.reports, (row.label for row in one.rows), strict=True)
        else:
            yield from _runs(path, policy, on_fault)


def _runs(
    path: Path, policy: Policy | None, on_fault: OnFault
) -> Iterator[tuple[HallucinationReport, str]]:
    work = Work(policy=policy or Policy())
    with work.checking() as check:
        for item in items(files_of([path])):
            if isinstance(item, TraceError):
                on_fault(item)
                continue
            outcome = judge(item, work, check)
            if isinstance(outcome, Fault):
                on_fault(item.fault(outcome.message))
                continue
            for row, text in zip(outcome.rows, outcome.reports, strict=True):
                yield HallucinationReport.model_validate_json(text), row.label
