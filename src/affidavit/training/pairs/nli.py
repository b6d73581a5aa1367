"""Pairs from natural-language-inference corpora, as they are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from affidavit.training.pairs.pair import Pair
from affidavit.training.runs import read_rows

CORPORA = ("snli", "cad", "conjnli", "wiki")


def nli_pairs(data: Path, corpus: str, *, split: str = "train") -> Iterator[Pair]:
    """The pairs of one corpus."""
    for row in read_rows([data / "nli" / f"{corpus}.{split}.jsonl.gz"]):
        yield Pair(
            row["premise"],
            row["hypothesis"],
            row["label"],
            corpus,
            row["premise"],
            row["hypothesis"],
        )
