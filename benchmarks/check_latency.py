"""How long one check of a typical run takes, split by stage.

    python benchmarks/check_latency.py [--runs 5] [--cases FILE] [--json FILE]

The runs are the grounded twins of the conformance cases, each checked several times by one detector;
the first round warms it up and is not counted. Stage times are the report's own.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import time
from pathlib import Path

from affidavit import Detector, Policy, read_run
from affidavit.audit.cases import load_cases
from affidavit.models.entailment.onnx import EmbeddedModel

STAGES = ("ledger", "verify", "ground", "probe", "gate", "total")
CASES = Path(__file__).parents[1] / "specs" / "cases" / "cases.jsonl"


def measure(cases: Path, runs: int) -> tuple[dict[str, list[float]], float]:
    """Milliseconds by stage for each check, and those of the first check, which loads the model."""
    good = [case for case in load_cases(cases) if case.twin == "good"]
    traces = [(Policy.model_validate(case.policy), read_run(case.run)) for case in good]
    started = time.perf_counter()
    # Without the cache of scores: a second round would otherwise be answered from the first.
    model = EmbeddedModel(cache=1)
    detectors = {policy.task_type: Detector(policy, entailment=model) for policy, _ in traces}
    detectors[traces[0][0].task_type].check(traces[0][1])
    first = (time.perf_counter() - started) * 1000
    times: dict[str, list[float]] = {stage: [] for stage in (*STAGES, "wall")}
    for number in range(runs + 1):
        for policy, trace in traces:
            begun = time.perf_counter()
            report = detectors[policy.task_type].check(trace)
            wall = (time.perf_counter() - begun) * 1000
            if number:
                times["wall"].append(wall)
                for stage in STAGES:
                    times[stage].append(getattr(report.timings, stage))
    return times, first


def summary(times: list[float]) -> dict[str, float]:
    cuts = statistics.quantiles(times, n=20, method="inclusive")
    return {"mean": statistics.fmean(times), "p50": cuts[9], "p95": cuts[18], "max": max(times)}


def main() -> int:
    parser = argparse.ArgumentParser(description="Times one check of a typical run.")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--cases", type=Path, default=CASES)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    times, first = measure(arguments.cases, arguments.runs)
    figures = {stage: summary(taken) for stage, taken in times.items()}
    print(f"{len(times['total'])} checks, {os.cpu_count()} cores; first check {first:.0f} ms")
    print(f"{'ms':8} {'mean':>8} {'p50':>8} {'p95':>8} {'max':>8}")
    for stage, figure in figures.items():
        print(f"{stage:8} " + " ".join(f"{value:8.1f}" for value in figure.values()))
    if arguments.json:
        report = {
            "python": platform.python_version(),
            "machine": platform.machine(),
            "cores": os.cpu_count(),
            "checks": len(times["total"]),
            "first_check_ms": first,
            "ms": figures,
        }
        arguments.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
