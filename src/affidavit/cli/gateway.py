"""``affidavit gateway``: the guard as a reverse proxy."""

from __future__ import annotations

import argparse
import threading
from contextlib import ExitStack
from pathlib import Path

from affidavit.detector import Detector
from affidavit.errors import MissingExtra
from affidavit.guard import GuardOptions
from affidavit.policy import Policy
from affidavit.report import HallucinationReport
from affidavit.runtimes.gateway import Upstreams, gateway


def run(arguments: argparse.Namespace) -> int:
    try:
        import uvicorn
    except ImportError as error:
        raise MissingExtra("uvicorn", "gateway") from error
    detector = Detector(Policy.load(arguments.policy) if arguments.policy else None)
    options: GuardOptions = {"shadow": arguments.shadow}
    if arguments.reports:
        options["on_report"] = _Reports(arguments.reports)
    upstreams = Upstreams(arguments.anthropic, arguments.openai)
    with ExitStack() as stack:
        if arguments.log:
            from affidavit.records.runlog import open_log

            options["recorders"] = [stack.enter_context(open_log(arguments.log))]
        app = gateway(detector, options, upstreams=upstreams)
        uvicorn.run(app, host=arguments.host, port=arguments.port, log_level="warning")
    return 0


class _Reports:
    """Adds each report to a file, one a line."""

    def __init__(self, file: Path) -> None:
        self._file, self._lock = file, threading.Lock()

    def __call__(self, report: HallucinationReport) -> None:
        with self._lock, self._file.open("a", encoding="utf-8") as out:
            out.write(report.model_dump_json() + "\n")
