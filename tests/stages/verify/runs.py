"""Runs in short form for the tests of Stage 1."""

from __future__ import annotations

from typing import Any

from affidavit.policy import Policy
from affidavit.report import ToolCallValidation
from affidavit.stages.verify import CallVerifier
from affidavit.trace import (
    DataPart,
    Message,
    Part,
    Role,
    TextPart,
    ToolCallPart,
    ToolDefinition,
    ToolResultPart,
    UnknownPart,
)


def system(text: str) -> Message:
    return Message(role="system", parts=(TextPart(text=text),))


def user(text: str) -> Message:
    return Message(role="user", parts=(TextPart(text=text),))


def assistant(*parts: Part | str) -> Message:
    return _message("assistant", parts)


def call(name: str, arguments: Any = None, call_id: str = "call_1", **more: Any) -> ToolCallPart:
    return ToolCallPart(id=call_id, name=name, arguments=arguments or {}, **more)


def result(content: Any, call_id: str = "call_0", *, is_error: bool = False) -> Message:
    part = TextPart(text=content) if isinstance(content, str) else DataPart(value=content)
    answer = ToolResultPart(id=call_id, content=(part,), is_error=is_error)
    return Message(role="tool", parts=(answer,))


def image() -> Message:
    return Message(role="user", parts=(UnknownPart(kind="image", raw={}),))


def tool(name: str, **properties: Any) -> ToolDefinition:
    """A tool whose arguments are all optional; ``type`` alone may be given as a string."""
    schemas = {k: {"type": v} if isinstance(v, str) else v for k, v in properties.items()}
    return ToolDefinition(name=name, input_schema={"type": "object", "properties": schemas})


def checked(
    said: list[Message | str],
    asked: ToolCallPart,
    *,
    tools: tuple[ToolDefinition, ...] | None = None,
    policy: Policy | None = None,
) -> ToolCallValidation:
    """The verdict on a call after some messages; a string is the user's."""
    verifier = CallVerifier(tools, policy)
    for message in said:
        verifier.observe(user(message) if isinstance(message, str) else message)
    return verifier.check(asked)


def lost(validation: ToolCallValidation) -> list[str]:
    """The values that came from nowhere."""
    return [str(error.got) for error in validation.errors if error.kind == "provenance"]


def _message(role: Role, parts: tuple[Part | str, ...]) -> Message:
    return Message(
        role=role, parts=tuple(TextPart(text=p) if isinstance(p, str) else p for p in parts)
    )
