"""How many pairs a second the embedded entailment model scores, by length, threads and batch.

python benchmarks/model_speed.py [--seconds 2] [--peers] [--json FILE]

``--peers`` puts beside it the same network in torch (fp32) and one of the size of DeBERTa-v3-base, both
with random weights: what they cost, not what they know. Needs ``pip install 'affidavit[torch]'``.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from affidavit.models.entailment.onnx import EmbeddedModel

WORDS = "order total date city room rate ticket status name shipped paid open blue nine".split()
LENGTHS = (64, 128, 256)
THREADS = (1, 2)
BATCHES = (1, 16)

Scorer = Callable[[int, int], None]
"""Scores ``batch`` new pairs of ``length`` word pieces."""


def embedded(threads: int) -> Scorer:
    """The model that ships, tokenising included; what is longer than its window is read in several."""
    model, rng = EmbeddedModel(threads=threads, cache=0), random.Random(0)

    def score(length: int, batch: int) -> None:
        model.score(
            [(_text(length - 3 - length // 5, rng), _text(length // 5, rng)) for _ in range(batch)]
        )

    return score


def _text(words: int, rng: random.Random) -> str:
    """Every word here is one word piece."""
    return " ".join(rng.choices(WORDS, k=words))


def same_in_torch(threads: int) -> Scorer:
    """Twelve layers of 384, as gte-small, in fp32."""
    from transformers import BertConfig, BertForSequenceClassification

    config = BertConfig(
        vocab_size=30522, hidden_size=384, num_hidden_layers=12, num_attention_heads=12,
        intermediate_size=1536, num_labels=3,
    )  # fmt: skip
    return _in_torch(BertForSequenceClassification(config), threads)


def deberta_base(threads: int) -> Scorer:
    """Twelve layers of 768 with disentangled attention, as microsoft/deberta-v3-base, in fp32."""
    from transformers import DebertaV2Config, DebertaV2ForSequenceClassification

    config = DebertaV2Config(
        vocab_size=128100, hidden_size=768, num_hidden_layers=12, num_attention_heads=12,
        intermediate_size=3072, relative_attention=True, position_buckets=256, norm_rel_ebd="layer_norm",
        share_att_key=True, pos_att_type=["p2c", "c2p"], type_vocab_size=0, position_biased_input=False,
        max_relative_positions=-1, num_labels=3,
    )  # fmt: skip
    return _in_torch(DebertaV2ForSequenceClassification(config), threads)


def _in_torch(model: Any, threads: int) -> Scorer:
    import torch

    model.eval()

    def score(length: int, batch: int) -> None:
        torch.set_num_threads(threads)
        with torch.inference_mode():
            model(input_ids=torch.randint(1000, 30000, (batch, length)))

    return score


def pairs_per_second(score: Scorer, length: int, batch: int, seconds: float) -> float:
    score(length, batch)  # loads and warms up
    scored, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        score(length, batch)
        scored += batch
    return scored / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--peers", action="store_true", help="torch and DeBERTa-v3-base beside it")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    engines: dict[str, Callable[[int], Scorer]] = {"embedded, 8 bits": embedded}
    if arguments.peers:
        engines |= {
            "the same in torch, fp32": same_in_torch,
            "DeBERTa-v3-base size, fp32": deberta_base,
        }
    table = Table(
        "model", "threads", "batch", *(f"{n} word pieces" for n in LENGTHS), title="pairs a second"
    )
    found: list[dict[str, object]] = []
    for name, made in engines.items():
        for threads in THREADS:
            score = made(threads)
            for batch in BATCHES:
                row = [pairs_per_second(score, n, batch, arguments.seconds) for n in LENGTHS]
                table.add_row(name, str(threads), str(batch), *(f"{speed:.1f}" for speed in row))
                found += [
                    {"model": name, "threads": threads, "batch": batch, "word_pieces": n,
                     "pairs_per_second": speed}
                    for n, speed in zip(LENGTHS, row, strict=True)
                ]  # fmt: skip
    Console().print(table)
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
