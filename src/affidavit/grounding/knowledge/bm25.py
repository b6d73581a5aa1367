"""Passages ranked by a query's words, for databases that do not rank by themselves."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

K1, B = 1.2, 0.75
"""Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009; the same that
SQLite's FTS5 uses."""


def inverse_frequency(total: int, frequencies: Mapping[str, int]) -> dict[str, float]:
    """How much a term tells passages apart, by how many of ``total`` hold it; always positive."""
    return {
        term: math.log(1 + (total - held + 0.5) / (held + 0.5))
        for term, n in frequencies.items()
        for held in [min(n, total)]
    }


def best_by_words(
    passages: Mapping[int, Sequence[str]], weights: Mapping[str, float], mean_length: float
) -> list[int]:
    """Keys of the passages, each given by its terms, in the order of their BM25 score."""

    def score(terms: Sequence[str]) -> float:
        counts = Counter(term for term in terms if term in weights)
        norm = K1 * (1 - B + B * len(terms) / max(mean_length, 1))
        return sum(weights[term] * n * (K1 + 1) / (n + norm) for term, n in counts.items())

    return sorted(passages, key=lambda key: (-score(passages[key]), key))
