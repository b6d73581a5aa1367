"""Patterns that cost much and find little, tried only where a text has what they can not do without."""

from __future__ import annotations

import re
from collections.abc import Iterator


class Cued:
    """A pattern, whatever its case, with stems of which every text that it matches holds one.

    A pattern that may begin with any of many words is tried at every place of a text, and most lines of a
    log have none of the words: to look for its stems first costs a tenth of that and changes nothing.
    """

    def __init__(self, pattern: re.Pattern[str], *stems: str) -> None:
        self.pattern = pattern
        self.stems = stems

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self.pattern.finditer(text) if self.may_match(text) else iter(())

    def search(self, text: str) -> re.Match[str] | None:
        return self.pattern.search(text) if self.may_match(text) else None

    def may_match(self, text: str) -> bool:
        """Whether a text holds a stem, in letters of any case."""
        lower = text.lower() if text.isascii() else text.translate(_AS_LATIN).lower()
        for stem in self.stems:  # noqa: SIM110 - no generator: this runs a dozen times a line
            if stem in lower:
                return True
        return False


_AS_LATIN = {0x130: "i", 0x131: "i", 0x17F: "s"}
"""Letters that a pattern takes for others in any case, and ``lower`` does not: "İ", "ı" and "ſ"."""
