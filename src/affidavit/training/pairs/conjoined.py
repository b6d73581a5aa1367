"""Long statements: two to four statements about one passage said in one breath.

Taken together they hold only where each does, so that a model has to read a long claim to its end.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from affidavit.training.pairs.pair import Label, Pair

CLAIM_CHARS = 320


def conjoined_pairs(pairs: Sequence[Pair], rng: random.Random) -> Iterator[Pair]:
    """For each passage all that is entailed together, and the same with one statement that is not."""
    said: dict[str, dict[Label, list[str]]] = defaultdict(lambda: defaultdict(list))
    for pair in pairs:
        found = said[pair.premise][pair.label]
        if pair.hypothesis not in found:
            found.append(pair.hypothesis)
    for premise, by_label in said.items():
        true = by_label["entailment"]
        if len(true) < 2:
            continue
        chosen = rng.sample(true, rng.randint(2, min(4, len(true))))
        pair = Pair(premise, _together(chosen), "entailment", "conjoined")
        if len(pair.hypothesis) > CLAIM_CHARS:
            continue
        yield pair
        wrong: Label
        for wrong in ("contradiction", "neutral"):
            if by_label[wrong]:
                at = rng.randrange(len(chosen))
                mixed = [*chosen[:at], rng.choice(by_label[wrong]), *chosen[at + 1 :]]
                yield replace(pair, hypothesis=_together(mixed), label=wrong)


def _together(statements: Sequence[str]) -> str:
    return " ".join(s if s.endswith((".", "!", "?")) else f"{s}." for s in statements)
