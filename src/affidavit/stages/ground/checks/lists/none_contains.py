"""None of several contains so many: "none of your orders has two tablets", over the parts of each that was read.

That none does proves it only of those that were read: with the number of one listed that nobody looked at it
stays open.
"""

from __future__ import annotations

import re
from collections import defaultdict

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import words_of
from affidavit.ledger.values.text import singular
from affidavit.ledger.words import content_stems, stem
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.checks.lists.none_in_state import unread
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "none_contains"

_NUMBERS = {
    word: n for n, word in enumerate("two three four five six seven eight nine ten".split(), 2)
}
_NONE_HAS = re.compile(
    r"\b(?:none of (?:your|the|these|those|our|his|her|their)(?: other| \d+| two| three| four| five)? (?P<things>[a-z]+s)|no (?P<thing>[a-z]+))"
    r" (?:contains?|includes?|has|have|holds?|lists?|comes? with|carries|carry)"
    rf" (?P<count>more than (?:one|a single)|{'|'.join(_NUMBERS)}|\d+) (?P<what>[a-z][\w '’-]{{2,40}}?)(?= (?:in|on|at|with) (?:it|them)\b|[.,;:!]|\W*$)",
    re.I,
)
_NAMING = re.compile(r"(?:^| )(?:name|title|product|article|item|type|kind|class)$")
_COUNT = re.compile(r"^(?:quantity|qty|count|pieces)$")


def check_none_contains(claim: Claim, context: GroundContext) -> Finding:
    """Count the parts called so in each thing that was read."""
    said = _NONE_HAS.search(claim.text)
    if claim.is_datum or said is None:
        return Finding.skip(NAME, "does not say that none contains so many")
    thing = stem((said["things"] or said["thing"]).lower())
    parts = _parts(thing, context)
    what = content_stems(" ".join(map(singular, said["what"].split())))
    what -= frozenset().union(*(_sort(own[0]) for own in parts.values()))
    if not any(what <= _called(part) for own in parts.values() for part in own):
        return Finding.skip(NAME, "no parts called so were read")
    least = _least(said["count"].lower())
    for place, own in parts.items():
        found = [p for p in own if what <= _called(p)]
        if sum(map(_pieces, found)) >= least:
            spans = tuple(p.span() for p in found[:2])
            detail = f"{place} has {len(found)}: {found[0].text[:100]}"
            return Finding(
                NAME, "checked", "contradicts", 0.05, "false_absence", detail, spans=spans
            )
    results = [p for p in context.search.passages if is_result(p)]
    if missing := unread(thing, results, context):
        return Finding.skip(NAME, f"{missing} was not looked at")
    detail = f"none of the {len(parts)} read has {said['count']} {said['what']}"
    spans = tuple(own[0].span() for own in parts.values())[:3]
    return Finding(NAME, "checked", "supports", 0.9, None, detail, spans=spans)


def _sort(passage: Passage) -> frozenset[str]:
    """What the rows of a list are called: "two child passengers" are passengers that are children."""
    return (
        content_stems(words_of(passage.record.group.rsplit("/", 1)[-1]))
        if passage.record
        else frozenset()
    )


def _least(count: str) -> int:
    if count.isdigit():
        return int(count)
    return _NUMBERS.get(count, 2)


def _parts(thing: str, context: GroundContext) -> dict[str, list[Passage]]:
    """The rows with a name that stand in each thing, as last read."""
    found: dict[str, dict[int, list[Passage]]] = defaultdict(lambda: defaultdict(list))
    for passage in context.search.passages:
        record = passage.record
        if record is None or not record.group or not is_result(passage):
            continue
        place = record.place.rpartition(" › ")[0]
        if place and thing in content_stems(place) and _called(passage):
            rows = found[place][passage.source.id]
            if all(row.pointer != passage.pointer for row in rows):
                rows.append(passage)
    return {place: rows[max(rows)] for place, rows in found.items()}


def _called(passage: Passage) -> frozenset[str]:
    """The words of what a row is called."""
    names = (
        c.text for c, _, _ in passage.cells if isinstance(c.raw, str) and _NAMING.search(c.key)
    )
    return content_stems(" ".join(names))


def _pieces(passage: Passage) -> int:
    """How many pieces a row is of."""
    counts = (c.raw for c, _, _ in passage.cells if _COUNT.match(c.key))
    return next((n for n in counts if isinstance(n, int) and not isinstance(n, bool)), 1)
