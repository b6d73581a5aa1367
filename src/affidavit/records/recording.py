"""Keeping what is judged in a run log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from affidavit.report import HallucinationReport
from affidavit.trace import RunTrace

Check = Callable[[RunTrace], HallucinationReport]


@contextmanager
def recorded(check: Check, address: str | None) -> Iterator[Check]:
    """``check``, with each report and its run kept in the log at ``address``, where there is one."""
    if address is None:
        yield check
        return
    from affidavit.records.runlog import open_log

    with open_log(address) as log:

        def check_and_keep(trace: RunTrace) -> HallucinationReport:
            report = check(trace)
            log.report(report, trace)
            return report

        yield check_and_keep
