"""Asking the entailment model, in one call, about every claim that the exact checks leave open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from affidavit.errors import ScorerError
from affidavit.ledger.search import Search
from affidavit.models.entailment.protocol import ClaimScorer, Entailment, EntailmentModel
from affidavit.stages.ground.checks.entailment import hypothesis, opposite
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.generic import beside_rules
from affidavit.stages.ground.premises import Premise

Shown: TypeAlias = Sequence[Premise]
Scores: TypeAlias = "Sequence[Entailment] | ScorerError"


def scored(
    model: EntailmentModel | None,
    claims: Sequence[Claim],
    shown: Sequence[Shown | None],
    searches: Sequence[Search],
) -> list[Scores]:
    """For each claim the scores of the passages it is shown beside; nothing where it is not asked.

    Where a claim has an opposite, the scores of that follow those of the claim.
    """
    if model is None or not any(shown):
        return [[] for _ in claims]
    if isinstance(model, ClaimScorer):
        return _by_claim(model, claims, shown)
    asked = [
        [
            (premise.text, beside_rules(said, premise.passages, search))
            for said in (hypothesis(claim), opposite(claim))
            if said
            for premise in texts
        ]
        if texts
        else []
        for claim, texts, search in zip(claims, shown, searches, strict=True)
    ]
    pairs = [pair for own in asked for pair in own]
    try:
        scores = model.score(pairs)
    except ScorerError as error:
        return [error for _ in claims]
    found: list[Scores] = []
    at = 0
    for own in asked:
        found.append(scores[at : at + len(own)])
        at += len(own)
    return found


def _by_claim(
    model: ClaimScorer, claims: Sequence[Claim], shown: Sequence[Shown | None]
) -> list[Scores]:
    """A model that reads all passages of a claim together gives each of them the claim's one score."""
    asked = [n for n, texts in enumerate(shown) if texts]
    verdicts = model.score_claims([(_whole(shown[n] or ()), hypothesis(claims[n])) for n in asked])
    found: list[Scores] = [[] for _ in claims]
    for n, verdict in zip(asked, verdicts, strict=True):
        count = len(shown[n] or ())
        found[n] = verdict if isinstance(verdict, ScorerError) else [verdict] * count
    return found


def _whole(shown: Shown) -> list[str]:
    """The texts that are not part of another."""
    texts = list(dict.fromkeys(premise.text for premise in shown))
    return [t for t in texts if not any(t != other and t in other for other in texts)]
