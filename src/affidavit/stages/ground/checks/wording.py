"""Wording: how much of what a claim says is spoken of anywhere in the evidence.

A weak check. It proves nothing by itself, but a claim whose words occur nowhere in the run is hardly
grounded, whatever a small model makes of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from affidavit.ledger.ledger import Passage, Source
from affidavit.ledger.words import acronyms, content_stems, named_in
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.claim import Claim, bare_words
from affidavit.stages.ground.finding import Finding, GroundContext, Verdict
from affidavit.stages.ground.phrases import STATED_BY_USER

NAME = "wording"


# Words that say how an answer is built or what was computed, and are in no result.
_OF_ANSWERS = content_stems(
    "total together altogether overall combined rose rise risen fell fall fallen grew grow up down "
    "increase increased decrease decreased drop dropped largest smallest highest lowest longest "
    "shortest first last earliest latest only every each another among between although also "
    "add adds come comes however note details follows says find finds puts according using total "
    "well see shows show state states mention mentions"
)


_SAYING = content_stems(
    "ask asked asking want wanted mention mentioned say said tell told request requested need needed "
    "prefer preferred wish wished like liked look looking search searching interested describe described"
)
"""How a restatement says that the user said it."""


def check_wording(claim: Claim, context: GroundContext) -> Finding:
    """The share of the claim's words that one result, with the question, speaks of."""
    said = content_stems(bare_words(claim)) - _OF_ANSWERS
    said -= _SAYING if claim.kind == "restatement" else frozenset()
    if not said:
        return Finding.skip(NAME, "no words of substance but its values")
    asked = content_stems(context.question)
    spelled = _spelled_out(claim, context) & said
    short = acronyms(claim.text)
    best: tuple[float, frozenset[str]] = (-1.0, frozenset())
    for source, stems in _told(claim, context):
        if not _may_word(source, claim):
            continue
        covered = named_in(said, stems) | spelled
        for initials in stems & short.keys():
            covered |= short[initials] & said
        asked_too = named_in(said - covered, asked)
        # One word of grace: of a claim with two words, one unseen is no sign of anything.
        share = (len(covered) + 0.5 * len(asked_too) + 1) / (len(said) + 1)
        best = max(best, (share, covered), key=lambda item: item[0])
    if best[0] < 0:
        return Finding(
            NAME, "checked", "missing", 0.0, detail="none of its words are in the evidence"
        )
    unseen = sorted(said - best[1])
    detail = f"not spoken of: {', '.join(unseen)}" if unseen else "every word is in the evidence"
    verdict: Verdict = "supports" if best[0] >= 0.5 else "missing"
    return Finding(NAME, "checked", verdict, round(best[0], 3), detail=detail, settles="values")


def _told(claim: Claim, context: GroundContext) -> list[tuple[Source, frozenset[str]]]:
    """What each source says in the rows that the claim is of."""
    every = context.search.passages
    if context.fitting is every:
        return context.search.once("stems by source", lambda: _stems_by_source(every))
    return _stems_by_source((*context.fitting, *_holding(claim, context)))


def _stems_by_source(passages: Iterable[Passage]) -> list[tuple[Source, frozenset[str]]]:
    found: dict[int, tuple[Source, set[str]]] = {}
    for passage in passages:
        found.setdefault(passage.source.id, (passage.source, set()))[1].update(passage.stems)
    return [(source, frozenset(stems)) for source, stems in found.values()]


def _holding(claim: Claim, context: GroundContext) -> Iterator[Passage]:
    """The passages that alone hold a value of the claim: the row that it is of, whichever was spoken of before."""
    for value in claim.values:
        if value.kind not in ("name", "quoted"):
            held = {hit.passage.id: hit.passage for hit in context.search.hits(value)}
            if len(held) == 1:
                yield from held.values()


def _spelled_out(claim: Claim, context: GroundContext) -> frozenset[str]:
    """The words of names that a result has as a code: "Kenya" of ``nat: KEN``."""
    names = [v for v in claim.values if v.kind == "name"]
    return frozenset[str]().union(
        *(
            content_stems(name.text)
            for name in names
            if any(
                hit.cell is not None and is_result(hit.passage) for hit in context.search.hits(name)
            )
        )
    )


def _may_word(source: Source, claim: Claim) -> bool:
    """What the user asks is no evidence that it is so; what the user said is, of what they said, and nothing
    else is of what they told. What a tool is for says nothing of what it found."""
    if source.kind == "tool_definition":
        return False
    if claim.kind == "restatement":
        return source.kind == "user" or not STATED_BY_USER.search(claim.text)
    return source.kind != "user" or source.is_material
