"""How relevant a passage is to a query: one number in [0, 1] from its meaning and its words."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from affidavit.grounding.knowledge.bm25 import inverse_frequency

SMALL = 100
"""Passages, without the query's terms, that are added to every collection in thought: among three
passages no word would look rare, and one that is nowhere would outweigh all that are found."""


@dataclass(frozen=True, slots=True)
class Relevance:
    """A logistic function of two similarities.

    ``cosine`` weighs the vectors' cosine; ``coverage`` the share of the query's terms, each weighed by
    its inverse document frequency, that the passage holds. The coverage tells apart what vectors find
    alike: a bank's page on car loans is near to a question about its mortgages, and does not say the
    word.
    """

    bias: float
    cosine: float
    coverage: float

    def score(self, cosine: float, coverage: float) -> float:
        return 1 / (1 + math.exp(-(self.bias + self.cosine * cosine + self.coverage * coverage)))


def coverage(
    query: Iterable[str], passage: Collection[str], total: int, frequencies: Mapping[str, int]
) -> float:
    """The share of the query's terms that a passage holds, rare terms counting more; 0 to 1.

    ``frequencies`` says how many of the ``total`` passages hold a term: a term that none holds counts
    most of all. A query without terms is not covered at all.
    """
    weights = inverse_frequency(total + SMALL, {term: frequencies.get(term, 0) for term in query})
    sum_of_all = sum(weights.values())
    if not sum_of_all:
        return 0.0
    return sum(weight for term, weight in weights.items() if term in passage) / sum_of_all


_CALIBRATED = {
    "all-minilm-l6-v2-int4/1": Relevance(bias=-7.08, cosine=8.32, coverage=4.45),
}
"""Found by ``python -m affidavit.training.relevance``, on questions to web passages (RAGTruth, 139
questions, 417 passages). 0.5 is where, there, the best passage found is as likely to answer as not."""


def relevance_of(encoder: str) -> Relevance | None:
    """The calibrated relevance for an encoder's name; None where there is none."""
    return _CALIBRATED.get(encoder.partition("@")[0])
