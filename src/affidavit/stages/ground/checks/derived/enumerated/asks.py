"""What kind of operation a claim's words allow."""

from __future__ import annotations

import re
from dataclasses import dataclass

from affidavit.ledger.values import Value
from affidavit.ledger.words import content_stems
from affidavit.stages.ground.checks.derived.aggregate import EACH, MEAN, NO_SUM, SUM
from affidavit.stages.ground.checks.derived.change import DIFFERENCE, is_part
from affidavit.stages.ground.claim import Claim

_APART = re.compile(
    r"\b(?:by|beat|ahead|above|below|over|under|beyond|short|available|unused|loss|profit|surplus|deficit|off|still|another|exceed\w*|"
    r"to go|to spare|shr[aiu]nk|discount\w*|away|unspent|spare|free|longer|saved?|cut)\b",
    re.I,
)
"""What asks for a difference, besides the words that name one."""
_RATE = re.compile(
    rf"{EACH.pattern}|{MEAN.pattern}|\bworks? out\b|\b(?:times|twice|double|half) (?:as|the)\b|\btypical\w*\b",
    re.I,
)
"""What asks for a quotient."""
_A = re.compile(r"\s*(?:an?|the|/|pro|por|par) ?[a-z]+", re.I)
"""What follows a rate: "€122 a night"."""
_GROWN = re.compile(
    r"\b(?:more|up|above|ahead|higher|over|dearer|greater|larger|bigger|longer|later|older|heavier|rose|risen|rise|gr[eo]w\w*|increas\w*|gain\w*|extra)\b",
    re.I,
)
_CHANGED = re.compile(
    _GROWN.pattern
    + r"|\b(?:less|down|below|behind|lower|under|off|cheaper|fewer|smaller|shorter|earlier|younger|lighter|faster|slower|fell|fall\w*|decreas\w*|"
    r"drop\w*|declin\w*|lost|shr[aiu]nk|discount\w*|sav\w+|better|worse|cut)\b",
    re.I,
)
"""What asks by what percentage something is more or less, and not for its share."""


_NO_CHANGE = re.compile(
    r"\b(?:add|mak|made|set|sign|pick|split|end|sum|sav)\w* up\b"
    r"|\bover (?=(?:the|these|those|all) (?:(?:last|past|next|first|whole|entire|\w+ly|two|three|four|five|six|seven|\d+) )?"
    r"(?:\w+days?|days?|weeks?|weekends?|months?|quarters?|years?|summer|winter|spring|autumn|season|term|period|nights?|hours?|minutes?)\b)",
    re.I,
)
"""Words of change that speak of none: "adding up to", "over the four Saturdays"."""


@dataclass(frozen=True)
class Asks:
    """One value of a claim and the operations that it may be the result of."""

    claim: Claim
    value: Value
    said: frozenset[str]
    """The stems of the claim's words."""
    percent: bool
    apart: bool
    """A difference."""
    rate: bool
    """A quotient: so much a piece, or on average."""
    changed: bool
    """Of a percentage: by how much something is more or less."""
    grown: bool
    summed: bool
    """The words name a sum, so that no one row is meant."""
    no_sum: bool

    @classmethod
    def of(cls, claim: Claim, value: Value) -> Asks:
        told = _NO_CHANGE.sub(" ", claim.statement)
        return cls(
            claim,
            value,
            content_stems(told),
            percent=value.kind == "percent",
            apart=bool(DIFFERENCE.search(told) or _APART.search(told)),
            rate=bool(_RATE.search(claim.text) or _A.match(claim.text[value.end :])),
            changed=bool(_CHANGED.search(told)) and not is_part(value, claim),
            grown=bool(_GROWN.search(told)),
            summed=bool(SUM.search(told)),
            no_sum=bool(NO_SUM.search(claim.text)),
        )
