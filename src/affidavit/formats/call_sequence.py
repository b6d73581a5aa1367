"""Sequences of calls with their responses (NESTFUL's packaging of ComplexFuncBench).

``{"input", "output": [{"name", "arguments", "label", "response"}]}``. An argument ``$var1.path$``
stands for a field of the response labelled ``var1``: it is resolved, and where it came from is kept
in ``metadata["provenance"]`` by call and JSON Pointer. These rows record no answer: ``answer`` is
empty unless the row has one.
"""

from __future__ import annotations

import re

from pydantic import JsonValue

from affidavit.formats.draft import Draft, tool_message
from affidavit.formats.node import Node
from affidavit.formats.parts import tool_call
from affidavit.trace import DataPart, Message, Part, TextPart, ToolResultPart

NAME = "call_sequence"
_REFERENCE = re.compile(r"\$(\w+)\.([^$]+)\$\Z")
_STEP = re.compile(r"[^.\[\]]+")
_ABSENT = object()


def mismatch(doc: Node) -> str:
    """Why the document is not of this format; empty where it may be."""
    if not isinstance(doc.mapping().get("input"), str):
        return "no string 'input'"
    output = doc.mapping().get("output")
    if not isinstance(output, list) or not output:
        return "no list 'output'"
    fits = all(isinstance(c, dict) and "arguments" in c and "response" in c for c in output)
    return "" if fits else "'output' is not a list of calls with 'arguments' and 'response'"


def read(doc: Node) -> Draft:
    messages = [Message(role="user", parts=(TextPart(text=doc["input"].text()),))]
    known: dict[str, JsonValue] = {}
    provenance: dict[str, dict[str, str]] = {}
    for i, step in enumerate(doc["output"].items()):
        label = step.text_at("label", f"call_{i + 1}")
        origins: dict[str, str] = {}
        arguments = _resolved(step["arguments"].json(), known, "", origins)
        call = tool_call(label, step["name"].text(), Node(arguments, f"{step.path}.arguments"))
        parts: list[Part] = [call]
        messages.append(Message(role="assistant", parts=tuple(parts)))
        known[label] = step["response"].json()
        errors = step.get("errors")
        messages.append(
            tool_message(
                ToolResultPart(
                    id=label,
                    content=(DataPart(value=known[label]),),
                    is_error=bool(errors and errors.value),
                )
            )
        )
        if origins:
            provenance[label] = origins
    return Draft(
        messages,
        answer=doc.text_at("answer") or None,
        metadata={"provenance": provenance, "calls_only": "answer" not in doc},
    )


def _resolved(
    value: JsonValue, known: dict[str, JsonValue], pointer: str, origins: dict[str, str]
) -> JsonValue:
    """The arguments with every reference that can be followed replaced by what it refers to."""
    match value:
        case dict():
            return {k: _resolved(v, known, f"{pointer}/{k}", origins) for k, v in value.items()}
        case list():
            return [_resolved(v, known, f"{pointer}/{i}", origins) for i, v in enumerate(value)]
        case str() if reference := _REFERENCE.match(value):
            found = _follow(known.get(reference[1]), _STEP.findall(reference[2]))
            if found is not _ABSENT:
                origins[pointer] = value
                return found  # type: ignore[return-value]
    return value


def _follow(value: object, steps: list[str]) -> object:
    for step in steps:
        if isinstance(value, list) and not step.isdecimal():
            value = value[0] if value else None  # a field of a list is that of its first item
        if isinstance(value, list):
            value = value[int(step)] if len(step) < 9 and int(step) < len(value) else _ABSENT
        elif isinstance(value, dict):
            value = value.get(step, _ABSENT)
        else:
            return _ABSENT
    return value
