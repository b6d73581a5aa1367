"""Does the evidence entail the claim? All claims of an answer are put to the model together."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from affidavit.errors import ScorerError
from affidavit.ledger.ledger import Passage
from affidavit.models.entailment.protocol import ClaimScorer, Entailment, EntailmentModel, Told
from affidavit.stages.ground.case import Case
from affidavit.stages.ground.signal import Signal

LIKELY = 0.5
"""Probability from which the model takes a claim for borne out, or for denied."""


def entailment(
    cases: Sequence[Case], model: EntailmentModel, *, plain: bool = False
) -> list[tuple[Signal, ...] | ScorerError]:
    """What the model says of each case, or why it could not. ``plain`` is for a model that was not trained on the marks
    of the ledger."""
    try:
        scores = _scores(cases, model, plain=plain)
    except ScorerError as error:
        return [error] * len(cases)
    found: list[tuple[Signal, ...] | ScorerError] = []
    for case, score in zip(cases, scores, strict=True):
        if isinstance(score, ScorerError):
            found.append(score)
            continue
        spans = tuple(line.span() for line in case.nearest)
        bears = "read as a whole, the results bear it out" if score.entailment >= LIKELY else ""
        denies = (
            "read as a whole, the results say otherwise" if score.contradiction >= LIKELY else ""
        )
        found.append(
            (
                Signal("entailment", "same", score.entailment, "statement", bears, spans=spans),
                Signal(
                    "entailment", "opposed", score.contradiction, "statement", denies, spans=spans
                ),
            )
        )
    return found


def _scores(
    cases: Sequence[Case], model: EntailmentModel, *, plain: bool
) -> Sequence[Entailment | ScorerError]:
    if isinstance(model, ClaimScorer):
        question = cases[0].evidence.ledger.question if cases else ""
        return model.score_claims([(_told(case), _statement(case)) for case in cases], question)
    read = [
        [one.premises(plain=plain) for one in (case, *(() if plain else case.clauses))]
        for case in cases
    ]
    pairs = [(one.text, one.hypothesis) for parts in read for some in parts for one in some]
    scores = iter(model.score(pairs))
    told = [[_joined([next(scores) for _ in some]) for some in parts] for parts in read]
    return [_pooled(whole, clauses) for whole, *clauses in told]


def _pooled(whole: Entailment, clauses: Sequence[Entailment]) -> Entailment:
    """A sentence is borne out as far as it is as a whole and in its weakest clause: the logarithmic pool of the two (Genest
    and Zidek 1986)."""
    if not clauses:
        return whole
    weakest = min(clauses, key=lambda score: score.entailment)
    pooled = [
        sqrt(getattr(whole, label) * getattr(weakest, label))
        for label in ("entailment", "neutral", "contradiction")
    ]
    total = sum(pooled) or 1.0
    return Entailment(*(one / total for one in pooled))


def _joined(scores: Sequence[Entailment]) -> Entailment:
    """The score of a claim that the answer shows something for. What is shown counts only where it bears the claim out by
    itself: other lines before the rest would move the score as well, without a reason."""
    if len(scores) == 1:
        return scores[0]
    plain, alone, first = scores
    bears_out = alone.entailment >= LIKELY
    return max(plain, first, key=lambda score: score.entailment) if bears_out else plain


def _statement(case: Case) -> str:
    """The claim behind what the answer says before it, in the words of the answer."""
    before = case.claim.before
    return f"{before} {case.linked.statement}" if before else case.linked.statement


def _told(case: Case) -> list[Told]:
    """The lines of the premise by the source that says them, in their order."""
    lines: dict[int, list[Passage]] = {}
    for line in case.premise.lines:
        lines.setdefault(line.source.id, []).append(line)
    told: list[Told] = []
    for some in lines.values():
        source = some[0].source
        if source.kind != "assistant":  # what it said before is no evidence
            told.append(Told(source.kind, "\n".join(line.text for line in some), source.tool or ""))
    return told
