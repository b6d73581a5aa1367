"""Texts as the terms that a search by words compares."""

from __future__ import annotations

from affidavit.ledger.words import NEGATIONS, STOP_WORDS, stem, words


def terms_of(text: str) -> list[str]:
    """The stems of a text's words in order, as often as they occur; function words left out.

    Words are folded and, where they are English, stemmed: documents and queries alike, whatever
    database compares them.
    """
    kept = (
        stem(word)
        for word in words(text)
        if word not in STOP_WORDS and word not in NEGATIONS and (len(word) > 1 or word.isdigit())
    )
    # Databases break words at apostrophes; a term must be the same for all of them.
    return [term.replace("'", "").replace("’", "") for term in kept]
