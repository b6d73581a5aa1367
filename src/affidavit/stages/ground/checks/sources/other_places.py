"""A place that only the question names, where what was found is of another."""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.ledger import Passage
from affidavit.ledger.passages import sentences
from affidavit.ledger.values import Value, fold
from affidavit.ledger.values.countries import is_country
from affidavit.stages.ground.checks.sources.asked import (
    FIGURES,
    NO_HEAD,
    Other,
    Told,
    drawn_from,
    told_of,
)
from affidavit.stages.ground.checks.sources.echoes import (
    is_asked_for,
    is_told,
)
from affidavit.stages.ground.checks.sources.other_titles import TITLE
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_AT = r"(?:in|at|for|of|from|to|near|on)"
_PLACED = re.compile(rf"\b({_AT})\s+(?:the\s+)?\W{{0,3}}$", re.I)
_HEADING_ENDS = re.compile(r"\s[|–—-]\s|:\s")
"""What follows in a heading names the site: "Opening hours | City of Port Ansel"."""


def of_another_place(claim: Claim, context: GroundContext) -> Iterator[Other]:
    """A place that only the question names, where the heading of what was found, or the sentence that the
    figure is from, names another in its position: "in Northport" and "Parking in Southport"."""
    told = told_of(context)
    for value in claim.values:
        before = _PLACED.search(claim.text[: value.start])
        if value.kind != "name" or before is None or not told.is_asked_only(value.text):
            continue
        if is_told(value, context):
            continue
        for passage, text, heads in _of_figures(claim, value, context):
            at = _AT if heads else before[1]
            for found in re.finditer(rf"\b(?i:{at})\s+(?:the\s+)?([A-ZÀ-Þ][\w’'-]{{2,}})", text):
                if _is_place(found[1], text, told):
                    yield Other(value.text, found[1], passage)


def _is_place(name: str, text: str, told: Told) -> bool:
    """Whether a word is a name that nobody asked about; not where all words of a heading are large."""
    if f" {fold(name)} " in told.asked or name.lower() in NO_HEAD:
        return False
    return any(word.islower() and len(word) > 3 for word in text.split())


def _of_figures(
    claim: Claim, but: Value, context: GroundContext
) -> Iterator[tuple[Passage, str, bool]]:
    """The headings of the passages that hold the claim's figures, and the sentences with the figures; whether
    it is a heading."""
    for value in claim.values:
        hits = context.search.hits(value) if value is not but and value.kind in FIGURES else []
        for hit in hits:
            if hit.passage.source.kind != "tool_result":
                continue
            text = hit.passage.text if hit.cell is None else hit.cell.text
            for heading in _headings(hit.passage):
                yield hit.passage, _HEADING_ENDS.split(heading, maxsplit=1)[0], True
            at = hit.value.start
            yield from ((hit.passage, text[a:b], False) for a, b in sentences(text) if a <= at < b)


_PLACE_FIELDS = (
    frozenset("country nation land".split()),
    frozenset("region state province county canton department prefecture".split()),
    frozenset("city town village municipality".split()),
    frozenset("district borough neighbourhood neighborhood quarter suburb".split()),
)
"""Words of the fields for where something is, from the largest to the smallest."""


def lying_elsewhere(claim: Claim, context: GroundContext) -> Iterator[Other]:
    """A place that only the question names, where the very record that the claim is drawn from lies in another:
    "the Hotel Adria in Pula is open until 8" of ``town: Zadar, region: Dalmatia``. Of a town alone nobody
    knows that it does not lie in the region that was asked about."""
    told = told_of(context)
    for value in claim.values:
        before = _LIES_IN.search(claim.text[: value.start])
        if value.kind != "name" or before is None or not told.is_asked_only(value.text):
            continue
        if is_told(value, context) or is_asked_for(value, context):
            continue
        for record, passage in drawn_from(claim, context):
            levels = {
                level: cell.text
                for cell in record
                for level, words in enumerate(_PLACE_FIELDS)
                if isinstance(cell.raw, str) and words & set(cell.key.split()[-1:]) and cell.text
            }
            lands = is_country(value.text) and 0 in levels
            if not (lands or len(levels) > 1):
                break
            yield Other(value.text, levels[0 if lands else max(levels)], passage)


_LIES_IN = re.compile(r"\b(?:in|at|of|for)\s+(?:the\s+)?\W{0,3}$", re.I)


def _headings(passage: Passage) -> list[str]:
    if passage.record is None:
        first, *rest = re.split(r"\n| \| ", passage.text.strip())
        return [first] if rest and not first.endswith(".") else []
    return [cell.text for cell, _, _ in passage.cells if TITLE.search(cell.key)]
