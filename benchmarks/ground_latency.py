"""How long Stage 2 takes on large evidence: many results, and one large one.

    python benchmarks/ground_latency.py [--runs 5] [--json FILE]

An answer of ten claims over twenty results of about 2 kB each, and over one result of 1 MB (10,000
rows). The first time includes filling the ledger; ``answer`` is what an answer waits for where the
ledger was filled while the model was thinking.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console
from rich.table import Table

from affidavit.ledger.ledger import Ledger
from affidavit.models.entailment.onnx import EmbeddedModel
from affidavit.policy import Policy
from affidavit.stages.ground import ground
from affidavit.trace import DataPart, Message, RunTrace, TextPart, ToolCallPart, ToolResultPart

_TOWNS = "Aldmere Brackwater Cindervale Dunmoor Eastfold Farrowby Glenholt Harrowgate".split()


def rows(n: int, random: Random) -> list[Any]:
    return [
        {
            "id": f"WH-{random.randrange(16**6):06X}",
            "town": random.choice(_TOWNS),
            "pallets": random.randrange(10, 990),
            "rent_eur": round(random.uniform(200, 9000), 2),
            "open": random.random() < 0.5,
        }
        for _ in range(n)
    ]


def run_of(results: list[list[Any]]) -> RunTrace:
    """A run with one call a result, and an answer of ten claims about the last rows."""
    messages = [Message(role="user", parts=(TextPart(text="How are the warehouses doing?"),))]
    for n, result in enumerate(results):
        call = ToolCallPart(id=str(n), name="list_warehouses", arguments={"page": n})
        answer = ToolResultPart(id=str(n), content=(DataPart(value={"warehouses": result}),))
        messages += [
            Message(role="assistant", parts=(call,)),
            Message(role="tool", parts=(answer,)),
        ]
    told = [row for result in results for row in result][-5:]
    sentences = [
        f"Warehouse {row['id']} is in {row['town']}. It costs €{row['rent_eur']:,.2f} a month."
        for row in told
    ]
    return RunTrace(run_id="r", messages=tuple(messages), answer=" ".join(sentences))


def measure(run: RunTrace, rounds: int) -> dict[str, float]:
    whole, answers = [], []
    for number in range(rounds + 1):
        model = EmbeddedModel(cache=1)  # no score is answered from an earlier round
        model.score([("warm", "up")])
        begun = time.perf_counter()
        ledger = Ledger.of(run)
        filled = time.perf_counter()
        found = ground(run.answer, ledger, Policy(), model)
        done = time.perf_counter()
        assert len(found.claims) >= 10
        if number:
            whole.append((done - begun) * 1000)
            answers.append((done - filled) * 1000)
    return {"whole": statistics.median(whole), "answer": statistics.median(answers)}


def main() -> None:
    parser = argparse.ArgumentParser(description="Times Stage 2 on large evidence.")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    random = Random(7)
    sizes = {
        "10 claims, 20 results of 2 kB": [rows(20, random) for _ in range(20)],
        "10 claims, one result of 1 MB": [rows(10_000, random)],
    }
    figures = {name: measure(run_of(results), options.runs) for name, results in sizes.items()}
    shown = Table("median ms", "ledger and answer", "answer alone")
    for name, row in figures.items():
        shown.add_row(name, f"{row['whole']:,.0f}", f"{row['answer']:,.0f}")
    Console().print(shown)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
