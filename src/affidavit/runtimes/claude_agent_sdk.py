"""Claude Agent SDK: the guard as hooks of ``ClaudeAgentOptions``, in the host's own process.

    options = guard_options(ClaudeAgentOptions(mcp_servers=…), Detector())
    async for message in query(prompt="…", options=options): …

The SDK runs Claude Code, so what holds there holds here. Text that is streamed as it is written
(``include_partial_messages``) reaches the host before any hook sees it.
"""

from __future__ import annotations

import asyncio
import dataclasses
from typing import TYPE_CHECKING, Any, Unpack

from affidavit.errors import MissingExtra
from affidavit.guard import AnswerChecker, GuardOptions
from affidavit.runtimes.adapter import Adapter
from affidavit.runtimes.claude_code import CANNOT, NOTES
from affidavit.runtimes.claude_code.events import HookEvent
from affidavit.runtimes.claude_code.hooks import Hooks

if TYPE_CHECKING:
    from claude_agent_sdk import ClaudeAgentOptions, HookMatcher

ADAPTER = Adapter(
    name="Claude Agent SDK",
    package="claude-agent-sdk",
    versions="0.2",
    use="options = guard_options(ClaudeAgentOptions(), detector)",
    cannot=CANNOT,
    notes=(*NOTES, "With include_partial_messages the raw text reaches the host before any hook."),
)

EVENTS = (
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "MessageDisplay",
    "Stop",
    "SubagentStop",
)


def guard_hooks(
    detector: AnswerChecker, *, system: str = "", **options: Unpack[GuardOptions]
) -> dict[str, list[HookMatcher]]:
    """Hooks for ``ClaudeAgentOptions(hooks=…)``. Raises :class:`MissingExtra` without the SDK.

    One set may serve any number of clients at once. ``system`` is what the host's own system prompt says,
    which hooks are not told and which is evidence; ``options`` are those of :class:`~affidavit.guard.Guard`.
    """
    try:
        from claude_agent_sdk import HookMatcher
    except ImportError as error:
        raise MissingExtra("claude-agent-sdk", "claude-agent-sdk") from error
    hooks = Hooks(detector, system=system, **options)

    async def answer(event: Any, _tool_use_id: str | None, _context: Any) -> Any:
        given = await asyncio.to_thread(hooks.answer, HookEvent.model_validate(event))
        # The SDK writes what is a keyword in Python with an underscore.
        return {"continue_" if key == "continue" else key: value for key, value in given.items()}

    return {event: [HookMatcher(hooks=[answer])] for event in EVENTS}


def guard_options(
    options: ClaudeAgentOptions, detector: AnswerChecker, **guard: Unpack[GuardOptions]
) -> ClaudeAgentOptions:
    """A copy of ``options`` with the guard's hooks beside those that it has."""
    hooks: dict[Any, Any] = {event: list(of) for event, of in (options.hooks or {}).items()}
    own = guard_hooks(detector, system=_host_prompt(options.system_prompt), **guard)
    for event, of in own.items():
        hooks[event] = [*hooks.get(event, ()), *of]
    return dataclasses.replace(options, hooks=hooks)


def _host_prompt(given: Any) -> str:
    """What the host itself says in the system prompt: all of it, or what it appends to Claude Code's."""
    if isinstance(given, str):
        return given
    return str(given.get("append") or "") if given else ""
