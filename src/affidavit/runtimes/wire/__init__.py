"""The wire formats of model APIs as JSON: what a guarded exchange reads and writes of them."""

from affidavit.runtimes.wire.anthropic import AnthropicWire, BedrockWire
from affidavit.runtimes.wire.google_genai import GoogleWire
from affidavit.runtimes.wire.openai_chat import OpenAIChatWire
from affidavit.runtimes.wire.openai_completions import OpenAICompletionsWire
from affidavit.runtimes.wire.openai_responses import OpenAIResponsesWire
from affidavit.runtimes.wire.protocol import (
    Json,
    Request,
    StreamReader,
    StreamWriter,
    Turn,
    Wire,
)

__all__ = [
    "AnthropicWire",
    "BedrockWire",
    "GoogleWire",
    "Json",
    "OpenAIChatWire",
    "OpenAICompletionsWire",
    "OpenAIResponsesWire",
    "Request",
    "StreamReader",
    "StreamWriter",
    "Turn",
    "Wire",
]
