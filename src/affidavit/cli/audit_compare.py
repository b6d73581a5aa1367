"""``affidavit audit compare``: two audits held against each other."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

from rich.table import Table
from rich.text import Text

from affidavit.audit.compare import Change, Comparison, Flip, compare, told_p
from affidavit.cli.audit import write_text
from affidavit.cli.marks import printable
from affidavit.cli.terminal import console
from affidavit.errors import AffidavitError

_SHOWN_FLIPS = 20


def run(arguments: argparse.Namespace) -> int:
    with _flips(arguments.flips) as told:
        found = compare(arguments.a, arguments.b, told)
    if arguments.html is not None:
        from affidavit.audit.page import comparison_page

        write_text(arguments.html, comparison_page(found, str(arguments.a), str(arguments.b)))
    if arguments.json:
        print(json.dumps(found.as_json(), indent=2, ensure_ascii=False))
    else:
        _print(found)
    return 0


@contextmanager
def _flips(file: Path | None) -> Iterator[Callable[[Flip], None]]:
    """What writes each run that flipped into a file, a line each."""
    if file is None:
        yield lambda flip: None
        return
    try:
        with file.open("w", encoding="utf-8", errors="replace") as lines:
            yield lambda flip: print(json.dumps(asdict(flip), ensure_ascii=False), file=lines)
    except OSError as error:
        raise AffidavitError(f"{file}: cannot be written: {error.strerror}") from error


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
        # An answer may be held back though no claim of it is held against it.
        why = flip.why or f"score {flip.score_before:.2f} → {flip.score_after:.2f}"
        screen.print(line.append(f"  {printable(' '.join(why.split()))}", "not bold"))
    if len(found.flips) > _SHOWN_FLIPS:
        screen.print(
            f"  … {sum(found.moves.values()) - _SHOWN_FLIPS} more; --flips FILE lists them"
        )


def _cells(change: Change) -> tuple[str, ...]:
    told = change.difference
    rates = ["" if one.value is None else f"{one.value:.1%}" for one in (change.a, change.b)]
    value = "" if told.value is None else f"{told.value * 100:+.1f}"
    interval = f"{told.low * 100:+.1f} to {told.high * 100:+.1f}"
    sign = " *" if change.significant else ""
    return (change.measure, *rates, value, interval, f"{told_p(change.p)}{sign}")
