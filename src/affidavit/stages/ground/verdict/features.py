"""What the verdict sees of the signals: a few numbers, each of which can only speak for a claim or only against it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Literal

from affidavit.stages.ground.signal import Relation, Signal, WitnessName
from affidavit.stages.ground.verdict.odds import odds

Direction = Literal[1, -1]
"""1 where more of a feature speaks for the claim, -1 where it speaks against it."""

_KNOTS = (-4.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0)
"""Log-odds of entailment between which a feature rises from 0 to 1: a monotone curve in straight pieces."""
_SURE = 1e-4


def _strength(
    witness: WitnessName, relation: Relation, *slots: str
) -> Callable[[Sequence[Signal]], float]:
    def of(signals: Sequence[Signal]) -> float:
        return max((s.strength for s in _of(signals, witness, relation, slots)), default=0.0)

    return of


def _count(
    witness: WitnessName, relation: Relation, most: int, *slots: str
) -> Callable[[Sequence[Signal]], float]:
    def of(signals: Sequence[Signal]) -> float:
        return min(len(_of(signals, witness, relation, slots)), most) / most

    return of


def _of(
    signals: Sequence[Signal], witness: WitnessName, relation: Relation, slots: Sequence[str]
) -> list[Signal]:
    return [
        s
        for s in signals
        if s.witness == witness and s.relation == relation and (not slots or s.slot in slots)
    ]


def log_odds(signals: Sequence[Signal]) -> float | None:
    """The log-odds of entailment by the model; None where it was not asked."""
    told = next((s for s in signals if s.witness == "entailment" and s.relation == "same"), None)
    if told is None:
        return None
    return odds(told.strength, _SURE)


def _rise(low: float, high: float) -> Callable[[Sequence[Signal]], float]:
    """How far log-odds have come from ``low`` to ``high``, counted from even odds: below them what is missing counts
    against the claim. So the cap of a witness leaves the middle, where most claims lie, as it is."""
    missing = 1.0 if high <= 0 else 0.0

    def of(signals: Sequence[Signal]) -> float:
        at = log_odds(signals)
        return 0.0 if at is None else min(max((at - low) / (high - low), 0.0), 1.0) - missing

    return of


def _loose(signals: Sequence[Signal]) -> float:
    """How much of what was worked out may be coincidence."""
    return max((1 - s.strength for s in signals if s.relation == "derived"), default=0.0)


FEATURES: dict[str, tuple[WitnessName, Direction, Callable[[Sequence[Signal]], float]]] = {
    **{
        f"entailed above {low:g}": ("entailment", 1, _rise(low, high))
        for low, high in pairwise(_KNOTS)
    },
    "figure nowhere": ("values", -1, _strength("values", "absent", "figure")),
    "code nowhere": ("values", -1, _strength("values", "absent", "code")),
    "name nowhere": ("values", -1, _strength("values", "absent", "word")),
    "only told by the user": ("values", -1, _strength("values", "told", "figure", "code")),
    "figures found": ("values", 1, _count("values", "same", 3, "figure", "code")),
    "worked out": ("formulas", 1, _strength("formulas", "derived")),
    "worked out, perhaps by accident": ("formulas", -1, _loose),
    "fits its place": ("rows", 1, _strength("rows", "same")),
    "of another row": ("rows", -1, _strength("rows", "other_row")),
    "of another field": ("rows", -1, _strength("rows", "other_field")),
    "its field says otherwise": ("rows", -1, _strength("rows", "opposed")),
    "not done: the agent's own deed": ("calls", -1, _strength("calls", "absent", "agent")),
    "not done by any call": ("calls", -1, _strength("calls", "absent", "unsaid")),
    "its call failed": ("calls", -1, _strength("calls", "opposed")),
    "search came back empty": ("absence", 1, _strength("absence", "same", "search")),
    "not spoken of": ("absence", 1, _strength("absence", "same", "words")),
    "source not retrieved": ("citations", -1, _strength("citations", "absent")),
    "another source says it": ("citations", -1, _strength("citations", "opposed")),
    "its source says it": ("citations", 1, _strength("citations", "same")),
    "in other words": ("scope", -1, _strength("scope", "absent")),
}  # fmt: skip
"""Each feature's witness, its direction, and how it is read off the signals."""


def features_of(signals: Sequence[Signal]) -> tuple[float, ...]:
    """The features of one claim, in the order of ``FEATURES``, each from 0 to 1; of the rises that count what is missing, from -1 to 0."""
    return tuple(read(signals) for _, _, read in FEATURES.values())
