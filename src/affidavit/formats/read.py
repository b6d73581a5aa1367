"""Reading one document: find its format, read it, settle what the answer is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from affidavit.errors import TraceError
from affidavit.formats import (
    anthropic,
    call_sequence,
    google_genai,
    langchain,
    langfuse,
    langsmith,
    openai_chat,
    openai_responses,
    otel,
    own,
    pydantic_ai,
    rag,
    schema_guided,
    simulated,
    spans,
    vercel,
)
from affidavit.formats.draft import Draft, settle
from affidavit.formats.node import Node
from affidavit.formats.parts import broke_off
from affidavit.formats.tools import Tools, declared
from affidavit.thinking import spoken, thought_apart
from affidavit.trace import RunTrace

# The surest sign first: what has ``task_id`` and ``reward`` also has ``messages``.
_FORMATS: tuple[ModuleType, ...] = (
    own, langsmith, langfuse, pydantic_ai, langchain, vercel, spans, otel, simulated, schema_guided,
    call_sequence, rag, anthropic, openai_chat, google_genai, openai_responses,
)  # fmt: skip

# Fields by which a document is told to be meant as one of a format, where it lacks others.
_SIGNS: dict[str, tuple[str, ...]] = {
    own.NAME: ("run_id", "messages", "answer"),
    langsmith.NAME: langsmith.SIGNS,
    langfuse.NAME: langfuse.SIGNS,
    spans.NAME: ("spans", "resourceSpans", "resource_spans", "trace_id"),
    rag.NAME: rag.SIGNS,
    schema_guided.NAME: ("user_turns", "call", "results", "answer"),
    call_sequence.NAME: ("input", "output"),
    openai_chat.NAME: ("messages", "choices", "tools"),
    google_genai.NAME: ("contents", "candidates"),
    openai_responses.NAME: ("input", "output", "instructions"),
}
OF_A_REPORT = frozenset({"claims", "tool_call_validations", "overall_score", "action"})
"""What only a report has."""


def read_run(
    data: Mapping[str, Any],
    *,
    run_id: str | None = None,
    tools: Tools | None = None,
    answer: str | None = None,
) -> RunTrace:
    """A recorded run from a document of any known format.

    ``run_id`` names the run; otherwise the document's ``id`` does, and failing that its digest.
    ``tools`` are the declared tools, an OpenAPI document among others, and ``answer`` the final answer where they are
    kept apart.
    Raises TraceError. ``data`` is neither changed nor kept.
    """
    outer = Node(data)
    outer.mapping()
    case = isinstance(data.get("run"), Mapping)
    doc = outer["run"] if case else outer
    if doc.mapping().keys() >= OF_A_REPORT:
        raise TraceError("this is a report, not a run; `affidavit report` shows it", field=doc.path)
    reasons = {module.NAME: module.mismatch(doc) for module in _FORMATS}
    module = next((module for module in _FORMATS if not reasons[module.NAME]), None)
    if module is None:
        raise TraceError(_unknown(doc, reasons), field=doc.path)
    draft: Draft = module.read(doc)
    if answer is not None:
        draft.answer = answer
    elif draft.answer is None and "answer" in doc:
        draft.answer = doc["answer"].text()
    return _trace(draft, outer, doc, module.NAME, run_id, tools, case)


def _unknown(doc: Node, reasons: Mapping[str, str]) -> str:
    """What is missing from a document to be what it seems to be meant as."""
    fields = [str(key) for key in doc.mapping()]
    has = ", ".join(fields[:8]) + (", …" if len(fields) > 8 else "") or "nothing"
    signs = {name: sum(key in fields for key in keys) for name, keys in _SIGNS.items()}
    most = max(signs.values())
    near = [f"{name}: {reasons[name]}" for name, number in signs.items() if most and number == most]
    told = "; ".join(near[:3])
    known = ", ".join(reasons)
    why = f"nearest is {told}" if told else f"formats that are read: {known}"
    return f"not a run of a known format: it has {has}; {why}"


def _last_message(doc: Node) -> Node | None:
    """The assistant's message that a record ends in: clients put the whole reply behind what was said."""
    messages = doc.get("messages") if isinstance(doc.value, dict) else None
    last = (
        messages.value[-1]
        if messages and isinstance(messages.value, list) and messages.value
        else None
    )
    return Node(last) if isinstance(last, dict) and last.get("role") == "assistant" else None


def _trace(
    draft: Draft,
    outer: Node,
    doc: Node,
    name: str,
    run_id: str | None,
    tools: Tools | None,
    case: bool,
) -> RunTrace:
    apart = draft.answer is not None
    if draft.metadata.get("calls_only") and draft.answer is None:
        messages, answer = draft.messages, ""
    else:
        messages, answer = settle(draft, doc.child_path("answer" if apart else draft.answer_field))
    said = spoken(answer)
    holders = (outer, doc, _last_message(doc))
    told = any(broke_off(holder, "finish_reason", "stop_reason") for holder in holders)
    about = {"format": name} | draft.metadata
    if case:  # what is said about the run, such as what a checker should say of it
        about |= {str(k): Node(v, str(k)).json() for k, v in outer.mapping().items() if k != "run"}
    places = (outer, doc) if case else (outer,)
    named = (place.name_at(key) for place in places for key in ("id", "run_id") if key in place)
    return RunTrace(
        run_id=run_id or next(named, "") or draft.run_id or _digest(outer),
        messages=tuple(map(thought_apart, messages)),
        answer=said.text,
        tools=draft.tools if tools is None else declared(tools),
        model=draft.model or (doc.text_at("model") or None),
        metadata=about,
        cut_off=draft.cut_off or told or said.unfinished,
        citations=() if said.thought else draft.citations,
    )


def _digest(doc: Node) -> str:
    """A name that the same document always gets."""
    text = json.dumps(doc.json(), sort_keys=True)
    return "run-" + hashlib.sha256(text.encode()).hexdigest()[:12]
