"""Language models by name, for policies and the command line."""

from __future__ import annotations

from affidavit.errors import ModelError
from affidavit.models.llm.protocol import LanguageModel


def load_language_model(spec: str | LanguageModel) -> LanguageModel:
    """The model that ``spec`` asks for.

    ``"anthropic:NAME"``, ``"openai:NAME"``, or ``"openai:NAME@BASE_URL"`` for a compatible server; keys
    come from the environment. A model is given back as it is. Raises
    :class:`~affidavit.errors.ModelError` for anything else.
    """
    if not isinstance(spec, str):
        return spec
    provider, _, name = spec.partition(":")
    if provider == "anthropic" and name:
        from affidavit.models.llm.anthropic import AnthropicModel

        return AnthropicModel(name)
    if provider == "openai" and name:
        from affidavit.models.llm.openai_compatible import OpenAICompatibleModel

        model, _, url = name.partition("@")
        return OpenAICompatibleModel(model, base_url=url or None)
    raise ModelError(
        f"unknown language model {spec!r}: expected 'anthropic:NAME', 'openai:NAME' or "
        "'openai:NAME@BASE_URL'"
    )
