"""``affidavit report``: a report to read, at the terminal or as a page."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from affidavit.cli.render import render_report
from affidavit.cli.terminal import console, policy_of, working
from affidavit.detector import Detector
from affidavit.errors import AffidavitError, TraceError
from affidavit.formats import load_run, read_run
from affidavit.formats.files import load_document
from affidavit.formats.read import OF_A_REPORT
from affidavit.records.page import render_page
from affidavit.report import HallucinationReport
from affidavit.trace import RunTrace


def run(arguments: argparse.Namespace) -> int:
    report, trace = _report_and_run(arguments)
    if not arguments.html:
        if arguments.out is not None:
            raise AffidavitError("--out is for a page: add --html")
        render_report(report, console())
        return 0
    page = render_page(report, trace)
    if arguments.out is None:
        sys.stdout.write(page)
    else:
        _write(arguments.out, page)
    return 0


def _report_and_run(arguments: argparse.Namespace) -> tuple[HallucinationReport, RunTrace | None]:
    """The report that was given, or that of the run that was."""
    name = "standard input" if arguments.file == "-" else arguments.file
    data = load_document(arguments.file)
    trace = load_run(arguments.trace) if arguments.trace else None
    if isinstance(data, dict) and data.keys() >= OF_A_REPORT:
        report = _read_report(data, name)
        return report, None if trace is None else _its_run(report, trace, name, arguments.trace)
    if trace is not None:
        raise AffidavitError(f"{name}: --run is for a report, and this is none")
    try:
        trace = read_run(data)
    except TraceError as error:
        raise error.at(file=name) from error
    with working("Checking"):
        return Detector(policy_of(arguments.policy)).check(trace), trace


def _its_run(report: HallucinationReport, trace: RunTrace, name: str, file: Path) -> RunTrace:
    """The run that the report is about, or the turn of it. Raises where it is another run's."""
    turns = list(trace.turns())
    for turn in reversed(turns):
        if turn.run_id == report.run_id or turn.answer == report.answer:
            return turn
    raise AffidavitError(
        f"{file}: is another run than the one that {name} is about: neither its id {trace.run_id!r} "
        f"is {report.run_id!r} nor any of its answers the report's"
    )


def _read_report(data: dict[str, Any], name: str) -> HallucinationReport:
    try:
        return HallucinationReport.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise TraceError(first["msg"], field=field, file=name) from error


def _write(path: Path, page: str) -> None:
    try:
        # A lone surrogate in a result is shown by its code, in the data as an escape: none is left here.
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise AffidavitError(f"{path}: cannot be written: {error.strerror}") from error
