"""A real Arize Phoenix is told of a run, and tells of it again."""

from __future__ import annotations

import json
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.json_format import ParseDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from affidavit import load_run
from affidavit.records.telemetry import OtlpTelemetry, phoenix
from tests.records.backends.conftest import Told, serve


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, free_port: Callable[[], int]) -> Iterator[str]:
    home = tmp_path_factory.mktemp("phoenix")
    port = free_port()
    environment = {
        "PHOENIX_PORT": str(port),
        "PHOENIX_GRPC_PORT": str(free_port()),
        "PHOENIX_HOST": "127.0.0.1",
        "PHOENIX_WORKING_DIR": str(home),
        "PHOENIX_TELEMETRY_ENABLED": "false",
    }
    command = [sys.executable, "-m", "phoenix.server.main", "serve"]
    yield from serve(command, f"http://127.0.0.1:{port}", environment, home / "log")


@pytest.fixture(scope="module")
def told(server: str, tell: Callable[[OtlpTelemetry], Told]) -> Told:
    sink = phoenix(server)
    telemetry = OtlpTelemetry(server, service_name="repair-desk", signals=["traces"], content=True, timeout=60,
                              resource={"openinference.project.name": "repair-desk"}, sinks=[sink])  # fmt: skip
    run = tell(telemetry)
    assert sink.flush(60)
    assert sink.dropped == 0
    return run


def get(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=30) as answer:
        return json.load(answer)


def test_the_spans_are_there_inside_the_agents_own(server: str, told: Told) -> None:
    spans = get(f"{server}/v1/projects/repair-desk/spans?limit=100")["data"]
    mine = [span for span in spans if span["context"]["trace_id"] == told.trace_id]
    by_id = {span["context"]["span_id"]: span for span in mine}
    check = next(span for span in mine if span["name"] == "affidavit.check")
    assert by_id[check["parent_id"]]["name"] == "invoke_agent repair-desk"
    stages = {span["name"] for span in mine if span["parent_id"] == check["context"]["span_id"]}
    assert stages == {f"affidavit.{s}" for s in ("verify", "ledger", "ground", "probe", "gate")}
    events = [event for event in check["events"] if event["name"] == "gen_ai.evaluation.result"]
    assert len(events) == 1 + len(told.report.claims)


def test_the_evaluations_are_annotations_of_the_agents_span(server: str, told: Told) -> None:
    url = f"{server}/v1/projects/repair-desk/span_annotations?span_ids={told.span_id}"
    found = {note["identifier"]: note for note in get(url)["data"]}
    run = found.pop("run")
    assert run["name"] == "affidavit.groundedness"
    assert run["result"]["label"] == told.report.action
    assert run["result"]["score"] == told.report.overall_score
    assert len(found) == len(told.report.claims)
    for index, claim in enumerate(told.report.claims):
        note = found[f"claim {index + 1}"]
        assert (note["result"]["label"], note["result"]["score"]) == (claim.status, claim.score)
        assert note["metadata"]["affidavit.claim.text"] == claim.text


def test_what_was_personal_did_not_arrive(server: str, told: Told) -> None:
    spans = get(f"{server}/v1/projects/repair-desk/spans?limit=100")
    assert "62.50" in json.dumps(spans)
    assert "ida@example.com" not in json.dumps(spans)


TRACE = Path(__file__).parents[3] / "formats/written/openinference-otlp.json"


@pytest.fixture(scope="module")
def kept(server: str) -> None:
    """An agent's trace, as OpenInference told it, is sent to the server."""
    sent = ParseDict(
        json.loads(TRACE.read_text()), ExportTraceServiceRequest(), ignore_unknown_fields=True
    )
    request = urllib.request.Request(
        f"{server}/v1/traces", sent.SerializeToString(), {"Content-Type": "application/x-protobuf"}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert answer.status == 200


@pytest.mark.parametrize("export", ["spans", "spans/otlpv1"])
def test_a_run_that_it_keeps_is_read_from_its_export(
    server: str, kept: None, export: str, tmp_path: Path
) -> None:
    url = f"{server}/v1/projects/default/{export}?limit=100"
    for _ in range(60):  # what was sent is written a moment later
        if len(get(url)["data"]) >= 4:
            break
        time.sleep(0.5)
    exported = tmp_path / "export.json"
    exported.write_text(json.dumps(get(url)))
    run = load_run(exported)
    assert run.answer == "The repair costs $62.50."
    assert run.question == "What does the repair RJ-3107 cost?"
    assert "62.50" in run.model_dump_json()
