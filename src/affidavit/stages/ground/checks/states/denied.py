"""What a result denies in so many words, affirmed: "you are charged extra" beside "no extra charge is made".

Only a clause that says nothing else than the claim is held against it, and only where no other clause says it
without the "not": "no dogs are allowed in the café" denies nothing of the garden.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from affidavit.ledger.ledger import Passage
from affidavit.ledger.search import Search
from affidavit.ledger.values.cued import Cued
from affidavit.ledger.words import content_stems, is_negated, named_in, stem
from affidavit.stages.ground.checks.states.told import clauses
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "denied"

_LIGHT = content_stems(
    "made make makes done do now currently present moment time so far anything any all at there also too still yet "
    "really actually even unfortunately though however besides well allow allowed permit permitted possible able welcome have need needs must"
)
"""Words that do not make it another matter."""
_RULED_OUT = Cued(
    re.compile(
        r"\b(?:exclu(?:ded?|des)|rul(?:ed|es) out|forbid(?:s|den)?|prohibit(?:s|ed)?|banned|barred|disallow(?:s|ed)?|off[- ]limits|suspended|on hold|"
        r"postponed|called off|discontinued|unavailable|impossible|out of the question)\b",
        re.I,
    ),
    "exclud", "ruled", "rules", "forbid", "prohibit", "banned", "barred", "disallow", "limits", "suspended", "hold",
    "postponed", "called", "discontinued", "unavailable", "impossible", "question",
)  # fmt: skip
"""Words that deny as a "not" does: "boat hire is suspended"."""
_SUPPOSED = re.compile(
    r"\b(?:if|unless|until|when|only|before|without|except|would|could|might|(?-i:may)|should|whether|where|as long as|provided|once|"
    r"either|neither|nor|most|some|many|often|usually|sometimes)\b|\?",
    re.I,
)
"""What makes a claim or a denial one of some cases."""
_TO_COME = re.compile(
    r"\b(?:will|shall|later|afterwards|then|after|from|next|soon)\b|['’]ll\b", re.I
)
_NEED_NOT = re.compile(
    r"(?:\bnot|n['’]t) (?:\w+ )?(?:have|need|required|obliged|necessary|supposed)\b|\bneed(?:n['’]t| not)\b",
    re.I,
)
_MUST = re.compile(
    r"\b(?:have|has|need|needs|must|required|obliged|necessary|ought)(?: to)?\b", re.I
)
_MUST_DO = re.compile(
    r"\b(?:(?:have|has|need|needs|ought|required|obliged) to|must) (?:\w+ly |also )?(?P<verb>\w+)",
    re.I,
)
_NEED_NOT_AT_ALL = re.compile(
    r"(?:(?:\bnot|n['’]t) (?:\w+ )?(?:have|need|required|obliged) to|\bneed(?:n['’]t| not)) (?P<verb>\w+) (?:\w+ )?(?:anything|any|at all)\b"
    r"|\bnothing (?:\w+ )?(?:has|needs) to be (?P<passive>\w+)",
    re.I,
)
"""What one need do of nothing: "you do not have to pay anything"."""


def check_denied(claim: Claim, context: GroundContext) -> Finding:
    """Hold what a claim affirms, or denies, against the clauses that deny just that."""
    if claim.is_datum or claim.kind != "fact" or _SUPPOSED.search(claim.text):
        return Finding.skip(NAME, "says nothing without conditions")
    if (able := _able(claim, context)) is not None:
        return able
    said = _content(claim.text)
    denying = [
        clause
        for clause in _told(context.search, denying=True)
        if _is_denial_of(clause, said, claim) or _needs_none(clause.text, claim)
    ]
    affirming: Sequence[_Clause] = ()
    if denying:  # those of the rows spoken of
        fitting = {passage.id for passage in context.fitting}
        denying = [clause for clause in denying if clause.passage.id in fitting]
        told = _told(context.search, denying=False)
        affirming = [clause for clause in told if clause.passage.id in fitting]
    if not denying or any(named_in(said, clause.content) == said for clause in affirming):
        return Finding.skip(NAME, "no clause denies just that")
    passage, part = denying[0].passage, denying[0].text
    spans = (passage.span(),)
    if denies(claim.text):
        return Finding(
            NAME, "checked", "supports", 0.9, None, f"the evidence has “{part}”", spans=spans,
            settles="values",
        )  # fmt: skip
    return Finding(
        NAME, "checked", "contradicts", 0.05, "meaning_changed", f"the evidence has “{part}”",
        spans=spans,
    )  # fmt: skip


_CAN = re.compile(
    r"\b(?:can|may|could)(?P<not>\s?not\b|['’]t\b)?(?: (?:also|still|easily|safely))* (?:be )?(?P<deed>[a-z]{3,})\b",
    re.I,
)
_PAST_A_LIMIT = re.compile(
    r"\b(?:more|longer|over|beyond|twice|again|than|at once|together|always|after|yet|now|today)\b|\d",
    re.I,
)
"""What makes a denial one of some cases only."""


_SET_APART = re.compile(
    r"\b(?:outside|except|unless|without|before|after|until|beyond|other than|if|when|once|where|provided|only)\b",
    re.I,
)


def _able(claim: Claim, context: GroundContext) -> Finding | None:
    """ "It can't be frozen" beside "it can be frozen for up to three months": denied outright, and said to be possible
    at least so far."""
    said = _CAN.search(claim.text)
    if said is None or said["not"] is None or _PAST_A_LIMIT.search(claim.text):
        return None
    deed, about = stem(said["deed"]), content_stems(claim.text)
    told = context.search.once("what can be done", lambda: list(_possible(context.search)))
    own = [t for t in told if t[2] == deed and named_in(about, content_stems(t[1])) == about]
    fitting = {p.id for p in context.fitting}
    if not own or any(denied for *_, denied in own) or own[0][0].id not in fitting:
        return None
    passage, part = own[0][:2]
    if (apart := _SET_APART.search(part)) and content_stems(part[apart.end() :]) & about:
        return None  # "not during rush hours" of what can be done outside them
    return Finding(
        NAME, "checked", "contradicts", 0.05, "meaning_changed", f"the evidence has “{part}”",
        spans=(passage.span(),),
    )  # fmt: skip


def _possible(search: Search) -> Iterator[tuple[Passage, str, str, bool]]:
    """Each clause on what can be done, the deed, and whether it is denied."""
    for passage, part in clauses(search):
        for found in _CAN.finditer(part):
            yield passage, part, stem(found["deed"]), is_negated(part)


@dataclass(frozen=True)
class _Clause:
    """A clause without conditions, with the stems of what it speaks of."""

    passage: Passage
    text: str

    @cached_property
    def content(self) -> frozenset[str]:
        return _content(self.text)


def _told(search: Search, *, denying: bool) -> list[_Clause]:
    """The clauses that deny or those that do not, read once for all claims: a log has ten thousand that do
    not, and they matter only beside one that does."""

    def read() -> list[_Clause]:
        return [
            _Clause(passage, text)
            for passage, part in clauses(search)
            if not _SUPPOSED.search(part)
            for text in (part, *_each_of(part))
            if denies(text) == denying
        ]

    return search.once(f"clauses that deny {denying}", read)


_COORDINATED = re.compile(
    r"(?P<one>\b(?:in|on|at|for|to|by|with|inside|outside) (?:the |an? |any |your )?[\w-]+) (?:and|or|nor) (?P<other>(?:in|on|at|for|to|by|with|inside|outside) (?:the |an? |any |your )?[\w-]+)",
    re.I,
)


def _each_of(part: str) -> Iterator[str]:
    """What a clause says of two places, of each: "prohibited in the flat and on the balcony"."""
    if both := _COORDINATED.search(part):
        for which in ("one", "other"):
            yield f"{part[: both.start()]}{both[which]}{part[both.end() :]}"


def denies(text: str) -> bool:
    """Whether a text denies, by a "not" or by a word that is one; by both it does not."""
    text = _in_full(text)
    return is_negated(text) != bool(_RULED_OUT.search(text))


def _content(text: str) -> frozenset[str]:
    return content_stems(_RULED_OUT.pattern.sub(" ", _in_full(text))) - _LIGHT


def _in_full(text: str) -> str:
    """The denials that are part of a word, written out: "unreserved" is "not reserved", "free of charge" not paid for."""
    text = _OPEN_TO.sub(" for ", _UN.sub(r"not \g<root>", text))
    if _PAYING.search(text) is None:
        return text
    return _COSTS.sub("paid extra", _FREE.sub("not paid extra", text))


_PAYING = re.compile(r"free|gratis|compl|charg|cost|fee|pa[iy]", re.I)
_OPEN_TO = re.compile(r"\b(?:open|available) (?:to|for)\b", re.I)
_FREE = re.compile(
    r"\b(?:free of charge|free(?= (?:for|to)\b|\W*$)|for free|gratis|complimentary|at no (?:\w+ )?(?:charge|cost|expense)|without (?:any )?(?:extra )?charge|"
    r"(?:with )?no (?:extra |additional |further )?(?:charge|cost|fee)s?(?: (?:is|are) (?:made|charged|due|added))?)\b|(?<!not )\bcosts? nothing\b",
    re.I,
)
_COSTS = re.compile(
    r"\b(?:(?:has|have) to be paid(?: for)?|(?:has|have|need|needs) to pay(?: extra)?(?: for)?|must (?:pay|be paid)(?: for)?|pays?(?: extra)? for|costs? (?:extra|money|a fee)|"
    r"(?:is|are) charged(?: for| extra)*|at (?:an? )?(?:extra|additional) (?:charge|cost)|for (?:a|an extra) fee|chargeable|payable)\b",
    re.I,
)


_UN = re.compile(
    r"\b(?:un(?!der|ited|ified|ique|iform|dermined)|non[-‐‑]?)(?P<root>[a-z]*(?:ed|[aei]ble|paid|lit|sold|known|even|safe|born|worn|broken|spoken|stated|seen|"
    r"written|clear|usual|equal|available|refundable|smoking|stop))\b",
    re.I,
)


def _is_denial_of(clause: _Clause, said: frozenset[str], claim: Claim) -> bool:
    """Whether a clause denies what is said, no more and no less; that one need not is no denial that one can."""
    denied, part = clause.content, clause.text
    if len(denied) < 2 or named_in(denied, said) != denied or named_in(said, denied) != said:
        return False
    if bool(_TO_COME.search(claim.text)) != bool(_TO_COME.search(part)):
        return False
    return not _NEED_NOT.search(part) or bool(_MUST.search(claim.text))


def _needs_none(part: str, claim: Claim) -> bool:
    """Whether a clause says of what must be done that it need not be done at all."""
    free, bound = _NEED_NOT_AT_ALL.search(part), _MUST_DO.search(claim.text)
    if free is None or bound is None or _TO_COME.search(claim.text):
        return False
    return stem(free["verb"] or free["passive"]) == stem(bound["verb"])
