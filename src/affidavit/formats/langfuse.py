"""A trace of Langfuse with its ``observations``, or one generation, as its API and its exports write them."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any, Literal

from affidavit.formats.components import Component, put_together
from affidavit.formats.draft import Draft
from affidavit.formats.node import Node
from affidavit.formats.spans import spoken

NAME = "langfuse"
SIGNS = ("observations", "traceId", "projectId", "input", "output", "latency", "htmlPath")
_OWN = (
    "projectId", "traceId", "htmlPath", "latency", "usageDetails", "costDetails", "completionStartTime",
    "parentObservationId", "bookmarked", "totalCost", "sessionId", "promptTokens", "statusMessage",
)  # fmt: skip
_TOOLS = ("TOOL", "RETRIEVER", "SPAN")


def mismatch(doc: Node) -> str:
    """Why the document is not of this format; empty where it may be."""
    at = doc.mapping()
    if not isinstance(at.get("observations"), list) and sum(key in at for key in _OWN) < 2:
        return "no list 'observations', and not a generation with 'traceId'"
    if "output" not in doc and not isinstance(at.get("observations"), list):
        return "no 'output'"
    return ""


def read(doc: Node) -> Draft:
    at = doc.json()
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
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
