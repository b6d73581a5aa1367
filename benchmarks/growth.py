"""What inputs that repeat themselves cost, and how the cost grows with their length.

    python benchmarks/growth.py [--characters 8000] [--only NAME …] [--json FILE]

Each answer repeats one fragment up to the length that is asked for; each result is large in one way. What is timed
is a whole check with a model that answers at once, so that it is the code and not the network that is measured.
``grows`` is the exponent between a quarter of the length and all of it: 1 is linear, 2 quadratic; of what takes less
than 50 ms nothing is said.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from affidavit import Detector
from affidavit.testing import FixedEntailment

FRAGMENTS = (
    "1 ", "A1 ", "$1 ", "€1,5 ", "5% ", "three ", "2026-01-02 ", "Monday ", "+1 (555) ", "1h ", "Jan 1 ",
    '"a" ', "(a) ", "(", "[", "[a](b) ", "**a** ", "*", "_a ", "`", "`a ", "|", "<a", "a: ", ":", "a; ", "a, ",
    "and ", "not ", "no ", "of the ", "who is ", "a.b.", "a@b.", "/a", "=", "- ", "a ", "Ä", "中", "Anna Berg ",
    "A-1-", "a'b ", "? ", "... ", "i.e. ", "a\n", "- a\n", "# a\n",
)  # fmt: skip
ORDERS = json.dumps([{"id": f"A-{n}", "price": n * 3, "day": "2026-01-02"} for n in range(10)])
FLOOR = 0.05


def run_of(answer: str, result: str = ORDERS, asked: str = "What do they cost?") -> dict[str, Any]:
    """A run with one call and its result."""
    call = {"type": "tool_use", "id": "t1", "name": "get_orders", "input": {}}
    back = {"type": "tool_result", "tool_use_id": "t1", "content": result}
    return {
        "messages": [
            {"role": "user", "content": asked},
            {"role": "assistant", "content": [call]},
            {"role": "user", "content": [back]},
            {"role": "assistant", "content": answer},
        ]
    }


def repeated(fragment: str, characters: int) -> str:
    """The fragment over and over, with a word that makes it an answer."""
    return "So: " + (fragment * (characters // len(fragment) + 1))[:characters]


def table(cells: int) -> str:
    rows = "".join(f"| {n} | {n + 1} | {n * 2} | {n * 3} |\n" for n in range(cells // 4))
    return f"| a | b | c | d |\n|---|---|---|---|\n{rows}"


ANSWER = "The price of A-77 is $231."
LARGE: dict[str, Callable[[float], dict[str, Any]]] = {
    "table of 2,000 cells": lambda share: run_of(table(int(2_000 * share))),
    "a word of 100 kB": lambda share: run_of("x" * int(100_000 * share)),
    "a question of 1 MB": lambda share: run_of(
        ANSWER, asked=repeated("order 5 pads ", int(1e6 * share))
    ),
    "a result of one word, 1 MB": lambda share: run_of(
        ANSWER, json.dumps({"a": "x" * int(1e6 * share)})
    ),
    "50,000 rows": lambda share: run_of(
        ANSWER, json.dumps([{"id": f"A-{n}", "price": n * 3} for n in range(int(50_000 * share))])
    ),
    "100,000 keys": lambda share: run_of(
        ANSWER, json.dumps({f"A-{n}": n * 3 for n in range(int(100_000 * share))})
    ),
}


def seconds(run: dict[str, Any]) -> float:
    """How long one check takes."""
    detector = Detector(entailment=FixedEntailment())
    begun = time.perf_counter()
    detector.check(run)
    return time.perf_counter() - begun


def measured(make: Callable[[float], dict[str, Any]]) -> tuple[float, float | None]:
    """Seconds for all of an input, and the exponent by which they grew from a quarter of it."""
    quarter, whole = seconds(make(0.25)), seconds(make(1.0))
    return whole, None if whole < FLOOR else math.log(whole / quarter, 4)


def main() -> int:
    parser = argparse.ArgumentParser(description="Times inputs that repeat themselves.")
    parser.add_argument("--characters", type=int, default=8_000)
    parser.add_argument("--only", nargs="+", help="names or fragments")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    inputs = {
        repr(one): lambda share, one=one: run_of(repeated(one, int(arguments.characters * share)))
        for one in FRAGMENTS
    } | LARGE
    found: dict[str, dict[str, float | None]] = {}
    print(f"{'input':28} {'seconds':>8} {'grows':>6}")
    for name, make in inputs.items():
        if arguments.only and not any(one in name for one in arguments.only):
            continue
        took, grows = measured(make)
        found[name] = {"seconds": took, "exponent": grows}
        told = "" if grows is None else f"{grows:.2f}"
        print(f"{name:28} {took:8.2f} {told:>6}", flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
