"""Runtime adapters: each translates what a framework does into the guard's verbs and back."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from affidavit.runtimes.frameworks import FRAMEWORKS
from affidavit.runtimes.identity import run_identity

if TYPE_CHECKING:
    from affidavit.runtimes.adapter import Adapter

__all__ = ["ADAPTERS", "adapters", "run_identity"]

ADAPTERS = (
    "anthropic",
    "openai",
    "google_genai",
    "litellm",
    "gateway",
    "claude_agent_sdk",
    "claude_code",
)
"""The modules with an adapter, each of which holds its ``ADAPTER``. Importing one loads no SDK."""


def adapters() -> list[Adapter]:
    """All adapters, in the order of the table."""
    own = [import_module(f"affidavit.runtimes.{name}").ADAPTER for name in ADAPTERS]
    return [*own, *FRAMEWORKS]
