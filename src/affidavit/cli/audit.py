"""``affidavit audit``: recorded runs in bulk."""

from __future__ import annotations

import argparse
import gzip
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from affidavit.audit.batch import Summary, audit
from affidavit.cli.marks import ACTION, CLAIM
from affidavit.cli.terminal import console, error_console, policy_of
from affidavit.detector import Detector
from affidavit.errors import AffidavitError, TraceError
from affidavit.formats import iter_runs
from affidavit.formats.read import declared
from affidavit.trace import ToolDefinition


def run(arguments: argparse.Namespace) -> int:
    detector = Detector(policy_of(arguments.policy))
    tools = None if arguments.tools is None else read_tools(arguments.tools)
    errors = error_console()

    def told(error: AffidavitError) -> None:
        errors.print(f"affidavit: {error}", style="red")

    with _progress(arguments.file) as moved:
        summary = audit(
            iter_runs(arguments.file),
            arguments.out,
            detector.check,
            tools=tools,
            every_turn=arguments.every_turn,
            on_line=moved,
            on_fault=told,
        )
    _print(summary, arguments.out)
    return 1 if summary.faults else 0


def read_tools(path: Path) -> tuple[ToolDefinition, ...]:
    """Tool declarations from a JSON file, as any provider takes them."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(data, list):
            raise TraceError("expected a list of tool declarations")
        return declared(data)
    except OSError as error:
        raise TraceError(f"cannot be read: {error.strerror}", file=str(path)) from error
    except json.JSONDecodeError as error:
        raise TraceError(
            f"not valid JSON: {error.msg}", file=str(path), line=error.lineno
        ) from error
    except TraceError as error:
        raise error.at(file=str(path)) from error


class _OnLine(Protocol):
    def __call__(self, line: int, /) -> None: ...


@contextmanager
def _progress(path: str) -> Iterator[_OnLine]:
    """A bar on a terminal, nothing elsewhere."""
    screen = error_console()
    if not screen.is_terminal:
        yield lambda line: None
        return
    columns = (TextColumn("Auditing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen) as bar:
        task = bar.add_task("", total=_count_lines(path))
        yield lambda line: bar.update(task, completed=line)


def _count_lines(path: str) -> int | None:
    """How many lines there are to go; None where they cannot be counted beforehand."""
    try:
        with Path(path).open("rb") as file:
            packed = file.peek(2)[:2] == b"\x1f\x8b"
            return sum(1 for _ in (gzip.GzipFile(fileobj=file) if packed else file))
    except (OSError, EOFError, zlib.error):
        return None  # whoever reads the runs says what is wrong


def _print(summary: Summary, out: Path) -> None:
    screen = console()
    judged = sum(summary.actions.values())
    resumed = f", {summary.resumed} of them from before" if summary.resumed else ""
    bad = f"; {len(summary.faults)} could not be judged" if summary.faults else ""
    screen.print(f"{judged} reports in {out}{resumed}{bad}")
    table = Table(box=None, pad_edge=False, show_header=False)
    for name, (sign, style) in ACTION.items():
        table.add_row(f"{sign} {name}", *_share(summary.actions[name], judged), style=style)
    table.add_row()
    claims = sum(summary.claims.values())
    for status, (sign, style) in CLAIM.items():
        table.add_row(f"{sign} {status}", *_share(summary.claims[status], claims), style=style)
    screen.print(table)


def _share(count: int, total: int) -> tuple[str, str]:
    return f"{count:>7}", f"{count / total:>6.1%}" if total else ""
