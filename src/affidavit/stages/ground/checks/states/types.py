"""What a thing is: "it's a folding bicycle" of a record with ``type: bicycle`` and ``frame: folding``.

A noun alone is no value to look up, and a small model that has learnt to keep fields apart takes ``type:
module`` for no word on what the package is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.search import Search
from affidavit.ledger.words import content_stems, is_negated, stem, words
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext
from affidavit.stages.ground.topic import Group, Row

NAME = "types"

_IS_A = re.compile(
    r"^(?P<thing>[^,;:]*?)\b(?:is|was|are|were|['’](?:s|re))\s+(?:(?:actually|really|just|in fact|indeed)\s+)?an?\s+"
    r"(?P<kind>[a-z][\w-]*(?:\s+[a-z][\w-]*){0,3})\W*$",
    re.I,
)
"""A whole claim that says of a thing what it is."""
_TYPE = re.compile(
    r"\b(?:type|kind|category|class|species|genre|format|medium|variety|model type|form)$", re.I
)
"""Fields that say what their record is."""
_INITIALS = re.compile(r"(?<![A-Z])[A-Z]{2,6}(?![A-Z])")


def check_types(claim: Claim, context: GroundContext) -> Finding:
    """Find the noun of the claim in the field that says what its thing is. The words before it must be said of
    the same thing, or be written by their initials in the run: "ES module" where it has "ESM"."""
    skipped = Finding.skip(NAME, "does not say what a thing is")
    said = _IS_A.search(claim.statement.strip()) if not claim.is_datum else None
    if said is None or is_negated(claim.text):
        return skipped
    kind, noun = content_stems(said["kind"]), stem(said["kind"].split()[-1].lower())
    named = context.rows.named_by(said["thing"])
    meant = named.or_else(context.topic)
    typed = context.search.once("types", lambda: list(_typed(context.search)))
    of_it = [field for field in typed if meant.fits(context.rows.chain(field[0]))]
    for passage, cell in of_it:
        of_type = content_stems(cell.text.replace("_", " "))
        if noun not in of_type or not of_type <= kind:
            continue
        if kind <= of_type | passage.stems or _is_abbreviated(said["kind"], context):
            span = passage.span(cell)
            return Finding(NAME, "checked", "supports", 0.9, None, span.text, spans=(span,))
    described = None if of_it else _described(said["kind"], context)
    if described is not None:
        return Finding(NAME, "checked", "supports", 0.9, None, described.text, spans=(described,))
    rival = _rival(kind, of_it, typed) if named.rows else None
    if rival is not None:
        return Finding(
            NAME, "checked", "contradicts", 0.05, "contradicts_evidence",
            f"“{said['kind']}”, the evidence has {rival.text}", spans=(rival,),
        )  # fmt: skip
    return skipped


def _described(kind: str, context: GroundContext) -> EvidenceSpan | None:
    """The field whose words, more than one, stand before the noun: "a standing-only show" of ``seating:
    standing_only``."""
    before = words(" ".join(kind.split()[:-1]))
    if len(before) < _SEVERAL:
        return None
    for passage in context.fitting:
        chain = context.rows.chain(passage)
        if not is_result(passage) or not (context.topic.names(chain) or _is_sole(chain, context)):
            continue
        for cell, _, _ in passage.cells:
            if isinstance(cell.raw, str) and words(cell.raw.replace("_", " ")) == before:
                return passage.span(cell)
    return None


def _is_sole(chain: Sequence[tuple[Group, Row]], context: GroundContext) -> bool:
    return all(context.rows.is_sole(group) for group, _ in chain)


_SEVERAL = 2
_Field = tuple[Passage, Cell]


def _rival(kind: frozenset[str], of_it: list[_Field], typed: list[_Field]) -> EvidenceSpan | None:
    """The one type of the thing, where what the claim says is the type of another of its list."""
    of_any = {cell.key for _, cell in typed if content_stems(cell.text) == kind}
    own = [(passage, cell) for passage, cell in of_it if cell.key in of_any]
    # A "geodesic tent" is a tent as well.
    other = len(own) == 1 and kind.isdisjoint(content_stems(own[0][1].text))
    return own[0][0].span(own[0][1]) if other else None


def _is_abbreviated(kind: str, context: GroundContext) -> bool:
    """Whether the run writes these words by their initials: "ES module" as ERR_REQUIRE_ESM."""
    initials = "".join(word if word.isupper() else word[0] for word in kind.split()).upper()
    return any(initials in _INITIALS.findall(p.text) for p in context.search.passages)


def _typed(search: Search) -> Iterator[_Field]:
    """The fields of results that say what something is."""
    for passage in search.passages:
        if is_result(passage):
            for cell, _, _ in passage.cells:
                if isinstance(cell.raw, str) and _TYPE.search(cell.key):
                    yield passage, cell
