"""What a statement stands under: the beginning of its sentence, or the line that announces its list."""

from __future__ import annotations

import re

_NEAR = 2_000
"""Characters above an item in which the line that announces its list is looked for."""
_ITEM = re.compile(r"[ \t]*(?:[-*+•‣–—]|\(?\d{1,3}[.)])[ \t]+")


def lead_of(answer: str, sentence: int, start: int) -> str:
    """The words that hold for a statement at ``start`` as well, where its sentence begins at ``sentence``."""
    if said := answer[sentence:start].strip():
        return said
    line = answer.rfind("\n", 0, start) + 1
    if not _ITEM.match(answer, line):
        return ""
    for above in reversed(answer[max(0, line - _NEAR) : line].splitlines()):
        if above.strip() and not _ITEM.match(above):
            announces = above.rstrip(" *_").endswith(":")
            return above.strip() if announces else ""
    return ""
