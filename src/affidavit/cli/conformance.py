"""``affidavit conformance``: how much of the executable specification a detector gets right."""

from __future__ import annotations

import argparse
import json

from rich.table import Table
from rich.text import Text

from affidavit.audit.cases import load_cases
from affidavit.audit.conformance import Conformance, Score, run_cases
from affidavit.cli.terminal import console, working


def run(arguments: argparse.Namespace) -> int:
    cases = list(load_cases(arguments.file))
    with working("Judging"):
        results = Conformance(cases=tuple(run_cases(cases)))
    if arguments.json:
        print(json.dumps(_as_json(results), indent=2, ensure_ascii=False))
    else:
        _print(results)
    return 1 if results.failed_ids else 0


def _as_json(results: Conformance) -> dict[str, object]:
    return {
        **_counts(results.score()),
        "families": {name: _counts(score) for name, score in results.families().items()},
        "cases": [case.model_dump() | {"right": case.right} for case in results.cases],
    }


def _counts(score: Score) -> dict[str, int]:
    return {
        "good": score.good.total,
        "good_right": score.good.right,
        "faulty": score.faulty.total,
        "faulty_right": score.faulty.right,
        "pairs": score.pairs.total,
        "pairs_right": score.pairs.right,
    }


def _print(results: Conformance) -> None:
    screen = console()
    for case in results.cases:
        if case.right:
            continue
        screen.print(Text.assemble(("✗ ", "red"), (case.id, "bold"), f"  {case.family}"))
        for failure in case.failures:
            screen.print(Text(f"    expected {failure.expected}"))
            screen.print(Text(f"    came     {failure.got}", "dim"))
    table = Table(box=None, pad_edge=False)
    table.add_column("family")
    for heading in ("good right", "faulty right", "pairs right"):
        table.add_column(heading, justify="right")
    for name, score in results.families().items():
        wrong = score.pairs.right < score.pairs.total
        table.add_row(name, *_row(score), style="yellow" if wrong else "")
    table.add_row("all", *_row(results.score()), style="bold")
    screen.print(table)


def _row(score: Score) -> tuple[str, str, str]:
    return str(score.good), str(score.faulty), str(score.pairs)
