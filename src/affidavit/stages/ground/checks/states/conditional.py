"""Conditions turned round: "you may share it without their consent" beside "only with their consent".

A rule and a claim each make something a condition of a deed, or say that the deed needs none such. Nearly all their
words are the same either way, so that a small model takes the one for the other. What was done without something
("it shipped without a label") breaks no rule's word and is not held against one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from affidavit.ledger.irregular_verbs import IRREGULAR
from affidavit.ledger.ledger import Passage
from affidavit.ledger.search import Search
from affidavit.ledger.words import content_stems, is_negated, named_in
from affidavit.stages.ground.checks.states.told import clauses
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "conditional"

_REST = r"(?P<what>[^,;.]+)"
_NEED = r"(?:requires?|needs?)"
_NEEDED = r"(?:required|needed|necessary|mandatory|compulsory|obligatory|essential)"
_DENIAL = r"(?:\b(?:not|no|never|nobody|nothing|cannot)\b|n['’]t\b)"
_FREE = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"(?:\b(?:do|does) not|n['’]t) (?:\w+ )?(?:require|need)\s+(?!to\b){_REST}",
        rf"\b(?:need not|needn['’]t|(?:(?:do|does) not|n['’]t) (?:have|need) to) (?:have|get|obtain|show|bring|provide|present|hold|pay|make)\s+{_REST}",
        rf"\b{_NEED} no\s+{_REST}",
        rf"^(?:.*?\b(?:and|but|so|as|because)\s)?\W*no (?P<what>(?:(?!\b(?:is|are)\b)[^,;.])+?) (?:is|are) {_NEEDED}\b",
        rf"(?P<what>(?:(?!\b(?:and|but|so|as|because|if)\b)[^,;.])+?) (?:is|are)(?: not|n['’]t) (?:\w+ )?{_NEEDED}\b",
        rf"\b(?:regardless|irrespective) of\s+{_REST}",
    )
)
"""That something is no condition; that one need not do so "without" is in no list, which takes it both ways."""
_BOUND = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"\bonly (?:(?:permitted|allowed|admitted|accepted|possible|available|valid|be \w+) )?(?:with|on|upon|against|after|under|if|when|once|following|subject to|provided(?: that)?)\s+{_REST}",
        r"\bwithout\s+(?P<what>[^,;.]+?)\s(?:is|are|was|were|will|can|may|must|should)(?:\s?not\b|n['’]t\b)",
        rf"{_DENIAL}[^,;.]*?\b(?:without|unless|until|before)\s+{_REST}",
        rf"\b{_NEED}\s+(?!to\b|no\b){_REST}",
        rf"\b(?:subject to|conditional (?:up)?on|provided that)\s+{_REST}",
        rf"\b(?:must|(?:has|have|need|needs) to) (?:first )?(?:have|get|obtain|show|bring|provide|present|hold|be accompanied by|be with|come with)\s+{_REST}",
        rf"(?P<what>(?:(?!\b(?:and|but|so|as|because|if)\b)[^,;.])+?) (?:is|are) (?:\w+ )?{_NEEDED}\b",
    )
)
_WITHOUT = re.compile(rf"\bwithout\s+{_REST}", re.I)
_NOW = re.compile(
    r"\b(?:can|may|could|lets?|allow\w*|permit\w*|possible|able|free to|needs?|need(?:n['’]t)?|requir\w*|must|ha(?:s|ve) to|is|are|will)\b",
    re.I,
)
_DONE = re.compile(r"\b(?:was|were|has|have|had|did) (?!to\b)", re.I)
_FOR = re.compile(r"\s(?:for|to|in order to|when|if|before|at|on|in)\s", re.I)
_LIGHT = content_stems(
    "permit permitted allow allowed possible able may can lets let admitted admit accepted valid available use require need needed "
    "clause section article paragraph rule policy only also still always even any all get have obtain show come go do done make made "
    "take use visit enter entry entrance admission people visitors you anyone everyone"
)
"""Words by which it is no other deed."""


@dataclass(frozen=True, slots=True)
class _Read:
    """Whether something is a condition of a deed, and the stems of the two."""

    bound: bool
    what: frozenset[str]
    deed: frozenset[str]


def check_conditional(claim: Claim, context: GroundContext) -> Finding:
    """Hold what a claim makes a condition, or none, against the clause of the same deed and thing."""
    if (
        claim.is_datum
        or claim.kind != "fact"
        or not _NOW.search(claim.text)
        or _DONE.search(claim.text)
    ):
        return Finding.skip(NAME, "says of nothing what it needs")
    said = _read(claim.text)
    if said is None:
        return Finding.skip(NAME, "says of nothing what it needs")
    told = context.search.once("clauses of conditions", lambda: _all_read(context.search))
    alike = [
        (share, read, passage, part)
        for passage, part, read in told
        if _same(said.what, read.what) and (share := _share(said, read)) >= _LEAST
    ]
    if not alike:
        return Finding.skip(NAME, "no clause makes that a condition of it, or says that it is none")
    most = max(share for share, _, _, _ in alike)
    best = [item for item in alike if item[0] == most]
    if len({read.bound for _, read, _, _ in best}) != 1:
        return Finding.skip(NAME, "clauses that bear on it disagree")
    _, read, passage, part = best[0]
    if any(_is_nearer(other, read, said) for _, _, other in told):
        return Finding.skip(NAME, "another clause is of what the claim says, and says otherwise")
    spans = (passage.span(),)
    if read.bound != said.bound:
        detail = f"the evidence has “{part}”"
        return Finding(NAME, "checked", "contradicts", 0.05, "meaning_changed", detail, spans=spans)
    if most == 1 and len(named_in(said.deed, read.deed | read.what)) * 2 >= len(said.deed):
        return Finding(
            NAME, "checked", "supports", 0.9, None, f"the evidence has “{part}”", spans=spans,
            settles="values",
        )  # fmt: skip
    return Finding.skip(NAME, "the clause is of more than that")


_LEAST = 0.6
"""The least share of a clause's own deed that a claim must speak of."""


def _all_read(search: Search) -> list[tuple[Passage, str, _Read]]:
    """Read once for all claims."""
    return [
        (passage, part, read)
        for passage, part in clauses(search.passages)
        if len(part) <= _CLAUSE and _TOUCHES.search(part) and (read := _read(part)) is not None
    ]


def _read(text: str) -> _Read | None:
    """What a clause makes a condition of what; None where it tells of none."""
    for patterns, bound in ((_FREE, False), (_BOUND, True)):
        for pattern in patterns:
            if (found := pattern.search(text)) is not None:
                return _parted(text, found, bound=bound)
    found = _WITHOUT.search(text)
    if found is None or is_negated(_WITHOUT.sub(" ", text)):
        return None
    return _parted(text, found, bound=False)


def _parted(text: str, found: re.Match[str], *, bound: bool) -> _Read | None:
    what, _, purpose = _split(found["what"])
    rest = f"{text[: found.start()]} {found[0].replace(found['what'], ' ')} {text[found.end() :]} {purpose}"
    stems = content_stems(what)
    if not stems or len(what.split()) > _LONGEST:
        return None
    deed = frozenset(IRREGULAR.get(s, s) for s in content_stems(rest))
    return _Read(bound, stems, deed - _LIGHT - stems - _NEEDING)


def _is_nearer(other: _Read, read: _Read, said: _Read) -> bool:
    """Whether another clause of the same thing, the other way round, has all that a claim shares with this one and
    more: of cats and dogs the one that is spoken of."""
    if other.bound == read.bound or not _same(said.what, other.what):
        return False
    own, others = (named_in(said.deed, r.deed) for r in (read, other))
    return own < others or (own == others and bool(own))


def _split(what: str) -> tuple[str, str, str]:
    """What is needed, and what for: "a booking for the crypt"."""
    cut = _FOR.search(what)
    return (what[: cut.start()], cut[0], what[cut.end() :]) if cut else (what, "", "")


_TOUCHES = re.compile(
    r"\b(?:only|with(?:out)?|unless|until|before|need|requir|subject to|condition|provided|must|ha(?:s|ve) to|necessary|mandat|compuls|oblig|essential|regardless|irrespective)",
    re.I,
)
"""A word that every clause on a condition has one of: a log has ten thousand clauses without any."""
_CLAUSE = 400
"""Characters beyond which a text without a comma or a full stop is no clause."""
_LONGEST = 9
"""The most words of a condition that is a thing, rather than a story."""
_NEEDING = content_stems(
    "required needed necessary mandatory compulsory obligatory essential subject regardless"
)


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two conditions are the same: most words of the shorter are in the longer."""
    short, long = sorted((one, other), key=len)
    shared = len(named_in(short, long))
    return shared * 2 > len(short) or (len(short) == 1 and shared == 1)


def _share(said: _Read, read: _Read) -> float:
    """How much of what a clause is about the claim speaks of."""
    if not read.deed:
        return 0.0 if said.deed else 1.0
    return len(named_in(read.deed, said.deed | said.what)) / len(read.deed)
