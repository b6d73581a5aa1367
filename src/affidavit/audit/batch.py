"""Many recorded runs in, one report a line out; can be stopped and started again at any point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from affidavit.errors import AffidavitError, TraceError
from affidavit.policy import Policy
from affidavit.report import HallucinationReport
from affidavit.trace import Message, RunTrace, TextPart, ToolDefinition


@dataclass
class Summary:
    """What a batch came to, the part done by earlier runs of it included."""

    actions: Counter[str] = field(default_factory=Counter)
    claims: Counter[str] = field(default_factory=Counter)
    resumed: int = 0
    """Runs whose report was there already."""
    faults: list[AffidavitError] = field(default_factory=list)

    def count(self, report: HallucinationReport) -> None:
        self.actions[report.action] += 1
        self.claims.update(claim.status for claim in report.claims)


def audit(
    runs: Iterable[tuple[int, RunTrace | TraceError]],
    out: Path,
    check: Callable[[RunTrace], HallucinationReport],
    *,
    policy: Policy | None = None,
    tools: tuple[ToolDefinition, ...] | None = None,
    system: str | None = None,
    every_turn: bool = False,
    on_line: Callable[[int], None] = lambda line: None,
    on_fault: Callable[[AffidavitError], None] = lambda error: None,
) -> Summary:
    """Check each run that ``out`` has no report of yet, and append its report there.

    Reports that are there must have been made under ``policy``, where it is given. ``tools`` are the
    declarations for runs that carry none, ``system`` the system prompt for runs that begin without
    one. A line that cannot be read, or a run that cannot be checked, is handed to ``on_fault`` and
    left out; the rest goes on.
    """
    summary = Summary()
    done: Counter[str] = Counter()
    for report in _existing(out):
        if policy is not None and report.policy != policy.model_dump(mode="json"):
            raise TraceError(f"run {report.run_id} was judged under another policy", file=str(out))
        done[report.run_id] += 1
        summary.count(report)

    def fault(error: AffidavitError) -> None:
        summary.faults.append(error)
        on_fault(error)

    for line, run in runs:
        on_line(line)
        if isinstance(run, TraceError):
            fault(run)
            continue
        for trace in _traces(run, tools, system, every_turn):
            if done[trace.run_id]:
                done[trace.run_id] -= 1
                summary.resumed += 1
                continue
            try:
                report = check(trace)
            except Exception as error:  # one run must not end a batch of thousands
                fault(_fault_of(trace, line, error))
                continue
            _append(report, out)
            summary.count(report)
    return summary


def _traces(
    run: RunTrace, tools: tuple[ToolDefinition, ...] | None, system: str | None, every_turn: bool
) -> Iterator[RunTrace]:
    if run.tools is None and tools is not None:
        run = run.model_copy(update={"tools": tools})
    if system is not None and not any(message.role == "system" for message in run.messages):
        prompt = Message(role="system", parts=(TextPart(text=system),))
        run = run.model_copy(update={"messages": (prompt, *run.messages)})
    return run.turns() if every_turn else iter((run,))


def _fault_of(trace: RunTrace, line: int, error: Exception) -> AffidavitError:
    what = str(error) if isinstance(error, AffidavitError) else f"{type(error).__name__}: {error}"
    fault = TraceError(f"run {trace.run_id} could not be checked: {what}", line=line)
    fault.__cause__ = error
    return fault


def _append(report: HallucinationReport, out: Path) -> None:
    with out.open("a", encoding="utf-8") as lines:
        lines.write(report.model_dump_json() + "\n")


def _existing(out: Path) -> Iterator[HallucinationReport]:
    """The reports that ``out`` holds. A last line that was only half written is cut off."""
    if not out.exists():
        return
    start = 0
    with out.open("rb+") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n") and _begins_a_report(line):
                file.truncate(start)
                return
            yield _read_report(line, out, number)
            start += len(line)


def _begins_a_report(line: bytes) -> bool:
    """Only what this module wrote may be cut: the file could be somebody's by mistake."""
    opening = b'{"run_id":'
    return line[: len(opening)] == opening[: len(line)]


def _read_report(line: bytes, out: Path, number: int) -> HallucinationReport:
    try:
        return HallucinationReport.model_validate_json(line)
    except ValidationError as error:
        fault = error.errors()[0]
        raise TraceError(
            f"is not a report, so nothing was added to this file: {fault['msg']}",
            field=".".join(map(str, fault["loc"])),
            file=str(out),
            line=number,
        ) from error
