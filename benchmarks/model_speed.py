"""How many pairs a second the embedded entailment model scores, by length, threads and batch.

python benchmarks/model_speed.py [--seconds 2] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from affidavit.models.entailment.onnx import EmbeddedModel

WORDS = "order total date city room rate ticket status name shipped paid open blue nine".split()
LENGTHS = (64, 128, 256)
THREADS = (1, 2)
BATCHES = (1, 16)


def pairs_of(length: int, count: int, rng: random.Random) -> list[tuple[str, str]]:
    """Pairs of ``length`` word pieces: every word here is one, and three mark where texts end."""

    def text(words: int) -> str:
        return " ".join(rng.choices(WORDS, k=words))

    return [(text(length - 3 - length // 5), text(length // 5)) for _ in range(count)]


def pairs_per_second(threads: int, length: int, batch: int, seconds: float) -> float:
    model = EmbeddedModel(threads=threads, cache=0)
    rng = random.Random(0)
    model.score(pairs_of(length, batch, rng))  # loads and warms up
    scored, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        model.score(pairs_of(length, batch, rng))
        scored += batch
    return scored / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    table = Table(
        "threads", "batch", *(f"{n} word pieces" for n in LENGTHS), title="pairs a second"
    )
    found: list[dict[str, float]] = []
    for threads in THREADS:
        for batch in BATCHES:
            row = [pairs_per_second(threads, n, batch, arguments.seconds) for n in LENGTHS]
            table.add_row(str(threads), str(batch), *(f"{speed:.0f}" for speed in row))
            found += [
                {"threads": threads, "batch": batch, "word_pieces": n, "pairs_per_second": speed}
                for n, speed in zip(LENGTHS, row, strict=True)
            ]
    Console().print(table)
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
