"""Whether the evidence denies what a claim denies.

That the values are there does not bear out a "not", nor does a "not" that is about another matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from affidavit.ledger.values import Value
from affidavit.ledger.words import content_stems, denies, is_negated, named_in
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.claim import Claim, bare_words

_PART = re.compile(r"[;\n]|(?<=[.!?])\s")
"""Ends of the fields of a record and of the sentences of a text."""
_WORD = re.compile(r"[^\W\d_]+")
_NOT = re.compile(
    r"\b(?:not|no|never|none|neither|nor|nothing|nobody|nowhere|cannot|without|zero|nil|hardly|only|until|unless|must either)\b|n['’]t\b",
    re.I,
)
_SAYS_NO = {
    "lack": r"lack(?:s|ing)?|missing|absent|unable|unavailable|ineligible|impossible|free (?:of|from)|devoid of|out of stock|sold out",
    "forbidden": r"exclu(?:ded?|des|ding|sion)|rul(?:ed?|es|ing) out|forbid(?:s|den)?|prohibit(?:s|ed)?|bann(?:ed|ing)|barred|disallow(?:s|ed)?|"
    r"off[- ]limits|invalid(?:ates?|ated)?|waived?|exempt(?:s|ed)?",
    "refused": r"declined?|refuse[sd]?|reject(?:s|ed)?|den(?:y|ies|ied)|withh(?:old|olds|eld)|withdrawn|revoked|failed|fails",
    "not yet": r"yet to|pending|awaiting|on[ _]hold|postponed|suspended|unstarted|skipped|omitted",
    "no more": r"expired|ended|discontinued|ceased|cancell?ed|abandoned|called off",
}
"""Families of words that say "not" of what they are about: it lacks, is forbidden, was refused, has yet to come, is over."""
_DENYING = re.compile(rf"\b(?:{'|'.join(_SAYS_NO.values())})\b", re.I)
_STATUS = re.compile(r"[\s*-]*(?:\w+ ){0,2}(?:status|state|outcome|decision):", re.I)
"""What it says bears on all that may be done with the thing: "pending" on "cannot be returned yet"."""
_FORETOLD = re.compile(r"\b(?:will not|won['’]t) (?!be (?:able|possible|eligible|allowed)\b)", re.I)
"""What will not come about, of which a state says nothing: "the refund will not go to your card"."""
_NOT_IT = re.compile(
    r"\b(?:(?:is|are|was|were|be|been|being)(?: not|n['’]t| never)|(?:['’]s|['’]re) not)"
    r"(?: (?:now|currently|yet|actually|in|at|of|on|by|from|to|for|the|an?|your|our|set|listed|marked|"
    r"paid|made|with|as|item|id|order|number|variant|option|called|named))*\s[\"“'‘`*(]*$",
    re.I,
)


_CONTRAST = re.compile(
    r",\s+(?:and |but )?(?:not|rather than) (?:(?:to|for|with|by|in|on|at|from|as|yet|a|an|the|your) )*[\w’' -]{2,40}\W*$"
    r"|\s\((?:and |but )?not [^()]{2,60}\)",
    re.I,
)
"""What the claim sets its own statement against: "to that card, not to a gift card"."""


_IF_YOU_DO_NOT = re.compile(
    r"\b(?:if|in case|should|when|once) (?:you|they|he|she|it)(?:['’]d| would)? (?:(?:no longer|not|never|do not|don['’]t|does not|doesn['’]t|wouldn['’]t|"
    r"cannot|can['’]t|are not|aren['’]t|is not|isn['’]t)\b)[^,;.:]*",
    re.I,
)
"""The condition under which the rest holds: "cancelling is the way, if you no longer want it"."""


def is_denial(claim: Claim) -> bool:
    """Whether a claim denies something, besides what it sets its own statement against and its condition."""
    return is_negated(_IF_YOU_DO_NOT.sub(" ", _CONTRAST.sub("", claim.text)))


def borne_out(
    claim: Claim, spans: Iterable[EvidenceSpan], *, of_what_is_denied: bool = False
) -> bool:
    """Whether a field or a sentence of the spans denies something in words of the claim, or in those behind its
    own "not": "no queen was seen" denies nothing of a hive that "needs no treatment"."""
    words = _LOST_LIFE.sub("lost life", bare_words(claim))
    denied = _BEHIND_NOT.search(words) if of_what_is_denied else None
    said = content_stems(denied["what"] if denied else words) | _days_of(claim)
    own = frozenset(_WORD.findall(claim.text.casefold()))
    conditional = bool(_CONDITION.search(claim.text))
    needless = bool(_NEED_NOT.search(claim.text))
    foretold = bool(_FORETOLD.search(claim.text))
    return any(
        (_STATUS.match(part) and not foretold) or _bears_on(part, said, mostly=above)
        for span in spans
        for part, above in _parts(span)
        if _denies_more(part, own)
        or (conditional and _ELSE.search(part))
        or (needless and _PROVIDED.search(part))
    )


_NEED_NOT = re.compile(
    r"(?:\bnot|n['’]t) (?:have|need) to (?:bring|take|buy|pay|order|book|arrange|rent|hire|supply|provide|pack|carry)\b|\bneed(?:n['’]t| not) "
    r"(?:bring|take|buy|pay|order|book|arrange|rent|hire|supply|provide|pack|carry)\b|(?:\bnot|n['’]t) need (?:any|your|an?)\b|\bno need to\b",
    re.I,
)
_PROVIDED = re.compile(
    r"\b(?:provided|included|supplied|complimentary|free|on site|on the house|covered|taken care of|at hand|available to borrow|comes? with)\b",
    re.I,
)
"""What one need not bring or pay oneself is there: "all tools are provided"."""


def _days_of(claim: Claim) -> frozenset[str]:
    """The days of the week of which a claim says that nothing is on them, as plans write them: "Fri: no rehearsal"."""
    days = (v.moment.weekday for v in claim.values if v.moment is not None)
    if not _NOTHING_ON.search(claim.text):
        return frozenset()
    return frozenset(_DAYS[day] for day in days if day is not None)


_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NOTHING_ON = re.compile(r"\b(?:nothing|none|no one|nobody|no \w+|(?:is|are) free|off)\b", re.I)


def _parts(span: EvidenceSpan) -> Iterator[tuple[str, bool]]:
    """The fields and sentences of a span, and whether each stands above its record: "packing not started" over
    the lines of a wave."""
    header, _, own = span.text.rpartition(" | ")
    yield from ((part, False) for part in _PART.split(own))
    yield from ((_INDEX.sub("", part), True) for part in _HEADING.split(header) if part)


def _bears_on(part: str, said: frozenset[str], *, mostly: bool) -> bool:
    """Whether a part speaks of what is said; of a blank field most of its name, since "return payment method:
    none" denies no charge."""
    blank = _BLANK_FIELD.match(part)
    stems = content_stems(blank["key"] if blank else part)
    shared = len(named_in(stems, said))
    return bool(shared) and (shared * 2 >= len(stems) or not (blank or mostly))


_LOST_LIFE = re.compile(r"\b(?:killed|died|perished|deaths?|dead)\b", re.I)
"""Told of nobody, where the evidence has no lives lost."""
_BEHIND_NOT = re.compile(
    r"(?:\b(?:not|no|never|none|neither|nor|nothing|nobody|cannot|without)\b|n['’]t\b)(?P<what>[^,;:.]*\w{3}[^,;:.]*)",
    re.I,
)
_HEADING = re.compile(r"[;\n›|]|(?<=[.!?])\s")
_INDEX = re.compile(r"\[\d+\]$")
_BLANK_FIELD = re.compile(r"\s*(?P<key>[\w -]+): (?:none|null|n/a)\s*$", re.I)
_CONDITION = re.compile(
    r"\bnon[-–‑]\w|\b(?:since|because|as|if|when|where)\b[^,;]*(?:\bnot\b|n['’]t\b)[^,;]*(?:,|$)",
    re.I,
)
"""A denial that is only the condition of the rest: "since it was not paid by gift card, …"."""
_ELSE = re.compile(r"\b(?:otherwise|except|else|other than)\b", re.I)


_UN = re.compile(r"(?:un|in|im|il|ir|non|dis)(?=\w{4})")
"""What turns a word around: "unreserved" for what is not reserved."""


def _denies_more(part: str, own: frozenset[str]) -> bool:
    """Whether a part denies, or is a field whose state is a denial and is not what the claim itself
    says: "status: pending" does not show that a thing is not pending."""
    words = [word for word in _WORD.findall(part.casefold()) if word not in own]
    other = " ".join(words)
    # A claim that denies that a thing was cancelled is not borne out by "was cancelled".
    says_no = (set(_WORD.findall(m[0].casefold())) for m in _DENYING.finditer(part))
    return (
        bool(_NOT.search(part))
        or any(not said <= own for said in says_no)
        or any((m := _UN.match(word)) is not None and word[m.end() :] in own for word in words)
        or (":" in part and denies(other))
    )


def is_denied(value: Value, claim: Claim) -> bool:
    """Whether a claim says of its thing that it is not this value: "the total is not $60"."""
    if claim.is_datum:
        return False
    return bool(_NOT_IT.search(claim.text[: value.start]))


def is_opposed(claim: Claim, spans: Iterable[EvidenceSpan]) -> bool:
    """Whether the sentence that shares most words with what a claim affirms denies it: "can be changed
    again" beside "you will not be able to change it"."""
    said = content_stems(bare_words(claim))
    parts = [p for span in spans for p in _PART.split(span.text.rpartition(" | ")[2])]
    shared = {part: len(named_in(said, content_stems(part))) for part in parts}
    best = max(shared, key=lambda part: shared[part], default="")
    return shared.get(best, 0) >= 2 and is_negated(best) and not is_negated(claim.text)


_LIGHT = content_stems("done further anymore again longer afterwards then later now")
"""Words that a denial may have or lack without denying another thing."""
_IN_SOME_CASES = re.compile(
    r"\b(?:unless|only|except|if|until|before|without|otherwise|but|whether|either)\b", re.I
)


def is_denied_in_words(claim: Claim, text: str) -> bool:
    """Whether an unconditional sentence of a text denies the very thing: "will not be able to modify or cancel the
    order anymore" for "it can't be modified or cancelled further"; not "cannot be cancelled unless pending"."""
    said = content_stems(bare_words(claim)) - _LIGHT
    return len(said) >= _LEAST_SAID and any(
        is_negated(part)
        and not _IN_SOME_CASES.search(part)
        and named_in(said, content_stems(part)) == said
        for part in _PART.split(text)
    )


_LEAST_SAID = 3
_NOT_DONE = re.compile(r"\b(?:not|never|no longer|cannot)\b|n['’]t\b", re.I)
_REACH = 3
"""Words behind a "not" that it may be about: "was not yet fully paid"."""


def has_not(claim: Claim, spans: Iterable[EvidenceSpan]) -> bool:
    """Whether of what a claim affirms the sentence of a result that shares most words with it says that it is not so:
    "passed on 11 March" beside "took place on 11 March and was not passed"."""
    if is_negated(claim.text):
        return False
    said = content_stems(bare_words(claim))
    told = [span.text.rpartition(" | ")[2] for span in spans if span.source == "tool_result"]
    parts = [part for text in told for part in _PART.split(text)]
    nearest = max(parts, key=lambda p: len(named_in(said, content_stems(p))), default="")
    limited = bool(_LIMIT.search(claim.text))
    behind = (
        nearest[m.end() :]
        for m in _NOT_DONE.finditer(nearest)
        if not (limited and _BEYOND.match(nearest, m.end()))
    )
    denied = (_WORD.findall(re.split(r"[,;:.()]", rest)[0])[:_REACH] for rest in behind)
    return any(content_stems(" ".join(words)) & said for words in denied)


_LIMIT = re.compile(r"\b(?:only|at most|no more|not more|up to|max(?:imum)?|within|just)\b", re.I)
_BEYOND = re.compile(
    r"[^,;.]*?\b(?:more|longer|later|higher|further|greater|larger|heavier|over|above|beyond|exceed\w*)\b(?: than\b)?",
    re.I,
)
"""What lies past a limit: "not more than once" denies nothing of what is done "only once"."""
