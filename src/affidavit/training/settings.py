"""Every choice of the recipe, in one place."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

LABELS = ("entailment", "neutral", "contradiction")
"""The order of the model's outputs."""


def default_mix() -> dict[str, int]:
    """Most pairs taken from each source; a source that has fewer gives all it has."""
    return {
        "snli": 24_000,
        "cad": 6_000,
        "conjnli": 5_000,
        "wiki": 12_000,
        "numbers": 2_000,
        "documents": 1_500,
        "handbook": 8_000,
        "written": 70_000,
        "responses": 12_000,
        "rules": 30_000,
        "cases": 24_000,
        "infotabs": 11_000,
        "tabfact": 12_000,
        "cells": 60_000,
        "sgd": 14_000,
        "records": 16_000,
        "swaps": 110_000,
        "flags": 14_000,
        "statuses": 9_000,
        "boxscores": 12_000,
        "strangers": 10_000,
        "long": 8_000,
        "conjoined": 6_000,
    }


@dataclass(frozen=True, slots=True)
class Settings:
    """One run of the recipe."""

    data: Path
    base: Path
    out: Path
    start: Path | None = None
    """The folder of a packaged model to train on from; None: from the base encoder."""
    mix: dict[str, int] = field(default_factory=default_mix)
    share: float = 1.0
    """Share of the mix to train on: 0.1 for a quick look."""
    minutes: float | None = None
    """Stop training here at the latest; the learning rate reaches zero by then. None: one pass."""
    seed: int = 7
    max_tokens: int = 192
    """Longer pairs are left out of training."""
    window: int = 168
    """What the model reads at once, less than the pairs it was trained on have at most: past that length
    it entails what it should not."""
    batch: int = 64
    learning_rate: float = 1e-4
    """1.5e-4 from the base encoder; less where training goes on from a packaged model."""
    warmup: float = 0.06
    weight_decay: float = 0.01
    label_smoothing: float = 0.03
    held_back: float = 0.02
    """Share of the premises kept out of training, for calibration."""
    averaged_with: Path | None = None
    """The folder of a packaged model whose weights are averaged with the tuned ones in what ships: the mean forgets
    less of what that model knew than training on does (Wortsman et al. 2022, "Robust fine-tuning of zero-shot
    models"). None: the tuned weights alone."""
    averaged_share: float = 0.5
    """The share of its weights in the mean."""
    entailment_bias: float = 1.0
    """Added to the logit of entailment in what ships, besides what the averaged model has: two in five training pairs
    are entailed, of what agents say of their results nearly all. Chosen on recorded runs and the cases in
    ``specs/`` that were read."""
    contradiction_bias: float = -0.5
    """Added to the logit of contradiction, which twins make commoner in training than among the claims of a run."""
    calibration_pairs: int = 3000
    evaluation_pairs: int | None = None
    """Most pairs of each development set to evaluate on; None: the whole of it."""
    evaluation_sources: int | None = 40
    """Most sources of each RAGTruth set, whose responses take many pairs each."""
    beside: Path | None = None
    """The ``figures.json`` of another run, shown beside this one's."""
    threads: int = 2
    checkpoint_minutes: float = 5.0
    name: str = "affidavit-entailment-gte-small"
    version: str = "5"
    base_name: str = "thenlper/gte-small"
    """What ``base`` is published as: a sentence encoder of 12 layers × 384."""
    base_license: str = "MIT"
