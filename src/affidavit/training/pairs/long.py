"""Long passages: a premise among others of its kind, with the fact anywhere in it."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from affidavit.training.pairs.pair import Pair, content_words

PREMISE_CHARS = 560

_NAMED = re.compile(r"\b[A-Za-z-]*\d[\w-]*\b")


def long_pairs(pairs: Sequence[Pair], rng: random.Random) -> Iterator[Pair]:
    """Each pair with its premise somewhere between premises that say nothing of its claim."""
    kinds: dict[bool, set[str]] = defaultdict(set)
    for pair in pairs:
        kinds[_record(pair)].add(pair.premise)
    premises = {record: sorted(found) for record, found in kinds.items()}
    for pair in pairs:
        if _record(pair) and not _names_its_thing(pair):
            continue
        room = PREMISE_CHARS - len(pair.premise)
        around: list[str] = []
        words = content_words(pair.hypothesis)
        for other in rng.sample(premises[_record(pair)], k=min(8, len(premises[_record(pair)]))):
            # A stranger that shares the claim's words might well speak to it.
            if (
                other != pair.premise
                and len(other) < room
                and len(words & content_words(other)) < 2
            ):
                around.append(other)
                room -= len(other)
        if around:
            around.insert(rng.randint(0, len(around)), pair.premise)
            join = "\n" if _record(pair) or "\n" in pair.premise else " "
            yield replace(pair, premise=join.join(around), origin="long")


def _record(pair: Pair) -> bool:
    return pair.origin in ("flags", "statuses", "records")


def _names_its_thing(pair: Pair) -> bool:
    """Beside other records, a claim about "it" or "the order" could be about any of them."""
    names = set(_NAMED.findall(pair.hypothesis))
    return any(len(name) > 3 and name in pair.premise for name in names)
