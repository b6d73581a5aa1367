"""The recipe of the embedded entailment model, from data to a file that ships.

    python -m affidavit.training.recipe --data DIR --base DIR --out DIR [--minutes 65] [--share 0.1]

Each step leaves its result in ``--out`` and is skipped when that is already there, so a run that was
stopped goes on where it was; training itself goes on from its last checkpoint.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

from affidavit.training.pairs import Pair
from affidavit.training.pairs.mix import held_back, mixed
from affidavit.training.settings import Settings
from affidavit.training.tune import encode, fine_tune, load_tokenizer


def main() -> None:
    settings, last = _arguments()
    steps = {"pairs": make_pairs, "tune": tune}
    settings.out.mkdir(parents=True, exist_ok=True)
    for name, step in steps.items():
        print(f"== {name}", flush=True)
        step(settings)
        if name == last:
            break


def make_pairs(settings: Settings) -> None:
    """data → pairs: training pairs, and pairs of other premises held back for calibration."""
    if (settings.out / "held.jsonl.gz").exists():
        return
    made = mixed(settings.data, settings.mix, settings.seed, settings.share)
    everything = [pair for pairs in made.values() for pair in pairs]
    kept, held = held_back(everything, settings.held_back)
    write_pairs(settings.out / "train.jsonl.gz", kept)
    write_pairs(settings.out / "held.jsonl.gz", held)
    print({name: len(pairs) for name, pairs in made.items()}, "held back", len(held), flush=True)


def tune(settings: Settings) -> None:
    """pairs → a fine-tuned model."""
    if (settings.out / "progress.json").exists():
        return
    pairs = list(read_pairs(settings.out / "train.jsonl.gz"))
    items = encode(pairs, load_tokenizer(settings.base), settings.max_tokens)
    print(fine_tune(items, settings, settings.out), flush=True)


def write_pairs(path: Path, pairs: Iterable[Pair]) -> None:
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        for pair in pairs:
            lines.write(json.dumps(asdict(pair)) + "\n")


def read_pairs(path: Path) -> Iterator[Pair]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield Pair(**json.loads(line))


def _arguments() -> tuple[Settings, str]:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--until", default="", help="stop after this step")
    a = parser.parse_args()
    settings = Settings(
        a.data, a.base, a.out, share=a.share, minutes=a.minutes, seed=a.seed, threads=a.threads
    )
    return settings, a.until


if __name__ == "__main__":
    main()
