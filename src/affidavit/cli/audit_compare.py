"""``affidavit audit compare``: two audits held against each other."""

from __future__ import annotations

import argparse
import json

from rich.table import Table
from rich.text import Text

from affidavit.audit.compare import Change, Comparison, compare
from affidavit.cli.audit import write_text
from affidavit.cli.marks import printable
from affidavit.cli.terminal import console

_SHOWN_FLIPS = 20


def run(arguments: argparse.Namespace) -> int:
    found = compare(arguments.a, arguments.b)
    if arguments.html is not None:
        from affidavit.audit.page import comparison_page

        write_text(arguments.html, comparison_page(found, str(arguments.a), str(arguments.b)))
    if arguments.json:
        print(json.dumps(found.as_json(), indent=2, ensure_ascii=False))
    else:
        _print(found)
    return 0


def _print(found: Comparison) -> None:
    screen = console()
    if found.pairs:
        screen.print(
            f"{found.pairs} runs in both ({found.same_record} the same record), {found.only_a} only in "
            f"A, {found.only_b} only in B"
        )
    else:
        screen.print(f"no run is in both: {found.only_a} in A, {found.only_b} in B")
    table = Table("", "A", "B", "difference", "95 % interval", "p", box=None, pad_edge=False)
    for change in found.changes:
        table.add_row(*_cells(change))
    screen.print(table)
    for move, number in found.moves.items():
        screen.print(f"  {move:<16}{number:>7}")
    for flip in found.flips[:_SHOWN_FLIPS]:
        line = Text(f"  {printable(flip.run_id)}  {flip.before} → {flip.after}", "bold")
        screen.print(line.append(f"  {printable(' '.join(flip.why.split()))}", "not bold"))
    if len(found.flips) > _SHOWN_FLIPS:
        screen.print(f"  … {sum(found.moves.values()) - _SHOWN_FLIPS} more; --json lists them")


def _cells(change: Change) -> tuple[str, ...]:
    told = change.difference
    rates = ["" if one.value is None else f"{one.value:.1%}" for one in (change.a, change.b)]
    value = "" if told.value is None else f"{told.value * 100:+.1f}"
    interval = f"{told.low * 100:+.1f} to {told.high * 100:+.1f}"
    sign = " *" if change.significant else ""
    return (change.measure, *rates, value, interval, f"{change.p:.3f}{sign}")
