"""Does the evidence entail the claim? All claims of an answer are put to the model together."""

from __future__ import annotations

from collections.abc import Sequence

from affidavit.errors import ScorerError
from affidavit.models.entailment.protocol import EntailmentModel
from affidavit.stages.ground.case import Case
from affidavit.stages.ground.linking.evidence import telling
from affidavit.stages.ground.signal import Signal

LIKELY = 0.5
"""Probability from which the model takes a claim for borne out, or for denied."""


def entailment(
    cases: Sequence[Case], model: EntailmentModel, *, plain: bool = False
) -> list[tuple[Signal, ...] | ScorerError]:
    """What the model says of each case, or why it could not. ``plain`` is for a model that was not trained on the marks
    of the ledger."""
    premises = [case.plain_premise if plain else case.premise for case in cases]
    pairs = [(premise.text, premise.hypothesis) for premise in premises]
    try:
        scores = model.score(pairs)
    except ScorerError as error:
        return [error] * len(cases)
    found: list[tuple[Signal, ...] | ScorerError] = []
    for premise, score in zip(premises, scores, strict=True):
        # What a call returned says more of a claim than that it was made.
        lines = sorted(premise.lines, key=telling)[:2]
        spans = tuple(line.span() for line in lines)
        bears = "the results say this in other words" if score.entailment >= LIKELY else ""
        denies = "the results say otherwise" if score.contradiction >= LIKELY else ""
        found.append(
            (
                Signal("entailment", "same", score.entailment, "statement", bears, spans=spans),
                Signal(
                    "entailment", "opposed", score.contradiction, "statement", denies, spans=spans
                ),
            )
        )
    return found
