"""Pairs from tables (TabFact) and from fact boxes (InfoTabS), shown as the results of tools are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from affidavit.training.pairs.pair import Label, Pair, returned, shown
from affidavit.training.runs import read_rows


def tabfact_pairs(data: Path, *, split: str = "train") -> Iterator[Pair]:
    """The true and the false statement of each table."""
    return tabfact_pairs_of(read_rows([data / "tables" / f"tabfact.{split}.jsonl.gz"]))


def tabfact_pairs_of(rows: Iterable[Mapping[str, Any]]) -> Iterator[Pair]:
    """A true statement and its false twin for each table, in turn."""
    for row in rows:
        records = [dict(zip(row["header"], cells, strict=False)) for cells in row["rows"]]
        caption = detokenised(row["caption"]) or "table"
        messages = returned(caption, records)
        sides: tuple[tuple[str, Label], ...] = (
            (row["supported"], "entailment"),
            (row["refuted"], "contradiction"),
        )
        for claim, label in sides:
            yield shown(detokenised(claim), messages, label, "tabfact", caption)


def infotabs_pairs(data: Path, *, split: str = "train") -> Iterator[Pair]:
    """The pairs of one part of the corpus."""
    return infotabs_pairs_of(read_rows([data / "tables" / f"infotabs.{split}.jsonl.gz"]))


def infotabs_pairs_of(rows: Iterable[Mapping[str, Any]]) -> Iterator[Pair]:
    """Statements about one fact box each, three-way as their writers labelled them."""
    for row in rows:
        box = {
            key: values[0] if len(values) == 1 else values for key, values in row["record"].items()
        }
        subject = str(next(iter(box.values()), ""))
        yield shown(row["hypothesis"], returned("record", box), row["label"], "infotabs", subject)


def detokenised(text: str) -> str:
    """Undo the spaces that the corpus puts around punctuation."""
    text = text.replace("``", '"').replace("''", '"')
    text = re.sub(r"(?<!\s)\s++([,.;:!?%)\]])", r"\1", text)
    text = re.sub(r"([(\[$#])\s+", r"\1", text)
    text = re.sub(r"(?<!\s)\s++('s|n't|'re|'ve|'ll)\b", r"\1", text)
    return re.sub(r'"([^"]*)"', lambda said: f'"{said[1].strip()}"', text).strip()
