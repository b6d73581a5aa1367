"""What is counted and measured over many runs."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from typing import TYPE_CHECKING

from affidavit.records.telemetry import names
from affidavit.report import HallucinationReport, ToolCallValidation

if TYPE_CHECKING:
    from opentelemetry.metrics import Meter

_RUNS_REMEMBERED = 10_000


class Metrics:
    """The instruments, and how a report moves them."""

    def __init__(self, meter: Meter) -> None:
        self._check = meter.create_histogram(
            names.CHECK_DURATION, unit="s", description="Time to judge a run"
        )
        self._stage = meter.create_histogram(
            names.STAGE_DURATION, unit="s", description="Time spent in a stage"
        )
        self._actions = meter.create_counter(
            names.ACTIONS, unit="{answer}", description="Answers judged, by the gate's action"
        )
        self._claims = meter.create_counter(
            names.CLAIMS, unit="{claim}", description="Claims judged, by status and reason"
        )
        self._calls = meter.create_counter(
            names.CALLS, unit="{call}", description="Tool calls checked, by status"
        )
        self._revisions = meter.create_histogram(
            names.REVISIONS_USED, unit="{revision}", description="Drafts sent back before an answer"
        )
        self._coverage = meter.create_histogram(
            names.COVERED, unit="1", description="Share of an answer's claims that was checked"
        )
        self._counted = _Counted()

    def call(self, run_id: str, validation: ToolCallValidation) -> None:
        """A call was checked in a running agent."""
        self._counted.more(run_id, 1)
        self._count_call(validation)

    def report(self, report: HallucinationReport) -> None:
        """An answer was judged, or a draft of it."""
        action = {names.ACTION: report.action}
        self._actions.add(1, action)
        self._check.record(report.timings.total / 1000, action)
        spent = report.timings.model_dump(include=set(names.STAGE_SPANS))
        if report.judge is not None and report.judge.requests:
            spent["judge"] = report.judge.milliseconds
        for stage, milliseconds in spent.items():
            self._stage.record(milliseconds / 1000, {names.STAGE: stage})
        counts = Counter((claim.status, claim.reason or "") for claim in report.claims)
        for (status, reason), count in counts.items():
            self._claims.add(count, {names.CLAIM_STATUS: status, names.REASON: reason})
        if report.claims:
            self._coverage.record(report.coverage.share)
        if report.action != "revise":
            self._revisions.record(len(report.attempts), action)
        # A report lists all calls of the run, also those that a draft's report listed before.
        calls = report.tool_call_validations
        seen = self._counted.up_to(report.run_id, len(calls))
        for validation in calls[seen:]:
            self._count_call(validation)

    def _count_call(self, validation: ToolCallValidation) -> None:
        self._calls.add(1, {names.CALL_STATUS: validation.status, names.TOOL_NAME: validation.tool})


class _Counted:
    """How many calls of each run have been counted; of the oldest runs it is forgotten."""

    def __init__(self) -> None:
        self._of_run: OrderedDict[str, int] = OrderedDict()
        self._lock = threading.Lock()

    def more(self, run_id: str, count: int) -> None:
        with self._lock:
            self._set(run_id, self._of_run.get(run_id, 0) + count)

    def up_to(self, run_id: str, count: int) -> int:
        """How many had been counted before; from now on, ``count``."""
        with self._lock:
            before = self._of_run.get(run_id, 0)
            self._set(run_id, max(before, count))
        return before

    def _set(self, run_id: str, count: int) -> None:
        self._of_run[run_id] = count
        self._of_run.move_to_end(run_id)
        if len(self._of_run) > _RUNS_REMEMBERED:
            self._of_run.popitem(last=False)
