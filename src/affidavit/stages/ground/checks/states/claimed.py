"""The state that a claim gives a thing, in the words of the vocabulary."""

from __future__ import annotations

import re

from affidavit.ledger.words import content_stems, is_negated
from affidavit.stages.ground.checks.states.vocabulary import states_in
from affidavit.stages.ground.claim import Claim

_WITHOUT = re.compile(r"\b(?:with no|without|no)\s+(?!longer|more)\w+", re.I)
"""What is denied of a thing's company is not denied of the thing: "running with no restarts"."""
PREDICATE = re.compile(
    r"\b(?:is|are|was|were|be|been|being|(?<=\bit)['’]s|(?<=\bthat)['’]s|(?<=\bhe)['’]s|['’]re|remains?|stays?|status|marked|has|have|had|(?:is|are|was|were|has|have|had)n['’]t|stage|step|ist|sind|wurde|está|"
    r"fue|est|été|è|stato|foi|passed|failed|completed|approved)\b((?:\W+\w+){0,4})",
    re.I,
)
"""Where a state is said of something; "processing times" and "Running Shoes" are no states."""
_CONNECTED = re.compile(
    r".*(?:[,;:]|\b(?:and|but|so|while|whereas|although|though|because)\b)", re.I | re.S
)


def subject_of(claim: Claim, told: str) -> frozenset[str]:
    """The words for what a state is told of; of a clause that leaves it out, those of its statement."""
    said = next((m for m in PREDICATE.finditer(told) if states_in(m[0])), None)
    before = _CONNECTED.sub("", told[: said.start()]) if said else ""
    return content_stems(before) or content_stems(claim.statement)


CHECKED = re.compile(
    r"\b(?:checks?|builds?|tests?|pipelines?|jobs?|stages?|ci|suites?|lint\w*|unit|e2e|workflows?|lights?|status|health|dashboards?|probes?|monitors?)\b",
    re.I,
)
_WENT_WELL = re.compile(
    r"\b(?:(?:went|came|got|made it|sailed) through|(?:was|were|is|are|looked|looks?) (?:all )?(?:fine|ok(?:ay)?|good))\b",
    re.I,
)
"""That a check or a step passed, as people say it."""
_GREEN, _RED = re.compile(r"\bgreen\b", re.I), re.compile(r"\bred\b", re.I)
_ENDS_HERE = r"(?=\W*$|[,;.)]| and\b| but\b| as well\b| too\b| at the moment\b| right now\b| again\b| already\b)"
_IS = r"\b((?:is|are|was|were|stays?|remains?|['’]s)(?: (?:\w+ly|still|now|also|all|both|back|not|already))*)"
_IS_IN = re.compile(rf"{_IS} in{_ENDS_HERE}", re.I)
_IS_FREE = re.compile(rf"{_IS} (?:free|empty){_ENDS_HERE}", re.I)
_IS_TAKEN = re.compile(rf"{_IS} (?:taken|full){_ENDS_HERE}", re.I)
_COSTS = re.compile(
    r"\b(?:deliver\w*|shipping|entry|entrance|admission|parking|returns?|cancel\w*|service|trial|breakfast|wi-?fi|support|visits?|upgrade|access|download)\b",
    re.I,
)
"""What is free of charge, and not of people."""
_IS_ON = re.compile(rf"{_IS} (on|off){_ENDS_HERE}", re.I)
_THERE_ARE_SEATS = re.compile(
    r"\bthere (?:is|are)(?: still| also)?(?: some| plenty of)? (?=(?:seats?|rooms?|places?|tickets?|beds?|tables?|spots?|spaces?|slots?|berths?|copies)\b)",
    re.I,
)
"""What there is some of is to be had: "there are seats in second class"."""


def _in_plain_words(text: str, statement: str) -> str:
    """The short words for states that mean other things elsewhere: a check is green, a copy is in, a light is
    off; a jacket may be green as well."""
    if CHECKED.search(statement):
        text = _RED.sub("failed", _GREEN.sub("passed", _WENT_WELL.sub("was passed", text)))
    text = _IS_IN.sub(r"\1 available", text)
    text = text if _COSTS.search(text) else _IS_FREE.sub(r"\1 vacant", text)
    text = _IS_TAKEN.sub(r"\1 occupied", text)
    text = _THERE_ARE_SEATS.sub("is available ", text)
    return _IS_ON.sub(r"\1 turned \2", text)


_OTHER = re.compile(
    r"\([^()]*\b(?:not|no)\b[^()]*\)|(?:,(?: and| but)?| and| but) not (?:yet )?(?:(?:in|on|under|at|for) )?(?:an? |the )?\w+(?: \w+)?\W*$",
    re.I,
)
"""What a state is set against: "pending (not delivered yet)", "still open, not resolved"."""
_OF_ANY = re.compile(
    r"\b(?:for|on|to|of|from|with|in) (?:any |all )?[\w-]+ (?!status\b)\w{3,}s\b", re.I
)
"""Things of a state, which says nothing of this one's: "only available for delivered orders"."""


def _without_other(text: str) -> str:
    return _OF_ANY.sub(" ", _OTHER.sub(" ", text))


def is_denied(text: str) -> bool:
    """Whether the state is denied; "unable to change an order that has been delivered" denies another."""
    plain = _WITHOUT.sub(" ", text)
    said = [m for m in PREDICATE.finditer(plain) if states_in(m[0])]
    near = " ".join(plain[max(0, m.start() - _NEGATION_REACH) : m.end()] for m in said)
    return is_negated(near) if said else is_negated(plain)


_NEGATION_REACH = 12
"""Characters before a predicate in which a "not" or "never" is about it."""


def told_of_state(claim: Claim) -> str:
    """What a claim says, with its states in plain words and without what they are set against."""
    said = claim.statement if claim.is_elliptic else claim.text
    return _in_plain_words(_without_other(said), claim.statement)


def predicates_in(told: str) -> str:
    """The parts of a text in which a state may be said of something."""
    return " … ".join(m[0] for m in PREDICATE.finditer(told))


def claimed_states(claim: Claim) -> frozenset[tuple[int, int]]:
    """The states that a claim gives what it speaks of."""
    return states_in(predicates_in(told_of_state(claim)))
