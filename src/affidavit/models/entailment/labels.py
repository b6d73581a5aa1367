"""Which output of a published three-way model means what, by the names of its labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from affidavit.errors import ScorerError

_MEANINGS = {
    "entailment": ("entail", "support"),
    "neutral": ("neutral", "not enough", "nei", "unrelated", "unknown"),
    "contradiction": ("contradict", "refut"),
}
"""How published models name their three labels; matched by what a name begins with."""


def label_columns(id2label: Mapping[Any, str]) -> list[int]:
    """Which outputs mean entailment, neutral and contradiction."""
    names = {int(i): label.lower().replace("_", " ") for i, label in id2label.items()}
    columns: list[int] = []
    for meaning, beginnings in _MEANINGS.items():
        found = [i for i, name in names.items() if name.startswith(beginnings)]
        if len(found) != 1:
            raise ScorerError(
                f"no single {meaning} among the model's labels {sorted(names.values())}"
            )
        columns.append(found[0])
    if len(names) != len(columns):
        raise ScorerError(f"a three-way model is needed, not one with {sorted(names.values())}")
    return columns
