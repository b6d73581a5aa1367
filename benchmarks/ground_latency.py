"""How long Stage 2 takes on large evidence: many results, and one large one.

    python benchmarks/ground_latency.py [--runs 5] [--rows 10000] [--json FILE]

An answer of ten claims over twenty results of about 2 kB each, and over one result of 10,000 rows (1 MB):
as data, as nested data, as one object with each row under its key, as CSV, as lines of a log and as
sentences. The first time includes reading the results down to their values and words; ``answer`` is what
an answer waits for where a guard has read them while the model was thinking.
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

from affidavit.evidence import RunEvidence
from affidavit.models.entailment.onnx import EmbeddedModel
from affidavit.policy import Policy
from affidavit.stages.ground import ground
from affidavit.trace import DataPart, Message, RunTrace, TextPart, ToolCallPart, ToolResultPart

Part = DataPart | TextPart

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


def record(told: list[Any], words: int = 2000) -> Any:
    """One record that holds some rows among long texts, about so many words in all."""
    notes = [
        sentence(row) + " It was last inspected in spring and nothing was found." for row in told
    ]
    more = " ".join(
        f"Bay {n} was swept on day {n % 28 + 1} by team {n % 7}." for n in range(words // 10)
    )
    return {"region": "north", "warehouses": told, "notes": " ".join(notes), "log": more}


def nested(row: Any) -> Any:
    """A row with records inside it."""
    bays = [{"bay": f"{row['id']}-{n}", "pallets": row["pallets"] // 2 + n} for n in (1, 2)]
    rent = {"amount": row["rent_eur"], "currency": "EUR"}
    return {"id": row["id"], "place": {"town": row["town"]}, "monthly_rent": rent, "bays": bays}


def as_csv(table: list[Any]) -> str:
    return "\n".join([",".join(table[0]), *(",".join(map(str, row.values())) for row in table)])


def log_line(row: Any) -> str:
    at = f"2026-03-{row['pallets'] % 28 + 1:02} 04:{row['pallets'] % 60:02}:17"
    return f"{at} INFO job {row['id']} town={row['town']} rent_eur={row['rent_eur']} ok"


def sentence(row: Any) -> str:
    return f"Warehouse {row['id']} is in {row['town']}. It costs €{row['rent_eur']:,.2f} a month."


def run_of(results: list[Part], told: list[Any]) -> RunTrace:
    """A run with one call a result, and an answer of two claims about each of some rows."""
    messages = [Message(role="user", parts=(TextPart(text="How are the warehouses doing?"),))]
    for n, result in enumerate(results):
        call = ToolCallPart(id=str(n), name="list_warehouses", arguments={"page": n})
        answer = ToolResultPart(id=str(n), content=(result,))
        messages += [
            Message(role="assistant", parts=(call,)),
            Message(role="tool", parts=(answer,)),
        ]
    return RunTrace(run_id="r", messages=tuple(messages), answer=" ".join(map(sentence, told)))


def measure(run: RunTrace, rounds: int) -> dict[str, float]:
    whole, answers, policy = [], [], Policy()
    for number in range(rounds + 1):
        model = EmbeddedModel(cache=1)  # no score is answered from an earlier round
        model.score([("warm", "up")])
        begun = time.perf_counter()
        evidence = RunEvidence(policy)
        evidence.read(run)
        filled = time.perf_counter()
        ledger = evidence.ledger(run)
        found = ground(run.answer, ledger, policy, model)
        done = time.perf_counter()
        assert len(found.claims) >= 10
        if number:
            whole.append((done - begun) * 1000)
            answers.append((done - filled) * 1000)
    return {"whole": statistics.median(whole), "answer": statistics.median(answers)}


def main() -> None:
    parser = argparse.ArgumentParser(description="Times Stage 2 on large evidence.")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rows", type=int, default=10_000, help="rows of the large results")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    random = Random(7)
    pages = [rows(20, random) for _ in range(20)]
    table = rows(options.rows, random)
    few = [DataPart(value={"warehouses": page}) for page in pages]
    large: dict[str, Part] = {
        "data": DataPart(value={"warehouses": table}),
        "nested data": DataPart(value={"warehouses": [nested(row) for row in table[::2]]}),
        "one object": DataPart(value={"warehouses": {row["id"]: row for row in table}}),
        "CSV": TextPart(text=as_csv(table)),
        "log lines": TextPart(text="\n".join(map(log_line, table))),
        "sentences": TextPart(text="\n\n".join(map(sentence, table))),
    }
    sizes = {
        "one record of 2,000 words": run_of([DataPart(value=record(pages[0][:5]))], pages[0][:5]),
        "20 results of 2 kB": run_of(list(few), pages[-1][-5:]),
    }
    for name, part in large.items():
        size = len(part.text if isinstance(part, TextPart) else json.dumps(part.value))
        told = table[options.rows // 2 :: 2][:5]
        sizes[f"{size / 1e6:.1f} MB of {name}"] = run_of([part], told)
    figures = {name: measure(run, options.runs) for name, run in sizes.items()}
    shown = Table("10 claims, median ms", "ledger and answer", "answer alone")
    for name, row in figures.items():
        shown.add_row(name, f"{row['whole']:,.0f}", f"{row['answer']:,.0f}")
    Console().print(shown)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
