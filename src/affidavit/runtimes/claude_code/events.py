"""One event of a Claude Code hook as it arrives, and what may be answered to it.

Field names are those of Claude Code's hook contract (as of version 2.1). An answer without an opinion
is an empty object: never ``allow``, which would also switch off the user's own permission rules.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from pydantic import BaseModel, ConfigDict, JsonValue, model_validator

HookAnswer: TypeAlias = dict[str, JsonValue]


class HookEvent(BaseModel):
    """The fields that are read. Events carry more, and each version adds to them."""

    model_config = ConfigDict(frozen=True, extra="allow")

    hook_event_name: str
    session_id: str = ""
    transcript_path: str = ""
    cwd: str = ""
    prompt_id: str = ""
    """The user's prompt that is being worked on; older versions do not send it."""
    agent_id: str = ""
    """The subagent that the event comes from; empty in the main conversation."""
    agent_transcript_path: str = ""
    prompt: str = ""
    tool_name: str = ""
    tool_input: JsonValue = None
    tool_use_id: str = ""
    tool_response: Any = None
    error: str = ""
    stop_hook_active: bool = False
    """Whether the model is working because a Stop hook sent it back."""
    last_assistant_message: str | None = None
    message_id: str = ""
    index: int = 0
    final: bool = False
    delta: str = ""

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: Any) -> Any:
        """What is null is not known: the same as what is missing."""
        if not isinstance(data, dict):
            return data
        return {name: value for name, value in data.items() if value is not None}


NO_OPINION: HookAnswer = {}


def deny(reason: str) -> HookAnswer:
    """PreToolUse: the tool is not run, and the model reads why."""
    return _specific("PreToolUse", permissionDecision="deny", permissionDecisionReason=reason)


def send_back(reason: str) -> HookAnswer:
    """Stop, SubagentStop: the model works on, with this feedback."""
    return {"decision": "block", "reason": reason}


def show_instead(text: str) -> HookAnswer:
    """MessageDisplay: what the user sees in place of the lines that were about to be shown."""
    return _specific("MessageDisplay", displayContent=text)


def tell_user(text: str) -> HookAnswer:
    """Any event: a message from the hook to the user, apart from what the model said."""
    return {"systemMessage": text}


def end_turn(text: str) -> HookAnswer:
    """Any event: the model stops here, and the user reads why."""
    return {"continue": False, "stopReason": text, "systemMessage": text}


def _specific(event: str, **fields: JsonValue) -> HookAnswer:
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}
