"""Asking the entailment model about all claims that the exact checks leave open, at once: first beside
their best premises, then beside the others. What is said of several rows is asked of each of them instead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from affidavit.errors import ScorerError
from affidavit.models.entailment.protocol import ClaimScorer, Entailment, EntailmentModel
from affidavit.stages.ground.checks.entailment import hypothesis, is_settled, may_settle, opposite
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.each_row import RowQuestion, row_question
from affidavit.stages.ground.finding import GroundContext
from affidavit.stages.ground.generic import beside_rules
from affidavit.stages.ground.premises import Premise

Shown: TypeAlias = Sequence[Premise]

_FIRST = 2
"""How many of a claim's premises are scored before the others: the best mostly entail what holds."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the model says of one claim: ``scores[i]`` beside ``premises[i]``, and ``opposed[i]`` of the
    claim's opposite beside the same; empty where it has no opposite."""

    premises: Shown = ()
    scores: Sequence[Entailment] = ()
    opposed: Sequence[Entailment] = ()
    each: RowQuestion | None = None
    """What ``scores`` answer instead, where the model was asked of each row of a list."""


Answer: TypeAlias = Asked | ScorerError


def scored(
    model: EntailmentModel | None,
    claims: Sequence[Claim],
    shown: Sequence[Shown | None],
    contexts: Sequence[GroundContext],
) -> list[Answer]:
    """What the model says of each claim beside its premises; nothing where it is not asked.

    Best premises come first: those behind them are scored only where they may still change the verdict.
    """
    if model is None or not any(shown):
        return [Asked() for _ in claims]
    if isinstance(model, ClaimScorer):
        return _by_claim(model, claims, shown)
    asked = [
        _Question(claim, texts or (), context)
        for claim, texts, context in zip(claims, shown, contexts, strict=True)
    ]
    try:
        _ask(model, [(question, question.first()) for question in asked])
        _ask(model, [(q, q.others()) for q in asked if not q.is_settled()])
    except ScorerError as error:
        return [error for _ in claims]
    return [question.answer() for question in asked]


class _Question:
    """One claim, and how far the model has been asked about it."""

    def __init__(self, claim: Claim, shown: Shown, context: GroundContext) -> None:
        self._each = each = row_question(claim, context) if shown else None
        self._shown, self._context = each.rows if each else shown, context
        self._said = each.hypothesis if each else hypothesis(claim)
        self._opposite = None if each else opposite(claim)
        # Of a question to each row, every row is asked.
        self._may_settle = each is None and may_settle(claim, self._opposite)
        self._scores: list[Entailment] = []
        self._opposed: list[Entailment] = []

    def first(self) -> Shown:
        return self._shown[:_FIRST] if self._may_settle else self._shown

    def others(self) -> Shown:
        return self._shown[len(self._scores) :]

    def is_settled(self) -> bool:
        return self._may_settle and is_settled(self._context, self._shown, self._scores)

    def pairs(self, part: Shown) -> list[tuple[str, str]]:
        return [
            (premise.text, beside_rules(said, premise.passages, self._context.search))
            for said in (self._said, self._opposite)
            if said
            for premise in part
        ]

    def take(self, part: Shown, scores: Iterator[Entailment]) -> None:
        self._scores += islice(scores, len(part))
        if self._opposite:
            self._opposed += islice(scores, len(part))

    def answer(self) -> Asked:
        return Asked(self._shown[: len(self._scores)], self._scores, self._opposed, self._each)


def _ask(model: EntailmentModel, parts: Sequence[tuple[_Question, Shown]]) -> None:
    """Score all of these in one call."""
    pairs = [pair for question, part in parts for pair in question.pairs(part)]
    scores = iter(model.score(pairs) if pairs else ())
    for question, part in parts:
        question.take(part, scores)


def _by_claim(
    model: ClaimScorer, claims: Sequence[Claim], shown: Sequence[Shown | None]
) -> list[Answer]:
    """A model that reads all passages of a claim together gives each of them the claim's one score."""
    asked = [n for n, texts in enumerate(shown) if texts]
    verdicts = model.score_claims([(_whole(shown[n] or ()), hypothesis(claims[n])) for n in asked])
    found: list[Answer] = [Asked() for _ in claims]
    for n, verdict in zip(asked, verdicts, strict=True):
        texts = shown[n] or ()
        if isinstance(verdict, ScorerError):
            found[n] = verdict
        else:
            found[n] = Asked(texts, [verdict] * len(texts))
    return found


def _whole(shown: Shown) -> list[str]:
    """The texts that are not part of another."""
    texts = list(dict.fromkeys(premise.text for premise in shown))
    return [t for t in texts if not any(t != other and t in other for other in texts)]
