"""Material in a prompt, fenced, so that it cannot pass for the prompt itself."""

from __future__ import annotations

import re


def fenced(tag: str, text: str) -> str:
    """``text`` between ``<tag>`` and ``</tag>``; the tag cannot be closed from inside."""
    # Zero-width characters would not hide it from a model, so the bracket itself is replaced.
    inside = re.sub(rf"<(?=\s*/?\s*{re.escape(tag)}\b)", "‹", text, flags=re.IGNORECASE)
    return f"<{tag}>\n{inside}\n</{tag}>"
