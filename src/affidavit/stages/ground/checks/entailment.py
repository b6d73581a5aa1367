"""Entailment: what the exact checks leave open, put to the model over the best passages.

The values that were found are shown to the model as the claim writes them, so that it has to judge
what is said of them and not whether 66899 cents are $668.99.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from affidavit.ledger.ledger import Passage
from affidavit.ledger.words import content_stems, is_negated
from affidavit.models.entailment.protocol import Entailment, EntailmentModel
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.denial import borne_out, is_denial, is_denied_in_words
from affidavit.stages.ground.finding import Finding, GroundContext
from affidavit.stages.ground.premises import Premise

NAME = "entailment"

_FIRM = 0.8
"""Probability from which a contradiction counts as one."""
_BOTH_WAYS = 0.75
"""Probability of a claim and of its opposite from which the model cannot have told them apart."""


_TOLD = 0.9
"""Probability of a denial from which the model has told it from what it denies."""
_APART = 0.5
"""Probability of what is denied up to which it has."""


def hypothesis(claim: Claim) -> str:
    """The claim as a plain sentence: no markers, no Markdown, no examples in brackets."""
    plain = re.sub(r"\s*\[\d+\]|\s*\((?:e\.g\.|for example|such as)[^()]*\)", "", claim.statement)
    return re.sub(r"[*`_]{1,3}(?=\S)|(?<=\S)[*`_]{1,3}", "", plain).strip()


def opposite(claim: Claim) -> str | None:
    """The claim without its "not", or with one where it says what may be done later; None for any other.

    A small model reads over a "not": what it finds entailed with and without it, it has not read.
    """
    # "Only within one kind, not for another": without its "not" it says nothing else.
    set_apart = re.search(r",\s+(?:and )?not\b", claim.text)
    if claim.is_datum or set_apart or (is_negated(claim.text) and not is_denial(claim)):
        return None
    said = hypothesis(claim)
    if is_negated(claim.text):
        other = _NOT.sub(lambda m: _AFFIRMED.get(m[0].casefold(), ""), said, count=1)
    elif not _LATER.search(claim.text):
        return None
    else:
        other = _MAY.sub(lambda m: f"{m[1]} not {m[2]}", said, count=1)
    return other if other != said else None


_LATER = re.compile(
    r"\bwill be able\b|\b(?:further|again|afterwards?|anymore|any more|once more)\b", re.I
)
"""What a rule may forbid from then on: "you will be able to change it again"."""
_MAY = re.compile(
    r"\b(can|could|may|will(?= be (?:able|possible|allowed|eligible)\b)|(?:is|are)(?= (?:able|possible|allowed|eligible)\b))"
    r"(?: still| also| then)? (be|able|possible|allowed|eligible)\b"
)


_AFFIRMED = {"can't": "can", "can’t": "can", "won't": "will", "won’t": "will"}
"""Denials that lose more than their "n't"."""
_NOT = re.compile(
    r"(?:\b(?:ca|wo)n['’]t\b|\s(?:not|never|no longer)\b(?! only)|(?<=can)not\b|(?<=\w)n['’]t\b|\bno (?=\w))",
    re.IGNORECASE,
)


def may_settle(claim: Claim, opposed: str | None) -> bool:
    """Whether one premise can prove a claim, with that :func:`opposite`, whatever others say: no denial, and
    nothing with an opposite."""
    return opposed is None and (claim.is_datum or not is_negated(claim.text))


def is_settled(
    context: GroundContext, shown: Sequence[Premise], scores: Sequence[Entailment]
) -> bool:
    """Whether the premises scored so far, the first of ``shown``, prove a claim that :func:`may_settle`, so that
    no other can change what :func:`judge_entailment` says of it."""
    firm = max(_TOLD, context.policy.emit_threshold)
    return any(
        score.entailment >= firm and _fits(premise, context)
        for premise, score in zip(shown, scores, strict=False)
    )


def judge_entailment(
    claim: Claim,
    context: GroundContext,
    model: EntailmentModel,
    shown: Sequence[Premise],
    scores: Sequence[Entailment],
    opposed: Sequence[Entailment],
) -> Finding:
    """The best premise's word, given the model's scores of a claim beside each of ``shown``, and those of
    its :func:`opposite`, where it has one."""
    name = model.name
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
    in_words = [i for i in range(len(shown)) if _denies_in_words(claim, shown[i], scores[i])]
    best = in_words[0] if in_words else _best(claim, shown, scores)
    top = scores[best].entailment
    against = max(
        (
            i
            for i, premise in enumerate(shown)
            if _fits(premise, context) and not _yet_to_come(claim, premise)
        ),
        key=lambda i: scores[i].contradiction,
        default=best,
    )
    denied = scores[against].contradiction
    spans = tuple(passage.span() for passage in _needed(best, shown, scores))
    turned = max(
        (score.entailment for p, score in zip(shown, opposed, strict=False) if _fits(p, context)),
        default=0.0,
    )
    if top >= 0.5 and turned >= max(top, 0.5) and not in_words:
        return Finding(
            NAME, "checked", "contradicts", round(min(1 - turned, 0.4), 4), "meaning_changed",
            "the evidence entails the opposite as well", spans=spans, produced_by=name,
        )  # fmt: skip
    if min(top, turned) >= _BOTH_WAYS and denied >= _FIRM and not in_words:
        # Entailed with its "not" and without, and contradicted as well: it was not read.
        return Finding(
            NAME, "checked", "missing", round(1 - turned, 4), "not_entailed",
            "the model takes it both ways", spans=spans, produced_by=name,
        )  # fmt: skip
    if top >= 0.5 and denied >= _FIRM and not _fits(shown[best], context):
        span = shown[against].passages[0].span()  # another row says so, the one spoken of does not
        return Finding(
            NAME, "checked", "contradicts", round(1 - denied, 4), "contradicts_evidence", span.text,
            spans=(span,), produced_by=name,
        )  # fmt: skip
    if top >= 0.5:
        told = bool(opposed) and top >= _TOLD and turned <= _APART
        return Finding(
            NAME, "checked", "supports", top, None, spans[0].text, spans=spans, produced_by=name,
            settles="all" if told else "values",
        )  # fmt: skip
    if denied >= _FIRM:
        against_span = shown[against].passages[0].span()
        return Finding(
            NAME, "checked", "contradicts", min(top, 1 - denied), "contradicts_evidence",
            against_span.text, spans=(against_span,), produced_by=name,
        )  # fmt: skip
    return Finding(
        NAME, "checked", "missing", top, "not_entailed", "no passage entails it",
        spans=spans, produced_by=name,
    )  # fmt: skip


def _denies_in_words(claim: Claim, premise: Premise, score: Entailment) -> bool:
    """Whether one passage denies what a denial denies, in its words, and the model finds it entailed."""
    alone = len(premise.passages) == 1 and score.entailment >= _TOLD
    return alone and is_denial(claim) and is_denied_in_words(claim, premise.text)


def _best(claim: Claim, shown: Sequence[Premise], scores: Sequence[Entailment]) -> int:
    """The premise that entails a claim most; of a denial, one that denies something itself."""
    ranked = sorted(range(len(shown)), key=lambda i: scores[i].entailment, reverse=True)
    if not claim.is_datum and is_negated(claim.text):
        entailing = (i for i in ranked if scores[i].entailment >= 0.5)
        spans = ((i, [p.span() for p in shown[i].passages]) for i in entailing)
        return next((i for i, own in spans if borne_out(claim, own)), ranked[0])
    return ranked[0]


def _needed(best: int, shown: Sequence[Premise], scores: Sequence[Entailment]) -> Sequence[Passage]:
    """Of two passages put together the one that entails the claim alone; both where neither does."""
    enough = {
        premise.passages[0].id
        for premise, score in zip(shown, scores, strict=True)
        if len(premise.passages) == 1 and score.entailment >= 0.5
    }
    together = shown[best].passages
    return [passage for passage in together if passage.id in enough] or together


def _yet_to_come(claim: Claim, premise: Premise) -> bool:
    """Whether a claim tells what will be, and a premise has nothing yet of just that: "the difference will be
    charged" is not denied by "price difference: none"."""
    if not _COMING.search(claim.text):
        return False
    said = content_stems(claim.statement)
    return any(
        cell.is_blank and content_stems(cell.key) & said
        for passage in premise.passages
        for cell, _, _ in passage.cells
    )


_COMING = re.compile(
    r"\bwill\b|\b(?:can|may|would|could) (?:\w+ )?(?:be|go|get|receive|show|appear)\b|['’]ll\b",
    re.I,
)


def _fits(premise: Premise, context: GroundContext) -> bool:
    """Whether a premise is of what the claim speaks about."""
    return all(context.topic.fits(context.rows.chain(passage)) for passage in premise.passages)
