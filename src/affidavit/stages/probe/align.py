"""Which part of a probe's answer speaks of a claim."""

from __future__ import annotations

import re

_SENTENCE = re.compile(r"(?<=[.!?;。！？])\s+|\n+|(?<=[。！？])")
# Clauses are cut where a new subject may begin, never inside "1,234" or "March 9, 2026".
_CLAUSE = re.compile(
    r"(?:[,;]|(?<!\s))\s++(?:and|but|while|whereas|plus)\s+|;\s+|(?<!\s)\s++[–—]\s+", re.I
)
_WORD = re.compile(r"[^\W\d_]+")
_EMPTY = frozenset(
    "a an and are as at be been by for from has have i in is it its of on or our that the their there "
    "they this to was we were will with would you your".split()
)
_NEGATION = re.compile(r"\b(?:not|no|never|none|nor|cannot|without|unable)\b|n[’']t\b", re.I)

ADDRESSED = 0.3
"""Share of a claim's words that a passage must have to be about the same thing."""


def sentences_of(answer: str) -> list[str]:
    return [piece for piece in (s.strip() for s in _SENTENCE.split(answer)) if piece]


def clauses_of(answer: str) -> list[str]:
    return [
        clause
        for sentence in sentences_of(answer)
        for clause in (c.strip() for c in _CLAUSE.split(sentence))
        if clause
    ]


def bearing_on(claim: str, pieces: list[str]) -> list[str]:
    """The pieces that share the most words with the claim, where they share enough to be about it."""
    wanted = words(claim)
    if not wanted:
        return []
    shares = [len(wanted & words(piece)) / len(wanted) for piece in pieces]
    best = max(shares, default=0.0)
    if best < ADDRESSED:
        return []
    return [piece for piece, share in zip(pieces, shares, strict=True) if share == best]


def words(text: str) -> frozenset[str]:
    """Content words, with plural and singular taken as one."""
    found = (word.casefold() for word in _WORD.findall(text))
    return frozenset(
        w.removesuffix("s") if len(w) > 3 else w for w in found if len(w) > 1 and w not in _EMPTY
    )


def negated(text: str) -> bool:
    """Whether an odd number of negations stands in the text."""
    return len(_NEGATION.findall(text)) % 2 == 1


def sentence_around(answer: str, start: int, end: int) -> str:
    """The whole sentence of ``answer`` that holds the characters ``start`` to ``end``."""
    low = max((m.end() for m in _SENTENCE.finditer(answer) if m.end() <= start), default=0)
    high = min((m.start() for m in _SENTENCE.finditer(answer) if m.start() >= end), default=None)
    return answer[low:high].strip()
