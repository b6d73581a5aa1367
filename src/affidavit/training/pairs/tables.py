"""Pairs from tables (TabFact) and from fact boxes (InfoTabS), rendered as the ledger renders them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from affidavit.ledger.passages import render_record
from affidavit.ledger.records import records_of
from affidavit.training.pairs.pair import Pair, content_words, read_rows

PREMISE_CHARS = 360
"""About 96 word pieces of table: what a claim is checked against in one pass."""

# A claim with one of these can only be judged over the whole table, not over a few of its rows.
_WHOLE_TABLE = re.compile(
    r"\b(?:most|least|highest|lowest|largest|smallest|longest|shortest|earliest|latest|first|last|"
    r"average|total|sum|only|all|every|each|both|never|none|no|any|more|less|fewer|greater|other|"
    r"top|bottom|best|worst|same|different|times|there (?:are|were|is|was)|combined|second|third)\b"
)


def tabfact_pairs(data: Path, rng: random.Random, *, split: str = "train") -> Iterator[Pair]:
    """The true and the false statement of each table, and both over rows that lack the fact."""
    for row in read_rows(data / "tables" / f"tabfact.{split}.jsonl.gz"):
        passages = table_passages(row)
        for claim, label in ((row["supported"], "entailment"), (row["refuted"], "contradiction")):
            text = detokenised(claim)
            premise = relevant(passages, text)
            whole = len(" ".join(passages)) <= PREMISE_CHARS
            if premise and (whole or not _WHOLE_TABLE.search(claim)):
                yield Pair(premise, text, label, "tabfact")  # type: ignore[arg-type]
                lacking = unrelated(passages, text)
                if lacking and label == "entailment" and rng.random() < 0.5:
                    yield Pair(lacking, text, "neutral", "tabfact", "lacking")


def infotabs_pairs(data: Path, *, split: str = "train") -> Iterator[Pair]:
    """The pairs of one part of the corpus."""
    return infotabs_pairs_of(read_rows(data / "tables" / f"infotabs.{split}.jsonl.gz"))


def infotabs_pairs_of(rows: Iterable[Mapping[str, Any]]) -> Iterator[Pair]:
    """Statements about one fact box each, three-way as their writers labelled them."""
    for row in rows:
        premise = relevant(box_passages(row["record"]), row["hypothesis"])
        if premise:
            yield Pair(premise, row["hypothesis"], row["label"], "infotabs")


def table_passages(row: dict[str, Any]) -> list[str]:
    """A table's rows as passages, under its caption."""
    records = [dict(zip(row["header"], cells, strict=False)) for cells in row["rows"]]
    caption = detokenised(row["caption"]) or "table"
    return [p.text for record in records_of(records, root=caption) for p in render_record(record)]


def box_passages(box: dict[str, list[str]]) -> list[str]:
    """A fact box as passages: a field with one value is a scalar, as in JSON it would be."""
    record = {key: values[0] if len(values) == 1 else values for key, values in box.items()}
    return [p.text for each in records_of(record) for p in render_record(each)]


def relevant(passages: Sequence[str], claim: str, *, limit: int = PREMISE_CHARS) -> str:
    """The passages that share most words with a claim, in their own order, up to ``limit``."""
    words = content_words(claim)
    overlap = [len(words & content_words(p)) for p in passages]
    ranked = sorted(range(len(passages)), key=lambda i: (-overlap[i], i))
    chosen: list[int] = []
    room = limit
    for i in ranked:
        if len(passages[i]) <= room or not chosen:
            chosen.append(i)
            room -= len(passages[i])
    return "\n".join(passages[i] for i in sorted(chosen))


def unrelated(passages: Sequence[str], claim: str) -> str:
    """A row of the same table whose cells share no telling word with the claim, or ""."""
    words = content_words(claim)
    common = set.intersection(*(content_words(p) for p in passages)) if passages else set()
    rows = [p for p in passages if not words & (content_words(p) - common)]
    return rows[0] if rows else ""


def detokenised(text: str) -> str:
    """Undo the spaces that the corpus puts around punctuation."""
    text = text.replace("``", '"').replace("''", '"')
    text = re.sub(r"\s+([,.;:!?%)\]])", r"\1", text)
    text = re.sub(r"([(\[$#])\s+", r"\1", text)
    text = re.sub(r"\s+('s|n't|'re|'ve|'ll)\b", r"\1", text)
    return re.sub(r'"\s*([^"]*?)\s*"', r'"\1"', text).strip()
