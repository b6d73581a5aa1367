"""Spans, however OTLP, an SDK, Phoenix or a table writes them, in one form."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from affidavit.errors import TraceError
from affidavit.formats.node import Node
from affidavit.formats.otel import otlp_attributes

_RESOURCES = (("resourceSpans", "scopeSpans"), ("resource_spans", "scope_spans"))


def spans_in(doc: Any) -> Iterator[dict[str, Any]]:
    """The spans of an OTLP export, or the span that a document is, all in one form."""
    if not isinstance(doc, Mapping):
        return
    if any(isinstance(doc.get(key), list) for key, _ in _RESOURCES):
        for key, scope_key in _RESOURCES:
            for resource in _list(doc.get(key)):
                for scope in _list(resource.get(scope_key)):
                    for span in _list(scope.get("spans")):
                        if (found := span_of(span)) is not None:
                            yield found
    elif (found := span_of(doc)) is not None:
        yield found


def span_of(doc: Any) -> dict[str, Any] | None:
    """A span as OTLP, the OpenTelemetry SDKs, Phoenix or a table of spans writes it; None if it is none."""
    if not isinstance(doc, Mapping):
        return None
    context = doc.get("context")
    context = context if isinstance(context, Mapping) else {}
    trace = _first(doc, context, "traceId", "trace_id", "context.trace_id")
    span = _first(doc, context, "spanId", "span_id", "context.span_id")
    attributes = _attributes(doc)
    if not trace or not span or attributes is None:
        return None
    return {
        "trace_id": str(trace),
        "span_id": str(span),
        "parent_id": str(_first(doc, {}, "parentSpanId", "parent_span_id", "parent_id") or ""),
        "name": str(doc.get("name") or ""),
        "start": _time(
            _first(doc, {}, "startTimeUnixNano", "start_time_unix_nano", "start_time", "start")
        ),
        "end": _time(_first(doc, {}, "endTimeUnixNano", "end_time_unix_nano", "end_time", "end")),
        "error": _failed(doc),
        "attributes": attributes,
    }


def _attributes(doc: Mapping[str, Any]) -> dict[str, Any] | None:
    given = doc.get("attributes")
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            return None
    if isinstance(given, Mapping):
        return dict(given)
    if isinstance(given, list):
        try:
            return {key: node.json() for key, node in otlp_attributes(Node(given)).items()}
        except TraceError:
            return None
    columns = {
        key.removeprefix("attributes."): value
        for key, value in doc.items()
        if key.startswith(("attributes.", "gen_ai.")) and value is not None
    }
    return columns or None


def _failed(doc: Mapping[str, Any]) -> bool:
    status = doc.get("status")
    code = status.get("code", status.get("status_code")) if isinstance(status, Mapping) else status
    return str(code or doc.get("status_code") or "") in ("2", "ERROR", "STATUS_CODE_ERROR")


def _time(value: Any) -> str:
    """A time that sorts as text: nanoseconds are filled up, ISO 8601 does already."""
    text = str(value or "")
    return text.zfill(20) if text.isdecimal() else text


def _first(doc: Mapping[str, Any], other: Mapping[str, Any], *keys: str) -> Any:
    return next((place[k] for k in keys for place in (doc, other) if place.get(k)), None)


def _list(value: Any) -> list[Any]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []
