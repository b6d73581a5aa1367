"""Labelled runs of a current assistant: what is stopped of its true answers, and what is caught of its false ones.

    python benchmarks/natural_runs.py FILE… [--prior 0.95] [--symmetric] [--kind WORDS] [--json OUT]

Rows are those of `affidavit.training.runs`. Prints what the policy's defaults do, the whole trade-off by the overall score,
how well single claims are told apart by the verdict and by the entailment model alone, and what a judge that is always
right would make of it if it were asked about the most doubtful claims only. ``--symmetric`` judges each labelled statement
over both of its results as well, and says how often it scores higher over the one that bears it out. ``--kind`` takes only
the false statements of a kind that has these words in its name, and the runs that have any.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from affidavit.detector import Detector
from affidavit.policy import Policy
from affidavit.report import ClaimVerdict, HallucinationReport
from affidavit.training.measures import auroc
from affidavit.training.runs import Labelled, Row, labelled, read_rows

ASKED = (0.1, 0.2, 0.3, 0.4)
"""Shares of the claims that a judge is asked about, the most doubtful ones."""
STOPPED = (0.02, 0.05, 0.1, 0.2, 0.3)
"""Shares of true answers that may be stopped."""


@dataclass
class Judged:
    """One answer: its scored claims, with their labels where known, and what became of it."""

    is_true: bool
    action: str
    overall: float
    claims: list[tuple[float, float, bool | None]] = field(default_factory=list)
    """Verdict, entailment by the model alone, label. A claim of a false answer without a label is true."""

    @property
    def flagged(self) -> bool:
        return any(score < 0.85 for score, _, label in self.claims if label is False)


def judged(report: HallucinationReport, one: Labelled) -> Judged:
    found = Judged(one.is_true, report.action, report.overall_score)
    for claim, label in zip(report.claims, one.labels, strict=True):
        if claim.score is not None:
            found.claims.append((claim.score, _entailed(claim), label))
    return found


def _entailed(claim: ClaimVerdict) -> float:
    said = (c.score for c in claim.checks if c.name == "entailment")
    return next((score for score in said if score is not None), 0.5)


def measure(answers: list[Judged]) -> dict[str, Any]:
    """Every figure of the table."""
    true = [a for a in answers if a.is_true]
    false = [a for a in answers if not a.is_true]
    known = [(s, m, label) for a in answers for s, m, label in a.claims if label is not None]
    labels = np.array([label for _, _, label in known])
    overall = np.array([a.overall for a in answers])
    truth = np.array([a.is_true for a in answers])
    least = sorted(a.overall for a in true)
    return {
        "true answers": len(true),
        "false answers": len(false),
        "true answers stopped": _share([a.action != "emit" for a in true]),
        "true answers blocked": _share([a.action == "block" for a in true]),
        "false answers stopped": _share([a.action != "emit" for a in false]),
        "the false statement itself flagged": _share([a.flagged for a in false]),
        "AUROC of answers": auroc(overall, truth),
        "AUROC of claims": auroc(np.array([s for s, _, _ in known]), labels),
        "AUROC of claims, the model alone": auroc(np.array([m for _, m, _ in known]), labels),
        "claims of true answers below 0.85": _share(
            [s < 0.85 for a in true for s, _, _ in a.claims]
        ),
        "caught while so many true answers are stopped": {
            f"{share:.0%}": _share([a.overall < least[int(share * len(least))] for a in false])
            for share in STOPPED
        },
        "with a judge that is always right": {
            f"{share:.0%} of claims asked": _with_judge(answers, share) for share in ASKED
        },
    }


def _share(found: list[bool]) -> float:
    return round(float(np.mean(found)), 4) if found else 0.0


def _with_judge(answers: list[Judged], share: float) -> dict[str, float]:
    """The claims with the lowest scores are answered by their labels; the others keep what they have."""
    scores = np.array([s for a in answers for s, _, _ in a.claims])
    bound = float(np.quantile(scores, share))
    stopped: dict[bool, list[bool]] = defaultdict(list)
    for answer in answers:
        least = min((_asked(s, label, bound) for s, _, label in answer.claims), default=1.0)
        stopped[answer.is_true].append(least < 0.85)
    return {"caught": _share(stopped[False]), "stopped": _share(stopped[True])}


def _asked(score: float, label: bool | None, bound: float) -> float:
    return score if score > bound else float(label is not False)


def shown(figures: dict[str, Any], title: str) -> Table:
    table = Table("measure", "figure", title=title)
    for name, value in figures.items():
        if isinstance(value, dict):
            for inner, more in value.items():
                told = (
                    ", ".join(f"{k} {v:.3f}" for k, v in more.items())
                    if isinstance(more, dict)
                    else f"{more:.3f}"
                )
                table.add_row(f"{name}: {inner}", told)
        else:
            table.add_row(name, f"{value:.3f}" if isinstance(value, float) else str(value))
    return table


def rows_of(files: Iterable[Path], kind: str = "") -> list[Row]:
    """The runs, or with ``kind`` those that have false statements of it, and of these no others."""
    rows = [
        {**row, "false": [false for false in row["false"] if kind in false["kind"]]}
        for row in read_rows(files)
    ]
    return [row for row in rows if row["false"] or not kind]


async def ranked(rows: Iterable[Row], detector: Detector) -> dict[str, Any]:
    """The same statement over two results, one of which bears it out: how they are told apart."""
    scores: dict[tuple[str, str, bool], tuple[float, float]] = {}
    for row in rows:
        for one in labelled(row):
            report = await detector.acheck(one.trace)
            for claim, label in zip(report.claims, one.labels, strict=True):
                if claim.score is not None and label is not None:
                    at = (one.run, claim.text, label)
                    scores.setdefault(at, (claim.score, _entailed(claim)))
    pairs = [
        (found, scores[(run, text, False)])
        for (run, text, label), found in scores.items()
        if label and (run, text, False) in scores
    ]
    both = np.array([label for _, _, label in scores])
    return {
        "statements with two results": len(pairs),
        "ranked right by the verdict": _share([a[0] > b[0] for a, b in pairs]),
        "ranked right by the model": _share([a[1] > b[1] for a, b in pairs]),
        "AUROC of the verdict": auroc(np.array([v for v, _ in scores.values()]), both),
        "AUROC of the model": auroc(np.array([m for _, m in scores.values()]), both),
    }


async def judge_all(rows: Iterable[Row], detector: Detector) -> list[Judged]:
    found: list[Judged] = []
    for row in rows:
        for one in labelled(row):
            if one.variant == "true" or one.variant.startswith("false"):
                found.append(judged(await detector.acheck(one.trace), one))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--prior", type=float, default=Policy().prior)
    parser.add_argument("--symmetric", action="store_true")
    parser.add_argument("--kind", default="")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows = rows_of(options.files, options.kind)
    if not rows:
        parser.error(f"no false statement is of a kind with the words {options.kind!r}")
    detector = Detector(Policy(prior=options.prior))
    figures = measure(asyncio.run(judge_all(rows, detector)))
    if options.symmetric:
        figures["over two results"] = asyncio.run(ranked(rows, detector))
    names = ", ".join(file.name for file in options.files)
    names += f", {options.kind}" if options.kind else ""
    Console().print(shown(figures, f"{names}, prior {options.prior:g}"))
    if options.json:
        asked = {"files": [f.name for f in options.files], "prior": options.prior}
        record = {**asked, "kind": options.kind, **figures}
        options.json.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
