"""Reading one document: find its format, read it, settle what the answer is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any

from affidavit.errors import TraceError
from affidavit.formats import (
    anthropic,
    call_sequence,
    google_genai,
    openai_chat,
    openai_responses,
    otel,
    own,
    schema_guided,
    simulated,
)
from affidavit.formats.draft import Draft, settle
from affidavit.formats.node import Node
from affidavit.formats.parts import tool_definitions
from affidavit.trace import RunTrace, ToolDefinition

# The surest sign first: what has ``task_id`` and ``reward`` also has ``messages``.
_FORMATS: tuple[ModuleType, ...] = (
    own, otel, simulated, schema_guided, call_sequence, anthropic, openai_chat,
    google_genai, openai_responses,
)  # fmt: skip


def read_run(
    data: Mapping[str, Any],
    *,
    run_id: str | None = None,
    tools: Iterable[ToolDefinition | Mapping[str, Any]] | None = None,
    answer: str | None = None,
) -> RunTrace:
    """A recorded run from a document of any known format.

    ``run_id`` names the run; otherwise the document's ``id`` does, and failing that its digest.
    ``tools`` are the declared tools and ``answer`` the final answer where they are kept apart.
    Raises TraceError. ``data`` is neither changed nor kept.
    """
    outer = Node(data)
    outer.mapping()
    case = isinstance(data.get("run"), Mapping)
    doc = outer["run"] if case else outer
    known = _FORMATS
    reasons = {module.NAME: module.mismatch(doc) for module in known}
    module = next((module for module in known if not reasons[module.NAME]), None)
    if module is None:
        tried = "; ".join(f"{name}: {reason}" for name, reason in reasons.items())
        raise TraceError(f"not a run of a known format ({tried})", field=doc.path)
    draft: Draft = module.read(doc)
    if answer is not None:
        draft.answer = answer
    elif draft.answer is None and "answer" in doc:
        draft.answer = doc["answer"].text()
    return _trace(draft, outer, doc, module.NAME, run_id, tools, case)


def _trace(
    draft: Draft,
    outer: Node,
    doc: Node,
    name: str,
    run_id: str | None,
    tools: Iterable[ToolDefinition | Mapping[str, Any]] | None,
    case: bool,
) -> RunTrace:
    apart = draft.answer is not None
    if draft.metadata.get("calls_only") and draft.answer is None:
        messages, answer = draft.messages, ""
    else:
        messages, answer = settle(draft, doc.child_path("answer" if apart else draft.answer_field))
    about = {"format": name} | draft.metadata
    if case:  # what is said about the run, such as what a checker should say of it
        about |= {str(k): Node(v, str(k)).json() for k, v in outer.mapping().items() if k != "run"}
    named = (outer.name_at(key) for key in ("id", "run_id") if key in outer)
    return RunTrace(
        run_id=run_id or next(named, "") or draft.run_id or _digest(outer),
        messages=tuple(messages),
        answer=answer,
        tools=draft.tools if tools is None else declared(tools),
        model=draft.model or (doc.text_at("model") or None),
        metadata=about,
    )


def declared(tools: Iterable[ToolDefinition | Mapping[str, Any]]) -> tuple[ToolDefinition, ...]:
    """Tools as declared to any provider."""
    listed: Sequence[ToolDefinition | Mapping[str, Any]] = list(tools)
    return tuple(
        tool
        if isinstance(tool, ToolDefinition)
        else (tool_definitions(Node([tool], "tools")) or ())[0]
        for tool in listed
    )


def _digest(doc: Node) -> str:
    """A name that the same document always gets."""
    text = json.dumps(doc.json(), sort_keys=True)
    return "run-" + hashlib.sha256(text.encode()).hexdigest()[:12]
