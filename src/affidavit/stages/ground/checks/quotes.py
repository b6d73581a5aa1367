"""Quotation: a claim that is, word for word, a field's value or a sentence of the evidence."""

from __future__ import annotations

from affidavit.ledger.passages import sentences
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
    for passage in context.search.passages:
        if passage.source.kind == "user" or not context.topic.fits(context.rows.chain(passage)):
            continue
        for cell, _, _ in passage.cells:
            if isinstance(cell.raw, str) and fold(cell.raw) == wanted:
                return passage.span(cell)
        if passage.record is None:
            for start, end in sentences(passage.text):
                if fold(passage.text[start:end]) == wanted:
                    return passage.span()
    return None
