"""Things called by the word that rules use: what a rule says of items, it says of this bicycle.

"You will receive an email on how to return the bicycle" follows from a rule about items, where the
bicycle is one of the ``items`` of a result. A small model does not know that it is one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import words_of
from affidavit.ledger.search import Search
from affidavit.ledger.values.text import singular
from affidavit.ledger.words import content_stems, stem
from affidavit.stages.ground.rules import RULES

_NAMING = re.compile(r"(?:^| )(?:name|title|product|article)$")
_MOST = 500
"""Names from which on a list is a catalogue, not what a conversation is about."""
_NAMED = re.compile(
    r"\b(?P<which>(?:the|your|this|that|an?)\s+)(?P<words>[\w'’-]+(?:\s+[\w'’-]+){0,4})", re.I
)
_WHICH = frozenset("original current new old returned other same".split())
"""Words before the name of a thing that say which of its like it is."""


@dataclass(frozen=True, slots=True)
class _Thing:
    """A row of a list: the stems of its name and of all that is said of it, and the noun for such a row."""

    name: frozenset[str]
    said: frozenset[str]
    noun: str
    is_plural: bool
    """Whether one of them is called in the plural: "Running Shoes"."""


def beside_rules(said: str, passages: Sequence[Passage], search: Search) -> str:
    """What is put to the model beside passages: beside rules alone, with the things of the results called
    by the name of the list they stand in."""
    if any(passage.source.kind not in RULES for passage in passages):
        return said
    things = search.once("things by name", lambda: _things(search))
    return _NAMED.sub(lambda m: _renamed(m, things), said) if things else said


def _renamed(m: re.Match[str], things: Sequence[_Thing]) -> str:
    """ "The robotic vacuum" as "the item", where one of the items is a vacuum cleaner that is robotic."""
    words = m["words"].split()
    for size in range(len(words), 0, -1):
        stems = [content_stems(word) for word in words[:size] if word.lower() not in _WHICH]
        called = frozenset[str]().union(*stems)
        for thing in things if stems and all(stems) else ():
            if stems[-1] & thing.name and called <= thing.said:
                several = words[size - 1].lower().endswith("s") and not thing.is_plural
                return " ".join([f"{m['which']}{thing.noun}{'s' * several}", *words[size:]])
    return m[0]


def _things(search: Search) -> list[_Thing]:
    """The rows of lists that bear a name; none where they are a whole catalogue."""
    found: list[_Thing] = []
    for passage in search.passages:
        record = passage.record
        if record is None or not record.group or passage.source.kind != "tool_result":
            continue
        list_name = words_of(record.group.rsplit("/", 1)[-1]).split()
        noun = singular(list_name[-1]) if list_name else ""
        for cell, _, _ in passage.cells:
            if noun.isalpha() and isinstance(cell.raw, str) and _NAMING.search(cell.key):
                name = content_stems(cell.raw)
                if name and len(cell.raw.split()) <= 3 and stem(noun) not in name:
                    plural = cell.raw.rstrip().endswith("s")
                    found.append(_Thing(name, passage.stems, noun, plural))
        if len(found) > _MOST:
            return []
    return found
