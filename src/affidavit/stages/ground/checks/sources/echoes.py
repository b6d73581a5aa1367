"""What a run only asked about: named in the question and in the search, but in nothing found."""

from __future__ import annotations

import re

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell, records_of
from affidavit.ledger.values import Value, fold
from affidavit.ledger.words import content_stems
from affidavit.stages.ground.checks.calls.deeds import writes
from affidavit.stages.ground.finding import GroundContext


def is_told(value: Value, context: GroundContext) -> bool:
    """Whether any tool's result says this, apart from repeating what it was asked for."""
    phrase = f" {fold(value.text)} "
    for passage in context.search.passages:
        if passage.source.kind != "tool_result":
            continue
        if passage.record is None:
            texts = [passage.text]
        else:
            # A result that repeats exactly this, and not a query around it, is the result for it.
            texts = [
                c.text
                for c, _, _ in passage.cells
                if not is_echo(passage, c, context) or _bare(c.text) == _bare(value.text)
            ]
        if any(phrase in f" {fold(text)} " for text in texts):
            return True
        # "Washington DC" is the city and the state of one address, "Tea Kettles" are a tea kettle each.
        if value.kind == "name" and content_stems(value.text) <= content_stems(" ".join(texts)):
            return True
    # "Friday, May 22" is told by ``start: 2026-05-22T14:30``, "Canadian French" by ``lang: fr-CA``.
    spelled = value.kind in ("moment", "name")
    hits = context.search.hits(value, today=context.today) if spelled else ()
    return any(
        hit.passage.source.kind == "tool_result"
        and not (hit.cell and is_echo(hit.passage, hit.cell, context))
        for hit in hits
    )


def is_asked_for(value: Value, context: GroundContext) -> bool:
    """Whether a tool was asked for exactly this. Its result is about it, though it may not say so."""
    return any(
        _bare(cell.text) == _bare(value.text)
        for entry in context.ledger.calls
        if entry.outcome == "ok"
        for record in records_of(entry.call.arguments)
        for cell in record.cells
    )


def has_rival(value: Value, context: GroundContext) -> bool:
    """Whether the results speak of another thing of that name: a search for Ashdown Ward that found
    Ashby Ward."""
    mine = fold(value.text).split()
    for passage in context.search.passages:
        if passage.source.kind != "tool_result":
            continue
        for other in passage.values:
            theirs = fold(other.text).split()
            alike = len(theirs) == len(mine) and theirs != mine
            if other.kind in ("name", "identifier") and alike and set(theirs) & set(mine):
                return True
    return False


def _bare(text: str) -> str:
    """Folded, without the article that a title may or may not bear."""
    return re.sub(r"^(?:the|a|an|la|le|il|el|der|die|das) ", "", fold(text))


def is_echo(passage: Passage, cell: Cell, context: GroundContext) -> bool:
    """Whether a cell only repeats an argument of its own call, under the same name."""
    return (cell.key, cell.text) in given_to(passage, context)


def given_to(passage: Passage, context: GroundContext) -> frozenset[tuple[str, str]]:
    """The arguments of the call that a passage is from the result of, each with its name."""
    given = context.search.once("given", lambda: _given(context))
    return given.get(passage.source.call_id, frozenset())


def _given(context: GroundContext) -> dict[str | None, frozenset[tuple[str, str]]]:
    """The arguments of each call that only reads, by its id: a result of ten thousand rows asks for each of
    their cells. What a call that changes something repeats is what it has done."""
    return {
        entry.call.id: frozenset(
            (cell.key, cell.text)
            for record in records_of(entry.call.arguments)
            for cell in record.cells
        )
        for entry in context.ledger.calls
        if not writes(entry)
    }
