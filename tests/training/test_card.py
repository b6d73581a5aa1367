"""The model card says what was measured, and leaves empty what was not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from affidavit.training.card import model_card
from affidavit.training.settings import Settings

WIKI: dict[str, Any] = {
    "pairs": 40, "accuracy": 0.871, "auroc": 0.962, "ece": 0.021, "ranked": None, "f1": None,
}  # fmt: skip
TABFACT = {**WIKI, "pairs": 12, "accuracy": None, "auroc": None, "ece": None, "ranked": 0.71}
HELD: dict[str, Any] = {
    "temperature": 1.25, "pairs": 900, "ece": 0.013,
    "bands": [{"low": 0.0, "high": 0.85, "pairs": 700, "mean": 0.2, "entailed": 0.19},
              {"low": 0.85, "high": 1.0, "pairs": 200, "mean": None, "entailed": None}],
}  # fmt: skip
FIGURES = {
    "embedded": {"wiki": WIKI, "tabfact": TABFACT},
    "fp32": {"wiki": {**WIKI, "accuracy": 0.873}},
    "probes": {"flag": (18, 20)},
}
BEFORE = {"version": "1", "sha256": "abc" * 20, "training": {"pairs_seen": 157120, "minutes": 76.0}}


def card(before: dict[str, Any]) -> str:
    settings = Settings(Path("data"), Path("written"), Path("base"), Path("out"))
    progress = {"pairs": 120_000, "seconds": 4800}
    counts = {"snli": 9000, "natural": 400}
    return model_card(
        settings,
        progress,
        HELD,
        FIGURES,
        counts,
        {"natural": 0.51, "all": 0.53},
        "22.7M parameters (6 layers × 384)",
        before,
    )


def test_figures_stand_in_their_columns() -> None:
    text = card({})
    assert "| wiki | 40 | 0.871 | 0.873 | 0.962 | 0.962 | 0.021 |  |" in text
    assert "| tabfact (ranked right) | 12 | 0.710 |" in text
    assert "| 0.85 to 1 | 200 |  |  |" in text
    assert "| flag | 18 of 20 |" in text
    assert "120,000 pairs in 80 minutes" in text
    assert "A cross-encoder of\n22.7M parameters (6 layers × 384) in 8 bits" in text
    assert "natural 0.51, all 0.53" in text
    assert "trained on from" not in text


def test_the_model_before_is_named() -> None:
    assert "trained on from version 1 of this model (sha256 abcabcabcabc…)" in card(BEFORE)
