"""Claims over passages about something else: neither entailed nor contradicted.

Twins alone teach a model that whatever is not entailed is contradicted. An agent's small talk, its advice
and its inventions mostly have nothing to do with the passage they are held against.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from affidavit.training.pairs.pair import Pair, content_words


def stranger_pairs(
    sources: Mapping[str, Sequence[Pair]], count: int, rng: random.Random
) -> Iterator[Pair]:
    """Up to ``count`` claims of one source over the passages of another."""
    names = list(sources)
    for _ in range(count):
        here, there = rng.sample(names, k=2)
        claim, premise = rng.choice(sources[here]).hypothesis, rng.choice(sources[there]).premise
        if len(content_words(claim) & content_words(premise)) < 2:
            yield Pair(premise, claim, "neutral", "strangers", "unrelated")
