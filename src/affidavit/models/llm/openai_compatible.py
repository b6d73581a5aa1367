"""Any model behind the OpenAI Chat Completions API: OpenAI, Azure, or a local server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from affidavit.errors import MissingExtra, ModelError
from affidavit.models.llm.protocol import ChatMessage, Completion, Usage

if TYPE_CHECKING:
    from openai import AsyncOpenAI


_NOT_WHOLE = ("length", "content_filter")


class OpenAICompatibleModel:
    """Asks ``model`` at ``base_url``.

    ``client`` is any asynchronous client of the SDK, such as ``AsyncAzureOpenAI``; by default one is
    made, which reads its key from the environment where ``api_key`` is not given. ``limit_field`` is
    what the server calls the limit on tokens: older ones know only ``max_tokens``.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        client: AsyncOpenAI | None = None,
        limit_field: Literal["max_completion_tokens", "max_tokens"] = "max_completion_tokens",
    ) -> None:
        try:
            import openai
        except ImportError as error:
            raise MissingExtra("openai", "openai") from error
        self._error = openai.OpenAIError
        self._model, self._client = model, client
        self._base_url, self._api_key = base_url, api_key
        self._limit_field = limit_field

    @property
    def name(self) -> str:
        return f"openai:{self._model}"

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
    ) -> str:
        request: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": m.role, "content": m.text} for m in messages],
        }
        if temperature is not None:
            request["temperature"] = temperature
        if max_tokens is not None:
            request[self._limit_field] = max_tokens
        try:
            answer = await self._connected().chat.completions.create(**request)
        except self._error as error:
            raise ModelError(f"{self.name}: {error}") from error
        # Compatible servers are not all careful: an empty list of choices arrives as success.
        if not answer.choices:
            raise ModelError(f"{self.name}: no answer (no choices)")
        choice = answer.choices[0]
        if choice.finish_reason in _NOT_WHOLE or not (choice.message.content or "").strip():
            raise ModelError(
                f"{self.name}: no whole answer (finish reason: {choice.finish_reason})"
            )
        told = answer.usage
        usage = Usage(told.prompt_tokens, told.completion_tokens) if told is not None else None
        return Completion(str(choice.message.content), usage)

    def _connected(self) -> AsyncOpenAI:
        if self._client is None:
            from openai import AsyncOpenAI

            self._client = AsyncOpenAI(base_url=self._base_url, api_key=self._api_key)
        return self._client
