"""Conditions turned round: "you may share it without their consent" beside "only with their consent".

A rule and a claim each make something a condition of a deed, or say that the deed needs none such. Nearly all their
words are the same either way, so that a small model takes the one for the other. What was done without something
("it shipped without a label") breaks no rule's word and is not held against one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from affidavit.ledger.irregular_verbs import IRREGULAR, base_of
from affidavit.ledger.ledger import Passage
from affidavit.ledger.search import Search
from affidavit.ledger.words import content_stems, is_negated, named_in
from affidavit.stages.ground.checks.states.told import clauses
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "conditional"

_END = r"(?=[,;.:()]|\s(?:to|for|if|when|where|before|in order|because|since|as|on|in|at|and|or|but|while)\b|\W*$)"
_NEED = rf"(?P<need>[^,;.:()]+?){_END}"
_SUBJECT = r"(?P<need>(?:(?!\b(?:and|but|so|as|because|if|is|are)\b)[\w'’% -])+?)"
_ASKED = r"(?:required|needed|necessary|mandatory|compulsory|obligatory|essential|called for)"
_HAVE = r"(?:have|has|get|obtain|hold|carry|wear|show|bring|provide|present|pay|make|seek|ask for|apply for|be accompanied by|come with)"
_FREE = (
    rf"\b(?:(?:do|does|will|would)(?: not|n['’]t)|won['’]t) (?:\w+ly )?(?:require|(?:have|need) to {_HAVE}|need(?! to\b)) {_NEED}",
    rf"\bneed(?:n['’]t| not) {_HAVE} {_NEED}",
    rf"\b(?:requires?|needs?) no {_NEED}",
    rf"\bno (?:\w+ )?need (?:for|of|to {_HAVE}) {_NEED}",
    rf"\bno {_SUBJECT} (?:is|are|will be) (?:ever |even )?{_ASKED}\b",
    rf"{_SUBJECT} (?:is|are|will)(?: not| no longer| never|n['’]t)(?: be)? (?:\w+ )?{_ASKED}\b",
    rf"\b(?:regardless of|irrespective of|whether or not) {_NEED}",
    r"\beven (?:if|when|where|though) (?P<need>[^,;.()]*(?:\bnot\b|\bno\b|\bnever\b|n['’]t\b|\black)[^,;.()]*)",
)
"""That something is no condition."""
_WITHOUT = (
    rf"\bwithout (?!(?:undue |further |any )?(?:delay|exception|fail|doubt|question)\b)(?:(?:asking|applying|having to ask) for )?(?P<need>[^,;.:()]+?)"
    rf"(?:(?=\s(?:is|are|will|can|cannot|may|must|should)\b)|{_END})"
)
"""That something is no condition, or, of what may not be done, that it is one."""
_BOUND = (
    rf"(?<!not )\bonly\b(?:[^,;.]*?\b(?:with|against|upon|after|if|once|following|subject to|provided(?: that)?|on presentation of)|(?: \w+){{0,2}} (?:on|under|when)) {_NEED}",
    rf"(?:\b(?:not|no|never|nobody|nothing|cannot)\b|n['’]t\b)[^,;.]*?\b(?:unless|until|before) {_NEED}",
    rf"\b(?:requires?|calls? for|demands?|subject to|conditional (?:up)?on|provided that|needs?(?! to\b| not\b)) {_NEED}",
    rf"\b(?:must|(?:need|needs|have|has) to) (?:\w+ly |first |also |always )?{_HAVE} {_NEED}",
    rf"{_SUBJECT} (?:is|are) (?:\w+ )?{_ASKED}\b",
)
"""That something is a condition."""
_PATTERNS = [
    (bound, re.compile(pattern, re.I))
    for patterns, bound in ((_FREE, False), ((_WITHOUT,), None), (_BOUND, True))
    for pattern in patterns
]
_FORBIDS = re.compile(
    r"\b(?:not|never|no|nobody|cannot|prohibited|forbidden|banned|impossible)\b|n['’]t\b", re.I
)
_MAY = re.compile(
    r"\b(?:can|may|could|lets?|allow\w*|permit\w*|possible|able|free to|is|are|will)\b", re.I
)
_DONE = re.compile(r"\b(?:was|were|has|have|had|did) (?!to\b)", re.I)
_SOME_CASES = re.compile(
    r"\b(?:unless|except|other than|apart from|provided|otherwise|either|usually|normally|some|sometimes|might)\b|\?",
    re.I,
)
_LIMIT = re.compile(
    r"\b(?:(?P<over>above|over|more than|exceeding|beyond|from|at least|longer than|after|minimum)|"
    r"below|under|less than|up to|within|at most|fewer than|shorter than|before|until|maximum) (?:[^\w\s]|\w+ )?(?P<figure>\d[\d.,]*)",
    re.I,
)
_NUMBER = re.compile(
    r"(?:^\W*|§ ?|\b(?:section|clause|article|paragraph|rule) )\d+(?:\.\d+)*[.)]?(?=\s|\W*$)", re.I
)
"""The number of a clause, which is no part of what it says."""
_TOUCHES = re.compile(
    r"\b(?:only|with(?:out)?|unless|until|before|need|requir|subject to|condition|provided|must|ha(?:s|ve) to|call|demand|even|"
    r"necessary|mandat|compuls|oblig|essential|regardless|irrespective|whether)",
    re.I,
)
"""A word that every clause on a condition has one of: a log has ten thousand clauses without any."""
_LONGEST = 400
"""Characters beyond which a text without a comma or a full stop is no clause."""
_MOST_WORDS = 9
"""The most words of a condition that is a thing, rather than a story."""
_LEAST = 0.6
"""The least share of a clause's own deed that a claim must speak of."""
_LIGHT = content_stems(
    "any ask get obtain have hold carry wear show bring present provide go come take use make let do possible fine ok okay able "
    "welcome need require even still just also only always everyone anyone people person you one thing"
)
"""Words that make neither a condition nor a deed another one."""
_HOW = content_stems("prior previous advance beforehand first written writing write valid own")
"""Words that one may leave out of a condition."""
_NO_DEED = content_stems(
    "permit permitted allowed may can admitted admit accepted available visit enter entry entrance admission visitors access "
    "necessary mandatory compulsory obligatory essential subject regardless unless until upon on against under following condition "
    "call demand § section article paragraph clause rule policy"
)
"""Words that make no deed, though a permit or an admission may be a condition."""
_CONSENT = content_stems(
    "consent agree agreement approve approval permission authorise authorize authorisation authorization clearance sign-off"
)
"""Somebody's yes, in whichever word."""


@dataclass(frozen=True, slots=True)
class _Read:
    """Whether something is a condition of a deed, the stems of the two, and the figures above or below which."""

    bound: bool
    need: frozenset[str]
    deed: frozenset[str]
    limits: frozenset[tuple[bool, str]]


@dataclass(frozen=True, slots=True)
class _Rule:
    """A clause of the evidence on a condition, and the stems of the heading that it stands under."""

    passage: Passage
    text: str
    read: _Read
    heading: frozenset[str]

    def is_of(self, said: _Read) -> bool:
        """Whether it is of the condition and the deed of a claim: it or the claim says nothing that the other does
        not, or the claim names its heading."""
        shared, share = self.shared(said), self.share(said)
        by_heading = bool(self.heading) and named_in(self.heading, said.deed) == self.heading
        return self.is_of_need(said) and (
            share == 1 or (share >= _LEAST and shared == said.deed) or (by_heading and bool(shared))
        )

    def is_of_need(self, said: _Read) -> bool:
        """Whether the conditions, by most of their words, and the limits are the same."""
        wide, narrow = self.needs(said)
        bare = wide - _HOW if self.read.bound else wide
        return said.limits == self.read.limits and any(
            len(named_in(need, narrow)) * 2 > len(need) for need in (wide, bare)
        )

    def needs(self, said: _Read) -> tuple[frozenset[str], frozenset[str]]:
        """The condition that must be the wider one and the other: what needs the manager's approval needs approval,
        and what needs no approval needs none of the manager."""
        return (said.need, self.read.need) if self.read.bound else (self.read.need, said.need)

    def shared(self, said: _Read) -> frozenset[str]:
        """What of a claim's deed is of this rule or its heading."""
        return named_in(said.deed, self.read.deed | self.read.need | self.heading)

    def share(self, said: _Read) -> float:
        """How much of what the rule is about a claim speaks of."""
        if not self.read.deed:
            return 0.0 if said.deed else 1.0
        return len(named_in(self.read.deed, said.deed | said.need)) / len(self.read.deed)


def check_conditional(claim: Claim, context: GroundContext) -> Finding:
    """Hold what a claim makes a condition, or none, against the clause of the same deed and thing."""
    said = None if claim.is_datum or claim.kind not in ("fact", "absence") else _read(claim.text)
    if said is None:
        return Finding.skip(NAME, "says of nothing what it needs")
    rules = context.search.once("clauses of conditions", lambda: _rules(context.search))
    fitting = {passage.id for passage in context.fitting} if rules else set()
    of_it = [rule for rule in rules if rule.passage.id in fitting and rule.is_of(said)]
    if not of_it:
        return Finding.skip(NAME, "no clause makes that a condition of it, or says that it is none")
    rule = max(of_it, key=lambda rule: rule.share(said))
    if any(_is_as_near(other, rule, said) for other in rules):
        return Finding.skip(NAME, "another clause is of what the claim says, and says otherwise")
    detail, spans = f"the evidence has “{rule.text}”", (rule.passage.span(),)
    if rule.read.bound != said.bound:
        return Finding(NAME, "checked", "contradicts", 0.05, "meaning_changed", detail, spans=spans)
    shared, (wide, narrow) = rule.shared(said), rule.needs(said)
    if len(shared) * 2 < len(said.deed):
        return Finding.skip(NAME, "the clause is of less than that")
    whole = shared == said.deed and named_in(wide, narrow) == wide
    return Finding(
        NAME, "checked", "supports", 0.9, None, detail, spans=spans, settles="all" if whole else "values",
    )  # fmt: skip


def _is_as_near(other: _Rule, rule: _Rule, said: _Read) -> bool:
    """Whether another clause of the same thing, the other way round, has all that a claim shares with this one: of
    cats and dogs the one that is spoken of."""
    if other.read.bound == rule.read.bound or not other.is_of_need(said):
        return False
    own, others = (named_in(said.deed, r.read.deed) for r in (rule, other))
    return own <= others and (bool(others) or other.is_of(said))


def _rules(search: Search) -> list[_Rule]:
    """Read once for all claims."""
    return [
        _Rule(passage, text, read, _heading(passage))
        for passage, text in clauses(search)
        if len(text) <= _LONGEST and _TOUCHES.search(text)
        if (read := _read(text)) is not None
    ]


def _heading(passage: Passage) -> frozenset[str]:
    above = "" if passage.record is not None else passage.text.rpartition(" | ")[0]
    return _deed(above.rpartition("›")[2])


def _read(text: str) -> _Read | None:
    """What a text makes a condition of what, or none; None where it tells of none, of some cases, or of what was."""
    for bound, pattern in _PATTERNS:
        found = pattern.search(text)
        if found is None:
            continue
        besides = f"{text[: found.start()]} {text[found.end() :]}"
        if bound and is_negated(besides):
            continue
        if bound is None:
            # "without a permit you may not" says it the other way round
            bound = bool(_FORBIDS.search(besides))
            if not bound and not _MAY.search(besides):
                return None
        if _DONE.search(besides) or _SOME_CASES.search(f"{besides} {found['need']}"):
            return None
        return _parted(found, besides, bound=bound)
    return None


def _parted(found: re.Match[str], besides: str, *, bound: bool) -> _Read | None:
    named = content_stems(found["need"])
    need = (named - _CONSENT - _LIGHT) | content_stems("consent" if named & _CONSENT else "")
    if not need - _HOW or len(found["need"].split()) > _MOST_WORDS:
        return None
    inside = found[0].replace(found["need"], " ")
    limits = frozenset(
        (m["over"] is not None, m["figure"].replace(",", "").rstrip("."))
        for m in _LIMIT.finditer(found.string)
    )
    return _Read(bound, need, _deed(f"{besides} {inside}") - need, limits)


def _deed(text: str) -> frozenset[str]:
    """The stems of what a text is about, verbs by their base: flown is of fly."""
    light = _LIGHT | _HOW | _NO_DEED
    stems = content_stems(_NUMBER.sub(" ", text)) - light
    return frozenset(base_of(s) if s in IRREGULAR else s for s in stems) - light
