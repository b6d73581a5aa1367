"""OpenTelemetry as a host has it, with what it was told kept in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from affidavit.trace import (
    Message,
    RunTrace,
    TextPart,
    ToolCallPart,
    ToolDefinition,
    ToolResultPart,
)

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan


@dataclass
class Host:
    """The providers, and what came of them."""

    providers: dict[str, Any]
    tracer: Any
    _spans: Any
    _logs: Any
    _metrics: Any

    def spans(self, name: str = "") -> list[ReadableSpan]:
        return [span for span in self._spans.get_finished_spans() if name in ("", span.name)]

    def span(self, name: str) -> ReadableSpan:
        (found,) = self.spans(name)
        return found

    def logs(self) -> list[Any]:
        return [log.log_record for log in self._logs.get_finished_logs()]

    def points(self, metric: str) -> dict[tuple[Any, ...], Any]:
        """What a metric came to, by the values of its attributes; of a histogram, its count."""
        data = self._metrics.get_metrics_data()
        return {
            tuple(value for _, value in sorted(point.attributes.items())): getattr(
                point, "value", None
            )
            if hasattr(point, "value")
            else point.count
            for resource in (data.resource_metrics if data else ())
            for scope in resource.scope_metrics
            for found in scope.metrics
            if found.name == metric
            for point in found.data.data_points
        }


@pytest.fixture
def host() -> Iterator[Host]:
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import (
        InMemoryLogRecordExporter,
        SimpleLogRecordProcessor,
    )
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import InMemoryMetricReader
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    spans, logs, reader = (
        InMemorySpanExporter(),
        InMemoryLogRecordExporter(),
        InMemoryMetricReader(),
    )
    traces, events = TracerProvider(), LoggerProvider()
    traces.add_span_processor(SimpleSpanProcessor(spans))
    events.add_log_record_processor(SimpleLogRecordProcessor(logs))
    metrics = MeterProvider([reader])
    providers = {
        "tracer_provider": traces, "logger_provider": events, "meter_provider": metrics,
    }  # fmt: skip
    yield Host(providers, traces.get_tracer("host"), spans, logs, reader)
    for provider in (traces, events, metrics):
        provider.shutdown()


PARTS = ToolDefinition(
    name="get_part",
    input_schema={"type": "object", "properties": {"part_id": {"type": "string"}}},
)


@pytest.fixture
def run() -> RunTrace:
    """One right claim, one invented one, one call that was rejected and one that was not."""
    ask = TextPart(text="What does part BP-7 cost? Write to ida@example.com.")
    wrong = ToolCallPart(id="1", name="get_part", arguments={"part_id": "BP-9"})
    right = ToolCallPart(id="2", name="get_part", arguments={"part_id": "BP-7"})
    answered = ToolResultPart(
        id="2", content=(TextPart(text='{"part_id": "BP-7", "price": "$24.50"}'),)
    )
    return RunTrace(
        run_id="parts",
        model="model-x",
        tools=(PARTS,),
        messages=(
            Message(role="user", parts=(ask,)),
            Message(role="assistant", parts=(wrong,)),
            Message(role="assistant", parts=(right,)),
            Message(role="tool", parts=(answered,)),
        ),
        answer="Part BP-7 costs $24.50. I wrote to ida@example.com. The fee is $99.10.",
    )
