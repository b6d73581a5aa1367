"""Collectors and backends that are dead, that hang, that come late: the agent never notices."""

from __future__ import annotations

import json
import logging
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from affidavit import Detector
from affidavit.records.telemetry import Evaluation, OtlpTelemetry, mlflow, phoenix
from affidavit.records.telemetry.sink import BackgroundSender, Place, Request
from affidavit.testing import FixedEntailment
from affidavit.trace import RunTrace

pytestmark = pytest.mark.otel


class Hanging:
    """A server that takes every connection and never answers."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self.reached = threading.Event()
        self._open: list[socket.socket] = []
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def _accept(self) -> None:
        try:
            while True:
                self._open.append(self._socket.accept()[0])
                self.reached.set()
        except OSError:
            return  # closed

    def close(self) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._socket.close()
        for connection in self._open:
            connection.close()


@pytest.fixture
def hanging() -> Iterator[Hanging]:
    server = Hanging()
    yield server
    server.close()


@pytest.fixture
def dead() -> str:
    """An address where nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"http://127.0.0.1:{server.getsockname()[1]}"


NO_ANSWER = 0


class Backend(ThreadingHTTPServer):
    """A server that answers as it is told, then with 200, and keeps what was posted."""

    def __init__(self, statuses: list[int]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.statuses = statuses
        self.posted: list[tuple[str, dict[str, Any]]] = []
        self.url = f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Backend

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        status = self.server.statuses.pop(0) if self.server.statuses else 200
        if status in (200, NO_ANSWER):
            self.server.posted.append((self.path, body))
        if status == NO_ANSWER:
            self.close_connection = True
            return
        self.send_response(status)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *what: object) -> None:
        pass


@pytest.fixture
def backend(request: pytest.FixtureRequest) -> Iterator[Backend]:
    server = Backend(list(getattr(request, "param", [])))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


PLACE = Place(trace_id="0" * 31 + "1", span_id="0" * 15 + "2")
RESULTS = [
    Evaluation("affidavit.groundedness", "run", "block", 0.1, "1 unsupported"),
    Evaluation("affidavit.claim", "claim 1", "unchecked", None, "", failed=True),
]


@pytest.mark.spec("AFF-1305")
def test_a_collector_that_hangs_keeps_no_run_waiting(hanging: Hanging, run: RunTrace) -> None:
    expected = Detector(entailment=FixedEntailment()).check(run)
    telemetry = OtlpTelemetry(hanging.url, timeout=60, sinks=[phoenix(hanging.url)])
    judge = Detector(entailment=FixedEntailment(), observer=telemetry)
    for _ in range(50):
        report = judge.check(run)
        assert report.model_copy(update={"timings": expected.timings}) == expected
    # The flush is under way, and answered never; whoever asked for it goes on.
    assert not telemetry.flush(timeout=0.2)
    assert hanging.reached.wait(10)
    judge.check(run)
    telemetry.shutdown(timeout=0.2)
    assert judge.check(run).action == expected.action


@pytest.mark.spec("AFF-1305")
def test_a_collector_that_is_dead_breaks_no_run(
    dead: str, run: RunTrace, caplog: pytest.LogCaptureFixture
) -> None:
    expected = Detector(entailment=FixedEntailment()).check(run)
    sink = BackgroundSender(lambda place, results: [Request(dead, {})], pauses=())
    telemetry = OtlpTelemetry(dead, timeout=0.5, sinks=[sink])
    judge = Detector(entailment=FixedEntailment(), observer=telemetry)
    with caplog.at_level(logging.CRITICAL, "opentelemetry"):
        for _ in range(5):
            assert judge.check(run).action == expected.action
        assert sink.flush(10)
        telemetry.shutdown(timeout=2)
    assert sink.dropped == 5


@pytest.mark.spec("AFF-1305")
def test_a_process_ends_though_its_collector_hangs(hanging: Hanging) -> None:
    script = (
        "import sys\n"
        "from affidavit import Detector, RunTrace\n"
        "from affidavit.records.telemetry import OtlpTelemetry, phoenix\n"
        "from affidavit.testing import FixedEntailment\n"
        "url = sys.argv[1]\n"
        "telemetry = OtlpTelemetry(url, timeout=600, sinks=[phoenix(url)])\n"
        "judge = Detector(entailment=FixedEntailment(), observer=telemetry)\n"
        "print(judge.check(RunTrace(run_id='r', messages=(), answer='Hello.')).action)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, hanging.url], capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, done.stdout) == (0, "emit\n")


@pytest.mark.parametrize("backend", [[404, 503, 429]], indirect=True)
def test_a_span_that_is_not_there_yet_is_waited_for(backend: Backend) -> None:
    sink = BackgroundSender(
        lambda place, results: [Request(backend.url, {"at": place.span_id})], pauses=(0, 0, 0)
    )
    sink.put(PLACE, RESULTS)
    assert sink.flush(30)
    assert [body for _, body in backend.posted] == [{"at": PLACE.span_id}]
    assert sink.dropped == 0


@pytest.mark.parametrize("backend", [[NO_ANSWER]], indirect=True)
@pytest.mark.parametrize(("repeatable", "kept"), [(True, 2), (False, 1)])
def test_what_would_be_kept_twice_is_not_sent_again(
    backend: Backend, repeatable: bool, kept: int
) -> None:
    request = Request(backend.url, {}, repeatable=repeatable)
    sink = BackgroundSender(lambda place, results: [request], pauses=(0,))
    sink.put(PLACE, RESULTS)
    assert sink.flush(30)
    assert len(backend.posted) == kept
    assert sink.dropped == (0 if repeatable else 1)


@pytest.mark.parametrize("backend", [[400]], indirect=True)
def test_what_a_backend_refuses_is_dropped_and_the_next_goes_on(
    backend: Backend, caplog: pytest.LogCaptureFixture
) -> None:
    sink = phoenix(backend.url)
    with caplog.at_level(logging.WARNING, "affidavit.telemetry"):
        sink.put(PLACE, RESULTS)
        sink.put(PLACE, RESULTS)
        assert sink.flush(30)
    assert sink.dropped == 1
    assert "HTTP Error 400" in caplog.text
    assert len(backend.posted) == 1


def test_phoenix_is_given_one_annotation_for_each_result(backend: Backend) -> None:
    sink = phoenix(backend.url + "/")
    sink.put(PLACE, RESULTS)
    assert sink.flush(30)
    ((path, body),) = backend.posted
    assert path == "/v1/span_annotations?sync=true"
    run, claim = body["data"]
    assert run["result"] == {"label": "block", "score": 0.1, "explanation": "1 unsupported"}
    assert (run["span_id"], run["annotator_kind"]) == (PLACE.span_id, "CODE")
    assert claim["result"] == {"label": "unchecked"}, "no score is no zero"


def test_mlflow_is_given_one_assessment_for_each_result(backend: Backend) -> None:
    sink = mlflow(backend.url)
    sink.put(PLACE, RESULTS)
    assert sink.flush(30)
    paths = {path for path, _ in backend.posted}
    assert paths == {f"/api/3.0/mlflow/traces/tr-{PLACE.trace_id}/assessments"}
    first, second = (body["assessment"] for _, body in backend.posted)
    assert first["feedback"] == {"value": "block"}
    assert first["rationale"] == "1 unsupported"
    assert second["assessment_name"] == "affidavit.claim 1"


def test_a_full_queue_drops_and_keeps_nobody_waiting(hanging: Hanging) -> None:
    sink = phoenix(hanging.url)
    for _ in range(1_100):
        sink.put(PLACE, RESULTS)
    assert 90 <= sink.dropped <= 100
    assert not sink.flush(0.05)
