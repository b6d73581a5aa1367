"""How well an entailment model does on data that no training has seen.

python -m affidavit.training.evaluate --data DIR [--model SPEC] [--limit N] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from affidavit.ledger.ledger import Ledger
from affidavit.models.entailment import Entailment, EntailmentModel, load_entailment_model
from affidavit.policy import Policy
from affidavit.stages.ground.ground import ENTAILMENT, cases_of, hear
from affidavit.stages.ground.split import split_claims
from affidavit.trace import RunTrace
from affidavit.training.calibrate import expected_calibration_error
from affidavit.training.datasets import (
    Format,
    Response,
    Row,
    Twin,
    is_measured_on,
    pairs_of,
    read_dataset,
    responses_of,
    twins_of,
)
from affidavit.training.measures import Band, auroc, bands, best_f1
from affidavit.training.pairs.pair import Pair

SETS: Mapping[str, str] = {
    "snli": "nli/snli.dev",
    "cad": "nli/cad.dev",
    "conjnli": "nli/conjnli.dev",
    "wiki": "nli/wiki.dev",
    "infotabs": "tables/infotabs.dev",
    "tabfact": "tables/tabfact.dev",
    "ragtruth_qa": "grounded/ragtruth_qa",
    "ragtruth_summary": "grounded/ragtruth_summary",
}
"""The development sets of a data folder."""

_CHUNK = 512


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures on one set; None where a set has no such figure.

    ``scored`` pairs of texts, or claims of responses, were scored, at ``per_second``. ``accuracy`` is over three labels;
    ``auroc`` and ``ece`` are of entailment against the rest, or, for responses, of unfounded ones;
    ``f1`` is theirs at the best threshold; ``ranked`` is the share of true statements that score above
    their false twin; ``bands`` is what the gate's thresholds promise and hold.
    """

    pairs: int
    scored: int
    per_second: float
    accuracy: float | None = None
    auroc: float | None = None
    ece: float | None = None
    ranked: float | None = None
    f1: float | None = None
    bands: tuple[Band, ...] = ()


def evaluate(
    model: EntailmentModel,
    data: Path,
    *,
    limit: int | None = None,
    sources: int | None = None,
    sets: Sequence[str] = (),
) -> dict[str, Figures]:
    """Figures on each development set of a data folder, on its first ``limit`` rows; of RAGTruth, whose
    rows are sources with several responses each, on the first ``sources`` rows that no training reads."""
    found: dict[str, Figures] = {}
    for name in sets or SETS:
        path = data / f"{SETS[name]}.jsonl.gz"
        if name.startswith("ragtruth"):
            kind, rows = read_dataset(path)
            unread = [row for row in rows if is_measured_on(row["source_id"])]
            found[name] = _figures(model, kind, unread[: sources or limit])
        else:
            found[name] = evaluate_file(model, path, limit=limit)[1]
    return found


def evaluate_file(
    model: EntailmentModel, path: Path, *, limit: int | None = None
) -> tuple[Format, Figures]:
    """Figures on one file, whose rows say what kind of data it is."""
    kind, rows = read_dataset(path, limit)
    return kind, _figures(model, kind, rows)


def _figures(model: EntailmentModel, kind: Format, rows: Sequence[Row]) -> Figures:
    match kind:
        case "tabfact":
            return ranked(model, twins_of(rows))
        case "ragtruth":
            return responses(model, responses_of(rows))
        case _:
            return three_way(model, pairs_of(kind, rows))


def three_way(model: EntailmentModel, pairs: Sequence[Pair]) -> Figures:
    """Accuracy over three labels, AUROC of entailment against the rest, calibration error."""
    clock = _Clock(model)
    scores = clock.scored([(p.premise, p.hypothesis) for p in pairs])
    right = [best(s) == p.label for s, p in zip(scores, pairs, strict=True)]
    chances = np.array([s.entailment for s in scores])
    truths = np.array([p.label == "entailment" for p in pairs])
    return Figures(
        len(pairs),
        clock.count,
        clock.per_second,
        accuracy=float(np.mean(right)),
        auroc=auroc(chances, truths),
        ece=expected_calibration_error(chances, truths),
        bands=bands(chances, truths),
    )


PROBES = Path(__file__).parent / "probes.jsonl"
"""Claims written by hand over records and rules, by what makes them hard. No training reads them."""


def probed(model: EntailmentModel) -> dict[str, tuple[int, int]]:
    """For each kind of probe: how many fall on the right side of one half, of how many."""
    rows = read_dataset(PROBES)[1]
    scores = model.score([(row["premise"], row["hypothesis"]) for row in rows])
    found: dict[str, tuple[int, int]] = {}
    for row, score in zip(rows, scores, strict=True):
        right, total = found.get(row["kind"], (0, 0))
        said = (score.entailment >= 0.5) == (row["label"] == "entailment")
        found[row["kind"]] = right + said, total + 1
    return found


def ranked(model: EntailmentModel, twins: Sequence[Twin]) -> Figures:
    """Is the true statement about a table more entailed than its false twin?"""
    clock = _Clock(model)
    chances = [
        s.entailment for s in clock.scored([t for twin in twins for t in (twin.true, twin.false)])
    ]
    wins = [
        1.0 if true > false else 0.5 if true == false else 0.0
        for true, false in zip(chances[::2], chances[1::2], strict=True)
    ]
    return Figures(len(twins), clock.count, clock.per_second, ranked=float(np.mean(wins)))


def responses(model: EntailmentModel, given: Sequence[Response]) -> Figures:
    """Responses by their least founded claim, each read as Stage 2 reads it."""
    clock = _Clock(model)
    # What holds no claim that is read says nothing either way.
    read = [(claims, r.hallucinated) for r in given if (claims := clock.read(r.run))]
    chances = np.array([min(claims) for claims, _ in read])
    unfounded = np.array([hallucinated for _, hallucinated in read])
    return Figures(
        len(read),
        clock.count,
        clock.per_second,
        auroc=auroc(1 - chances, unfounded),
        f1=best_f1(1 - chances, unfounded),
    )


class _Clock:
    """Scores pairs and counts how many a second."""

    def __init__(self, model: EntailmentModel) -> None:
        self._model, self._seconds, self.count = model, 0.0, 0

    @property
    def per_second(self) -> float:
        return round(self.count / self._seconds, 1) if self._seconds else 0.0

    def scored(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        """Scores in order; like lengths together, which a model that pads is quicker with."""
        began = time.perf_counter()
        order = sorted(range(len(pairs)), key=lambda i: len(pairs[i][0]) + len(pairs[i][1]))
        scores: dict[int, Entailment] = {}
        for start in range(0, len(order), _CHUNK):
            chunk = order[start : start + _CHUNK]
            scores |= dict(zip(chunk, self._model.score([pairs[i] for i in chunk]), strict=True))
        self._seconds += time.perf_counter() - began
        self.count += len(pairs)
        return [scores[i] for i in range(len(pairs))]

    def read(self, run: RunTrace) -> list[float]:
        """How far the evidence of a run bears out each claim of its answer, by the model alone."""
        cases = cases_of(split_claims(run.answer, question=run.question), Ledger.of(run), Policy())
        began = time.perf_counter()
        heard = hear(cases, self._model)
        self._seconds += time.perf_counter() - began
        found: list[float] = []
        for signals, failure in heard:
            if failure is not None:
                raise failure
            found += (
                s.strength for s in signals if s.witness == ENTAILMENT and s.relation == "same"
            )
        self.count += len(found)
        return found


def best(score: Entailment) -> str:
    """The likeliest label."""
    return max(
        ("entailment", "neutral", "contradiction"), key=lambda label: float(getattr(score, label))
    )


def shown(name: str, figures: Mapping[str, Figures]) -> Table:
    """The figures of several sets as a table."""
    table = Table(
        "set", "pairs", "accuracy", "AUROC", "ECE", "ranked right", "best F1", "pairs/s", title=name
    )
    for dataset, f in figures.items():
        numbers = (f.accuracy, f.auroc, f.ece, f.ranked, f.f1)
        cells = ("" if n is None else f"{n:.3f}" for n in numbers)
        table.add_row(dataset, f"{f.pairs:,}", *cells, f"{f.per_second:.0f}")
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument(
        "--model", default="embedded", help="embedded, cross-encoder:NAME_OR_PATH or remote:URL"
    )
    parser.add_argument("--limit", type=int, help="most rows of each set")
    parser.add_argument("--sources", type=int, help="most rows of RAGTruth, where not --limit")
    parser.add_argument("--set", dest="sets", action="append", default=[], choices=list(SETS))
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    model = load_entailment_model(arguments.model)
    figures = evaluate(
        model, arguments.data, limit=arguments.limit, sources=arguments.sources, sets=arguments.sets
    )
    Console().print(shown(model.name, figures))
    if arguments.json:
        record = {"model": model.name, "limit": arguments.limit,
                  "sets": {name: asdict(f) for name, f in figures.items()}}  # fmt: skip
        arguments.json.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
