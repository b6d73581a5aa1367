"""Folding text to the form in which two spellings of one thing are equal."""

from __future__ import annotations

import re
import unicodedata

from affidavit._remembered import remembered

_GAPS = re.compile(r"[\W_]+")
# Letters that Unicode does not decompose, as people type them without the right keyboard.
_PLAIN = str.maketrans({"ø": "o", "đ": "d", "ł": "l", "æ": "ae", "œ": "oe", "ı": "i", "ð": "d"})

# A few words that only one language uses often: enough to choose its number words and marks.
_COMMON = {
    "en": "the and is are of with for your you was at by this has have will from it on be not that "
    "in to a an or as which there",
    "de": "der die das und ist sind mit für ihre ihr sie wird wurde bis nicht ein eine auf zum im "
    "am den dem des von zu wir ich es um in pro ab",
    "fr": "le les des et est sont avec pour votre vous sera jusqu au aux une un du dans sur pas "
    "nous ce cette il elle la à de",
    "es": "el los las y es son con para su usted será hasta una un del en no por que se al lo la "
    "está de",
    "it": "il gli e è sono con per suo lei sarà fino una un del della nel non che si alle di la lo",
    "pt": "o os as e é são com para seu você será até uma um do da no na não que se às de em",
    "nl": "het een en is zijn met voor uw u wordt tot niet van op om bij dat deze de in aan",
}
_LANGUAGES_OF: dict[str, list[str]] = {}
for _language, _words in _COMMON.items():
    for _word in set(_words.split()):
        _LANGUAGES_OF.setdefault(_word, []).append(_language)
_LETTERS = {"de": "äöüßÄÖÜ", "es": "ñ¿¡", "pt": "ãõ", "fr": "êèœ"}
_WORD = re.compile(r"[^\W\d_]+")

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


@remembered(4096)
def language_of(text: str) -> str:
    """The language a text is most likely in, or "" where it has too few words to tell.

    Only for choosing between readings of one token ("due" is a date's word in English and 2 in
    Italian), never for deciding whether a text can be checked.
    """
    weights = dict.fromkeys(_COMMON, 0.0)
    for word in _WORD.findall(text[:1000].lower()):
        # A word of many languages ("in") says little about which one this is.
        languages = _LANGUAGES_OF.get(word, ())
        for language in languages:
            weights[language] += 1 / len(languages)
    for language, letters in _LETTERS.items() if not text.isascii() else ():
        if any(letter in text for letter in letters):
            weights[language] += 1
    first, second = sorted(weights.values(), reverse=True)[:2]
    best = max(weights, key=lambda language: weights[language])
    return best if first >= 1 and first > second * 1.2 else ""
