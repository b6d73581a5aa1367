"""A Claude model through the Anthropic Messages API, Bedrock, Vertex or Foundry clients included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from affidavit.errors import MissingExtra, ModelError
from affidavit.models.llm.protocol import ChatMessage, Completion, Usage

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

DEFAULT_MAX_TOKENS = 8192
"""The API wants a limit, and for many more tokens the SDK wants a stream. Verdicts on twenty claims take about 3,000."""
_NOT_WHOLE = ("refusal", "max_tokens", "model_context_window_exceeded")


class AnthropicModel:
    """Asks ``model``. ``client`` is any asynchronous client of the SDK; by default one is made, which
    reads its key from the environment."""

    def __init__(self, model: str, *, client: AsyncAnthropic | None = None) -> None:
        try:
            import anthropic
        except ImportError as error:
            raise MissingExtra("anthropic", "anthropic") from error
        self._error = anthropic.AnthropicError
        self._model = model
        self._client = client

    @property
    def name(self) -> str:
        return f"anthropic:{self._model}"

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
    ) -> str:
        request: dict[str, Any] = {
            "model": self._model,
            "max_tokens": DEFAULT_MAX_TOKENS if max_tokens is None else max_tokens,
            "messages": [
                {"role": m.role, "content": m.text} for m in messages if m.role != "system"
            ],
        }
        if system := "\n\n".join(m.text for m in messages if m.role == "system"):
            request["system"] = system
        if temperature is not None:
            # In the body itself: later versions of the SDK have no parameter for it.
            request["extra_body"] = {"temperature": temperature}
        try:
            answer = await self._connected().messages.create(**request)
        # The SDK says that there is no key with a TypeError.
        except (self._error, TypeError) as error:
            raise ModelError(f"{self.name}: {error}") from error
        text = "".join(block.text for block in answer.content if block.type == "text")
        if answer.stop_reason in _NOT_WHOLE or not text.strip():
            raise ModelError(f"{self.name}: no whole answer (stop reason: {answer.stop_reason})")
        return Completion(text, Usage(answer.usage.input_tokens, answer.usage.output_tokens))

    def _connected(self) -> AsyncAnthropic:
        if self._client is None:
            from anthropic import AsyncAnthropic

            self._client = AsyncAnthropic()
        return self._client
