"""Traces whose parts stand apart: spans, runs of LangSmith without their children, observations of Langfuse.

An export lists them one after another, of many traces at once. They are gathered by trace, into the document that
the format of a whole trace reads.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from typing import Any, NamedTuple

from affidavit.formats.spans_written import spans_in

_OBSERVED = frozenset(
    "SPAN GENERATION EVENT AGENT TOOL CHAIN RETRIEVER EVALUATOR EMBEDDING GUARDRAIL".split()
)


class Part(NamedTuple):
    """A part of a trace, and by what it is put into its place."""

    kind: str
    trace: str
    start: str
    data: dict[str, Any]


def parts_in(doc: Any) -> Iterator[Part]:
    """The parts of traces that a document holds, or the one that it is."""
    if not isinstance(doc, Mapping):
        return
    for span in spans_in(doc):
        yield Part("spans", span["trace_id"], span["start"], span)
    if _is_langsmith(doc):
        yield Part("langsmith", str(doc["trace_id"]), str(doc.get("start_time") or ""), dict(doc))
    elif _is_langfuse(doc):
        yield Part("langfuse", str(doc["traceId"]), str(doc.get("startTime") or ""), dict(doc))


def is_part(doc: Any) -> bool:
    """Whether a document is a part of a trace, or holds nothing else."""
    return any(True for _ in parts_in(doc))


def gathered(docs: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """One document a trace, its parts in the order of their start.

    An export of millions is sorted on disk: the parts of a trace need not stand together.
    """
    import sqlite3  # only exports need it, and reading a run is part of importing a detector

    with closing(sqlite3.connect("")) as held:
        held.execute("CREATE TABLE parts (kind TEXT, trace TEXT, start TEXT, part TEXT)")
        for doc in docs:
            for part in parts_in(doc):
                row = (part.kind, part.trace, part.start, json.dumps(part.data, default=str))
                held.execute("INSERT INTO parts VALUES (?, ?, ?, ?)", row)
        held.execute("CREATE INDEX by_trace ON parts (trace, kind, start)")
        now, parts = ("", ""), list[dict[str, Any]]()
        for trace, kind, raw in held.execute(
            "SELECT trace, kind, part FROM parts ORDER BY trace, kind, start, rowid"
        ):
            if (trace, kind) != now and parts:
                yield _WHOLE[now[1]](parts)
                parts = []
            now = trace, kind
            parts.append(json.loads(raw))
        if parts:
            yield _WHOLE[now[1]](parts)


def _is_langsmith(doc: Mapping[str, Any]) -> bool:
    return bool(doc.get("run_type") and doc.get("trace_id") and doc.get("id")) and not (
        doc.get("child_runs")
    )


def _is_langfuse(doc: Mapping[str, Any]) -> bool:
    return (
        bool(doc.get("traceId") and doc.get("id"))
        and "observations" not in doc
        and str(doc.get("type")).upper() in _OBSERVED
    )


def _spans(parts: list[dict[str, Any]]) -> dict[str, Any]:
    return {"spans": parts}


def _langsmith(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """The outermost run with the others below it; what has lost its parent stands below the outermost."""
    by_id = {str(part["id"]): part for part in parts}
    root = next((part for part in parts if not part.get("parent_run_id")), parts[0])
    for part in parts:
        if part is not root:
            above = by_id.get(str(part.get("parent_run_id")), root)
            above.setdefault("child_runs", None)
            above["child_runs"] = [*(above["child_runs"] or []), part]
    return root


def _langfuse(parts: list[dict[str, Any]]) -> dict[str, Any]:
    if len(parts) == 1:
        return parts[0]
    ids = {part["id"] for part in parts}
    root = next((part for part in parts if part.get("parentObservationId") not in ids), parts[0])
    told = {
        "id": root["traceId"],
        "name": root.get("traceName") or root.get("name"),
        "observations": parts,
    }
    about = {key: root[key] for key in ("input", "output", "release", "version") if root.get(key)}
    return told | about


_WHOLE: Mapping[str, Callable[[list[dict[str, Any]]], dict[str, Any]]] = {
    "spans": _spans, "langsmith": _langsmith, "langfuse": _langfuse,
}  # fmt: skip
