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
from rich.text import Text

from affidavit.audit.batch import Summary, audit
from affidavit.cli.marks import ACTION, CLAIM, marked
from affidavit.cli.recording import recorded
from affidavit.cli.terminal import console, error_console, policy_of
from affidavit.detector import Detector
from affidavit.errors import AffidavitError, TraceError
from affidavit.formats import iter_runs, load_run
from affidavit.formats.read import declared
from affidavit.trace import RunTrace, ToolDefinition


def run(arguments: argparse.Namespace) -> int:
    policy = policy_of(arguments.policy)
    if arguments.judge:  # in the policy, so that every report says who judged
        policy = policy.model_copy(update={"entailment": f"judge:{arguments.judge}"})
    detector = Detector(policy)
    tools = None if arguments.tools is None else read_tools(arguments.tools)
    system = None if arguments.system is None else _read_text(arguments.system)
    errors = error_console()

    def told(error: AffidavitError) -> None:
        errors.print(f"affidavit: {error}", style="red")

    try:
        with (
            _progress(arguments.file) as moved,
            recorded(detector.check, arguments.log) as check,
        ):
            summary = audit(
                _runs(arguments.file),
                arguments.out,
                check,
                policy=detector.policy,
                tools=tools,
                system=system,
                every_turn=arguments.every_turn,
                on_line=moved,
                on_fault=told,
            )
    except OSError as error:  # the runs' own come as TraceError
        raise AffidavitError(f"{arguments.out}: cannot be written: {error.strerror}") from error
    _print(summary, arguments.out)
    return 1 if summary.faults else 0


def _runs(path: str) -> Iterator[tuple[int, RunTrace | TraceError]]:
    """The runs of a file; a file with one run over several lines is refused as a whole."""
    for line, run in iter_runs(path):
        if line == 1 and isinstance(run, TraceError) and _is_one_document(path):
            raise TraceError(
                "one run over several lines; expected one a line (affidavit check judges it)",
                file=path,
            )
        yield line, run


def _is_one_document(path: str) -> bool:
    try:
        load_run(path)
    except TraceError:
        return False
    return True


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TraceError(f"cannot be read as text: {error}", file=str(path)) from error


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
    for title, looks, counts in (
        ("answers", ACTION, summary.actions),
        ("claims", CLAIM, summary.claims),
    ):
        screen.print(Text(title, "bold"))
        for name, look in looks.items():
            share = f"{counts[name] / counts.total():7.1%}" if counts else ""
            line = marked(look, f"{name:<13}").append(f"{counts[name]:>7}{share}")
            screen.print(Text("  ").append_text(line))
