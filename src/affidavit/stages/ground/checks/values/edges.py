"""Beginnings and ends: "takes effect on 30 November" is not borne out by ``valid_until: 2026-11-30``.

A date or a time stands in a field, or behind a word, that tells what happens then; told of the other edge of the
same thing it is wrong, though it is there. What is shut ``until`` a day opens on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from affidavit.ledger.records import words_of
from affidavit.ledger.search import Hit
from affidavit.ledger.values import Value
from affidavit.ledger.words import content_stems, is_negated, named_in
from affidavit.stages.ground.claim import Claim

_LASTING = r"(?:valid|good|effective|in (?:force|effect)|running|runs?|applicable|appl(?:y|ies)|available|lasts?|open|held|guaranteed|continues?|stays?|remains?)"


@dataclass(frozen=True, slots=True)
class _Edge:
    """One of two things that happen at opposite edges: how sentences tell of it, and how fields are called."""

    told: str
    field: str


_PAIRS: tuple[tuple[_Edge, _Edge], ...] = (
    (
        _Edge(
            rf"start(?:s|ed|ing)?|beg[aiu]n(?:s|ning)?|commenc\w+|(?:takes?|took|taking) effect|(?:comes?|came|goes|went) (?:into (?:force|effect)|live)|"
            rf"kicks? off|(?:re-?)?open(?:s|ed|ing)?|launch(?:es|ed)?|{_LASTING} (?:from|as of|since)|(?:can|may) (?:[\w'’]+ ){{1,5}}?(?:from|as of)",
            r"starts?|starting|started|begins?|beginning|began|from|effective|opens?|opening|commence\w*|launch\w*|live",
        ),
        _Edge(
            rf"ends?|ended|ending|expir\w+|runs? out|ran out|lapse[sd]?|closes?|finish(?:es|ed)?|terminat\w+|{_LASTING} (?:until|till|through|to|up to)|until|till",
            r"until|till|to|through|thru|ends?|ending|ended|expir\w+|closes?|closing|finish\w*|terminat\w+",
        ),
    ),
    (
        _Edge(r"depart(?:s|ed|ing)?|leaves?|left|leaving|takes? off|sets? (?:off|out)|sails?", r"departs?|departure|departed|dep|leaves?|sails?|takeoff|std|etd"),
        _Edge(r"arriv(?:es?|ed|ing)|lands?|landed|gets? in|reach(?:es|ed)?|docks?", r"arriv\w+|arr|lands?|landing|sta|eta"),
    ),
    (
        _Edge(r"check(?:s|ed|ing)?[ -]?in|pick(?:ed|s)? up|collect(?:ed|s)?", r"check ?in|checkin|pick ?up|pickup|collection"),
        _Edge(r"check(?:s|ed|ing)?[ -]?out|drop(?:ped|s)? off|return(?:ed|s)?", r"check ?out|checkout|drop ?off|dropoff|return"),
    ),
    (
        _Edge(r"issued|invoiced|billed", r"issued?|issue date|invoice date|issued (?:on|at)"),
        _Edge(r"due|payable", r"due|due date|due (?:on|by)|payable(?: by)?"),
    ),
    (
        _Edge(r"hired|joined|employed", r"hired?|joined|hire date|employed"),
        _Edge(r"left|resigned|dismissed|retired", r"left|leaving|last day|resigned|retired|terminated"),
    ),
    (
        _Edge(r"born", r"born|birth|birthday|dob"),
        _Edge(r"died|deceased", r"died|death|deceased|dod"),
    ),
    (
        _Edge(r"posted|sent|mailed|dispatched", r"posted|sent|mailed|dispatched|sent (?:on|at)|dispatch"),
        _Edge(r"received|delivered|arrived", r"received|delivered|arrived|delivery"),
    ),
)  # fmt: skip
_LIGHT = r"(?:\s+(?:on|at|by|from|in|the|date|day|is|was|are|were|be|been|will|to|of|a|about|around|only|just|again)\b){0,4}\W*$"
_SHUT = re.compile(
    r"\b(?:closed|shut|suspended|paused|blocked|locked|frozen|barred|unavailable|away|absent|out|off|on hold|sold out|embargo\w*|not)\b",
    re.I,
)
"""What lasts until a day and makes it a beginning: "closed until May"."""
_LASTS = re.compile(r"\b(?:until|till|through|up to)\b", re.I)
_NEXT = re.compile(
    r"\b(?:new|next|renew\w*|re-?open\w*|re-?start\w*|resum\w*|another|follow\w*|then|afterwards|again)\b",
    re.I,
)
"""A beginning where something else ends."""


_PRONOUN = re.compile(r"\W*(?:and |but )?(?:it|they|he|she|this|that)\b", re.I)
_LEAST_WORDS = 5
"""Words from which a field is a sentence, rather than a day or a time."""


def is_other_edge(value: Value, hit: Hit, claim: Claim) -> bool:
    """Whether a day or time that the claim tells of one edge of a thing is that of its other edge."""
    if value.moment is None or claim.is_datum or _NEXT.search(claim.text):
        return False
    return any(_is_held(hit, held, said, claim) for said, held in _told(value, claim))


def is_own_edge(value: Value, hit: Hit, claim: Claim) -> bool:
    """Whether a field is of the edge that a claim tells: ``closes`` of what is open until then."""
    told = _told(value, claim) if value.moment is not None else ()
    return any(_is_held(hit, said, other, claim) for said, other in told)


def _told(value: Value, claim: Claim) -> Iterator[tuple[_Edge, _Edge]]:
    """The edges that a claim tells of right before a value, each with the edge across from it."""
    before = claim.text[: value.start]
    for one, other in _PAIRS:
        for said, across in ((one, other), (other, one)):
            if _tells(said, before) and not _tells(across, before):
                yield said, across


def _tells(edge: _Edge, before: str) -> bool:
    """Whether a text tells of an edge right before its end; "not available until" tells of no end."""
    told = re.search(rf"\b(?:{edge.told})\b{_LIGHT}", before, re.I)
    if told is None or is_negated(before):
        return False
    return not (_LASTS.search(told[0]) and _SHUT.search(before))


def _is_told(hit: Hit, held: _Edge, claim: Claim) -> bool:
    """Whether a sentence of the evidence that speaks of the same tells of that edge right before the value."""
    text = hit.passage.text if hit.cell is None else hit.cell.text
    if text[hit.value.start : hit.value.end] != hit.value.text:
        return False
    sentence = re.split(r"(?<=[.!?])\s|[;\n]", text[: hit.value.start])[-1]
    of_it = named_in(content_stems(sentence), content_stems(claim.statement))
    return bool(of_it or _PRONOUN.match(claim.text)) and _tells(held, sentence)


def _is_held(hit: Hit, held: _Edge, said: _Edge, claim: Claim) -> bool:
    """Whether the evidence has the value at that edge, of what the claim speaks of."""
    if hit.cell is None or len(hit.cell.text.split()) >= _LEAST_WORDS:
        return _is_told(hit, held, claim)
    steps = [words_of(step) for step in hit.cell.path if isinstance(step, str)]
    name = steps[-1] if steps else ""
    if _SHUT.search(name) or not re.search(
        rf"(?:^|\s)(?:{held.field})(?:\s(?:on|at|by|date|day|time|utc))?$", name
    ):
        return False
    if re.search(rf"\b(?:{said.field})\b", re.sub(rf"(?:{held.field})(?:\s\w+)?$", "", name)):
        return False
    own = re.sub(
        rf"\b(?:{held.field})\b|\b(?:on|at|by|date|day|time|utc|valid)\b", " ", " ".join(steps)
    )
    level = hit.cell.path[:-1]
    beside = " ".join(c.text for c, _, _ in hit.passage.cells if level and c.path[:-1] == level)
    stems = content_stems(own)
    return not stems or bool(
        named_in(stems | content_stems(beside), content_stems(claim.statement))
    )
