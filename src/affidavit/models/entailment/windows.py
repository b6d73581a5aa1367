"""Pairs longer than a model reads at once: cut into windows, and their scores put together again.

Nothing is ever cut off unseen: every word piece of both texts lies in some window.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, TypeVar

from affidavit.models.entailment.protocol import Entailment

Ids: TypeAlias = Sequence[int]

T = TypeVar("T")
"""A word piece, or a word where the tokenizer is out of reach."""

SPECIALS = 3
"""``[CLS]`` premise ``[SEP]`` hypothesis ``[SEP]``."""


def windows(ids: Sequence[T], size: int, overlap: int) -> list[Sequence[T]]:
    """Stretches of at most ``size``, each beginning ``overlap`` before the last one ended."""
    if len(ids) <= size:
        return [ids]
    step = size - overlap
    starts = range(0, len(ids) - overlap, step)
    return [ids[start : start + size] for start in starts]


def windowed(
    premise: Sequence[T], hypothesis: Sequence[T], limit: int
) -> list[list[tuple[Sequence[T], Sequence[T]]]]:
    """For each window of the hypothesis, the pairs to score: it with each window of the premise.

    The hypothesis may take up half of what the model reads; the premise has the rest.
    """
    said = windows(hypothesis, limit // 2, limit // 8)
    pairs: list[list[tuple[Sequence[T], Sequence[T]]]] = []
    for part in said:
        room = limit - SPECIALS - len(part)
        pairs.append([(window, part) for window in windows(premise, room, room // 4)])
    return pairs


def over_premises(scores: Sequence[Entailment]) -> Entailment:
    """One claim against several stretches of evidence: it is enough that one of them entails it.

    Entailment is the highest found. So is contradiction, but only in what entailment leaves: a
    stretch that supports the claim outweighs one that, read alone, seems to go against it.
    """
    entailment = max(s.entailment for s in scores)
    contradiction = min(max(s.contradiction for s in scores), 1 - entailment)
    return _of(entailment, contradiction)


def over_hypotheses(scores: Sequence[Entailment]) -> Entailment:
    """Several stretches of one claim: it is entailed as far as its least entailed stretch is."""
    entailment = min(s.entailment for s in scores)
    contradiction = min(max(s.contradiction for s in scores), 1 - entailment)
    return _of(entailment, contradiction)


def _of(entailment: float, contradiction: float) -> Entailment:
    return Entailment(entailment, max(0.0, 1 - entailment - contradiction), contradiction)
