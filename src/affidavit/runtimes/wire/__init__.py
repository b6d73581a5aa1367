"""The wire formats of model APIs as JSON: what a guarded exchange reads and writes of them."""

from affidavit.runtimes.wire.anthropic import AnthropicWire
from affidavit.runtimes.wire.protocol import Json, StreamReader, StreamWriter, Turn, Wire

__all__ = ["AnthropicWire", "Json", "StreamReader", "StreamWriter", "Turn", "Wire"]
