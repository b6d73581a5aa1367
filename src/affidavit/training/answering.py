"""The weights by which two readings of a text say whether it answers a question.

    python -m affidavit.training.answering --documents FILE.jsonl.gz --questions FILE

Questions are labelled: half have an answer in their document, half ask it for something that it does not state. Both halves
count alike. Every figure it prints is of documents that the weights were not fitted on.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from affidavit.grounding.answering import AnswerReader, Weights
from affidavit.grounding.asked import asked_for
from affidavit.training.measures import auroc

_FOLDS = 6
_RIDGE = 1.0
"""How firmly standardized weights are held to none: as firmly as some four questions would."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question's readings of its document, and whether that answers it."""

    document: str
    readings: tuple[float, float]
    answered: bool


def labelled(documents: Path, questions: Path) -> Iterator[Labelled]:
    """The questions of a file that ask for a figure."""
    reader = AnswerReader()
    with gzip.open(documents, "rt", encoding="utf-8") as lines:
        texts = {row["id"]: f"{row['title']}\n{row['content']}" for row in map(json.loads, lines)}
    for row in map(json.loads, questions.read_text(encoding="utf-8").splitlines()):
        asked = asked_for(row["question"])
        if asked is not None:
            found = reader.read(row["question"], asked, texts[row["document"]])
            yield Labelled(row["document"], (found.stated, found.spoken), row["answered"])


def fitted(some: list[Labelled]) -> Weights:
    """A logistic regression, both labels weighing alike."""
    from scipy.optimize import minimize

    values = np.array([one.readings for one in some])
    mean, spread = values.mean(axis=0), values.std(axis=0)
    answered = np.array([one.answered for one in some])
    signs = np.where(answered, 1.0, -1.0)
    share = answered.mean()
    weights = np.where(answered, 0.5 / share, 0.5 / (1 - share))
    scaled = (values - mean) / spread

    def loss(at: Floats) -> float:
        margin = signs * (at[0] + scaled @ at[1:])
        held = _RIDGE / 2 * float((at[1:] ** 2).sum())
        return float((weights * np.logaddexp(0, -margin)).sum()) + held

    found = minimize(loss, np.zeros(3)).x
    slopes = found[1:] / spread
    bias = float(found[0] - slopes @ mean)
    return Weights(round(bias, 2), round(float(slopes[0]), 2), round(float(slopes[1]), 2))


def cross_fitted(some: list[Labelled]) -> Floats:
    """Log-odds for each question by weights that were fitted without its document."""
    names = sorted({one.document for one in some})
    order = np.random.default_rng(0).permutation(len(names))
    fold = {names[n]: at % _FOLDS for at, n in enumerate(order)}
    found = np.zeros(len(some))
    for held in range(_FOLDS):
        weights = fitted([one for one in some if fold[one.document] != held])
        for n, one in enumerate(some):
            if fold[one.document] == held:
                stated, spoken = one.readings
                found[n] = weights.bias + weights.stated * stated + weights.spoken * spoken
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--documents", type=Path, required=True)
    parser.add_argument("--questions", type=Path, required=True)
    options = parser.parse_args()
    some = list(labelled(options.documents, options.questions))
    at, answered = cross_fitted(some), np.array([one.answered for one in some])
    print(f"{fitted(some)} from {len(some)} questions to {len({o.document for o in some})} documents")  # fmt: skip
    print(
        f"on documents not fitted on: AUROC {auroc(at, answered):.3f}; right {int((at[answered] > 0).sum())} of "
        f"{int(answered.sum())} answered, {int((at[~answered] <= 0).sum())} of {int((~answered).sum())} not answered"
    )


if __name__ == "__main__":
    main()
