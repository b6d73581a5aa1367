"""How long ``import affidavit`` takes, against a limit and against importing pydantic alone.

    python benchmarks/import_time.py [--runs 15] [--json FILE]

Each figure is the median over fresh interpreters, less the median of an interpreter that imports
nothing. Exits with 1 if a limit is exceeded.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import subprocess
import sys
import time
from pathlib import Path

LIMIT_MS = 300.0

# What is timed, and whether the limit holds for it.
CASES: dict[str, tuple[str, bool]] = {
    "import affidavit": ("import affidavit", True),
    "from affidavit import Detector, Policy": ("from affidavit import Detector, Policy", False),
    "affidavit --help": ("from affidavit.cli.arguments import parser; parser()", True),
    "import pydantic (peer)": ("import pydantic; pydantic.BaseModel", False),
}


def seconds(code: str) -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - started


def measure(runs: int) -> dict[str, float]:
    """Milliseconds for each case. The cases take turns, so that a busy moment hits all alike."""
    codes = {"": "pass"} | {name: code for name, (code, _) in CASES.items()}
    times: dict[str, list[float]] = {name: [] for name in codes}
    for code in codes.values():
        seconds(code)  # fills the caches
    for _ in range(runs):
        for name, code in codes.items():
            times[name].append(seconds(code))
    medians = {name: statistics.median(taken) * 1000 for name, taken in times.items()}
    return {name: max(0.0, medians[name] - medians[""]) for name in CASES}


def main() -> int:
    parser = argparse.ArgumentParser(description="Times the import of affidavit.")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    found = measure(arguments.runs)
    limits = {name: LIMIT_MS for name, (_, limited) in CASES.items() if limited}
    exceeded = [name for name, limit in limits.items() if found[name] > limit]
    print(f"{'':40} {'ms':>8} {'limit':>8}")
    for name, ms in found.items():
        limit = f"{limits[name]:.0f}" if name in limits else ""
        print(f"{name:40} {ms:8.1f} {limit:>8}{'  exceeded' if name in exceeded else ''}")
    if arguments.json:
        report = {
            "python": platform.python_version(),
            "machine": platform.machine(),
            "runs": arguments.runs,
            "ms": found,
            "limits_ms": limits,
        }
        arguments.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 1 if exceeded else 0


if __name__ == "__main__":
    sys.exit(main())
