"""Quotation: a claim that is, word for word, a field's value or a sentence of the evidence."""

from __future__ import annotations

from collections.abc import Sequence

from affidavit.ledger.ledger import Passage
from affidavit.ledger.passages import sentences
from affidavit.ledger.records import Cell
from affidavit.ledger.values import fold
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "quotes"


def check_quotes(claim: Claim, context: GroundContext) -> Finding:
    """Look for the claim's whole text. Part of a sentence proves nothing: it may stand after a "not"."""
    wanted = fold(claim.text)
    if claim.kind in ("action", "absence") or not wanted:
        return Finding.skip(NAME, "not a claim that could be quoted")
    span = _place(wanted, context)
    if span is None:
        return Finding.skip(NAME, "not word for word in the evidence")
    return Finding(NAME, "checked", "supports", 0.93, None, span.text, spans=(span,))


def _place(wanted: str, context: GroundContext) -> EvidenceSpan | None:
    known = context.search.once("texts", lambda: _texts(context.search.passages))
    for passage, cell in known.get(wanted, ()):
        if context.topic.fits(context.rows.chain(passage)):
            return passage.span(cell)
    return None


def _texts(passages: Sequence[Passage]) -> dict[str, list[tuple[Passage, Cell | None]]]:
    """Every field's text and every sentence, folded, with where it stands; not what the user said."""
    found: dict[str, list[tuple[Passage, Cell | None]]] = {}
    for passage in passages:
        if passage.source.kind == "user":
            continue
        for cell, _, _ in passage.cells:
            if isinstance(cell.raw, str):
                found.setdefault(fold(cell.raw), []).append((passage, cell))
        if passage.record is None:
            for start, end in sentences(passage.text):
                found.setdefault(fold(passage.text[start:end]), []).append((passage, None))
    return found
