"""Sequence: what is to be done before something, told as if it were to be done after it.

"Apply once your permit has run out" has all the words of "apply before the permit expires".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.ledger import Passage
from affidavit.ledger.passages import sentences
from affidavit.ledger.words import content_stems, is_negated, named_in
from affidavit.stages.ground.checks.states.told import clauses
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "sequence"

_BEFORE = r"before|prior to|ahead of|in advance of|by the time|until|till"
_AFTER = r"after|once|following|upon|as soon as|from the time"
_CONNECTIVE = re.compile(
    rf"\b(?:(?P<before>{_BEFORE})|(?P<after>{_AFTER}))\s+(?P<what>[^,.;:()]*)", re.I
)
_REACH = 7
"""Words behind "before" that say what it is before of."""
_SHARE = 0.5
"""Share of the claim's words, and of those for what is done, that the sentence of the evidence has to have."""


def check_sequence(claim: Claim, context: GroundContext) -> Finding:
    """Hold "after X" against the sentence of the evidence that says the same of before X."""
    told = list(_told(claim.text))
    if claim.is_datum or len(told) != 1 or is_negated(claim.text):
        return Finding.skip(NAME, "says of no one thing that it comes before or after")
    after, what = told[0]
    said = content_stems(claim.statement)
    for passage, text in _sentences(context):
        held = list(_told(text))
        if len(held) != 1 or is_negated(text) or held[0][0] == after:
            continue
        stems = content_stems(text)
        deed = said - named_in(said, held[0][1])
        shared, done = named_in(said, stems), named_in(deed, stems - held[0][1])
        alike = len(shared) >= len(said) * _SHARE and len(done) >= len(deed) * _SHARE
        if _same(what, held[0][1]) and alike:
            detail = f"the evidence has it the other way round: {text.strip()[:160]}"
            return Finding(
                NAME, "checked", "contradicts", 0.05, "meaning_changed", detail,
                spans=(passage.span(),),
            )  # fmt: skip
    return Finding.skip(NAME, "no sentence says the like of before or after")


def _sentences(context: GroundContext) -> Iterator[tuple[Passage, str]]:
    """The sentences of rules, and the clauses of what results tell."""
    for passage in context.passages:
        if passage.source.kind == "system":
            yield from ((passage, passage.text[a:b]) for a, b in sentences(passage.text))
    yield from clauses(context.search, context.passages)


def _told(text: str) -> Iterator[tuple[bool, frozenset[str]]]:
    """Each "before X" and "after X" of a text: whether it is after, and the words of X."""
    for match in _CONNECTIVE.finditer(text):
        what = content_stems(" ".join(match["what"].split()[:_REACH]))
        if what:
            yield match["after"] is not None, what


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two phrases speak of the same event: half the words of the shorter."""
    shared = len(named_in(one, other))
    return shared * 2 >= min(len(one), len(other)) and shared > 0
