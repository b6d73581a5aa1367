"""Recorded customer-service runs: answers that are stopped, and faults put into them that are found.

    python benchmarks/retail_answers.py --tools TOOLS.json --system POLICY.md RUNS.jsonl.gz … \\
        [--every 1] [--offset 0] [--show N] [--faults] [--seed 7] [--json FILE]

Every assistant turn that speaks to the user is one answer, judged on what came before it. A run that
earned its reward may still hold an unsupported remark, and one that did not may be truthful
throughout: ``--show`` prints stopped turns, drawn by the seed, for a reader to judge. With ``--faults``
each answer that goes out is judged again with one thing in it made false, once for each kind of fault
(``faults.py``); a fault is found when its answer is stopped and its claim is not
called supported.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faults import Fault, faults_in
from rich.console import Console
from rich.table import Table

from affidavit import Detector, HallucinationReport
from affidavit.audit.conformance import claims_at
from affidavit.cli.tools import read_tools
from affidavit.errors import TraceError
from affidavit.formats import iter_runs
from affidavit.trace import Message, RunTrace, TextPart, ToolDefinition


@dataclass(frozen=True)
class Turn:
    """One judged answer; ``faults`` says of each fault put into it whether it was found."""

    rewarded: bool
    report: HallucinationReport
    faults: tuple[tuple[Fault, bool], ...] = ()


def main() -> None:
    parser = argparse.ArgumentParser(description="Shares of recorded answers that are stopped.")
    parser.add_argument("runs", type=Path, nargs="+")
    parser.add_argument("--tools", type=Path, required=True)
    parser.add_argument("--system", type=Path, required=True, help="prompt of runs without one")
    parser.add_argument("--every", type=int, default=1, help="judge every n-th run")
    parser.add_argument(
        "--offset", type=int, default=0, help="judge the runs whose number leaves this remainder"
    )
    parser.add_argument("--show", type=int, default=0, help="print so many stopped turns")
    parser.add_argument("--faults", action="store_true", help="put faults into the answers as well")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    tools, system = read_tools(options.tools), options.system.read_text(encoding="utf-8")
    detector = Detector()
    judged = {
        path.name: [
            judge(trace, detector, options.seed if options.faults else None)
            for trace in answers(path, tools, system, options.every, options.offset)
        ]
        for path in options.runs
    }
    console = Console()
    figures = {name: measure(turns) for name, turns in judged.items()}
    console.print(table(figures))
    if options.faults:
        found = recall(
            [fault for turns in judged.values() for turn in turns for fault in turn.faults]
        )
        figures["injected faults"] = found
        console.print(fault_table(found))
    stopped = [t for turns in judged.values() for t in turns if t.rewarded and _stopped(t)]
    random.Random(options.seed).shuffle(stopped)
    for turn in stopped[: options.show]:
        show(turn.report, console)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def answers(
    path: Path, tools: tuple[ToolDefinition, ...], system: str, every: int = 1, offset: int = 0
) -> Iterator[RunTrace]:
    """Each answer of every ``every``-th run, with ``rewarded`` in its metadata."""
    rewards = [float(json.loads(line)["reward"]) for line in _lines(path)]
    for line, run in iter_runs(path, tools=tools):
        if isinstance(run, TraceError) or line % every != offset:
            continue
        if not any(message.role == "system" for message in run.messages):
            prompt = Message(role="system", parts=(TextPart(text=system),))
            run = run.model_copy(update={"messages": (prompt, *run.messages)})
        # τ-bench rewards carry rounding; a task is done or it is not.
        rewarded = {"rewarded": rewards[line - 1] >= 0.9}
        for turn in run.turns():
            if turn.answer.strip():
                yield turn.model_copy(update={"metadata": {**turn.metadata, **rewarded}})


def judge(trace: RunTrace, detector: Detector, seed: int | None) -> Turn:
    """One answer as it was given and, with a seed, with each fault that it has room for."""
    report = detector.check(trace)
    found: list[tuple[Fault, bool]] = []
    if seed is not None and report.action == "emit":
        for fault in faults_in(trace, report, seed=seed):
            again = detector.check(trace.model_copy(update={"answer": fault.answer}))
            told = [c for c in claims_at(again, fault.start, fault.end) if c.status != "exempt"]
            marked = any(c.status in ("contradicted", "unsupported") for c in told)
            found.append((fault, again.action != "emit" and marked))
    return Turn(bool(trace.metadata["rewarded"]), report, tuple(found))


def recall(faults: list[tuple[Fault, bool]]) -> dict[str, Any]:
    """For each kind how many faults were put in and found, and examples of those that were not."""
    figures: dict[str, Any] = {}
    for kind in sorted({fault.kind for fault, _ in faults}):
        of_kind = [(fault, hit) for fault, hit in faults if fault.kind == kind]
        missed = [fault for fault, hit in of_kind if not hit]
        figures[kind] = {
            "faults": len(of_kind),
            "found": len(of_kind) - len(missed),
            "missed": [f"{f.answer[max(0, f.start - 80) : f.end + 40]!r}" for f in missed[:20]],
        }
    return figures


def fault_table(figures: dict[str, Any]) -> Table:
    shown = Table("fault", "put in", "found", "recall (aim: > 90%)")
    for kind, row in figures.items():
        share = f"{row['found'] / row['faults']:.1%}"
        shown.add_row(kind, str(row["faults"]), str(row["found"]), share)
    total, found = (sum(row[key] for row in figures.values()) for key in ("faults", "found"))
    shown.add_row("all", str(total), str(found), f"{found / max(1, total):.1%}")
    return shown


def _lines(path: Path) -> Iterator[str]:
    import gzip

    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from (line for line in lines if line.strip())


def _stopped(turn: Turn) -> bool:
    return turn.report.action != "emit"


def measure(turns: list[Turn]) -> dict[str, Any]:
    """Shares of actions by reward, and what stopped the rewarded ones."""
    found: dict[str, Any] = {}
    for name, group in (
        ("rewarded", [t for t in turns if t.rewarded]),
        ("not rewarded", [t for t in turns if not t.rewarded]),
    ):
        actions = Counter(turn.report.action for turn in group)
        causes = Counter(
            f"{claim.kind} by {claim.decided_by}"
            for turn in group
            if _stopped(turn)
            for claim in turn.report.claims
            if claim.score is not None and claim.score < 0.85 and claim.status != "exempt"
        )
        found[name] = {
            "answers": len(group),
            **{action: actions[action] for action in ("emit", "revise", "block")},
            "stopped": 1 - actions["emit"] / max(1, len(group)),
            "claims_that_stop": dict(causes.most_common()),
        }
    return found


def table(figures: dict[str, Any]) -> Table:
    shown = Table("runs", "reward", "answers", "emit", "revise", "block", "stopped (aim: < 5%)")
    for name, groups in figures.items():
        for group, row in groups.items():
            counts = [str(row[key]) for key in ("answers", "emit", "revise", "block")]
            shown.add_row(name, group, *counts, f"{row['stopped']:.1%}")
    return shown


def show(report: HallucinationReport, console: Console) -> None:
    console.rule(f"{report.run_id}: {report.action}", align="left")
    console.print(report.answer, markup=False, highlight=False)
    for claim in report.claims:
        if claim.score is not None and claim.score < 0.85:
            told = (
                f"{claim.status} {claim.score:.2f} {claim.kind}, {claim.decided_by}: {claim.text}"
            )
            console.print(f"  ! {told}", markup=False, highlight=False, style="bold")
            for check in claim.checks:
                if check.state == "checked":
                    detail = f"{check.name} {check.verdict} {check.score} {check.detail}"
                    console.print(f"      {detail}", markup=False, highlight=False, style="dim")


if __name__ == "__main__":
    main()
