"""What a language model is to this package: messages in, text out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from affidavit.errors import ModelError


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message to a model. Evidence goes in as text, so that any model can be asked."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request, as the model's API counts them."""

    input_tokens: int
    output_tokens: int


class Completion(str):
    """An answer that says what it cost as well; ``usage`` is None where the API does not tell."""

    usage: Usage | None

    def __new__(cls, text: str, usage: Usage | None = None) -> Completion:
        made = super().__new__(cls, text)
        made.usage = usage
        return made


@runtime_checkable
class LanguageModel(Protocol):
    """A model that can be asked once.

    ``name`` identifies it in reports. ``complete`` may be awaited several times at once, and raises
    :class:`~affidavit.errors.ModelError` when there is no usable answer. ``None`` leaves a setting to
    the model's own default: several models refuse any other.
    """

    @property
    def name(self) -> str: ...

    async def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        temperature: float | None = None,
        max_tokens: int | None = None,
    ) -> str:
        """The model's answer to ``messages``: a :class:`Completion` where its tokens are known."""
        ...


async def completed(
    model: LanguageModel, messages: Sequence[ChatMessage], *, temperature: float | None = None
) -> str:
    """The answer of a model of whoever's making: raises ModelError for whatever it raises itself, and for
    what is no text."""
    try:
        answer: object = await model.complete(messages, temperature=temperature)
    except ModelError:
        raise
    except Exception as error:
        raise ModelError(f"{model.name}: {type(error).__name__}: {error}") from error
    if not isinstance(answer, str):
        raise ModelError(f"{model.name}: no answer (got {type(answer).__name__})")
    return answer
