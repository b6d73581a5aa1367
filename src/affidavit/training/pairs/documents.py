"""Pairs from prose documents: a sentence over its own passage, altered, and over another passage."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from affidavit.ledger.passages import sentences, split_prose
from affidavit.training.pairs.faults import perturb_value
from affidavit.training.pairs.pair import Pair, content_words, read_rows


def document_pairs(data: Path, rng: random.Random) -> Iterator[Pair]:
    """Sentences of a bank's internal documents: what a retrieval tool returns to an agent."""
    for row in read_rows(data / "knowledge" / "banking_documents.jsonl.gz"):
        text = row["content"]
        passages = [text[a:b] for a, b in split_prose(text)]
        for passage in passages:
            yield from _pairs_of(passage, passages, rng)


def _pairs_of(passage: str, passages: list[str], rng: random.Random) -> Iterator[Pair]:
    spans = [passage[a:b].lstrip("-*#• ") for a, b in sentences(passage)]
    whole = [s for s in spans if len(s.split()) >= 6 and s.endswith(".")]
    if not whole:
        return
    sentence = rng.choice(whole)
    yield Pair(passage, sentence, "entailment", "documents", "copy")
    faulty = perturb_value(sentence, rng)
    if faulty and faulty != sentence:
        yield Pair(passage, faulty, "contradiction", "documents", "digit")
    words = content_words(sentence)
    others = [p for p in passages if p != passage and sentence not in p]
    others = [p for p in others if len(words & content_words(p)) * 2 < len(words)]
    if others:
        yield Pair(rng.choice(others), sentence, "neutral", "documents", "elsewhere")
