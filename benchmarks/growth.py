"""What inputs that repeat themselves cost, and how the cost grows with their length.

    python benchmarks/growth.py [--characters 8000] [--only NAME …] [--json FILE]

Each answer repeats one fragment up to the length that is asked for; each result is large in one way. What is measured
is a whole check with a model that answers at once, so that it is the code and not the network that is measured: seconds
of processor time, and the memory of a process of its own beyond what a small check needs. ``grows`` is the exponent between
a quarter of the length and all of it: 1 is linear, 2 quadratic; of what takes less than 50 ms nothing is said. ``unread``
are passages that were searched by their words alone. Behind each figure stands what it may be; the exit status is 1
where one is above that.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import random
import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
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
SECONDS, MEGABYTES = 2.0, 300.0
"""What one check may take."""


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


def run_with_call(answer: str, result: str) -> dict[str, Any]:
    """A run whose second call takes its argument from the result of the first."""
    run = run_of(answer, result)
    call = {"type": "tool_use", "id": "t2", "name": "get_order", "input": {"id": "ORD-101234"}}
    back = {"type": "tool_result", "tool_use_id": "t2", "content": '{"status": "shipped"}'}
    between: list[dict[str, Any]] = [
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [back]},
    ]
    run["messages"][3:3] = between
    return run


def repeated(fragment: str, characters: int) -> str:
    """The fragment over and over, with a word that makes it an answer."""
    return "So: " + (fragment * (characters // len(fragment) + 1))[:characters]


def table(cells: int) -> str:
    rows = "".join(f"| {n} | {n + 1} | {n * 2} | {n * 3} |\n" for n in range(cells // 4))
    return f"| a | b | c | d |\n|---|---|---|---|\n{rows}"


def orders(megabytes: float) -> str:
    """A result as a shop's API gives it: identifiers, names, dates, amounts, states, lists in lists."""
    choice = random.Random(7)
    rows: list[dict[str, Any]] = []
    size = 0
    while size < megabytes * 1e6:
        n = len(rows)
        row = {
            "order_id": f"ORD-{100_000 + n}",
            "customer": {"name": choice.choice(NAMES), "email": f"user{n}@example.com", "city": choice.choice(CITIES)},
            "created_at": f"2026-{1 + n % 12:02d}-{1 + n % 28:02d}T{n % 24:02d}:15:00Z",
            "status": choice.choice(["shipped", "pending", "delivered", "cancelled"]),
            "currency": "EUR", "total": round(choice.uniform(5, 2_000), 2), "weight_kg": round(choice.uniform(0.1, 20), 1),
            "express": bool(n % 2), "note": choice.choice(["leave at the door", "call before delivery", None]),
            "tags": choice.sample(["gift", "fragile", "bulk", "new"], 2),
            "items": [
                {"sku": f"SKU-{choice.randrange(9_999):04d}", "qty": choice.randrange(1, 9),
                 "unit_price": round(choice.uniform(1, 300), 2)}
                for _ in range(2)
            ],
        }  # fmt: skip
        rows.append(row)
        size += len(json.dumps(row)) + 2
    return json.dumps({"orders": rows})


NAMES = [
    "Anna Berg",
    "Marta Nowak",
    "John Smith",
    "Li Wei",
    "Omar Haddad",
    "Eva Lund",
    "Paul Keller",
]
CITIES = ["Oslo", "Berlin", "Lyon", "Porto", "Gdansk", "Leeds"]
ANSWER = "The price of A-77 is $231."
OF_ORDERS = "Order ORD-101234 has been shipped to Oslo. Its total is €812.40, and it weighs 5.5 kg."
LARGE: dict[str, Callable[[float], dict[str, Any]]] = {
    "table of 2,000 cells": lambda share: run_of(table(int(2_000 * share))),
    "a word of 100 kB": lambda share: run_of("x" * int(100_000 * share)),
    "5 MB of JSON": lambda share: run_of(OF_ORDERS, orders(5 * share)),
    "a call after 5 MB of JSON": lambda share: run_with_call(
        "Order ORD-101234 has been shipped.", orders(5 * share)
    ),
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


@dataclass(frozen=True)
class Cost:
    """What one check took."""

    seconds: float
    megabytes: float
    unread: int


def cost(run: dict[str, Any]) -> Cost:
    detector = Detector(entailment=FixedEntailment())
    detector.check(run_of("The price of A-7 is $21."))  # what is loaded once is not of this run
    before, begun = _peak(), time.process_time()
    report = detector.check(run)
    return Cost(time.process_time() - begun, _peak() - before, report.coverage.unread)


def _peak() -> float:
    """The most memory that this process has had, in megabytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def cost_of_named(name: str, share: float) -> Cost:
    return cost(LARGE[name](share))


def apart(name: str, share: float) -> Cost:
    """The cost of a large input in a process of its own, so that its memory is its own."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(cost_of_named, name, share).result()


def exponent(quarter: float, whole: float) -> float | None:
    return None if whole < FLOOR else math.log(whole / quarter, 4)


def shown(name: str, whole: Cost, grows: float | None) -> str:
    return (
        f"{name:28} {whole.seconds:8.2f} {SECONDS:6.0f} {whole.megabytes:7.0f} {MEGABYTES:6.0f} "
        f"{'' if grows is None else f'{grows:.2f}':>6} {whole.unread or '':>7}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description="Measures inputs that repeat themselves.")
    parser.add_argument("--characters", type=int, default=8_000)
    parser.add_argument("--only", nargs="+", help="names or fragments")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    found: dict[str, dict[str, float | None]] = {}
    over = 0
    print(
        f"{'input':28} {'seconds':>8} {'limit':>6} {'MB':>7} {'limit':>6} {'grows':>6} {'unread':>7}"
    )
    fragments = {repr(one): one for one in FRAGMENTS}
    for name in (*fragments, *LARGE):
        if arguments.only and not any(one in name for one in arguments.only):
            continue
        if name in LARGE:
            quarter, whole = apart(name, 0.25), apart(name, 1.0)
        else:
            quarter, whole = (
                cost(run_of(repeated(fragments[name], int(arguments.characters * share))))
                for share in (0.25, 1.0)
            )
        grows = exponent(quarter.seconds, whole.seconds)
        found[name] = {**asdict(whole), "exponent": grows}
        over += whole.seconds > SECONDS or whole.megabytes > MEGABYTES
        print(shown(name, whole, grows), flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=2) + "\n")
    return int(over > 0)


if __name__ == "__main__":
    sys.exit(main())
