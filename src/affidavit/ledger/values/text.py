"""Folding text to the form in which two spellings of one thing are equal."""

from __future__ import annotations

import re
import unicodedata

from affidavit._remembered import remembered

_GAPS = re.compile(r"[\W_]+")
# Letters that Unicode does not decompose, as people type them without the right keyboard.
_PLAIN = str.maketrans({"ø": "o", "đ": "d", "ł": "l", "æ": "ae", "œ": "oe", "ı": "i", "ð": "d"})

_IRREGULAR = {
    "people": "person", "children": "child", "men": "man", "women": "woman", "feet": "foot",
    "series": "series", "species": "species", "news": "news", "gas": "gas", "bus": "bus",
    "movies": "movie", "noches": "noche", "coches": "coche", "cookies": "cookie", "shoes": "shoe", "mice": "mouse", "lives": "life",
}  # fmt: skip


@remembered(65536)
def fold(text: str) -> str:
    """Text without case, accents and separators: ``Koča_Smreka`` reads "koca smreka"."""
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text.casefold()).translate(_PLAIN)
        text = text.translate({ord(c): None for c in set(text) if unicodedata.combining(c)})
    return _GAPS.sub(" ", text.casefold()).strip()


def squeeze(text: str) -> str:
    """Folded text without gaps: ``#W-2378 156`` and ``w2378156`` are one identifier."""
    if text.isascii():
        return _GAPS.sub("", text.casefold())
    return fold(text).replace(" ", "")


def singular(word: str) -> str:
    """The singular of a plural English noun; other words stay."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    if word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
