"""The kinds of sentences: the weights of ``stages/ground/split/kinds.json``.

    python -m affidavit.training.kinds benchmarks/data/sentences.jsonl.gz [--out FILE]

A multinomial logistic regression over the words of sentences that were labelled by hand, ridge-penalised, fitted to its
optimum, so that it needs no seed. Sentences of the part ``dev`` are measured and may be read; of those of ``test``, which
are of other runs, nobody reads which are told wrongly.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from rich.console import Console

from affidavit.stages.ground.split.kinds import EXEMPT, LABELS, WEIGHTS, features_of, kind_by, load

RIDGE = 0.5
LOOKED_UP = 2.5
"""What a sentence counts for that tells of a deed or of an absence: they are few, and one that is overlooked is not held
against the calls and the searches."""
SEEN = 2
"""Sentences that a feature has to occur in."""
_LEAST = 0.04
"""Weights below this are left out of the file."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a real answer and its label, one of ``LABELS``."""

    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Figures:
    """Shares of labelled sentences: of all, those judged or exempted rightly; of the exempt ones, those that would be
    judged; of the others, those that would be exempted; of the deeds, those told for deeds."""

    sentences: int
    right: float
    exempt_judged: float
    held_exempted: float
    deeds_found: float


def read_sentences(file: Path) -> dict[str, list[Sentence]]:
    """Labelled sentences by their part.

    Raises:
        ValueError: a label that is none of ``LABELS``, with its line.
    """
    found: dict[str, list[Sentence]] = {}
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for n, line in enumerate(lines, 1):
            row = json.loads(line)
            if row["label"] not in LABELS:
                raise ValueError(f"{file}:{n}: {row['label']!r} is none of {', '.join(LABELS)}")
            found.setdefault(row["part"], []).append(Sentence(row["text"], row["label"]))
    return found


def fit(sentences: Sequence[Sentence]) -> dict[str, object]:
    """Names of the classes, their biases, and the weights of each feature in hundredths."""
    names = list(LABELS)
    read = [list(features_of(s.text)) for s in sentences]
    seen = Counter(feature for features in read for feature in set(features))
    index = {feature: n for n, feature in enumerate(f for f, k in seen.items() if k >= SEEN)}
    rows = [[index[f] for f in features if f in index] for features in read]
    flat = torch.tensor([n for row in rows for n in row])
    starts = torch.tensor([0, *map(len, rows[:-1])]).cumsum(0)
    truth = torch.tensor([names.index(s.label) for s in sentences])
    few = ("action", "absence")
    counts = torch.tensor([LOOKED_UP if LABELS[name].kind in few else 1.0 for name in names])
    weights = torch.zeros(len(index), len(names), requires_grad=True)
    bias = torch.zeros(len(names), requires_grad=True)
    optimiser = torch.optim.LBFGS([weights, bias], max_iter=100, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimiser.zero_grad()
        scores = torch.nn.functional.embedding_bag(flat, weights, starts, mode="sum") + bias
        wrong = torch.nn.functional.cross_entropy(scores, truth, counts, reduction="sum")
        total = wrong + RIDGE * (weights**2).sum() / 2
        total.backward()  # type: ignore[no-untyped-call]
        return total

    optimiser.step(loss)  # type: ignore[no-untyped-call]
    kept = {
        feature: [round(100 * w) for w in weights[n].tolist()]
        for feature, n in sorted(index.items())
        if float(weights[n].detach().abs().max()) >= _LEAST
    }
    return {"names": names, "bias": [round(b, 3) for b in bias.tolist()], "weights": kept}


def measured(sentences: Sequence[Sentence], weights: Path) -> Figures:
    """How well the weights of a file tell the kinds of labelled sentences."""
    model = load(weights)
    told = [(kind_by(model, s.text).kind, LABELS[s.label].kind) for s in sentences]
    exempt = [kind in EXEMPT for kind, label in told if label in EXEMPT]
    held = [kind in EXEMPT for kind, label in told if label not in EXEMPT]
    deeds = [kind == "action" for kind, label in told if label == "action"]
    right = sum(exempt) + held.count(False)
    return Figures(
        len(told),
        right / max(1, len(told)),
        exempt.count(False) / max(1, len(exempt)),
        sum(held) / max(1, len(held)),
        sum(deeds) / max(1, len(deeds)),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("sentences", type=Path)
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    chosen = parser.parse_args()
    parts = read_sentences(chosen.sentences)
    made = fit(parts["train"])
    chosen.out.write_text(_written(made), encoding="utf-8")
    figures = measured(parts["test"], chosen.out)
    card = {
        "fitted_on": len(parts["train"]),
        "tested_on": figures.sentences,
        "judged_or_exempted_rightly": round(figures.right, 3),
        "exempt_judged": round(figures.exempt_judged, 3),
        "held_exempted": round(figures.held_exempted, 3),
        "deeds_found": round(figures.deeds_found, 3),
    }
    chosen.out.write_text(_written({"card": card, **made}), encoding="utf-8")
    Console().print_json(data=card)


def _written(made: dict[str, object]) -> str:
    """JSON with a feature a line, so that a new fit shows what it changed."""
    head = {key: value for key, value in made.items() if key != "weights"}
    weights = made["weights"]
    assert isinstance(weights, dict)
    lines = [f"{json.dumps(f, ensure_ascii=False)}:{json.dumps(row, separators=(',', ':'))}" for f, row in weights.items()]  # fmt: skip
    text = json.dumps(head, ensure_ascii=False, indent=0)
    return text.rstrip("}\n") + ',\n"weights":{\n' + ",\n".join(lines) + "\n}}\n"


if __name__ == "__main__":
    main()
