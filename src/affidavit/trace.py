"""A recorded agent run: what was said, which tools were declared, called and answered.

The vocabulary is that of the OpenTelemetry GenAI message parts. Readers for the formats people have
are in :mod:`affidavit.formats`; everything else in the package sees only these types.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

Role = Literal["system", "user", "assistant", "tool"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TextPart(_Part):
    """Words said by the message's role, or returned by a tool."""

    type: Literal["text"] = "text"
    text: str


class DataPart(_Part):
    """Structured content that arrived as JSON rather than as text."""

    type: Literal["data"] = "data"
    value: JsonValue


class ReasoningPart(_Part):
    """The model's own thinking. Never evidence, never judged."""

    type: Literal["reasoning"] = "reasoning"
    text: str


class UnknownPart(_Part):
    """A part of a kind this package cannot read (an image, audio, a new type): kept and counted."""

    type: Literal["unknown"] = "unknown"
    kind: str
    raw: JsonValue


class ToolCallPart(_Part):
    """A tool call as the model wrote it.

    ``arguments`` holds the decoded value, or the text itself where that is not JSON: Stage 1 reports
    the fault. ``server_side`` calls were run by the provider: they are recorded but could not have
    been prevented.
    """

    type: Literal["tool_call"] = "tool_call"
    id: str
    name: str
    arguments: JsonValue = Field(default_factory=dict)
    arguments_text: str | None = None
    """The arguments exactly as they arrived, where they arrived as text."""
    server_side: bool = False


ContentPart = Annotated[TextPart | DataPart | UnknownPart, Field(discriminator="type")]


class ToolResultPart(_Part):
    """What a tool answered to the call ``id``. ``is_error`` is the protocol's flag, never a guess."""

    type: Literal["tool_call_response"] = "tool_call_response"
    id: str
    content: tuple[ContentPart, ...] = ()
    is_error: bool = False


Part = Annotated[
    TextPart | DataPart | ReasoningPart | ToolCallPart | ToolResultPart | UnknownPart,
    Field(discriminator="type"),
]


class Message(BaseModel):
    """One message of the run, in order."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: Role
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """The message's text parts, joined by blank lines."""
        return "\n\n".join(part.text for part in self.parts if isinstance(part, TextPart))

    @property
    def tool_calls(self) -> tuple[ToolCallPart, ...]:
        return tuple(part for part in self.parts if isinstance(part, ToolCallPart))


class ToolDefinition(BaseModel):
    """A tool as it was declared to the model. ``input_schema`` is JSON Schema, None if undeclared.

    ``reads`` where the declaration says that the tool only reads: MCP's ``readOnlyHint``, a GET or HEAD
    operation of OpenAPI, ``x-affidavit-reads`` beside or in the schema.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    description: str = ""
    input_schema: dict[str, JsonValue] | None = None
    output_schema: dict[str, JsonValue] | None = None
    reads: bool = False


def says_it_reads(declaration: Mapping[Any, Any]) -> bool:
    """Whether a tool's declaration, in whatever dialect, says that the tool only reads."""
    if isinstance(own := declaration.get("reads"), bool):
        return own
    hints = declaration.get("annotations")
    if isinstance(hints, Mapping) and (hints.get("readOnlyHint") or hints.get("read_only_hint")):
        return True
    schemas = (declaration.get(key) for key in ("input_schema", "inputSchema", "parameters"))
    holders = (declaration, *(schema for schema in schemas if isinstance(schema, Mapping)))
    return any(holder.get("x-affidavit-reads") is True for holder in holders)


class Citation(BaseModel):
    """What the model itself showed for a statement of its answer, in a mark that was taken out of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    at: int = Field(ge=0)
    """Characters of the answer before it: it stood behind what it is for."""
    calls: tuple[str, ...]
    """Ids of calls, or names of tools, as the model wrote them."""
    quote: str = ""
    """What it quoted of a result; nothing where it only points to one."""


class RunTrace(BaseModel):
    """A whole run up to a candidate answer.

    ``messages`` is everything before the answer, in order; ``answer`` is the text that is about to go
    out. ``tools`` is None where the record does not say which tools were declared, which is not the
    same as declaring none.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    run_id: str
    messages: tuple[Message, ...]
    answer: str
    tools: tuple[ToolDefinition, ...] | None = None
    model: str | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)
    cut_off: bool = False
    """Whether the model's reply broke off at its limit of tokens, so that the answer has no end."""
    citations: tuple[Citation, ...] = ()
    """What the model showed for statements of the answer. It chooses evidence, and is none."""

    def final_turn_start(self) -> int:
        """Index in ``messages`` of the first message after the last thing the user said."""
        delegated = delegations(self.messages)
        for i in range(len(self.messages) - 1, -1, -1):
            if self.messages[i].role == "user" and self.messages[i].text and i not in delegated:
                return i + 1
        return 0

    @property
    def question(self) -> str:
        """The last thing the user said, or nothing."""
        start = self.final_turn_start()
        return self.messages[start - 1].text if start else ""

    def unknown_parts(self) -> int:
        """How many parts, at any depth, are of a kind that could not be read."""
        return sum(
            isinstance(inner, UnknownPart)
            for message in self.messages
            for part in message.parts
            for inner in (part, *(part.content if isinstance(part, ToolResultPart) else ()))
        )

    def turns(self) -> Iterator[RunTrace]:
        """One trace for each answer of a conversation, each holding only what came before it.

        An answer is an assistant message with text and no tool call. The last trace is this one; the
        earlier ones are named ``run_id#0``, ``run_id#1``, …
        """
        n = 0
        for i, message in enumerate(self.messages):
            if message.role == "assistant" and message.text.strip() and not message.tool_calls:
                update = {
                    "run_id": f"{self.run_id}#{n}",
                    "messages": self.messages[:i],
                    "answer": message.text,
                }
                yield self.model_copy(update=update)
                n += 1
        yield self


def delegations(messages: Sequence[Message]) -> frozenset[int]:
    """Indexes of the user messages that a model wrote: tasks it gave to an agent under it.

    Such a run stands inside its parent's, between the call that started it and that call's result, and
    opens with a user message that is one of the call's arguments. Nobody but the model vouches for
    what it says.
    """
    found: set[int] = set()
    running: dict[str, ToolCallPart] = {}
    for i, message in enumerate(messages):
        told = message.text.strip()
        if message.role == "user" and told and any(_gave(call, told) for call in running.values()):
            found.add(i)
        for part in message.parts:
            if isinstance(part, ToolCallPart):
                running[part.id] = part
            elif isinstance(part, ToolResultPart):
                running.pop(part.id, None)
    return frozenset(found)


def _gave(call: ToolCallPart, text: str) -> bool:
    arguments = call.arguments if isinstance(call.arguments, dict) else {}
    return any(isinstance(value, str) and value.strip() == text for value in arguments.values())
