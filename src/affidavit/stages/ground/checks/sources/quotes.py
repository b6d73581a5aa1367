"""Quotation: a claim that is, word for word, a field's value or a sentence of the evidence."""

from __future__ import annotations

import re
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
    wanted = _plain(_AND.sub("", claim.text))
    if claim.kind == "action" or not wanted:
        return Finding.skip(NAME, "not a claim that could be quoted")
    span = _place(wanted, context, sentences_only=claim.kind == "absence")
    if span is None:
        return Finding.skip(NAME, "not word for word in the evidence")
    return Finding(NAME, "checked", "supports", 0.93, None, span.text, spans=(span,))


def _place(wanted: str, context: GroundContext, *, sentences_only: bool) -> EvidenceSpan | None:
    """Where the whole text stands; that a field says "none" proves no absence of anything else."""
    known = context.search.once("texts", lambda: _texts(context.search.passages))
    for passage, cell in known.get(wanted) or known.get(_in_note_form(wanted)) or ():
        if sentences_only and (cell is not None or passage.source.kind == "tool_result"):
            continue
        if context.topic.fits(context.rows.chain(passage)):
            return passage.span(cell)
    return None


_SHORT = (
    (re.compile(r"\bwon['’]t\b", re.I), "will not"), (re.compile(r"\bcan['’]t\b", re.I), "cannot"),
    (re.compile(r"\bcan not\b", re.I), "cannot"), (re.compile(r"n['’]t\b", re.I), " not"),
    (re.compile(r"['’]ll\b", re.I), " will"), (re.compile(r"['’]re\b", re.I), " are"),
    (re.compile(r"['’]ve\b", re.I), " have"),
    (re.compile(r"\b(there|it|that|what|here)['’]s\b", re.I), r"\1 is"),
)  # fmt: skip


def _plain(text: str) -> str:
    """Folded, with contractions written out: "there's no need" is "there is no need"."""
    if " " not in text:
        return fold(text)
    if "'" in text or "’" in text or "can not" in text:
        for short, long in _SHORT:
            text = short.sub(long, text)
    text = _NO_NEED.sub("there is no need", text)
    text = _FREE.sub(" free", _THERE_IS.sub("there is", text))
    return fold(_LIGHT.sub(" ", text))


_AND = re.compile(r"^\W*(?:and|but|so|also),?\s+", re.I)
_NO_NEED = re.compile(r"^\W*no need\b", re.I)
_FREE = re.compile(
    r"\s(?:free of (?:any )?(?:charge|cost)|at no (?:extra |additional )?(?:charge|cost)|complimentary|gratis|for free)\b",
    re.I,
)
_THERE_IS = re.compile(
    r"\byou(?: will|['’]ll| can)? (?:also |even )?find\b|\bthere (?:is|are) also\b", re.I
)
_LIGHT = re.compile(r"\b(?:the|an?|also|too|as well)\b", re.I)
"""Words without which a sentence says the same."""


def _in_note_form(plain: str) -> str:
    """A sentence as notes have it, "next call monday 10:30", if that is long enough to say anything."""
    short = _COPULA.sub(" ", _WHEN.sub("", plain))
    short = " ".join(_DAY_NAMES.get(word, word) for word in short.split())
    return short if len(short.split()) >= _LEAST_WORDS else plain


_WHEN = re.compile(r"\b(?:on|at) (?=\d|mon|tue|wed|thu|fri|sat|sun)")
_COPULA = re.compile(r"\b(?:is|are)\b")
_DAY_NAMES = {
    name: day
    for day in ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
    for name in (day[:3], day[:4], day[:5])
    if name != day
}
_LEAST_WORDS = 4


def _texts(passages: Sequence[Passage]) -> dict[str, list[tuple[Passage, Cell | None]]]:
    """Every field's text and every sentence, folded, with where it stands; what the user said only where that is
    all there is."""
    found: dict[str, list[tuple[Passage, Cell | None]]] = {}
    given = all(passage.source.kind != "tool_result" for passage in passages)
    for passage in passages:
        if passage.source.kind == "user" and not given:
            continue
        for cell, _, _ in passage.cells:
            if isinstance(cell.raw, str):
                for text in dict.fromkeys((cell.raw, *_sentences(cell.text))):
                    found.setdefault(_plain(text), []).append((passage, cell))
        if passage.record is None:
            own = passage.text.rpartition(" | ")[2]  # behind its heading
            for text in dict.fromkeys((*_sentences(passage.text), *_sentences(own)[:1])):
                for way in {_plain(text), _in_note_form(_plain(text))}:
                    found.setdefault(way, []).append((passage, None))
    return found


def _sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)] if " " in text else [text]
