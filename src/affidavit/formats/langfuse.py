"""A trace of Langfuse with its ``observations``, or one generation, as its API and its exports write them."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any, Literal

from affidavit.formats.components import Component, put_together
from affidavit.formats.draft import Draft
from affidavit.formats.node import Node
from affidavit.formats.spans import spoken
from affidavit.formats.spans_written import span_of, spans_in

NAME = "langfuse"
_HEAD = "langfuse.observation."
SIGNS = ("observations", "traceId", "projectId", "input", "output", "latency", "htmlPath")
_OWN = (
    "projectId", "traceId", "htmlPath", "latency", "usageDetails", "costDetails", "completionStartTime",
    "parentObservationId", "bookmarked", "totalCost", "sessionId", "promptTokens", "statusMessage",
)  # fmt: skip
_TOOLS = ("TOOL", "RETRIEVER", "SPAN")


def mismatch(doc: Node) -> str:
    """Why the document is not of this format; empty where it may be."""
    if _observed(doc):
        return ""
    at = doc.mapping()
    if not isinstance(at.get("observations"), list) and sum(key in at for key in _OWN) < 2:
        return "no list 'observations', and not a generation with 'traceId'"
    if "output" not in doc and not isinstance(at.get("observations"), list):
        return "no 'output'"
    return ""


def read(doc: Node) -> Draft:
    at = _trace(_observed(doc)) or doc.json()
    assert isinstance(at, dict)
    seen = [one for one in _list(at.get("observations")) if isinstance(one, dict)]
    seen.sort(key=lambda one: str(one.get("startTime") or ""))
    parents = {one.get("parentObservationId") for one in seen}
    answer = spoken(_decoded(at.get("output")))
    steps = [_component(one, parents, answer) for one in seen]
    draft = put_together(_component(at), steps, "output")
    about = at.get("metadata")
    draft.metadata |= about if isinstance(about, dict) else {}
    for key in ("name", "release", "version", "timestamp", "tags", "sessionId"):
        if at.get(key):
            draft.metadata.setdefault(key, at[key])
    return draft


def _observed(doc: Node) -> list[dict[str, Any]]:
    """The observations of a trace of spans, as Langfuse's SDK exports them."""
    listed = doc.mapping().get("spans")
    spans = (
        [span_of(one) for one in listed]
        if isinstance(listed, list)
        else list(spans_in(doc.mapping()))
    )
    return [_observation(span) for span in spans if span and f"{_HEAD}type" in span["attributes"]]


def _observation(span: dict[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = span["attributes"]
    level = "ERROR" if span["error"] else told.get(f"{_HEAD}level")
    return {
        "id": span["span_id"], "traceId": span["trace_id"], "parentObservationId": span["parent_id"] or None,
        "name": span["name"], "startTime": span["start"], "level": level, "type": told[f"{_HEAD}type"],
        "input": told.get(f"{_HEAD}input"), "output": told.get(f"{_HEAD}output"),
        "model": told.get(f"{_HEAD}model.name"),
    }  # fmt: skip


def _trace(seen: list[dict[str, Any]]) -> dict[str, Any]:
    if not seen:
        return {}
    root = next((one for one in seen if not one["parentObservationId"]), seen[0])
    about = {key: root[key] for key in ("name", "input", "output")}
    return {"id": root["traceId"], "observations": seen} | about


def _component(
    one: dict[str, Any], parents: Collection[object] = (), answer: str = ""
) -> Component:
    kind = str(one.get("type") or "").upper()
    given, gave = _decoded(one.get("input")), _decoded(one.get("output"))
    model = one.get("model")
    which: Literal["model", "tool", "other"] = "other"
    if kind == "GENERATION":
        which = "model"
    elif kind in _TOOLS and gave is not None:
        # A span that has others in it, or gave what became the answer, is the agent's own: what it
        # gave would prove itself.
        own = (
            one.get("id") in parents or not one.get("parentObservationId") or spoken(gave) == answer
        )
        which = "other" if kind == "SPAN" and own else "tool"
    return Component(
        which, str(one.get("name") or kind.lower()), given, gave, id=str(one.get("id") or ""),
        error=one.get("level") == "ERROR", model=model if isinstance(model, str) else None,
    )  # fmt: skip


def _decoded(value: Any) -> Any:
    """Input and output, which exports write as JSON in a string."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return value
    if isinstance(value, dict) and value.keys() == {"args", "kwargs"}:
        # What a function was called with: by names, or the one thing that it was given.
        args = value["args"]
        if not args or not isinstance(args, list):
            return value["kwargs"]
        return value if value["kwargs"] or len(args) > 1 else args[0]
    return value


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
