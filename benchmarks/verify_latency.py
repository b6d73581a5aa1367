"""How long Stage 1 takes for one call, with 10, 100 and 1,000 earlier results.

    python benchmarks/verify_latency.py [--json FILE]

Half of the calls take known values, half invented ones, so that the search for the nearest known value
is timed as well. Each is checked three times and the quickest counts, so that other processes do not.
Filling the index is timed apart: it happens as results arrive.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import statistics
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from affidavit.stages.verify import CallVerifier
from affidavit.trace import Message, TextPart, ToolCallPart, ToolDefinition, ToolResultPart

CALLS = 2_000
TRIES = 3
TOOLS = tuple(
    ToolDefinition(
        name=name,
        input_schema={
            "type": "object",
            "properties": {
                argument: {"type": "string"},
                "limit": {"type": "integer", "minimum": 1, "maximum": 100},
                "sort": {"enum": ["newest", "oldest"]},
            },
            "required": [argument],
            "additionalProperties": False,
        },
    )
    for name, argument in (
        ("get_order", "order_id"),
        ("fetch_page", "url"),
        ("find_customer", "email"),
        ("read_file", "path"),
        ("get_items", "item_ids"),
    )
)
WORDS = "harbour lamp order delivered shipped pending refund carrier window summary account".split()


def result(rng: random.Random) -> dict[str, Any]:
    """A page of ten orders, about 3.5 kB of JSON."""
    return {
        "orders": [
            {
                "order_id": f"ORD-{rng.randrange(10**6):06}",
                "item_id": str(rng.randrange(10**10)),
                "email": f"{rng.choice(WORDS)}.{rng.randrange(10**4)}@fenmail.example",
                "url": f"https://shop.example/{rng.choice(WORDS)}/{rng.randrange(10**5)}",
                "path": f"data/{rng.choice(WORDS)}/{rng.randrange(10**4)}.csv",
                "note": " ".join(rng.choices(WORDS, k=18)),
                "total": {"value": f"{rng.randrange(10**5) / 100:.2f}", "currency": "EUR"},
            }
            for _ in range(10)
        ]
    }


def invented(value: str, rng: random.Random) -> str:
    """The same value with its digits drawn again."""
    return "".join(str(rng.randrange(10)) if c.isdigit() else c for c in value)


def calls(results: list[dict[str, Any]], rng: random.Random) -> list[ToolCallPart]:
    fields = {"order_id": "get_order", "url": "fetch_page", "email": "find_customer"}
    fields |= {"path": "read_file", "item_id": "get_items"}
    made = []
    for n in range(CALLS):
        field, tool = rng.choice(list(fields.items()))
        value = rng.choice(rng.choice(results)["orders"])[field]
        if n % 2:
            value = invented(value, rng)
        name = "item_ids" if field == "item_id" else field
        arguments = {name: value, "limit": rng.randrange(1, 100), "sort": "newest"}
        made.append(ToolCallPart(id=f"call_{n}", name=tool, arguments=arguments))
    return made


def measure(size: int) -> dict[str, float]:
    rng = random.Random(size)
    results = [result(rng) for _ in range(size)]
    verifier = CallVerifier(TOOLS)
    filling = []
    for n, value in enumerate(results):
        part = ToolResultPart(id=f"r{n}", content=(TextPart(text=json.dumps(value)),))
        message = Message(role="tool", parts=(part,))
        start = time.perf_counter()
        verifier.observe(message)
        filling.append((time.perf_counter() - start) * 1e6)
    taken, rejected = [], 0
    gc.collect()
    for call in calls(results, rng):
        tries = []
        for _ in range(TRIES):
            start = time.perf_counter_ns()
            validation = verifier.check(call)
            tries.append((time.perf_counter_ns() - start) / 1e3)
        taken.append(min(tries))
        rejected += validation.status == "rejected"
    taken.sort()
    return {
        "results": size,
        "median_us": statistics.median(taken),
        "p99_us": taken[int(len(taken) * 0.99)],
        "max_us": taken[-1],
        "rejected": rejected / CALLS,
        "fill_median_us": statistics.median(filling),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    rows = [measure(size) for size in (10, 100, 1_000)]
    table = Table(
        "earlier results",
        "median µs",
        "p99 µs",
        "max µs",
        "rejected",
        "µs to enter one",
    )
    for row in rows:
        table.add_row(
            f"{row['results']:,}",
            f"{row['median_us']:.0f}",
            f"{row['p99_us']:.0f}",
            f"{row['max_us']:.0f}",
            f"{row['rejected']:.0%}",
            f"{row['fill_median_us']:.0f}",
        )
    Console().print(table)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
