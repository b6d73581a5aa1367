"""Every choice of the recipe, in one place."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

LABELS = ("entailment", "neutral", "contradiction")
"""The order of the model's outputs."""

NOT_ENTAILED = len(LABELS)
"""The number of a label that is one of the two others than entailment, nobody said which."""


def default_mix() -> dict[str, int]:
    """Most pairs taken from each source; a source that has fewer gives all it has."""
    return {
        "natural": 60_000,
        "made": 40_000,
        "written": 17_000,
        "tabfact": 3_000,
        "infotabs": 2_000,
        "snli": 1_500,
        "wiki": 1_200,
        "conjnli": 600,
        "cad": 600,
    }


@dataclass(frozen=True, slots=True)
class Settings:
    """One run of the recipe."""

    data: Path
    """The public sets."""
    written: Path
    """The labelled runs and statements of this project: ``benchmarks/data``."""
    base: Path
    out: Path
    start: Path | None = None
    """The folder of a packaged model to train on from, or the file of what an earlier training learnt; None: from the base
    encoder."""
    keep: float = 0.0
    """Share of ``start`` in the weights that ship, the rest those that were trained: what was learnt anew is kept without
    losing what was known (Wortsman et al. 2022, robust fine-tuning by averaging)."""
    mix: dict[str, int] = field(default_factory=default_mix)
    share: float = 1.0
    """Share of the mix to train on: 0.1 for a quick look."""
    minutes: float | None = None
    """Stop training here at the latest; the learning rate reaches zero by then. None: one pass."""
    seed: int = 7
    max_tokens: int = 320
    """Longer pairs are left out of training."""
    window: int = 320
    """What the model reads at once, no more than the pairs it was trained on have: past that length it entails what it
    should not."""
    batch: int = 64
    learning_rate: float = 1e-4
    """1.5e-4 from the base encoder; less where training goes on from a packaged model."""
    rank: int = 0
    """Rank of the products that are trained beside matrices which stay as they are, see :mod:`affidavit.training.low_rank`;
    0: the matrices themselves are trained. An encoder of 110M parameters, trained whole, had learnt nothing after 8,500 pairs."""
    warmup: float = 0.06
    weight_decay: float = 0.01
    label_smoothing: float = 0.03
    held_back: float = 0.02
    """Share of the premises kept out of training, for calibration."""
    calibration_pairs: int = 3000
    evaluation_pairs: int | None = None
    """Most pairs of each development set to evaluate on; None: the whole of it."""
    evaluation_sources: int | None = 40
    """Most sources of each RAGTruth set, whose responses take many pairs each."""
    threads: int = 2
    device: str = "cpu"
    """What trains, as torch names it: ``cuda``."""
    checkpoint_minutes: float = 5.0
    version: str = "12.2"
    base_name: str = "thenlper/gte-small"
    """What ``base`` is published as."""
    base_license: str = "MIT"

    @property
    def name(self) -> str:
        """What the model is called, after its base."""
        return f"affidavit-entailment-{self.base_name.rpartition('/')[2]}"
