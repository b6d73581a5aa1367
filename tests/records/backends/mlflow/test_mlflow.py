"""A real MLflow is told of a run, and tells of it again."""

from __future__ import annotations

import json
import sys
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from affidavit.records.telemetry import OtlpTelemetry, mlflow
from tests.records.backends.conftest import Told, serve


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, free_port: Callable[[], int]) -> Iterator[str]:
    home = tmp_path_factory.mktemp("mlflow")
    port = free_port()
    command = [
        sys.executable, "-m", "mlflow", "server", "--host", "127.0.0.1", "--port", str(port),
        "--workers", "1", "--backend-store-uri", f"sqlite:///{home}/mlflow.db",
        "--artifacts-destination", str(home / "artifacts"),
    ]  # fmt: skip
    environment = {
        "MLFLOW_DISABLE_TELEMETRY": "true",
        "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false",  # its workers take longer to start than it
    }
    yield from serve(command, f"http://127.0.0.1:{port}/health", environment, home / "log")


@pytest.fixture(scope="module")
def told(server: str, tell: Callable[[OtlpTelemetry], Told]) -> Told:
    url = server.removesuffix("/health")
    sink = mlflow(url)
    headers = {"x-mlflow-experiment-id": "0"}
    telemetry = OtlpTelemetry(url, headers=headers, service_name="repair-desk",
                              signals=["traces"], content=True, timeout=60, sinks=[sink])  # fmt: skip
    run = tell(telemetry)
    assert sink.flush(60)
    assert sink.dropped == 0
    return run


def get(server: str, path: str) -> Any:
    url = f"{server.removesuffix('/health')}/api/3.0/mlflow/traces/{path}"
    with urllib.request.urlopen(url, timeout=30) as answer:
        return json.load(answer)


def test_the_spans_are_there_inside_the_agents_own(server: str, told: Told) -> None:
    spans = get(server, f"get?trace_id=tr-{told.trace_id}")["trace"]["spans"]
    by_id = {span["span_id"]: span for span in spans}
    check = next(span for span in spans if span["name"] == "affidavit.check")
    assert by_id[check["parent_span_id"]]["name"] == "invoke_agent repair-desk"
    stages = {span["name"] for span in spans if span.get("parent_span_id") == check["span_id"]}
    assert stages == {f"affidavit.{s}" for s in ("verify", "ledger", "ground", "probe", "gate")}
    events = [event for event in check["events"] if event["name"] == "gen_ai.evaluation.result"]
    assert len(events) == 1 + len(told.report.claims)


def test_the_evaluations_are_assessments_of_the_trace(server: str, told: Told) -> None:
    info = get(server, f"tr-{told.trace_id}")["trace"]["trace_info"]
    found = {one["assessment_name"]: one for one in info["assessments"]}
    run = found.pop("affidavit.groundedness")
    assert run["feedback"]["value"] == told.report.action
    assert float(run["metadata"]["score"]) == told.report.overall_score
    assert len(found) == len(told.report.claims)
    for index, claim in enumerate(told.report.claims):
        assessment = found[f"affidavit.claim {index + 1}"]
        assert assessment["feedback"]["value"] == claim.status
        assert assessment["metadata"]["affidavit.claim.text"] == claim.text
        assert assessment["source"]["source_type"] == "CODE"
