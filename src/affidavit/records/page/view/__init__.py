"""What the page shows, worked out of a report and its run before any of it is HTML."""

from __future__ import annotations

from dataclasses import dataclass

from affidavit.records.page.view.exhibits import Exhibits, exhibits_of
from affidavit.records.page.view.gate import GateView, gate_of
from affidavit.records.page.view.headline import Headline, headline_of
from affidavit.records.page.view.thread import ThreadView, thread_of
from affidavit.report import HallucinationReport
from affidavit.trace import RunTrace


@dataclass(frozen=True, slots=True)
class PageView:
    """Everything the sections of the page are drawn from."""

    report: HallucinationReport
    question: str
    headline: Headline
    exhibits: Exhibits
    gate: GateView
    thread: ThreadView


def view_of(report: HallucinationReport, trace: RunTrace | None = None) -> PageView:
    """The view of one report; ``trace`` is the run it is about, where it was kept."""
    exhibits = exhibits_of(report, trace)
    return PageView(
        report=report,
        question=trace.question if trace is not None else "",
        headline=headline_of(report),
        exhibits=exhibits,
        gate=gate_of(report),
        thread=thread_of(report, trace, exhibits),
    )
