"""Who of two: "the buyer decides whether to repair or replace" beside "the supplier may, at its choice, …".

A contract names the same two parties in every clause, and a small model reads over which of them is meant. Only where
a claim and a clause each name one of two parties, not the same, is the one held against the other.
"""

from __future__ import annotations

import re
from functools import cache

from affidavit.ledger.ledger import Passage
from affidavit.ledger.search import Search
from affidavit.ledger.words import content_stems, is_negated, named_in, stem, words
from affidavit.stages.ground.checks.states.told import clauses
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "roles"

# Each line is a pair of parties, the words for either parted by a bar.
_PAIRS = """
    landlord lessor owner / tenant lessee renter occupier
    seller supplier vendor contractor / buyer customer purchaser client
    employer / employee worker staff
    lender creditor / borrower debtor
    insurer underwriter / insured policyholder
    licensor / licensee
    disclosing discloser / receiving recipient
    teacher instructor tutor / student pupil learner participant
    doctor physician nurse / patient
    plaintiff claimant / defendant respondent
    sender shipper consignor / consignee addressee
    airline carrier / passenger traveller
"""
_SUPPOSED = re.compile(r"\b(?:if|unless|whether or not|would|could|might)\b|\?", re.I)
_LIGHT = content_stems(
    "party shall must may can has have pay pays paid bear bears cost costs expense choice decide decides whether responsible liable"
)
_LEAST = 2


def check_roles(claim: Claim, context: GroundContext) -> Finding:
    """Hold the party of which something is said against the clause that says it of the other."""
    sides = _sides(claim.text)
    if claim.is_datum or claim.kind != "fact" or len(sides) != 1 or _SUPPOSED.search(claim.text):
        return Finding.skip(NAME, "names no one party")
    pair, side = next(iter(sides))
    said = _content(claim.text)
    told = context.search.once("what each party does", lambda: _told(context.search))
    own = [
        (side_told, passage, part)
        for pair_told, side_told, passage, part in told
        if pair_told == pair and _is_of(said, part) and is_negated(part) == is_negated(claim.text)
    ]
    if not own or any(side_told == side for side_told, _, _ in own):
        return Finding.skip(NAME, "no clause says that of the other party alone")
    _, passage, part = own[0]
    return Finding(
        NAME, "checked", "contradicts", 0.05, "meaning_changed", f"the evidence has “{part[:160]}”",
        spans=(passage.span(),),
    )  # fmt: skip


def _is_of(said: frozenset[str], part: str) -> bool:
    """Whether a clause says all that a claim says besides the party and who bears or decides it."""
    return len(said) >= _LEAST and named_in(said, _content(part)) == said


def _content(text: str) -> frozenset[str]:
    return content_stems(text) - _LIGHT - _table().keys()


def _told(search: Search) -> list[tuple[int, int, Passage, str]]:
    """The clauses that name one party of a pair, and which."""
    return [
        (*next(iter(sides)), passage, part)
        for passage, part in clauses(search)
        if len(sides := _sides(part)) == 1 and not _SUPPOSED.search(part)
    ]


def _sides(text: str) -> frozenset[tuple[int, int]]:
    table = _table()
    return frozenset(table[stem(word)] for word in words(text) if stem(word) in table)


@cache
def _table() -> dict[str, tuple[int, int]]:
    return {
        stem(word): (pair, side)
        for pair, line in enumerate(_PAIRS.strip().splitlines())
        for side, names in enumerate(line.split("/"))
        for word in names.split()
    }
