"""OpenAI Agents SDK: a runner that guards each run.

    result = await GuardedRunner(Detector()).run(agent, "Where is my order?")

Streams are held back until the answer is judged. Where the output is structured there is no place for a
refusal: an answer that is blocked raises :class:`~affidavit.errors.AnswerRefused`. Tools that OpenAI
runs itself cannot be stopped, and a conversation that OpenAI keeps (``conversation_id``) keeps the drafts.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, Unpack

from affidavit.errors import AnswerRefused, MissingExtra
from affidavit.formats import read_run
from affidavit.guard import AnswerChecker, GuardOptions
from affidavit.runtimes.conversation import Conversation
from affidavit.trace import ToolDefinition

try:
    from agents import Agent, FunctionTool, Handoff, Model, ModelProvider, RunConfig, Runner
    from agents.items import ModelResponse
    from openai.types.responses import (
        ResponseCompletedEvent,
        ResponseFunctionToolCall,
        ResponseOutputMessage,
        ResponseOutputText,
        ResponseTextDeltaEvent,
    )
except ImportError as error:
    raise MissingExtra("openai-agents", "openai-agents") from error

Asked = tuple[Any, list[Any]]  # what the model sent, and the output items in it


class GuardedRunner:
    """``Runner`` with a guard for each run; its methods take what those of ``Runner`` take."""

    def __init__(self, detector: AnswerChecker, **options: Unpack[GuardOptions]) -> None:
        self._detector, self._options = detector, options

    async def run(self, agent: Agent[Any], input: Any, **options: Any) -> Any:  # noqa: A002
        return await Runner.run(*self._guarded(agent), input, **self._config(options))
