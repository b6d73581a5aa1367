"""A log with a few runs, and its pages over real HTTP."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlencode

import pytest

from affidavit import HallucinationReport, RunTrace
from affidavit.records.page.serve import LogServer
from affidavit.records.runlog import ReviewKey, RunLog
from affidavit.records.runlog.sqlite import SqliteStore
from affidavit.testing import claim_verdict, report_of

SECRET = b"a secret that is long enough to be one"
BEGUN = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)


@pytest.fixture
def log(tmp_path: Path, report: HallucinationReport, trace: RunTrace) -> Iterator[RunLog]:
    """Twelve plain runs, an hour apart, and the example last."""
    hours = iter(BEGUN + timedelta(hours=n) for n in range(1000))
    with RunLog(SqliteStore(tmp_path / "runs.db"), clock=lambda: next(hours)) as log:
        for number in range(12):
            action = ("emit", "emit", "revise", "block")[number % 4]
            claim = claim_verdict(
                f"The fee is {number} dollars.",
                0.95 if action == "emit" else 0.1,
                reason=None if action == "emit" else "value_not_in_evidence",
            )
            log.report(report_of(claim, run_id=f"run-{number}", action=action))
        log.report(report, trace)
        yield log


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    text: str


Ask = Callable[..., Answer]


@pytest.fixture
def server(log: RunLog) -> Iterator[LogServer]:
    with LogServer(log, key=ReviewKey(SECRET), reviewer="Ines") as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()


@pytest.fixture
def ask(server: LogServer) -> Ask:
    """Asks for a path; with ``form``, posts it."""

    def ask_(
        path: str,
        form: dict[str, str] | None = None,
        *,
        method: str = "",
        **headers: str,
    ) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
        body = None if form is None else urlencode(form)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method or ("GET" if form is None else "POST"), path, body, given)
        response = connection.getresponse()
        text = response.read().decode("utf-8")
        connection.close()
        return Answer(response.status, dict(response.getheaders()), text)

    return ask_
