"""Words as they are compared: folded, stemmed, without the ones that say nothing."""

from __future__ import annotations

import re
import threading
from functools import lru_cache
from typing import Any

from affidavit._remembered import remembered
from affidavit.ledger.values import fold

_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
_JOINED = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?!s\b)[a-z])")
_ACRONYMS = re.compile(r"(?<=[A-Z]{2})s\b")
"""What makes several of an acronym: DVDs, PDFs, URLs."""

# Function words of the languages answers are most often written in. Negations and quantifiers are not
# here: they carry meaning of their own.
STOP_WORDS = frozenset(
    """
    a an the this that these those it its it's they them their there here he she his her him we us our
    i me my mine you your yours is are was were be been being am do does did done have has had having
    will would can could may might shall should must of in on at by for to from with as and or but if
    so than then also just about into over under after before during per each which who whom whose
    what when where how why out up down off yes please s re ve ll d m t one's very more most some any
    such own same other both still now currently according based get gets got
    der die das den dem des ein eine einen einem einer ist sind war wird werden wurde hat haben sie
    ihr ihre ihren ihnen und oder aber für von zu zum zur im in am an auf mit bis bei aus als auch es
    el la los las un una unos unas es son está están fue ha han su sus y o de del al en por para con se
    lo le que a
    le les une des du au aux est sont était a ont son sa ses et ou mais dans sur pour par avec ce cette
    il elle vous votre vos
    di da il lo gli e è sono nel nella per con si che o os um uma é são com não het een en van op voor
    """.split()
)

NEGATIONS = frozenset(
    """
    no not none never neither nor without cannot nothing nobody nowhere hardly n't isn't aren't wasn't
    weren't don't doesn't didn't won't can't couldn't hasn't haven't hadn't wouldn't shouldn't unable
    kein keine keinen keiner keinem nicht nie niemals ohne ni nunca jamás ningún ninguna ninguno sin
    pas jamais aucun aucune sans nessun nessuna non senza geen niet nooit nenhum nenhuma não nem
    """.split()
)


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The word without its inflection, folded (the Snowball English stemmer; other languages keep
    their folded form, which is what it mostly leaves them)."""
    plain = word.isascii() and word.isalnum()
    folded = word.lower() if plain else fold(word).replace("'s", "").replace("’s", "")
    if folded[-1:].isdigit() or _VOWELS.isdisjoint(folded):
        if len(folded) > 3 and folded[-1] == "s" and folded != "https":
            return folded[:-1]  # several of an acronym: pdfs
        return folded  # codes, which no rule of the stemmer changes: columns have thousands of them
    return str(_stemmer().stemWord(folded))


_VOWELS = frozenset("aeiouy")


_OF_THREAD = threading.local()


def _stemmer() -> Any:
    """The stemmer of this thread: it keeps the word it works on in itself, and must not be shared."""
    found = getattr(_OF_THREAD, "stemmer", None)
    if found is None:
        import snowballstemmer

        found = _OF_THREAD.stemmer = snowballstemmer.stemmer("english")
    return found


def words(text: str) -> list[str]:
    """All words of a text, folded, in order, function words included. ``OOMKilled`` is two words."""
    return [_plain(word) for word in _WORD.findall(_JOINED.sub(" ", _ACRONYMS.sub("", text)))]


def _plain(word: str) -> str:
    return word.lower() if word.isascii() and word.isalnum() else fold(word).removesuffix(" s")


@remembered(65536)
def content_stems(text: str) -> frozenset[str]:
    """Stems of the words that say something: no function words, no negations. ``PayPal`` is "pay", "pal" and,
    as others write it, "paypal"."""
    return _stems_of(text)


def _stems_of(text: str) -> frozenset[str]:
    said = _WORD.findall(_JOINED.sub(" ", _ACRONYMS.sub("", text)))
    found = {*map(_content_stem, said), *map(stem, _BRAND.findall(text))}
    found.discard("")
    return frozenset(found)


def word_runs(text: str) -> list[str]:
    """The stretches of a text that words stand in, as they are written: whatever splits words and joins them looks no
    further, so that the stems of a text are those of its runs (:func:`stems_of_run`)."""
    return _RUN.findall(text)


_RUN = re.compile(r"[\w'’]+")


def stems_of_run(run: str) -> frozenset[str]:
    """The content stems of a stretch of :func:`word_runs`."""
    if run.isdecimal() and run.isascii():
        return frozenset((run,))  # a long table is mostly numbers
    return _stems_of(run)


@lru_cache(maxsize=65536)
def _content_stem(word: str) -> str:
    """The stem of a word as it is written; nothing for one that says nothing."""
    if word.isdecimal() and word.isascii():
        return word  # a long table is mostly numbers
    plain = _plain(word)
    if plain in STOP_WORDS or plain in NEGATIONS or (len(plain) == 1 and not plain.isdigit()):
        return ""
    return stem(plain) if " " not in plain or not _CONTRACTED.search(plain) else ""


_BRAND = re.compile(r"\b[A-Z][a-z]+[A-Z][a-z]+\b")


_CONTRACTED = re.compile(r" (?:t|ve|ll|re|d|m)$")
"""What is left of "don't" and "you'll": words of grammar and denial."""
