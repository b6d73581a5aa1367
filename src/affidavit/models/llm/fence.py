"""Material in a prompt, fenced, so that it cannot pass for the prompt itself."""

from __future__ import annotations

import re
from collections.abc import Sequence


def fenced(tag: str, text: str, *, other: Sequence[str] = ()) -> str:
    """``text`` between ``<tag>`` and ``</tag>``; neither that tag nor any ``other`` of the same prompt can
    be opened or closed from inside."""
    tags = "|".join(re.escape(name) for name in (tag, *other))
    # Zero-width characters would not hide it from a model, so the bracket itself is replaced.
    inside = re.sub(rf"<(?=\s*+(?:/\s*+)?(?:{tags})\b)", "‹", text, flags=re.IGNORECASE)
    return f"<{tag}>\n{inside}\n</{tag}>"
