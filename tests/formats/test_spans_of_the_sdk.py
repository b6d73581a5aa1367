"""Spans as the OpenTelemetry SDK itself writes them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from affidavit import read_run
from affidavit.formats.exports import runs_in
from affidavit.trace import ToolCallPart, ToolResultPart

pytestmark = pytest.mark.otel
QUESTION, ANSWER = "What does the repair RJ-3107 cost?", "The repair costs $62.50."


def recorded() -> list[Any]:
    """An agent's trace: its own span, a tool's, and the model's last call."""
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    kept = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(kept))
    tracer = provider.get_tracer("test")

    def said(role: str, text: str) -> str:
        return json.dumps([{"role": role, "parts": [{"type": "text", "content": text}]}])

    with tracer.start_as_current_span("invoke_agent") as agent:
        agent.set_attribute("gen_ai.agent.version", "v7")
        tool = {
            "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "get_repair",
            "gen_ai.tool.call.arguments": '{"ticket": "RJ-3107"}',
            "gen_ai.tool.call.result": '{"price": "62.50"}',
        }  # fmt: skip
        with tracer.start_as_current_span("execute_tool get_repair", attributes=tool):
            pass
        told = {
            "gen_ai.input.messages": said("user", QUESTION),
            "gen_ai.output.messages": said("assistant", ANSWER),
        }
        with tracer.start_as_current_span("chat", attributes=told):
            pass
    provider.shutdown()
    return list(kept.get_finished_spans())


def as_json(spans: list[Any]) -> Any:
    """As its console exporter prints them."""
    return [json.loads(span.to_json()) for span in spans]


def as_otlp(spans: list[Any]) -> Any:
    """As OTLP over HTTP with JSON carries them."""
    encoder = pytest.importorskip("opentelemetry.exporter.otlp.proto.common.trace_encoder")
    from google.protobuf.json_format import MessageToDict

    return MessageToDict(encoder.encode_spans(spans))


@pytest.mark.parametrize("written", [as_json, as_otlp])
def test_a_trace_reads_to_one_run(written: Any) -> None:
    pytest.importorskip("opentelemetry.sdk")
    (doc,) = runs_in(written(recorded()))
    run = read_run(doc)
    assert (run.question, run.answer) == (QUESTION, ANSWER)
    parts = [part for message in run.messages for part in message.parts]
    (call,) = [part for part in parts if isinstance(part, ToolCallPart)]
    (result,) = [part for part in parts if isinstance(part, ToolResultPart)]
    assert (call.name, call.arguments) == ("get_repair", {"ticket": "RJ-3107"})
    assert "62.50" in json.dumps(result.model_dump(mode="json"))
    assert run.metadata["gen_ai.agent.version"] == "v7"
