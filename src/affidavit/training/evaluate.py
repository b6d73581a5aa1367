"""How well an entailment model does on data that no training has seen.

python -m affidavit.training.evaluate --data DIR [--model SPEC] [--limit N] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from affidavit.models.entailment import Entailment, EntailmentModel, load_entailment_model
from affidavit.training.calibrate import expected_calibration_error
from affidavit.training.pairs.nli import CORPORA, nli_pairs
from affidavit.training.pairs.pair import Pair, read_rows
from affidavit.training.pairs.sgd import sgd_pairs
from affidavit.training.pairs.tables import detokenised, infotabs_pairs, relevant, table_passages

_CHUNK = 512


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures on one set. ``ranked`` is the share of true statements that score above their false
    twin; a set has that or the other three."""

    pairs: int
    accuracy: float | None = None
    auroc: float | None = None
    ece: float | None = None
    ranked: float | None = None


def evaluate(model: EntailmentModel, data: Path, *, limit: int | None = None) -> dict[str, Figures]:
    """Figures on each development set, on its first ``limit`` pairs."""
    figures = {
        name: three_way(model, islice(pairs(), limit)) for name, pairs in dev_sets(data).items()
    }
    return figures | {"tabfact": ranked(model, data, limit)}


def dev_sets(data: Path) -> Mapping[str, Callable[[], Iterator[Pair]]]:
    """The three-way sets. SGD's are annotated answers and their twins, as in training."""
    sets: dict[str, Callable[[], Iterator[Pair]]] = {
        corpus: (lambda corpus=corpus: nli_pairs(data, corpus, split="dev"))  # type: ignore[misc]
        for corpus in CORPORA
    }
    sets["infotabs"] = lambda: infotabs_pairs(data, split="dev")
    sets["sgd"] = lambda: sgd_pairs(data, random.Random(0), split="dev")
    return sets


def three_way(model: EntailmentModel, pairs: Iterator[Pair]) -> Figures:
    """Accuracy over three labels, AUROC of entailment against the rest, calibration error."""
    chosen = list(pairs)
    scores = scored(model, [(p.premise, p.hypothesis) for p in chosen])
    right = [best(s) == p.label for s, p in zip(scores, chosen, strict=True)]
    chances = np.array([s.entailment for s in scores])
    truths = np.array([p.label == "entailment" for p in chosen])
    return Figures(
        len(chosen),
        accuracy=float(np.mean(right)),
        auroc=auroc(chances, truths),
        ece=expected_calibration_error(chances, truths),
    )


def ranked(model: EntailmentModel, data: Path, limit: int | None = None) -> Figures:
    """TabFact: is the true statement about a table more entailed than its false twin?"""
    rows = list(islice(read_rows(data / "tables" / "tabfact.dev.jsonl.gz"), limit))
    pairs = [
        (relevant(table_passages(row), claim), claim)
        for row in rows
        for claim in (detokenised(row["supported"]), detokenised(row["refuted"]))
    ]
    chances = [s.entailment for s in scored(model, pairs)]
    wins = [
        1.0 if true > false else 0.5 if true == false else 0.0
        for true, false in zip(chances[::2], chances[1::2], strict=True)
    ]
    return Figures(len(rows), ranked=float(np.mean(wins)))


def scored(model: EntailmentModel, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
    """Scores in order; like lengths together, which a model that pads is quicker with."""
    order = sorted(range(len(pairs)), key=lambda i: len(pairs[i][0]) + len(pairs[i][1]))
    scores: dict[int, Entailment] = {}
    for start in range(0, len(order), _CHUNK):
        chunk = order[start : start + _CHUNK]
        scores |= dict(zip(chunk, model.score([pairs[i] for i in chunk]), strict=True))
    return [scores[i] for i in range(len(pairs))]


def best(score: Entailment) -> str:
    """The likeliest label."""
    return max(
        ("entailment", "neutral", "contradiction"), key=lambda label: float(getattr(score, label))
    )


def auroc(chances: NDArray[np.float64], truths: NDArray[np.bool_]) -> float | None:
    """The chance that a true pair scores above a false one, ties counting half."""
    positives, negatives = int(truths.sum()), int((~truths).sum())
    if not positives or not negatives:
        return None
    _, place, counts = np.unique(chances, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - (counts - 1) / 2
    total = float(ranks[place][truths].sum())
    return (total - positives * (positives + 1) / 2) / (positives * negatives)


def shown(name: str, figures: Mapping[str, Figures]) -> Table:
    table = Table("set", "pairs", "accuracy", "AUROC", "ECE", "ranked right", title=name)
    for dataset, f in figures.items():
        numbers = (f.accuracy, f.auroc, f.ece, f.ranked)
        table.add_row(dataset, str(f.pairs), *("" if n is None else f"{n:.3f}" for n in numbers))
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument(
        "--model", default="embedded", help="embedded or cross-encoder:NAME_OR_PATH"
    )
    parser.add_argument("--limit", type=int)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    model = load_entailment_model(arguments.model)
    figures = evaluate(model, arguments.data, limit=arguments.limit)
    Console().print(shown(model.name, figures))
    if arguments.json:
        record = {"model": model.name, "limit": arguments.limit,
                  "sets": {name: asdict(f) for name, f in figures.items()}}  # fmt: skip
        arguments.json.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
