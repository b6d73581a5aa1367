"""Entailment: what the exact checks leave open, put to the model over the best passages.

The values that were found are shown to the model as the claim writes them, so that it has to judge
what is said of them and not whether 66899 cents are $668.99.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from affidavit.errors import ScorerError
from affidavit.ledger.ledger import Passage
from affidavit.ledger.passages import sentences
from affidavit.ledger.values import compare
from affidavit.ledger.words import content_stems, is_negated, named_in
from affidavit.models.entailment.protocol import Entailment
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "entailment"

PASSAGES = 6
"""How many passages a claim is held against."""
ALIKE = 2
"""How many more, where the evidence is searched by meaning as well."""
_FIRM = 0.8
"""Probability from which a contradiction counts as one."""
_BOTH_WAYS = 0.75
"""Probability of a claim and of its affirmation from which the model cannot have told them apart."""
_SENTENCES = 3
"""How many of their sentences it is held against one by one."""


def premises(claim: Claim, context: GroundContext) -> list[tuple[str, Passage]]:
    """The passages a claim is put beside, best first, and the two best together."""
    chosen = [p for p in context.passages if not _asks(p)][:PASSAGES]
    chosen += _alike(claim, context, chosen)
    shown = [(_aligned(p, claim, context), p) for p in chosen]
    shown += _sentences(chosen, claim)
    if len(shown) >= 2:
        shown.append((f"{shown[0][0]}\n{shown[1][0]}", chosen[0]))
    return shown


def _alike(claim: Claim, context: GroundContext, chosen: Sequence[Passage]) -> Sequence[Passage]:
    """Passages that say most nearly what the claim says, besides those that share its words."""
    if context.meaning is None:
        return ()
    alike = context.meaning.besides(chosen, claim.statement, context.search, ALIKE)
    return [p for p in alike if not _asks(p)]


def _sentences(chosen: Sequence[Passage], claim: Claim) -> list[tuple[str, Passage]]:
    """The sentences of running text that share most words with the claim, each by itself: a small
    model reads one rule better than the paragraph it stands in."""
    said = content_stems(claim.statement)
    found = []
    for passage in chosen:
        spans = list(sentences(passage.text)) if passage.record is None else []
        for start, end in spans if len(spans) > 1 else ():
            text = passage.text[start:end]
            found.append((len(named_in(said, content_stems(text))), text, passage))
    found.sort(key=lambda item: -item[0])
    return [(text, passage) for shared, text, passage in found[:_SENTENCES] if shared]


def _asks(passage: Passage) -> bool:
    """A question entails nothing of what it asks."""
    return passage.source.kind == "user" and "?" in passage.text


def hypothesis(claim: Claim) -> str:
    """The claim as a plain sentence: no markers, no Markdown."""
    plain = re.sub(r"\s*\[\d+\]", "", claim.statement)
    return re.sub(r"[*`_]{1,3}(?=\S)|(?<=\S)[*`_]{1,3}", "", plain).strip()


def affirmation(claim: Claim) -> str | None:
    """The claim without its "not", None where it has none that can be taken out.

    A small model reads over a "not": what it finds entailed with and without it, it has not read.
    """
    if claim.is_datum or not is_negated(claim.text):
        return None
    said = hypothesis(claim)
    plain = _NOT.sub("", said, count=1)
    return plain if plain != said else None


_NOT = re.compile(
    r"(?:\s(?:not|never|no longer)\b(?! only)|(?<=can)not\b|(?<=\w)n['’]t\b|\bno (?=\w))",
    re.IGNORECASE,
)


def judge_entailment(
    claim: Claim,
    context: GroundContext,
    shown: Sequence[tuple[str, Passage]],
    scores: Sequence[Entailment] | ScorerError,
) -> Finding:
    """The best passage's word, given the model's scores of :func:`premises`, and behind them those of
    the same with the claim's :func:`affirmation`, where it has one."""
    name = context.model.name if context.model else ""
    if context.model is None:
        return Finding.skip(NAME, "no entailment model")
    if isinstance(scores, ScorerError):
        return Finding(NAME, "failed", detail=str(scores), produced_by=name)
    if not claim.covered:
        return Finding.skip(NAME, "the model does not read this language")
    if not shown:
        return Finding(
            NAME,
            "checked",
            "missing",
            0.0,
            "not_entailed",
            "no evidence bears on it",
            produced_by=name,
        )
    best = max(range(len(shown)), key=lambda i: scores[i].entailment)
    top = scores[best].entailment
    against = max(
        (i for i, (_, p) in enumerate(shown) if context.topic.fits(context.rows.chain(p))),
        key=lambda i: scores[i].contradiction,
        default=best,
    )
    denied = scores[against].contradiction
    span = shown[best][1].span()
    opposite = max((score.entailment for score in scores[len(shown) :]), default=0.0)
    if top >= 0.5 and opposite >= max(top, 0.5):
        return Finding(
            NAME, "checked", "contradicts", round(min(1 - opposite, 0.4), 4), "meaning_changed",
            "the evidence entails the opposite as well", spans=(span,), produced_by=name,
        )  # fmt: skip
    if min(top, opposite) >= _BOTH_WAYS and denied >= _FIRM:
        # Entailed with its "not" and without, and contradicted as well: it was not read.
        return Finding(
            NAME, "checked", "missing", round(1 - opposite, 4), "not_entailed",
            "the model takes it both ways", spans=(span,), produced_by=name,
        )  # fmt: skip
    if top >= 0.5:
        return Finding(
            NAME, "checked", "supports", top, None, span.text, spans=(span,), produced_by=name
        )
    if denied >= _FIRM:
        against_span = shown[against][1].span()
        return Finding(
            NAME, "checked", "contradicts", min(top, 1 - denied), "contradicts_evidence",
            against_span.text, spans=(against_span,), produced_by=name,
        )  # fmt: skip
    return Finding(
        NAME, "checked", "missing", top, "not_entailed", "no passage entails it",
        spans=(span,), produced_by=name,
    )  # fmt: skip


def _aligned(passage: Passage, claim: Claim, context: GroundContext) -> str:
    """The passage with each value that the claim states written the claim's way."""
    if passage.record is None or not claim.values:
        return passage.text
    text, shift = passage.text, 0
    readings = passage.cell_values
    for cell, start, end in passage.cells:
        for value in claim.values:
            if value.kind in ("name", "quoted"):
                continue
            same = any(
                c is cell and compare(value, v, today=context.today) in ("same", "rounded")
                for c, v in readings
            )
            if same and cell.text != value.text and len(cell.text) <= 40:
                text = text[: start + shift] + value.text + text[end + shift :]
                shift += len(value.text) - (end - start)
                break
    return text
