"""``affidavit tune``: a policy learnt from labelled runs."""

from __future__ import annotations

import argparse
import json
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from rich.table import Table
from rich.text import Text

from affidavit.audit.tune import (
    Gathered,
    Point,
    Tuned,
    from_log,
    from_reports,
    judged_on,
    read_labels,
    tune,
)
from affidavit.audit.tune.labels import labels_in_log
from affidavit.audit.tune.words import head, notes, share, shown_points, verdict_on, written
from affidavit.cli.audit import write_text
from affidavit.cli.policy import as_toml
from affidavit.cli.terminal import console, error_console, working
from affidavit.errors import AffidavitError
from affidavit.policy import Policy

_SHOWN = 14
_ENDINGS = (".toml", ".json")


def run(arguments: argparse.Namespace) -> int:
    if not arguments.runs and arguments.log is None:
        raise AffidavitError("name runs to learn from, or a run log with --log")
    out: Path | None = arguments.out
    if out is not None and out.suffix.lower() not in _ENDINGS:
        raise AffidavitError(f"{out}: a policy is written as .toml or .json")
    with working("Reading and judging"):
        gathered = _gathered(arguments)
    told = tune(
        gathered, max_false_stops=arguments.max_false_stops, prior=arguments.prior,
        scores_only=arguments.scores_only,
    )  # fmt: skip
    held_out = _held_out(arguments, told) if arguments.held_out else None
    if out is not None:
        _write(told, out)
    if arguments.html is not None:
        from affidavit.audit.tune.page import tune_page

        write_text(arguments.html, tune_page(told, out.name if out else "policy"))
    if arguments.json:
        more = {"held_out": asdict(held_out)} if held_out else {}
        print(json.dumps(told.as_json() | more, indent=2, ensure_ascii=False))
    else:
        _print(told, gathered, out, held_out)
    return 0


def _held_out(arguments: argparse.Namespace, told: Tuned) -> Point:
    """What was learnt, on the runs that are held out: their labels stand beside the others', or in the runs."""
    labels = None if arguments.labels is None else read_labels(arguments.labels)
    with working("Judging what is held out"):
        others = from_reports(arguments.held_out, labels, told.before)
    if others.known_good:
        raise AffidavitError(
            "the runs that are held out have no labels, so nothing can be told of the promise"
        )
    return judged_on(others, told, scores_only=arguments.scores_only)


def _gathered(arguments: argparse.Namespace) -> Gathered:
    policy = None if arguments.policy is None else Policy.load(arguments.policy)
    labels = None if arguments.labels is None else read_labels(arguments.labels)
    errors, failed = error_console(), 0

    def told(error: AffidavitError) -> None:
        nonlocal failed
        failed += 1
        errors.print(f"affidavit: {error}", style="red")

    with ExitStack() as stack:
        if arguments.log is not None:
            from affidavit.records.runlog import open_log

            log = stack.enter_context(open_log(arguments.log, create=False))
            if not arguments.runs:
                return from_log(log, policy)
            labels = labels_in_log(log)
        gathered = from_reports(arguments.runs, labels, policy, on_fault=told)
    gathered.failed = failed
    return gathered


def _write(told: Tuned, out: Path) -> None:
    policy = written(told.policy)
    if out.suffix.lower() == ".json":
        text = json.dumps(policy, indent=2, ensure_ascii=False)
    else:
        text = "\n".join([*(f"# {line}" for line in head(told)), *as_toml(policy)])
    write_text(out, text + "\n")


def _print(told: Tuned, gathered: Gathered, out: Path | None, held_out: Point | None) -> None:
    screen = console()
    if gathered.known_good:
        screen.print("No labels: all runs are taken to be good.", style="yellow")
    left = [
        f"{number} {what}"
        for number, what in (
            (gathered.unlabelled, "without a label"),
            (gathered.partial, "labelled in part"),
            (gathered.failed, "not judged"),
        )
        if number
    ]
    more = f"; left out: {', '.join(left)}" if left else ""
    screen.print(f"{told.good} good and {told.bad} bad answers{more}")
    if gathered.unmatched:
        screen.print(f"labels of {gathered.unmatched} runs that were not given", style="yellow")
    table = Table(
        "", "emit", "good stopped", "95 %", "bad stopped", "95 %", box=None, pad_edge=False
    )
    for point in shown_points(told, _SHOWN):
        chosen = point.threshold == told.chosen.threshold
        table.add_row(
            "→" if chosen else "", f"{point.threshold:.4f}",
            *_rate(share(point.false_stops)), *_rate(share(point.caught)),
            style="bold" if chosen else "",
        )  # fmt: skip
    screen.print(table)
    points = (
        ("before", told.now), ("after", told.chosen), ("left out", told.left_out), ("held out", held_out),
    )  # fmt: skip
    for name, one in points:
        if one is not None:
            line = Text(f"{name:<9}", "bold")
            said = (
                f"emit at {one.threshold:.4f}: good stopped {share(one.false_stops)}, "
                f"bad stopped {share(one.caught)}"
            )
            screen.print(line.append(said, "not bold"))
    if held_out is not None:
        screen.print(Text(f"  {verdict_on(told, held_out)}"))
    for note in notes(told):
        screen.print(Text(f"  {note}"))
    if out is not None:
        screen.print(
            f"{out}: prior {told.policy.prior:g}, emit from {told.policy.emit_threshold:g}"
        )


def _rate(told: str) -> tuple[str, str]:
    value, _, between = told.partition(" ")
    return value, between.strip("()")
