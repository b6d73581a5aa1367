"""What a format's reader hands back, and the one place that decides what the answer is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from affidavit.errors import TraceError
from affidavit.trace import (
    Citation,
    Message,
    Part,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolDefinition,
    ToolResultPart,
)


@dataclass(slots=True)
class Draft:
    """A run as its format tells it. ``answer`` is set where the record keeps the answer apart from
    the messages; otherwise the last message is looked at."""

    messages: list[Message]
    answer: str | None = None
    tools: tuple[ToolDefinition, ...] | None = None
    model: str | None = None
    run_id: str = ""
    metadata: dict[str, Any] = field(default_factory=dict)
    ends_with_user: bool = False
    """Whether the record goes on after the answer, as simulated conversations do."""
    answer_field: str = "messages"
    """Where the answer was looked for, for the error that says there is none."""
    cut_off: bool = False
    """Whether the response says that it broke off at the limit of tokens."""
    citations: tuple[Citation, ...] = ()
    """What the answer itself showed, in marks that have been taken out of it."""
    cites: bool = False
    """Whether the answer arrived cut up at its citations: its text parts are then one text."""


def tool_message(part: ToolResultPart) -> Message:
    return Message(role="tool", parts=(part,))


def by_role(role: Role, parts: Iterable[Part]) -> list[Message]:
    """A message whose tool results are messages of their own, everything in its order.

    Anthropic sends results inside user messages, several at once; others send each as a message.
    Here both read alike. Results inside an assistant message were fetched by the provider and stay.
    """
    if role == "assistant":
        return [Message(role=role, parts=tuple(parts))]
    out: list[Message] = []
    rest: list[Part] = []
    for part in parts:
        if isinstance(part, ToolResultPart):
            if rest:
                out.append(Message(role=role, parts=tuple(rest)))
                rest = []
            out.append(tool_message(part))
        else:
            rest.append(part)
    if rest or not out:
        out.append(Message(role=role, parts=tuple(rest)))
    return out


def settle(draft: Draft, where: str) -> tuple[list[Message], str]:
    """The messages before the answer, and the answer. ``where`` names the field that lacks one."""
    messages = list(draft.messages)
    if draft.answer is not None:
        if not draft.answer.strip():
            raise TraceError("no final answer: the answer is empty", field=where)
        if messages and _is_answer(messages[-1]) and messages[-1].text == draft.answer:
            messages.pop()  # recorded twice: apart, and as the last message
        return messages, draft.answer
    if draft.ends_with_user:
        last = next((i for i in range(len(messages) - 1, -1, -1) if _is_answer(messages[i])), None)
        if last is None:
            raise TraceError("no final answer: no assistant message has text", field=where)
        draft.metadata["messages_after_answer"] = len(messages) - last - 1
        del messages[last + 1 :]
    if not messages:
        raise TraceError("no final answer: there are no messages", field=where)
    final = messages.pop()
    if final.role != "assistant":
        raise TraceError(
            f"no final answer: the last message is the {final.role}'s; "
            "end with the assistant's answer, or give 'response' or 'answer'",
            field=where,
        )
    if any(not call.server_side for call in final.tool_calls):
        raise TraceError("no final answer: the last message calls tools", field=where)
    before, texts = _split_final(final)
    answer = ("" if draft.cites else "\n\n").join(texts)
    if not answer.strip():
        raise TraceError("no final answer: the last assistant message has no text", field=where)
    if before:
        messages.append(Message(role="assistant", parts=tuple(before)))
    return messages, answer


def _is_answer(message: Message) -> bool:
    called = any(not call.server_side for call in message.tool_calls)
    return message.role == "assistant" and not called and bool(message.text.strip())


def _split_final(final: Message) -> tuple[list[Part], list[str]]:
    """What precedes the answer in its own message (thinking, searches the provider ran and the words
    said between them), and the texts after the last of these."""
    kinds = (ToolCallPart, ToolResultPart, ReasoningPart)
    marks = [i for i, part in enumerate(final.parts) if isinstance(part, kinds)]
    cut = marks[-1] + 1 if marks else 0
    if not any(isinstance(part, TextPart) and part.text.strip() for part in final.parts[cut:]):
        cut = 0  # thinking that comes last does not swallow the answer before it
    before = [p for i, p in enumerate(final.parts) if i < cut or not isinstance(p, TextPart)]
    return before, [part.text for part in final.parts[cut:] if isinstance(part, TextPart)]
