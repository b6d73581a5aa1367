"""Who is told of a run: a log, a callback. They can neither hold up an agent nor hurt it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Protocol

from affidavit._threads import in_thread
from affidavit.report import HallucinationReport, ToolCallValidation
from affidavit.trace import RunTrace

PATIENCE = 10.0
"""Seconds that an answer waits for its recorders; what they do goes on without it."""

_log = logging.getLogger("affidavit.guard")


class Recorder(Protocol):
    """What is told of a run as it happens: a run log. It may be slow; it must be safe in threads."""

    def call(self, run_id: str, validation: ToolCallValidation) -> object:
        """A call was checked, accepted or rejected."""
        ...

    def report(self, report: HallucinationReport, trace: RunTrace) -> object:
        """An answer, or a draft of it, was judged."""
        ...


class Keepers:
    """The recorders of a run, and the callback that is given its one report. What they raise is logged."""

    def __init__(
        self,
        recorders: Iterable[Recorder],
        on_report: Callable[[HallucinationReport], object] | None,
    ) -> None:
        self.recorders, self.on_report = tuple(recorders), on_report

    def call(self, run_id: str, validation: ToolCallValidation) -> None:
        for recorder in self.recorders:
            _tell(recorder.call, run_id, validation)

    async def judged(self, report: HallucinationReport, trace: RunTrace) -> None:
        """An answer or a draft was judged."""
        if self.recorders:
            # A log on another machine must not hold up the other runs of this event loop.
            try:
                await asyncio.wait_for(in_thread(self._judged, report, trace), PATIENCE)
            except TimeoutError:
                _log.warning("recording what came of run %s takes too long", report.run_id)

    def ended(self, report: HallucinationReport) -> None:
        """The run is over, and this is its report."""
        if self.on_report is not None:
            _tell(self.on_report, report)

    def _judged(self, report: HallucinationReport, trace: RunTrace) -> None:
        for recorder in self.recorders:
            _tell(recorder.report, report, trace)


def _tell(tell: Callable[..., object], *what: object) -> None:
    try:
        tell(*what)
    except Exception:
        _log.warning("handing on what came of a run failed", exc_info=True)
