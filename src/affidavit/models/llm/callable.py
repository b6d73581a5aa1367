"""A language model that is a function of the caller's own."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import inspect
import threading
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
            raise self._failed(error) from error
        if not isinstance(answer, str) or not answer.strip():
            raise ModelError(f"{self._name}: no answer (got {type(answer).__name__})")
        return answer

    async def _answer(self, messages: Sequence[ChatMessage]) -> object:
        if inspect.iscoroutinefunction(self._ask):
            return await self._ask(messages)
        answer = await self._in_thread(messages)
        return await answer if inspect.isawaitable(answer) else answer

    async def _in_thread(self, messages: Sequence[ChatMessage]) -> object:
        """Not in the loop's own pool: a function that waits would keep other work from its few
        threads, and a late one would keep the loop from closing."""
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[object] = loop.create_future()

        def settle(result: object, error: Exception | None) -> None:
            if answer.done():
                return  # nobody waits any more
            if error is None:
                answer.set_result(result)
            else:
                # Wrapped here: a future cannot hold every exception (StopIteration).
                wrapped = error if isinstance(error, ModelError) else self._failed(error)
                wrapped.__cause__ = error if wrapped is not error else None
                answer.set_exception(wrapped)

        def work() -> None:
            result, failure = None, None
            try:
                result = self._ask(messages)
            except Exception as error:
                failure = error
            with contextlib.suppress(RuntimeError):  # the loop has been closed
                loop.call_soon_threadsafe(settle, result, failure)

        context = contextvars.copy_context()
        threading.Thread(target=context.run, args=(work,), name=self._name, daemon=True).start()
        return await answer

    def _failed(self, error: Exception) -> ModelError:
        return ModelError(f"{self._name}: {type(error).__name__}: {error}")
