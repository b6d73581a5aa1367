"""Telling a revision that corrects an answer from one that only leaves things out."""

from __future__ import annotations

import re
from collections import Counter

# Numbers with their separators are one word; scripts without spaces are read character by character.
_WORD = re.compile(r"\d[\d.,:/-]*\d|\d|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\d_]+")

# Words that a sentence may need when its neighbour is cut, and that say nothing themselves.
_GLUE = frozenset(
    "a an and also as at by for from in is are was were it its of on or so that the their there "
    "these this to with you your".split()
)


def deletes_only(previous: str, revised: str) -> bool:
    """Whether a revised answer says nothing that the one before did not, and says less.

    Such a revision got past the checks by withholding, not by correcting. Order does not count;
    "not", "unable" and the like do: to say that something was not found is an answer.
    """
    before, after = _content(previous), _content(revised)
    return after < before


def _content(text: str) -> Counter[str]:
    words = _WORD.findall(text.casefold())
    return Counter(word for word in words if word not in _GLUE)
