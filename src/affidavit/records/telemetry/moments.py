"""What happens outside the judging of a run, told as events of the span that is current: the host's own."""

from __future__ import annotations

import logging

from affidavit.records.telemetry import names
from affidavit.records.telemetry.evaluations import Attributes
from affidavit.records.telemetry.redaction import redact
from affidavit.records.telemetry.telemetry import captures_content

_log = logging.getLogger("affidavit.telemetry")


def tell(event: str, about: Attributes, *, query: str | None = None) -> None:
    """Add an event to the current span, where somebody records one. ``query`` is content: it leaves, redacted, only
    where ``OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT`` says so. Raises nothing."""
    try:
        from opentelemetry import trace

        span = trace.get_current_span()
        if span.is_recording():
            said: Attributes = {}
            if query and captures_content():
                said[names.QUERY] = redact(query)
            span.add_event(event, about | said)
    except Exception:
        _log.warning("telemetry failed", exc_info=True)
