"""Telemetry to a collector over OTLP/HTTP, for a host that has no OpenTelemetry of its own."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from affidavit.errors import MissingExtra
from affidavit.records.telemetry import names
from affidavit.records.telemetry.sink import EvaluationSink
from affidavit.records.telemetry.telemetry import Telemetry

_TIMEOUT = 5.0
"""Seconds for one export."""
_AT_EXIT = 2.0
"""Seconds that the end of the process waits for what has not been sent."""


class OtlpTelemetry(Telemetry):
    """Telemetry with providers of its own, sent in the background from bounded queues.

    ``endpoint`` is the collector's address without a signal's path (``http://localhost:4318``);
    without one, the ``OTEL_EXPORTER_OTLP_…`` variables decide. ``signals`` names what to send: a
    backend of traces need not be sent logs and metrics.
    """

    def __init__(
        self,
        endpoint: str | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        service_name: str = "affidavit",
        resource: Mapping[str, str] | None = None,
        signals: Sequence[str] = ("traces", "logs", "metrics"),
        timeout: float = _TIMEOUT,
        content: bool | None = None,
        sinks: Sequence[EvaluationSink] = (),
    ) -> None:
        providers = _providers(endpoint, headers, service_name, resource, timeout, signals)
        self._providers = tuple(providers.values())
        super().__init__(**providers, content=content, sinks=sinks)
        self._at_exit = atexit.register(self.shutdown, _AT_EXIT)

    @property
    def tracer_provider(self) -> Any:
        """For the host's own spans, so that runs are seen inside them."""
        return self._providers[0]

    def flush(self, timeout: float) -> bool:
        """Send what waits, for ``timeout`` seconds at most; whether that was enough."""
        return self._within(timeout, "force_flush")

    def shutdown(self, timeout: float = _AT_EXIT) -> bool:
        """Send what waits and stop, for ``timeout`` seconds at most; whether that was enough."""
        atexit.unregister(self._at_exit)
        return self._within(timeout, "shutdown")

    def _within(self, timeout: float, what: str) -> bool:
        def work() -> None:
            for provider in self._providers:
                getattr(provider, what)()

        # The SDK waits up to half a minute for a collector that hangs; the host does not.
        thread = threading.Thread(target=work, name=f"affidavit-otlp-{what}", daemon=True)
        thread.start()
        thread.join(timeout)
        return not thread.is_alive()


def _providers(
    endpoint: str | None,
    headers: Mapping[str, str] | None,
    service_name: str,
    resource: Mapping[str, str] | None,
    timeout: float,
    signals: Sequence[str],
) -> dict[str, Any]:
    try:
        from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk._logs import LoggerProvider
        from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise MissingExtra("opentelemetry-sdk", "otel") from error

    def options(signal: str) -> dict[str, Any]:
        where = None if endpoint is None else f"{endpoint.rstrip('/')}/v1/{signal}"
        return {"endpoint": where, "headers": dict(headers or {}), "timeout": timeout}

    about = Resource.create({names.SERVICE_NAME: service_name} | dict(resource or {}))
    readers = (
        [PeriodicExportingMetricReader(OTLPMetricExporter(**options("metrics")))]
        if "metrics" in signals
        else []
    )
    traces = TracerProvider(resource=about, shutdown_on_exit=False)
    logs = LoggerProvider(resource=about, shutdown_on_exit=False)
    metrics = MeterProvider(readers, resource=about, shutdown_on_exit=False)
    if "traces" in signals:
        traces.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(**options("traces"))))
    if "logs" in signals:
        logs.add_log_record_processor(BatchLogRecordProcessor(OTLPLogExporter(**options("logs"))))
    return {"tracer_provider": traces, "meter_provider": metrics, "logger_provider": logs}
