"""A run of LangSmith with its ``child_runs``: ``run_type``, ``inputs``, ``outputs``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from affidavit.formats.components import Component, put_together
from affidavit.formats.draft import Draft
from affidavit.formats.node import Node

NAME = "langsmith"
SIGNS = ("run_type", "inputs", "outputs", "child_runs", "session_id", "dotted_order")
_KINDS: dict[str, Literal["model", "tool", "other"]] = {
    "llm": "model", "chat_model": "model", "tool": "tool", "retriever": "tool",
}  # fmt: skip


def mismatch(doc: Node) -> str:
    """Why the document is not of this format; empty where it may be."""
    missing = [key for key in ("run_type", "inputs", "outputs") if key not in doc]
    return f"no {missing[0]!r}" if missing else ""


def read(doc: Node) -> Draft:
    at = doc.json()
    assert isinstance(at, dict)
    steps = [_component(one) for one in _below(at)]
    draft = put_together(_component(at), steps, "outputs")
    extra = at.get("extra")
    about = extra.get("metadata") if isinstance(extra, dict) else None
    draft.metadata |= about if isinstance(about, dict) else {}
    for key in ("name", "start_time", "tags", "session_name"):
        if at.get(key):
            draft.metadata.setdefault(key, at[key])
    return draft


def _below(run: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The runs inside a run, in the order of their start."""
    children = run.get("child_runs")
    found = [one for one in children if isinstance(one, dict)] if isinstance(children, list) else []
    for one in sorted(found, key=lambda one: str(one.get("start_time") or "")):
        yield one
        yield from _below(one)


def _component(run: dict[str, Any]) -> Component:
    kind = _KINDS.get(str(run.get("run_type")), "other")
    gave = run.get("outputs")
    if kind == "tool" and isinstance(gave, dict) and len(gave) == 1:
        gave = _content(next(iter(gave.values())))
    extra = run.get("extra")
    told = extra.get("metadata") if isinstance(extra, dict) else None
    model = told.get("ls_model_name") if isinstance(told, dict) else None
    return Component(
        kind, str(run.get("name") or kind), run.get("inputs"), gave, id=str(run.get("id") or ""),
        error=bool(run.get("error")), model=model if isinstance(model, str) else None,
    )  # fmt: skip


def _content(value: Any) -> Any:
    """What a tool returned, without the message that it came in."""
    if isinstance(value, dict) and isinstance(value.get("kwargs"), dict):
        value = value["kwargs"]
    if isinstance(value, dict) and value.get("type") == "tool" and "content" in value:
        return value["content"]
    return value
