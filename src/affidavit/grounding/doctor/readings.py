"""What an answer shows: figures of its own, that it admits to know nothing, that it names a source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from affidavit.ledger.values import Value, compare, parse_values

_ADMITS = re.compile(
    r"\b(?:(?:could|can|did|do|does|was|were|is|are|has|have)(?: ?not|n['’]t)|cannot|unable|no (?:access|information|"
    r"record|result|data|document|entry|details|match)\w*|nothing|not (?:found|available|in (?:my|the|our)|"
    r"known|possible|able)|unavailable|missing|none|failed|(?:technical|temporary) (?:problem|issue|error)|"
    r"try again|nicht|keine?n?|no (?:pude|encontr\w+|tengo)|aucune?|pas (?:trouv\w+|disponible)|non (?:ho|è|trov\w+))\b",
    re.I,
)
_FIGURES = frozenset({"number", "money", "percent", "quantity", "duration", "moment"})
_NOT_SAID = re.compile(r"\[\d+\]|(?m:^[^\S\n]*+\d{1,2}[.)]\s)")
"""Citation markers and the numbers of a list."""
_SOURCE = re.compile(
    r"\[\d+\]|\baccording to\b|\bsource\b|\b(?:section|page|article) \S|\blaut\b|\bsegún\b|\bselon\b|\bsecondo\b",
    re.I,
)


def admits(text: str) -> bool:
    """Whether an answer says that something was not found or did not work."""
    return bool(_ADMITS.search(text))


def names_source(text: str, titles: Iterable[str]) -> bool:
    """Whether an answer says inline where it is from."""
    return bool(_SOURCE.search(text)) or any(t and t.lower() in text.lower() for t in titles)


def own_figures(text: str, given: Iterable[str]) -> list[str]:
    """The figures of an answer that stand in none of the texts it was given."""
    known = [value for source in given for value in _figures(source)]
    return [
        value.text
        for value in _figures(_NOT_SAID.sub(" ", text))
        if not any(compare(value, other) in ("same", "rounded") for other in known)
    ]


def _figures(text: str) -> Iterator[Value]:
    for value in parse_values(text):
        # "One moment" holds no figure.
        if value.kind in _FIGURES and any(c.isdigit() for c in value.text):
            yield value
