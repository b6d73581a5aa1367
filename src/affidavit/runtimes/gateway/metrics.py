"""What a gateway counts, in the text format that Prometheus reads."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator

from affidavit.report import HallucinationReport

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_ABOUT = {
    "affidavit_requests_total": "Requests by the status they were answered with.",
    "affidavit_answers_total": "Judged answers by the action they came to.",
    "affidavit_claims_total": "Claims of judged answers by status.",
    "affidavit_revisions_total": "Drafts that were sent back.",
    "affidavit_calls_total": "Tool calls by the verdict on them.",
    "affidavit_check_seconds_sum": "Seconds spent on judging answers.",
    "affidavit_check_seconds_count": "Answers that were judged.",
}
_Series = tuple[str, str]


class Metrics:
    """Counts since the gateway was started. Safe to share by threads."""

    def __init__(self) -> None:
        # From the start at zero: a rate is known only of a series that was there before.
        self._counts: Counter[_Series] = Counter()
        for action in ("emit", "revise", "block"):
            self._counts["affidavit_answers_total", f'action="{action}"'] = 0
        for name in ("revisions_total", "check_seconds_sum", "check_seconds_count"):
            self._counts[f"affidavit_{name}", ""] = 0
        self._seconds = 0.0
        self._lock = threading.Lock()

    def answered(self, status: int) -> None:
        """A request was answered."""
        with self._lock:
            self._counts["affidavit_requests_total", f'status="{status}"'] += 1

    def judged(self, report: HallucinationReport) -> None:
        """A run has ended with this report."""
        found: Counter[_Series] = Counter()
        found["affidavit_answers_total", f'action="{report.action}"'] += 1
        found["affidavit_revisions_total", ""] += len(report.attempts)
        found["affidavit_check_seconds_count", ""] += 1
        for claim in report.claims:
            found["affidavit_claims_total", f'status="{claim.status}"'] += 1
        for call in report.tool_call_validations:
            found["affidavit_calls_total", f'status="{call.status}"'] += 1
        with self._lock:
            self._counts.update(found)
            self._seconds += report.timings.total / 1000

    def text(self) -> str:
        """All series, each name with what it means."""
        with self._lock:
            counts: dict[_Series, float] = dict(self._counts)
            counts["affidavit_check_seconds_sum", ""] = round(self._seconds, 6)
        return "".join(f"{line}\n" for line in _lines(counts))


def _lines(counts: dict[_Series, float]) -> Iterator[str]:
    for name, about in _ABOUT.items():
        family = name.removesuffix("_sum").removesuffix("_count")
        if family == name:
            yield f"# HELP {name} {about}"
            yield f"# TYPE {name} counter"
        elif name.endswith("_sum"):
            yield f"# HELP {family} {about}"
            yield f"# TYPE {family} summary"
        for (series, labels), value in sorted(counts.items()):
            if series == name:
                yield f"{name}{{{labels}}} {value:g}" if labels else f"{name} {value!r}"
