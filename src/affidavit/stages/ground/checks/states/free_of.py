"""What is in a thing and what it is free from: "it contains gluten" beside "free from gluten and dairy".

"Free from", "-free" and "no" before a thing deny it as "does not contain" does; a small model sees the thing named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.ledger import Passage
from affidavit.ledger.search import Search
from affidavit.ledger.words import content_stems, is_negated
from affidavit.stages.ground.checks.states.told import clauses
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "free_of"

_LIST = r"(?P<what>(?:(?:any |added |all )?[\w-]+)(?:(?:, |,? (?:and|or|nor) )(?:any |added )?[\w-]+(?=\W|$)){0,5})"
_FREE = (
    re.compile(rf"\bfree (?:from|of) (?!charge\b){_LIST}", re.I),
    re.compile(r"\b(?P<what>[a-z]{3,})-free\b", re.I),
    re.compile(rf"(?:\b(?:does|do)(?: not|n['’]t)|\bnever) contain {_LIST}", re.I),
    re.compile(rf"\b(?:contains?|has|have|made with|with) no {_LIST}", re.I),
)
_HOLDS = re.compile(rf"\b(?:contains?|(?:is|are) made (?:with|from)) (?!no\b){_LIST}", re.I)
_EACH = re.compile(r", |,? (?:and|or|nor) ", re.I)
_SUPPOSED = re.compile(r"\b(?:if|unless|whether|(?-i:may)|might|could|traces?|would)\b|\?", re.I)
_CLAUSE = 400
"""Characters beyond which a text without a comma or a full stop is no clause."""
_NOT_THINGS = content_stems(
    "one two three four five more less least most only any all free new item items line lines row rows entry record"
)


def check_free_of(claim: Claim, context: GroundContext) -> Finding:
    """Hold what is said to be in a thing, or not, against what results say of that."""
    if (
        claim.is_datum
        or claim.kind not in ("fact", "absence")
        or _SUPPOSED.search(claim.text)
        or any(v.number is not None for v in claim.values)
    ):
        return Finding.skip(NAME, "says of nothing what is in it")
    said = dict(_read(claim.text))
    if len(said) != 1:
        return Finding.skip(NAME, "says of no one thing that it is in it")
    what, held = next(iter(said.items()))
    known = context.search.once("what is in what", lambda: list(_told(context.search)))
    fitting = {p.id for p in context.fitting}
    told = [(p, part, has) for p, part, thing, has in known if thing == what and p.id in fitting]
    if len({has for _, _, has in told}) != 1:
        return Finding.skip(NAME, "no result says so of that, or several that disagree")
    passage, part, has = told[0]
    detail = f"the evidence has “{part[:160]}”"
    if has == held:
        return Finding(
            NAME,
            "checked",
            "supports",
            0.9,
            None,
            detail,
            spans=(passage.span(),),
            settles="values",
        )
    return Finding(
        NAME, "checked", "contradicts", 0.05, "meaning_changed", detail, spans=(passage.span(),)
    )


def _told(search: Search) -> Iterator[tuple[Passage, str, frozenset[str], bool]]:
    for passage, part in clauses(search):
        if len(part) <= _CLAUSE and not _SUPPOSED.search(part):
            yield from ((passage, part, thing, has) for thing, has in _read(part))


def _read(text: str) -> Iterator[tuple[frozenset[str], bool]]:
    """Each thing that a text says is in something, or is not."""
    rest = text
    for pattern in _FREE:
        for found in pattern.finditer(text):
            yield from ((thing, False) for thing in _things(found["what"]))
        rest = pattern.sub(" ", rest)
    if not is_negated(rest):
        for found in _HOLDS.finditer(rest):
            yield from ((thing, True) for thing in _things(found["what"]))


def _things(listed: str) -> Iterator[frozenset[str]]:
    for name in _EACH.split(listed):
        stems = content_stems(name)
        if len(stems) == 1 and not stems & _NOT_THINGS:
            yield stems
