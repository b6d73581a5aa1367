"""`affidavit tune` held to its word: fitted on half of some labelled runs, judged on the other half.

    python benchmarks/tuned.py FIT… --on OTHER… [--max-false-stops 0.05 0.1 0.2] [--halves 200] [--json OUT]

Rows are those of `affidavit.training.runs`: each true answer is a good one, each false one bad. Every answer is judged once.
Prints what is promised and what comes of it on the other files, and the same over random halves of all runs, by run: on
average no more good answers may be stopped than were allowed, and the interval that is shown for a policy's false stops
on new answers should hold what then happens as often as it says.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from affidavit import Detector, Policy
from affidavit.audit.tune import Answer, Gathered, Tuned, answer_of, judged_on, tune
from affidavit.errors import AffidavitError
from affidavit.training.runs import labelled, read_rows

ALLOWED = (0.05, 0.1, 0.15, 0.2, 0.3)


async def answers_of(files: Sequence[Path], detector: Detector) -> dict[str, list[Answer]]:
    """The answers of each run, judged."""
    found: dict[str, list[Answer]] = {}
    for row in read_rows(files):
        for one in labelled(row):
            if one.variant == "true" or one.variant.startswith("false"):
                report = await detector.acheck(one.trace)
                answer = answer_of(report, detector.policy, good=one.is_true)
                found.setdefault(f"{files} {one.run}", []).append(answer)
    return found


def gathered(runs: Sequence[Sequence[Answer]], policy: Policy) -> Gathered:
    return Gathered(policy, [answer for run in runs for answer in run])


@dataclass
class Halves:
    """What so many random halves come to."""

    real: list[float] = field(default_factory=list)
    caught: list[float] = field(default_factory=list)
    within: list[bool] = field(default_factory=list)
    """Whether the real rate of false stops lies where the fit says that it is to be expected."""

    def told(self) -> dict[str, Any]:
        if not self.real:
            return {"halves": 0}
        return {
            "halves": len(self.real),
            "false stops, mean": round(float(np.mean(self.real)), 4),
            "false stops, 90% of halves": [round(float(q), 4) for q in np.quantile(self.real, (0.05, 0.95))],
            "caught, mean": round(float(np.mean(self.caught)), 4),
            "within the interval": round(float(np.mean(self.within)), 4),
        }  # fmt: skip


def over_halves(
    runs: Sequence[Sequence[Answer]], policy: Policy, allowed: float, halves: int
) -> Halves:
    found, rng = Halves(), random.Random(7)
    for _ in range(halves):
        order = rng.sample(range(len(runs)), len(runs))
        cut = len(runs) // 2
        fit, other = ([runs[n] for n in part] for part in (order[:cut], order[cut:]))
        try:
            told = tune(gathered(fit, policy), max_false_stops=allowed, scores_only=True)
        except AffidavitError:
            continue
        real = judged_on(gathered(other, policy), told, scores_only=True)
        assert real.false_stops.value is not None
        found.real.append(real.false_stops.value)
        found.caught.append(real.caught.value or 0.0)
        low, high = told.expected(real.false_stops.of)
        found.within.append(low <= real.false_stops.value <= high)
    return found


def row_of(allowed: float, told: Tuned, other: Gathered) -> dict[str, Any]:
    real = judged_on(other, told, scores_only=True)
    low, high = told.expected(real.false_stops.of)
    return {
        "allowed": allowed,
        "threshold": told.policy.emit_threshold,
        "prior": told.policy.prior,
        "on the half it was fitted on": told.chosen.false_stops.value,
        "expected": [round(low, 4), round(high, 4)],
        "real": [real.false_stops.count, real.false_stops.of, real.false_stops.value],
        "caught": [real.caught.count, real.caught.of, real.caught.value],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fit", nargs="+", type=Path)
    parser.add_argument("--on", nargs="+", type=Path, required=True)
    parser.add_argument("--max-false-stops", nargs="+", type=float, default=ALLOWED)
    parser.add_argument("--halves", type=int, default=200)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    logging.disable(logging.WARNING)
    detector = Detector(Policy())
    sides = [asyncio.run(answers_of(files, detector)) for files in (options.fit, options.on)]
    told: dict[str, Any] = {"split": [], "halves": {}}
    table = Table("allowed", "threshold", "fitted half", "expected", "real", "caught",
                  "halves: real", "within", title="promised and real")  # fmt: skip
    for allowed in options.max_false_stops:
        fit, other = (gathered(list(side.values()), detector.policy) for side in sides)
        halves = over_halves(
            [run for side in sides for run in side.values()], detector.policy, allowed, options.halves
        ).told()  # fmt: skip
        told["halves"][f"{allowed:g}"] = halves
        try:
            made = row_of(allowed, tune(fit, max_false_stops=allowed, scores_only=True), other)
        except AffidavitError as error:
            told["split"].append({"allowed": allowed, "refused": str(error)})
            table.add_row(f"{allowed:.0%}", str(error))
            continue
        told["split"].append(made)
        count, of, value = made["real"]
        table.add_row(
            f"{allowed:.0%}", f"{made['threshold']:.4f}",
            f"{made['on the half it was fitted on']:.1%}", "{:.1%} to {:.1%}".format(*made["expected"]),
            f"{count} of {of}: {value:.1%}", f"{made['caught'][2]:.1%}",
            f"{halves.get('false stops, mean', 0):.1%}", f"{halves.get('within the interval', 0):.1%}",
        )  # fmt: skip
    Console().print(table)
    if options.json:
        options.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
