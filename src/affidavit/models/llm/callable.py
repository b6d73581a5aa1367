"""A language model that is a function of the caller's own."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Sequence

from affidavit.errors import ModelError
from affidavit.models.llm.protocol import ChatMessage

Ask = Callable[[Sequence[ChatMessage]], str | Awaitable[str]]


class CallableModel:
    """Asks ``ask``, which may be a plain function or an asynchronous one.

    A plain function runs in a thread of its own, so that several may be waiting at once. The settings
    of a request are the function's own business and are not passed on.
    """

    def __init__(self, ask: Ask, *, name: str = "callable") -> None:
        self._ask = ask
        self._name = name

    @property
    def name(self) -> str:
        return self._name

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        temperature: float | None = None,  # noqa: ARG002
        max_tokens: int | None = None,  # noqa: ARG002
    ) -> str:
        try:
            answer = await self._answer(messages)
        except ModelError:
            raise
        except Exception as error:
            raise ModelError(f"{self._name}: {type(error).__name__}: {error}") from error
        if not isinstance(answer, str) or not answer.strip():
            raise ModelError(f"{self._name}: no answer (got {type(answer).__name__})")
        return answer

    async def _answer(self, messages: Sequence[ChatMessage]) -> object:
        if inspect.iscoroutinefunction(self._ask):
            return await self._ask(messages)
        answer = await asyncio.to_thread(self._ask, messages)
        return await answer if inspect.isawaitable(answer) else answer
