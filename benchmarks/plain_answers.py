"""Plain one-sentence answers over plain results: true ones held back, false ones let through.

    python benchmarks/plain_answers.py [--every 1] [--prior 0.95] [--json FILE]

240 runs (``plain_answers.jsonl``: orders, tickets, timetables, tables, minutes, logs), each with five true answers
and three false ones, written by people who had not seen what the checks do. Those of an even number may be read, and the
verdict is fitted on them; of the others nobody has looked at a single failure.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from natural_runs import Judged, judged
from rich.console import Console
from rich.table import Table

from affidavit.detector import Detector
from affidavit.policy import Policy
from affidavit.training.measures import auroc
from affidavit.training.runs import Labelled, read_rows
from affidavit.training.verdict import plain_trace

ITEMS = Path(__file__).with_suffix(".jsonl")


def answers(row: dict[str, Any], detector: Detector) -> list[Judged]:
    """Every answer of a run, judged."""
    said = [(text, True) for text in row["true"]] + [(text, False) for text, _ in row["false"]]
    found: list[Judged] = []
    for text, is_true in said:
        trace = plain_trace(row, text)
        report = detector.check(trace)
        variant = "true" if is_true else "false"
        one = Labelled(row["id"], variant, "", trace, (), (is_true or None,) * len(report.claims))
        found.append(judged(report, one))
    return found


def measure(found: list[Judged]) -> dict[str, Any]:
    """Held back, let through, and how well the overall score tells true answers from false ones."""
    scores, truths = np.array([a.overall for a in found]), np.array([a.is_true for a in found])
    model = np.array([min((m for _, m, _ in a.claims), default=1.0) for a in found])
    out = np.array([a.action == "emit" for a in found])
    return {
        "true": int(truths.sum()),
        "false": int((~truths).sum()),
        "true held back": float((~out[truths]).mean()),
        "false let through": float(out[~truths].mean()),
        "AUROC": auroc(scores, truths),
        "AUROC, the model alone": auroc(model, truths),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Plain answers, true and false.")
    parser.add_argument("--every", type=int, default=1, help="only every so many runs")
    parser.add_argument("--prior", type=float, default=Policy().prior)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    detector = Detector(Policy(prior=options.prior))
    halves: dict[str, list[Judged]] = {"even, may be read": [], "odd, unread": []}
    for n, row in enumerate(read_rows([ITEMS])):
        if n % options.every == 0:
            half = "odd, unread" if int(row["id"].rsplit("-", 1)[1]) % 2 else "even, may be read"
            halves[half] += answers(row, detector)
    figures = {half: measure(found) for half, found in halves.items() if found}
    table = Table("runs", "true held back", "false let through", "AUROC", "AUROC, the model alone")
    for half, f in figures.items():
        held, let = f["true held back"], f["false let through"]
        both = (f"{f[name]:.3f}" for name in ("AUROC", "AUROC, the model alone"))
        table.add_row(half, f"{held:.1%} of {f['true']:,}", f"{let:.1%} of {f['false']:,}", *both)
    Console().print(table)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
