"""Exceptions: "guide dogs aren't allowed" beside "dogs are not allowed, with the exception of guide dogs".

What holds of the rest does not hold of what is excepted; both are told in one sentence, with the same words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from affidavit.ledger.ledger import Passage
from affidavit.ledger.passages import sentences
from affidavit.ledger.search import Search
from affidavit.ledger.words import content_stems, named_in
from affidavit.stages.ground.checks.states.denied import denies
from affidavit.stages.ground.checks.states.told import told_texts
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "exceptions"

_EXCEPT = re.compile(
    r",? \(?(?:except(?:ing)?(?: for)?|with the exceptions? of|apart from|other than|excluding|save for|but not|not including)\s+(?:on |in |for |at |by )?(?P<what>[^,;.()]+)",
    re.I,
)
_SUPPOSED = re.compile(
    r"\b(?:if|unless|whether|would|could|might|all|every|any|only|most|some|other)\b|\?", re.I
)
_EACH = re.compile(r"\s*(?:,|\band\b|\bor\b|&)\s*", re.I)
_LIGHT = content_stems(
    "allow allowed permit permitted take place held there possible can hold run offered daily usually generally always general"
)
_LONGEST = 6


@dataclass(frozen=True, slots=True)
class _Exception:
    """What is excepted, from what, and whether the rest is denied."""

    passage: Passage
    text: str
    what: frozenset[str]
    rest: frozenset[str]
    denies: bool


def check_exceptions(claim: Claim, context: GroundContext) -> Finding:
    """Hold what is said of an excepted thing against what holds of the rest."""
    if claim.is_datum or claim.kind not in ("fact", "absence") or _SUPPOSED.search(claim.text):
        return Finding.skip(NAME, "speaks of no one thing")
    said = content_stems(claim.text) - _LIGHT
    for told in context.search.once("exceptions", lambda: list(_told(context.search))):
        if _EXCEPT.search(claim.text) or named_in(told.what, said) != told.what:
            continue
        others = said - named_in(said, told.what)
        if not (told.rest and named_in(others, told.rest) == others and named_in(told.rest, said)):
            continue
        spans = (told.passage.span(),)
        detail = f"the evidence has “{told.text[:160]}”"
        if denies(claim.text) != told.denies:
            return Finding(NAME, "checked", "supports", 0.9, None, detail, spans=spans)
        return Finding(NAME, "checked", "contradicts", 0.05, "meaning_changed", detail, spans=spans)
    return Finding.skip(NAME, "nothing that is excepted is spoken of")


def _told(search: Search) -> Iterator[_Exception]:
    for passage, text in told_texts(search):
        for start, end in sentences(text):
            yield from _read(text[start:end], passage)


def _read(sentence: str, passage: Passage) -> Iterator[_Exception]:
    found = _EXCEPT.search(sentence)
    if found is None:
        return
    main = re.split(r"[;:]", sentence[: found.start()])[-1]
    rest = content_stems(main) - _LIGHT
    for what in _EACH.split(found["what"]):
        if (stems := content_stems(what)) and len(what.split()) <= _LONGEST:
            yield _Exception(passage, sentence.strip(), stems, rest, denies(main))
