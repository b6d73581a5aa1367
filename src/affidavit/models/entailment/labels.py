"""Which output of a published classifier means what, by the names of its labels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from affidavit.errors import ScorerError
from affidavit.models.entailment.protocol import Entailment

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
                f"no single {meaning} among the model's labels {sorted(names.values())}; for a model of other "
                "labels name the one that says borne out: NAME#LABEL"
            )
        columns.append(found[0])
    if len(names) != len(columns):
        raise ScorerError(f"a three-way model is needed, not one with {sorted(names.values())}")
    return columns


def column_of(label: str, id2label: Mapping[Any, str]) -> int:
    """The output of one label, by its name or number."""
    names = {int(i): name for i, name in id2label.items()}
    found = [i for i, name in names.items() if label.casefold() in (name.casefold(), str(i))]
    if len(found) != 1:
        raise ScorerError(f"no label {label!r} among the model's {sorted(names.values())}")
    return found[0]


def split_label(name: str) -> tuple[str, str | None]:
    """``NAME#LABEL`` in two."""
    name, mark, label = name.partition("#")
    if not name or (mark and not label):
        raise ScorerError(f"expected NAME or NAME#LABEL, got {name + mark + label!r}")
    return name, label or None


class Reading:
    """How the outputs of a classifier are read: by three labels of entailment, or by one that says borne out.

    A model of the second kind never says that the evidence contradicts a claim; one with a single output gives the
    log-odds of it.
    """

    def __init__(self, id2label: Mapping[Any, str], label: str | None = None) -> None:
        self._columns = label_columns(id2label) if label is None else None
        self._column = None if label is None else column_of(label, id2label)

    def of_logits(self, logits: Sequence[float], temperature: float = 1.0) -> Entailment:
        """Raises :class:`ScorerError` where they are no numbers."""
        if not all(math.isfinite(x) for x in logits):
            raise ScorerError("the classifier returned numbers that are not finite")
        told = [x / temperature for x in logits]
        return self._read([*told, 0.0] if len(told) == 1 else told)

    def of_chances(self, chances: Sequence[float], temperature: float = 1.0) -> Entailment:
        """Of probabilities of all labels."""
        chances = [*chances, 1 - chances[0]] if len(chances) == 1 else chances
        return self._read([math.log(max(c, 1e-12)) / temperature for c in chances])

    def _read(self, logits: Sequence[float]) -> Entailment:
        odds = [math.exp(x - max(logits)) for x in logits]
        shares = [x / sum(odds) for x in odds]
        if self._columns is not None:
            return Entailment(*(shares[column] for column in self._columns))
        assert self._column is not None
        borne_out = shares[self._column]
        return Entailment(borne_out, 1 - borne_out, 0.0)
