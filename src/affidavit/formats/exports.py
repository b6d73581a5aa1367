"""Exports that hold several runs in one document: lists, pages of an API, traces of spans."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from typing import Any

from affidavit.errors import TraceError
from affidavit.formats.node import Node
from affidavit.formats.otel import otlp_attributes

_LISTS = ("data", "traces", "runs", "records", "rows", "items")
"""Under which an API's page or a recorder's file lists its runs."""

_RESOURCES = (("resourceSpans", "scopeSpans"), ("resource_spans", "scope_spans"))


def runs_in(doc: Any) -> Iterator[Any]:
    """The runs of a document, itself where it is one; spans of one trace come as ``{"spans": […]}``."""
    if any(True for _ in spans_in(doc)):
        yield from ({"spans": trace} for trace in by_trace(spans_in(doc)))
    elif isinstance(doc, list):
        if doc and all(any(True for _ in spans_in(one)) for one in doc):
            every = (span for one in doc for span in spans_in(one))
            yield from ({"spans": trace} for trace in by_trace(every))
        else:
            for one in doc:
                yield from runs_in(one) if isinstance(one, Mapping) else iter((one,))
    elif isinstance(doc, Mapping) and (listed := _listed(doc)) is not None:
        yield from runs_in(listed)
    else:
        yield doc


def _listed(doc: Mapping[str, Any]) -> list[Any] | None:
    """The list of a page: there is no more to the document but numbers and names of the page."""
    for key in _LISTS:
        found = doc.get(key)
        others = [value for name, value in doc.items() if name != key]
        if (
            isinstance(found, list)
            and found
            and all(isinstance(one, Mapping) for one in found)
            and not any(isinstance(value, list) for value in others)
            and not any(name in doc for name in ("messages", "answer", "output", "outputs"))
        ):
            return found
    return None


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


def is_span(doc: Any) -> bool:
    """Whether a document is a span, or an export of spans."""
    return any(True for _ in spans_in(doc))


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
        "start": _time(_first(doc, {}, "startTimeUnixNano", "start_time", "start")),
        "end": _time(_first(doc, {}, "endTimeUnixNano", "end_time", "end")),
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


def by_trace(spans: Iterable[Any]) -> Iterator[list[dict[str, Any]]]:
    """Spans gathered by trace, each in the order of its start.

    An export of millions is sorted on disk: the spans of a trace need not stand together.
    """
    import sqlite3  # only exports need it, and reading a run is part of importing a detector

    with closing(sqlite3.connect("")) as held:
        held.execute("CREATE TABLE spans (trace TEXT, start TEXT, span TEXT)")
        for given in spans:
            for span in spans_in(given):
                row = (span["trace_id"], span["start"], json.dumps(span, default=str))
                held.execute("INSERT INTO spans VALUES (?, ?, ?)", row)
        held.execute("CREATE INDEX by_trace ON spans (trace, start)")
        now, gathered = None, list[dict[str, Any]]()
        for trace, raw in held.execute(
            "SELECT trace, span FROM spans ORDER BY trace, start, rowid"
        ):
            if trace != now and gathered:
                yield gathered
                gathered = []
            now = trace
            gathered.append(json.loads(raw))
        if gathered:
            yield gathered


def _time(value: Any) -> str:
    """A time that sorts as text: nanoseconds are filled up, ISO 8601 does already."""
    text = str(value or "")
    return text.zfill(20) if text.isdecimal() else text


def _first(doc: Mapping[str, Any], other: Mapping[str, Any], *keys: str) -> Any:
    return next((place[k] for k in keys for place in (doc, other) if place.get(k)), None)


def _list(value: Any) -> list[Any]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []
