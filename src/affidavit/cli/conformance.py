"""``affidavit conformance``: how much of the executable specification a detector gets right."""

from __future__ import annotations

import argparse
import json

from rich.table import Table
from rich.text import Text

from affidavit.audit.cases import load_cases
from affidavit.audit.conformance import Conformance, run_cases
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
    pairs = results.pairs()
    return {
        "pairs": len(pairs),
        "pairs_right": sum(pairs.values()),
        "families": {
            name: {"pairs": total, "pairs_right": right}
            for name, (right, total) in results.families().items()
        },
        "cases": [case.model_dump() | {"right": case.right} for case in results.cases],
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
    table.add_column("pairs right", justify="right")
    for name, (right, total) in results.families().items():
        style = "" if right == total else "yellow"
        table.add_row(name, f"{right} / {total}", style=style)
    pairs = results.pairs()
    table.add_row("all", f"{sum(pairs.values())} / {len(pairs)}", style="bold")
    screen.print(table)
