"""A run put together from what evaluation frameworks hold of one: question, answer, passages, tool calls."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from affidavit.errors import TraceError
from affidavit.formats import read_run
from affidavit.trace import RunTrace


@dataclass(frozen=True, slots=True)
class MadeCall:
    """A tool call with what it returned."""

    name: str
    arguments: Any
    result: Any


def run_of(
    question: object,
    answer: object,
    contexts: Iterable[Any] | str | None = None,
    calls: Iterable[MadeCall] = (),
) -> RunTrace:
    """The run of one example. An ``answer`` that is a whole run is read as it is.

    Raises TraceError where there is nothing that the answer could be held against.
    """
    if isinstance(answer, RunTrace):
        return answer
    whole = _document(answer)
    if whole is not None:
        return read_run(whole)
    made, passages = list(calls), _listed(contexts)
    if not made and not passages:
        raise TraceError(
            "nothing to hold the answer against: give the retrieved passages, the tool calls with "
            "their results, or the whole run as the output"
        )
    if passages:
        made.append(MadeCall("retrieve", {"query": str(question)}, passages))
    messages: list[dict[str, Any]] = [{"role": "user", "content": str(question)}]
    for number, call in enumerate(made):
        function = {"name": call.name, "arguments": call.arguments or {}}
        asked = {"id": f"call_{number}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": None, "tool_calls": [asked]})
        told = call.result if isinstance(call.result, str) else json.dumps(call.result, default=str)
        messages.append({"role": "tool", "tool_call_id": f"call_{number}", "content": told})
    return read_run({"messages": messages, "answer": str(answer)})


def _document(answer: object) -> Mapping[str, Any] | None:
    if isinstance(answer, str) and answer.lstrip().startswith("{"):
        try:
            answer = json.loads(answer)
        except (ValueError, RecursionError):
            return None
    if isinstance(answer, Mapping) and any(
        key in answer
        for key in ("messages", "run", "spans", "observations", "run_type", "contexts")
    ):
        return answer
    return None


def _listed(contexts: Iterable[Any] | str | None) -> list[Any]:
    if contexts is None:
        return []
    return [contexts] if isinstance(contexts, str) else list(contexts)
