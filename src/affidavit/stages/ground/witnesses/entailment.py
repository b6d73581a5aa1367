"""Does the evidence entail the claim? All claims of an answer are put to the model together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

from affidavit.errors import ScorerError
from affidavit.ledger.ledger import Passage
from affidavit.models.entailment.protocol import ClaimScorer, Entailment, EntailmentModel, Told
from affidavit.stages.ground.case import Case
from affidavit.stages.ground.signal import CLAUSE, Signal

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
    for case, read in zip(cases, scores, strict=True):
        found.append(read if isinstance(read, ScorerError) else _signals(case, read))
    return found


@dataclass(frozen=True)
class _Read:
    """What the model said of a claim, and of the clause of it that the evidence bears out least, where it has several."""

    score: Entailment
    weakest: tuple[Case, Entailment] | None = None


def _signals(case: Case, read: _Read) -> tuple[Signal, ...]:
    score = read.score
    spans = tuple(line.span() for line in case.nearest)
    bears = "read as a whole, the results bear it out" if score.entailment >= LIKELY else ""
    clause = _weak_clause(read)
    otherwise = (
        f"the results say otherwise than {clause.detail}"
        if clause is not None
        else "read as a whole, the results say otherwise"
    )
    denies = otherwise if score.contradiction >= LIKELY else ""
    told = (
        Signal("entailment", "same", score.entailment, "statement", bears, spans=spans),
        Signal(
            "entailment", "opposed", score.contradiction, "statement", denies,
            spans=spans if clause is None else clause.spans,
        ),
    )  # fmt: skip
    return told if clause is None else (*told, clause)


def _weak_clause(read: _Read) -> Signal | None:
    """The clause that is not borne out, quoted."""
    if read.weakest is None or read.weakest[1].entailment >= LIKELY:
        return None
    clause, least = read.weakest
    spans = tuple(line.span() for line in clause.nearest)
    said = f"“{clause.linked.statement}”"
    return Signal("entailment", "absent", 1 - least.entailment, CLAUSE, said, spans=spans)


def _scores(
    cases: Sequence[Case], model: EntailmentModel, *, plain: bool
) -> Sequence[_Read | ScorerError]:
    if isinstance(model, ClaimScorer):
        question = cases[0].evidence.ledger.question if cases else ""
        said = model.score_claims([(_told(case), _statement(case)) for case in cases], question)
        return [one if isinstance(one, ScorerError) else _Read(one) for one in said]
    # A clause alone is understood by a model that was trained on what stands before it.
    parts = [(case, *(() if plain else case.clauses)) for case in cases]
    shown = [[one.premises(plain=plain) for one in some] for some in parts]
    pairs = [(p.text, p.hypothesis) for some in shown for premises in some for p in premises]
    scores = iter(model.score(pairs))
    told = [[_joined([next(scores) for _ in premises]) for premises in some] for some in shown]
    return [_pooled(some, read) for some, read in zip(parts, told, strict=True)]


def _pooled(parts: Sequence[Case], read: Sequence[Entailment]) -> _Read:
    """A sentence is borne out as far as it is as a whole and in its weakest clause: the logarithmic pool of the two (Genest
    and Zidek 1986). ``parts`` are the claim and its clauses."""
    whole, *clauses = read
    if not clauses:
        return _Read(whole)
    weakest = min(zip(parts[1:], clauses, strict=True), key=lambda one: one[1].entailment)
    least = weakest[1]
    pooled = (
        sqrt(whole.entailment * least.entailment),
        sqrt(whole.neutral * least.neutral),
        sqrt(whole.contradiction * least.contradiction),
    )
    total = sum(pooled)
    return _Read(Entailment(*(one / total for one in pooled)) if total else whole, weakest)


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
