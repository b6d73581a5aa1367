"""Things called by the word that rules use: what a rule says of items, it says of this bicycle.

"You will receive an email on how to return the bicycle" follows from a rule about items, where the
bicycle is one of the ``items`` of a result. A small model does not know that it is one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import words_of
from affidavit.ledger.search import Search
from affidavit.ledger.values.text import fold, singular

_NAMING = re.compile(r"(?:^| )(?:name|title|product|article)$")
_MOST = 500
"""Names from which on a list is a catalogue, not what a conversation is about."""
_RULES = ("system", "tool_definition")


def beside_rules(said: str, passages: Sequence[Passage], search: Search) -> str:
    """What is put to the model beside passages: beside rules alone, with the things of the results called
    by the name of the list they stand in."""
    if any(passage.source.kind not in _RULES for passage in passages):
        return said
    called, thing = search.once("things by name", lambda: _read(search))
    if not called:
        return said

    def renamed(m: re.Match[str]) -> str:
        noun = called.get(m["name"].lower())
        return f"{m['which']}{noun}{'s' if m['s'] else ''}" if noun else m[0]

    return thing.sub(renamed, said)


def _read(search: Search) -> tuple[dict[str, str], re.Pattern[str]]:
    """The nouns of things by name, and where a text speaks of one of them."""
    called = _things(search)
    names = "|".join(re.escape(name) for name in sorted(called, key=len, reverse=True))
    which = r"(?:the|your|this|that|an?)\s+(?:(?:original|current|new|old|returned)\s+)?"
    thing = rf"\b(?P<which>{which})(?P<name>{names})(?P<s>e?s)?\b"
    return called, re.compile(thing, re.IGNORECASE)


def _things(search: Search) -> dict[str, str]:
    """The names of rows, and the last words of these, in lower case, with the noun for such a row."""
    found: dict[str, str] = {}
    for passage in search.passages:
        record = passage.record
        if record is None or not record.group or passage.source.kind != "tool_result":
            continue
        list_name = words_of(record.group.rsplit("/", 1)[-1]).split()
        noun = singular(list_name[-1]) if list_name else ""
        for cell, _, _ in passage.cells:
            if noun.isalpha() and isinstance(cell.raw, str) and _NAMING.search(cell.key):
                words = fold(cell.raw).split()
                if 0 < len(words) <= 3 and words[-1] != noun:
                    found[" ".join(words)] = noun
                    if len(words[-1]) > 3:
                        found[words[-1]] = noun
        if len(found) > _MOST:
            return {}
    return found
