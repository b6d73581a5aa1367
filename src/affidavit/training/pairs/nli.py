"""Pairs from natural-language-inference corpora, and the numbers they rarely change.

People who write contradictions seldom touch a number, and people who write entailments seldom copy;
so each sentence with a number also gives a verbatim copy and a copy with another number.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from affidavit.training.pairs.faults import perturb_number
from affidavit.training.pairs.pair import Pair, read_rows

CORPORA = ("snli", "cad", "conjnli", "wiki")


def nli_pairs(data: Path, corpus: str, *, split: str = "train") -> Iterator[Pair]:
    """The pairs of one corpus as they are."""
    for row in read_rows(data / "nli" / f"{corpus}.{split}.jsonl.gz"):
        yield Pair(row["premise"], row["hypothesis"], row["label"], corpus)


def number_pairs(data: Path, rng: random.Random) -> Iterator[Pair]:
    """A verbatim copy of each encyclopaedic premise that holds a number, and a copy with another."""
    seen: set[str] = set()
    for corpus in ("wiki", "conjnli"):
        for row in read_rows(data / "nli" / f"{corpus}.train.jsonl.gz"):
            premise = row["premise"]
            if premise in seen:
                continue
            seen.add(premise)
            faulty = perturb_number(premise, rng)
            if faulty is None:
                continue
            yield Pair(premise, premise, "entailment", "numbers", "copy")
            yield Pair(premise, faulty, "contradiction", "numbers", "digit")
