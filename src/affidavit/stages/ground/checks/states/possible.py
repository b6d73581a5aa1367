"""What may come about, told as having come about.

"The dyke may give way at Hollin" contradicts "the dyke has given way at Hollin", though every word but one is
there; a small model reads over a "may" as it does over a "not".
"""

from __future__ import annotations

import re

from affidavit.ledger.irregular_verbs import IRREGULAR, base_of
from affidavit.ledger.search import Search
from affidavit.ledger.values.cued import Cued
from affidavit.ledger.words import content_stems, named_in
from affidavit.stages.ground.checks.states.told import clauses
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "possible"

_BETWEEN = r"(?:(?:also|still|well|even|then|possibly|soon|\w+ly) )*"
_MAY = Cued(
    re.compile(
        rf"\b(?:may|might|could) {_BETWEEN}(?:be |get |become |have )?{_BETWEEN}(?P<may>[a-z]+)"
        rf"|\b(?:is|are|was|were) (?:\w+ )?(?:likely|expected|forecast|predicted|feared|thought|anticipated|liable) to {_BETWEEN}(?:be |get )?(?P<likely>[a-z]+)"
        r"|\b(?:risk|danger|chance|possibility) of (?:\w+ ){0,3}?(?P<risk>[a-z]+ing)\b",
        re.I,
    ),
    "may", "might", "could", "likely", "expected", "forecast", "predicted", "feared", "thought", "anticipated", "liable",
    "risk", "danger", "chance", "possib",
)  # fmt: skip
"""That something is possible, and what."""
_HAPPENED = re.compile(
    rf"\b(?:has|have|had|['’]s|['’]ve) {_BETWEEN}(?:now |already |just |since )*(?:been |got )?{_BETWEEN}(?P<perfect>[a-z]+)"
    rf"|\b(?:was|were|got) {_BETWEEN}(?:already |just )*(?P<passive>[a-z]+)"
    # "Parcels are left with neighbours" is a custom, "is now closed" has come about
    r"|\b(?:is|are) (?:now|already|currently|meanwhile) (?P<now>[a-z]+)"
    r"|^(?!.*\b(?:is|are|was|were|has|have|had|do|does|did)\b).*?\b(?P<past>[a-z]{2,}ed)\b(?! by\b)",
    re.I,
)
"""What a claim says has come about; a past form only where no other verb makes it a participle."""
_HEDGED = re.compile(
    r"\b(?:may|might|could|can|would|should|will|shall|if|unless|whether|possibl[ey]|perhaps|maybe|likely|probabl[ey]|risk|danger|"
    r"chance|threat\w*|expect\w*|forecast\w*|predict\w*|fear\w*|potential\w*|suspect\w*|in case|yet|once|until|not|never|to)\b|n['’]t\b|['’]ll\b",
    re.I,
)
"""A claim that leaves it open itself, or denies it."""


def check_possible(claim: Claim, context: GroundContext) -> Finding:
    """Hold what is told as having happened against what is told as possible."""
    if claim.is_datum or claim.kind != "fact":
        return Finding.skip(NAME, "tells of nothing that happened")
    said = content_stems(claim.text)
    possible = context.search.once("clauses of what may be", lambda: _left_open(context.search))
    for verb in _happened(claim.text) if possible else ():
        if not any(verb in verbs and _speaks_of(part, verb, said) for part, verbs in possible):
            continue
        told = [
            (passage, part)
            for passage, part in clauses(context.search, context.fitting, of_user=True)
            if _speaks_of(part, verb, said)
        ]
        if told and all(verb in _possible(part) for _, part in told):
            passage, part = told[0]
            return Finding(
                NAME, "checked", "contradicts", 0.05, "meaning_changed",
                f"the evidence has “{part}”", spans=(passage.span(),),
            )  # fmt: skip
    return Finding.skip(NAME, "nothing told of it is only possible")


def _left_open(search: Search) -> list[tuple[str, set[str]]]:
    """The clauses that tell of something as possible, with the verbs of it: of a long log few, or none."""
    every = (part for _, part in clauses(search, of_user=True))
    return [(part, verbs) for part in every if (verbs := _possible(part))]


def _happened(text: str) -> set[str]:
    """The verbs that a claim tells as done, where nothing before them leaves that open; a town that "has flood
    gates" was not flooded."""
    return {
        base_of(word)
        for m in _HAPPENED.finditer(text)
        if not _HEDGED.search(text[: m.end()])
        for word in m.groupdict().values()
        if word and (word.casefold() in IRREGULAR or word.casefold().endswith("ed"))
    }


def _possible(part: str) -> set[str]:
    return {base_of(w) for m in _MAY.finditer(part) for w in m.groupdict().values() if w}


def _speaks_of(part: str, verb: str, said: frozenset[str]) -> bool:
    """Whether a clause has the verb, and mostly what the claim says besides."""
    if verb not in {base_of(word) for word in re.findall(r"[A-Za-z]+", part)}:
        return False
    rest = frozenset(s for s in content_stems(part) if base_of(s) != verb)
    return bool(rest) and len(named_in(rest, said)) * 2 >= len(rest)
