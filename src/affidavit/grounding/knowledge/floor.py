"""The line between relevant and not, measured: it belongs to one corpus and one encoder.

A search always returns the nearest passage, so some score divides answers from noise. Where it lies
is found by asking real questions, which the documents answer, and others, which they do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from affidavit.errors import KnowledgeError
from affidavit.grounding.knowledge.retriever import Retriever

FOLDS = 5
"""Parts the questions are dealt into for the held-out figures."""


@dataclass(frozen=True, slots=True)
class Errors:
    """What a floor gets wrong: shares in [0, 1] of the questions of each kind."""

    let_through: float
    """Of the unanswerable questions, those whose best score reaches the floor."""
    wrongly_refused: float
    """Of the answerable questions, those whose best score stays below it."""


@dataclass(frozen=True, slots=True)
class FloorMeasurement:
    """The best score that each question found, in the order asked, and the line between the kinds."""

    answerable: tuple[float, ...]
    unanswerable: tuple[float, ...]
    floor: float
    """Parts the two best: least sum of both errors; of equal ones, in the middle of the widest gap."""
    errors: Errors
    """At ``floor``, on the questions that chose it: a little too kind."""
    held_out: Errors
    """Each question judged by the floor that the other four fifths of the questions give."""
    separation: float
    """Area under the ROC curve: how often an answerable question scores above an unanswerable one."""

    def errors_at(self, floor: float) -> Errors:
        """What another floor would get wrong on these questions."""
        return errors_of(self.answerable, self.unanswerable, floor)


async def measure_floor(
    retriever: Retriever, answerable: Sequence[str], unanswerable: Sequence[str]
) -> FloorMeasurement:
    """Ask every question and find the floor.

    A hundred questions of each kind give a floor worth trusting; take real ones from your users, and
    for the others both nonsense and questions that sound like yours but that no document answers.
    A search without hits counts as 0. Raises KnowledgeError with fewer than two questions of a kind,
    and whatever the retriever raises.
    """
    scores = [
        tuple([await _best_score(retriever, question) for question in questions])
        for questions in (answerable, unanswerable)
    ]
    return floor_between(*scores)


def floor_between(answerable: Sequence[float], unanswerable: Sequence[float]) -> FloorMeasurement:
    """The floor for best scores that are known already; see ``measure_floor``."""
    if min(len(answerable), len(unanswerable)) < 2:
        raise KnowledgeError(
            "a floor is measured from at least two answerable and two unanswerable questions, not "
            f"{len(answerable)} and {len(unanswerable)}"
        )
    floor = _best_floor(answerable, unanswerable)
    return FloorMeasurement(
        tuple(answerable),
        tuple(unanswerable),
        floor,
        errors_of(answerable, unanswerable, floor),
        _held_out(answerable, unanswerable),
        _separation(answerable, unanswerable),
    )


def errors_of(answerable: Sequence[float], unanswerable: Sequence[float], floor: float) -> Errors:
    return Errors(
        sum(score >= floor for score in unanswerable) / len(unanswerable),
        sum(score < floor for score in answerable) / len(answerable),
    )


async def _best_score(retriever: Retriever, question: str) -> float:
    return max((hit.score for hit in await retriever.search(question)), default=0.0)


def _best_floor(answerable: Sequence[float], unanswerable: Sequence[float]) -> float:
    """Of the middles between neighbouring scores, the one with the least errors, then most room."""
    scores = sorted({*answerable, *unanswerable})
    if len(scores) == 1:
        return scores[0]

    def cost(gap: tuple[float, float]) -> tuple[float, float]:
        errors = errors_of(answerable, unanswerable, _middle(*gap))
        # Rounded, so that equal sums of shares are equal whatever order they were added in.
        return round(errors.let_through + errors.wrongly_refused, 9), gap[0] - gap[1]

    return _middle(*min(pairwise(scores), key=cost))


def _middle(below: float, above: float) -> float:
    """A line above the one and not above the other, also where no number lies between them."""
    middle = (below + above) / 2
    return middle if middle > below else above


def _held_out(answerable: Sequence[float], unanswerable: Sequence[float]) -> Errors:
    let_through = wrongly_refused = 0
    folds = min(FOLDS, len(answerable), len(unanswerable))
    for fold in range(folds):
        floor = _best_floor(
            [s for n, s in enumerate(answerable) if n % folds != fold],
            [s for n, s in enumerate(unanswerable) if n % folds != fold],
        )
        let_through += sum(score >= floor for score in unanswerable[fold::folds])
        wrongly_refused += sum(score < floor for score in answerable[fold::folds])
    return Errors(let_through / len(unanswerable), wrongly_refused / len(answerable))


def _separation(answerable: Sequence[float], unanswerable: Sequence[float]) -> float:
    above = sum((a > u) + (a == u) / 2 for a in answerable for u in unanswerable)
    return above / (len(answerable) * len(unanswerable))
