"""Language models that can be asked again: Anthropic, OpenAI-compatible, or a function."""

from affidavit.models.llm.anthropic import AnthropicModel
from affidavit.models.llm.callable import CallableModel
from affidavit.models.llm.load import load_language_model
from affidavit.models.llm.openai_compatible import OpenAICompatibleModel
from affidavit.models.llm.protocol import ChatMessage, Completion, LanguageModel, Usage

__all__ = [
    "AnthropicModel",
    "CallableModel",
    "ChatMessage",
    "Completion",
    "LanguageModel",
    "OpenAICompatibleModel",
    "Usage",
    "load_language_model",
]
