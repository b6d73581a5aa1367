"""Documents: a figure is of the thing that its own document speaks of.

Passages of several documents lie side by side in one result. "The Pro plan costs $49" is made of words
and a figure that are all there, the one in the Pro price list, the other in the Basic one. And where only
the Basic one was found, it says nothing of the Pro plan that was asked about.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TypeAlias

from affidavit.ledger.ledger import Passage
from affidavit.ledger.values import Value, fold
from affidavit.stages.ground.checks.sources.asked_about import other_thing
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "documents"

_FIGURES = frozenset({"money", "percent", "quantity", "duration", "moment", "number"})
_THINGS = frozenset({"name", "identifier", "quoted"})

_Place: TypeAlias = tuple[int, str]
"""A row of a result that is a passage of one document."""


def check_documents(claim: Claim, context: GroundContext) -> Finding:
    """Each figure stands in a document that speaks of something the claim names, and what the claim is about
    is what was found."""
    if (other := other_thing(claim, context)) is not None:
        detail = f"“{other.asked}” was asked about; what was found is of {other.found}"
        return Finding(
            NAME, "checked", "missing", 0.08, "value_not_in_evidence", detail,
            spans=(other.passage.span(),),
        )  # fmt: skip
    rows = context.search.once("documents", lambda: _rows(context.search.passages))
    things = [value for value in claim.values if value.kind in _THINGS]
    if len(rows) < 2 or not things:
        return Finding.skip(NAME, "no passages of several documents, or nothing named")
    spoken_of = {value.text: _speaking_of(value, rows) for value in things}
    named = {place for places in spoken_of.values() for place in places}
    for value in claim.values:
        hits = context.search.hits(value) if value.kind in _FIGURES else []
        places = {place for hit in hits if (place := _place(hit.passage)) is not None}
        if not hits or len(places) < len({hit.passage.source.id for hit in hits}):
            continue  # found nowhere, or said by somebody else as well
        if not named or places & named or not _says_another(value, named, rows):
            continue
        span = hits[0].passage.span(hits[0].cell)
        detail = f"“{value.text}” stands in a passage that does not speak of {', '.join(spoken_of)}"
        return Finding(
            NAME, "checked", "contradicts", 0.08, "contradicts_evidence", detail, spans=(span,)
        )
    return Finding.skip(NAME, "its figures are of what it names")


def _rows(passages: Iterable[Passage]) -> dict[_Place, list[Passage]]:
    rows: dict[_Place, list[Passage]] = defaultdict(list)
    for passage in passages:
        if (place := _place(passage)) is not None:
            rows[place].append(passage)
    return rows


def _place(passage: Passage) -> _Place | None:
    if passage.record is None or passage.source.document_at(passage.pointer) is None:
        return None
    return passage.source.id, passage.pointer


def _speaking_of(value: Value, rows: dict[_Place, list[Passage]]) -> set[_Place]:
    phrase = f" {fold(value.text)} "
    return {
        place
        for place, passages in rows.items()
        if any(phrase in f" {fold(passage.text)} " for passage in passages)
    }


def _says_another(value: Value, named: set[_Place], rows: dict[_Place, list[Passage]]) -> bool:
    """Whether what is said of the thing includes a figure of that kind, and so another one."""
    return any(
        other.kind == value.kind and other.unit == value.unit
        for place in named
        for passage in rows[place]
        for cell, other in passage.cell_values
        if cell.path == ("text",)
    )
