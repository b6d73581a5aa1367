"""What a rule asks for before something may be done, told as needed or as not: "you can fly there without a permit".

"Drones may not be flown above 50 m without a permit" has every word of its opposite, and a small model takes
either for the other. A rule counts where it asks for what the claim speaks of and names all that the claim says may
be done; where another rule lets it pass without, nothing is decided.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from affidavit.ledger.irregular_verbs import base_of
from affidavit.ledger.ledger import Passage
from affidavit.ledger.search import Search
from affidavit.ledger.words import content_stems, is_negated, named_in
from affidavit.stages.ground.checks.states.told import clauses
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "required"

_KINDS = ("fact", "absence")

_END = r"(?=[,;.:()]|\s(?:to|for|if|when|where|before|in order|because|since|as|on|in|at|and|or|but|while)\b|\W*$)"
_ASKED = r"(?:required|needed|necessary|mandatory|compulsory|obligatory|called for)"
_HAVE = r"(?:have|has|get|obtain|hold|carry|wear|show|bring|present|seek|ask for|apply for)"
_NEED = rf"(?P<need>[^,;.:()]+?){_END}"
_WITHOUT = re.compile(
    rf"\bwithout (?:any |an? |the |having |getting |asking (?:for )?)*{_NEED}", re.I
)
_WAIVES = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"\bno (?:\w+ )?need (?:for|of|to {_HAVE}) {_NEED}",
        rf"\bno (?P<need>[\w'’% -]+?) (?:is|are|['’]s|will be) (?:ever |even )?{_ASKED}",
        rf"(?P<need>[\w'’% -]+?) (?:is|are|will)(?: not|n['’]t)(?: be)? (?:\w+ )?{_ASKED}",
        rf"(?:\b(?:do|does|did|will|would)(?: not|n['’]t)|won['’]t) (?:\w+ly )?(?:need|require|have to {_HAVE}|need to {_HAVE}) {_NEED}",
        rf"\bneed(?:n['’]t| not) {_HAVE} {_NEED}",
        r"\beven (?:if|when|where|though) (?P<need>[^,;.()]*(?:\bnot\b|\bno\b|\bnever\b|n['’]t\b|\black)[^,;.()]*)",
    )
)
"""That a thing is not needed, and what it is."""
_BINDS = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"\bonly\b[^,;.]*?\b(?:with|against|upon|after|on presentation of) {_NEED}",
        rf"\b(?:requires?|calls? for|demands?|(?:is|are) subject to) {_NEED}",
        rf"\bneeds? (?!to\b|not\b){_NEED}",
        rf"\b(?:must|need to|needs to|have to|has to) (?:\w+ly |first |also |always )?{_HAVE} {_NEED}",
        rf"(?P<need>[\w'’% -]+?) (?:is|are) (?:\w+ly |always |also )?{_ASKED}",
    )
)
"""That a thing is needed, and what it is."""
_FORBIDS = re.compile(
    r"\b(?:not|never|no|cannot|prohibited|forbidden|banned|impossible)\b|n['’]t\b", re.I
)
_SUPPOSED = re.compile(
    r"\b(?:unless|except|other than|apart from|provided|otherwise|either|usually|normally|some|sometimes|might|would)\b|\?",
    re.I,
)
"""What makes a claim or a rule one of some cases."""
_BOUND = re.compile(
    r"\b(?:(?P<over>above|over|more than|exceeding|beyond|from|at least|longer than|after|minimum)|"
    r"(?P<under>below|under|less than|up to|within|at most|fewer than|shorter than|before|until|maximum))\b(?= (?:[^\w\s]|\w+ )?\d)",
    re.I,
)
_LIGHT = content_stems(
    "prior previous advance beforehand first written writing write form valid own any ask get obtain have hold carry wear show bring "
    "present go take use make let do possible fine ok okay able welcome need require necessary mandatory even still just also "
    "always anyone everyone people person you one thing § section article clause rule"
)
"""Words that make neither a need nor a deed another one."""
_MAY = content_stems("allowed permitted")
"""Nor a deed, though a permit is a need."""
_CONSENT = content_stems(
    "consent agree agreement approve approval permission authorise authorize authorisation authorization clearance sign-off"
)
_ONE_CONSENT = content_stems("consent")
"""Somebody's yes, in whichever word."""


def check_required(claim: Claim, context: GroundContext) -> Finding:
    """Hold what a claim says is needed, or not needed, against the rules that ask for it."""
    skipped = Finding.skip(NAME, "says of nothing that it is needed or not")
    if claim.is_datum or claim.kind not in _KINDS or _SUPPOSED.search(claim.text):
        return skipped
    said = _read(claim.text)
    if said is None or not said.need:
        return skipped
    rules = context.search.once("rules that ask for something", lambda: _rules(context.search))
    of_it = [rule for rule in rules if rule.is_of(said)]
    if of_it:
        fitting = {passage.id for passage in context.fitting}
        of_it = [rule for rule in of_it if rule.passage.id in fitting]
    if len({rule.told.binds for rule in of_it}) != 1:
        return Finding.skip(NAME, "no rule asks for it, or rules that differ")
    rule = of_it[0]
    detail, spans = f"the evidence has “{rule.text}”", (rule.passage.span(),)
    if rule.told.binds == said.binds:
        return Finding(NAME, "checked", "supports", 0.9, None, detail, spans=spans)
    return Finding(NAME, "checked", "contradicts", 0.05, "meaning_changed", detail, spans=spans)


@dataclass(frozen=True, slots=True)
class _Told:
    """What a text says is needed, or is not, and for what."""

    binds: bool
    need: frozenset[str]
    deed: frozenset[str]
    bounds: frozenset[str]
    """On which sides of its figures it holds: over one, up to one."""


@dataclass(frozen=True, slots=True)
class _Rule:
    passage: Passage
    text: str
    told: _Told
    heading: frozenset[str]

    def is_of(self, said: _Told) -> bool:
        """Whether this is a rule about the need and the deed of a claim: each word of the deed is of the rule, or
        the claim names its whole heading."""
        if said.bounds != self.told.bounds or named_in(said.need, self.told.need) != said.need:
            return False
        shared = named_in(said.deed, self.told.deed | self.heading)
        by_heading = bool(self.heading) and named_in(self.heading, said.deed) == self.heading
        return bool(shared) and (shared == said.deed or by_heading)


def _rules(search: Search) -> list[_Rule]:
    """Read once for all claims."""
    found = []
    for passage, text in clauses(search.passages):
        head, _, own = text.rpartition(" | ") if passage.record is None else ("", "", text)
        told = None if _SUPPOSED.search(own) else _read(own)
        if told is not None and told.need and told.deed:
            above = passage.text.rpartition(" | ")[0] if passage.record is None else head
            found.append(
                _Rule(passage, own, told, content_stems(above.rpartition("›")[2]) - _LIGHT)
            )
    return found


def _read(text: str) -> _Told | None:
    """What a text says is needed; None where it says so of nothing."""
    for pattern in _WAIVES:
        if match := pattern.search(text):
            return _told(text, match, binds=False)
    if match := _WITHOUT.search(text):
        # "Without a permit you may not" says it the other way round
        return _told(text, match, binds=bool(_FORBIDS.search(_besides(text, match))))
    for pattern in _BINDS:
        match = pattern.search(text)
        if match and not is_negated(_besides(text, match)):
            return _told(text, match, binds=True)
    return None


def _besides(text: str, match: re.Match[str]) -> str:
    return f"{text[: match.start()]} {text[match.end() :]}"


def _told(text: str, match: re.Match[str], *, binds: bool) -> _Told:
    named = content_stems(match["need"])
    need = (named - _CONSENT - _LIGHT) | (_ONE_CONSENT if named & _CONSENT else frozenset())
    deed = frozenset(map(base_of, content_stems(_besides(text, match))))
    bounds = frozenset(m.lastgroup for m in _BOUND.finditer(text) if m.lastgroup)
    return _Told(binds, need, deed - _LIGHT - _MAY - need, bounds)
