"""This package's own form: what ``RunTrace.model_dump_json()`` writes."""

from __future__ import annotations

from pydantic import ValidationError

from affidavit.errors import TraceError
from affidavit.formats.draft import Draft
from affidavit.formats.node import Node
from affidavit.formats.openapi import is_openapi
from affidavit.formats.parts import tool_definitions
from affidavit.trace import RunTrace

NAME = "affidavit_trace"


def mismatch(doc: Node) -> str:
    """Why the document is not of this format; empty where it may be."""
    missing = [key for key in ("run_id", "messages", "answer") if key not in doc]
    if missing:
        return f"no {missing[0]!r}"
    messages = doc["messages"].value
    if not isinstance(messages, list) or not all(
        isinstance(message, dict) and "parts" in message for message in messages
    ):
        return "'messages' is not a list of messages with 'parts'"
    return ""


def read(doc: Node) -> Draft:
    told = doc.json()
    if isinstance(told, dict) and _holds_openapi(told.get("tools")):
        found = tool_definitions(doc["tools"]) or ()
        told["tools"] = [tool.model_dump(mode="json") for tool in found]
    try:
        trace = RunTrace.model_validate(told, strict=False)
    except ValidationError as error:
        first = error.errors()[0]
        steps = [f"[{s}]" if isinstance(s, int) else f".{s}" for s in first["loc"]]
        raise TraceError(first["msg"], field="".join(steps).lstrip(".")) from error
    return Draft(
        list(trace.messages), trace.answer, trace.tools, trace.model, trace.run_id, trace.metadata,
        cut_off=trace.cut_off, citations=trace.citations,
    )  # fmt: skip


def _holds_openapi(tools: object) -> bool:
    return is_openapi(tools) or (isinstance(tools, list) and any(map(is_openapi, tools)))
