"""What the traces of Langfuse and LangSmith have in common: components with an input and an output.

The last model call mostly was given the whole run. Where it was not, the run is put together from the
question, what tools and retrievers returned, and the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from affidavit.formats.conversation import conversation, messages_in
from affidavit.formats.draft import Draft, tool_message
from affidavit.formats.node import Node
from affidavit.formats.parts import result_value, tool_call
from affidavit.formats.spans import spoken
from affidavit.trace import Message, Part, TextPart, ToolResultPart


@dataclass
class Component:
    """One step of a trace. ``kind`` is ``model``, ``tool`` or ``other``."""

    kind: Literal["model", "tool", "other"]
    name: str
    given: Any
    gave: Any
    id: str = ""
    error: bool = False
    model: str | None = None


def put_together(root: Component, steps: Sequence[Component], path: str) -> Draft:
    """The run of a trace whose outermost component is ``root``; ``steps`` are in their order."""
    draft = _by_messages(root, steps, path) or _by_parts(root, path)
    draft.model = next((step.model for step in reversed(steps) if step.model), root.model)
    if not any(isinstance(part, ToolResultPart) for m in draft.messages for part in m.parts):
        _insert(draft, steps)
    return draft


def _by_messages(root: Component, steps: Sequence[Component], path: str) -> Draft | None:
    whole = messages_in(root.gave)
    if whole is not None and len(whole) > 1:  # a graph's state: everything that was said
        return conversation(whole, path)
    calls = [step for step in steps if step.kind == "model"] + (
        [root] if root.kind == "model" else []
    )
    for call in reversed(calls):
        asked, told = messages_in(call.given), messages_in(_generation(call.gave))
        if asked is None:
            continue
        draft = conversation(asked + (told or []), path)
        answer = "" if told else spoken(call.gave)
        if answer:
            draft.answer = answer
        # What went out is what the outermost component gave, where that is not what the model said.
        last = spoken(root.gave)
        if last and root is not call and told is None and not answer:
            draft.answer = last
        return draft
    return None


def _by_parts(root: Component, path: str) -> Draft:
    question, answer = spoken(root.given), spoken(root.gave)
    messages = [Message(role="user", parts=(TextPart(text=question),))] if question else []
    return Draft(messages, answer=answer, answer_field=path)


def _generation(gave: Any) -> Any:
    """The message in what LangChain says a model generated."""
    if isinstance(gave, dict) and isinstance(gave.get("generations"), list):
        first: Any = gave["generations"]
        while isinstance(first, list) and first:
            first = first[0]
        if isinstance(first, dict):
            return first.get("message") or {"role": "assistant", "content": first.get("text")}
    if isinstance(gave, dict) and isinstance(gave.get("choices"), list) and gave["choices"]:
        first = gave["choices"][0]
        return first.get("message", first) if isinstance(first, dict) else gave
    return gave


def _insert(draft: Draft, steps: Sequence[Component]) -> None:
    """Calls and results of the trace's own tools, before the answer."""
    found: list[Message] = []
    for number, step in enumerate(steps):
        if step.kind != "tool":
            continue
        given = step.given if isinstance(step.given, dict) else {"input": step.given}
        call_id = step.id or f"call_{number}"
        parts: list[Part] = [tool_call(call_id, step.name, Node(given))]
        content = result_value(None if step.gave is None else Node(step.gave))
        found.append(Message(role="assistant", parts=tuple(parts)))
        found.append(tool_message(ToolResultPart(id=call_id, content=content, is_error=step.error)))
    end = len(draft.messages)
    if draft.answer is None and draft.messages and draft.messages[-1].role == "assistant":
        end -= 1
    draft.messages[end:end] = found
