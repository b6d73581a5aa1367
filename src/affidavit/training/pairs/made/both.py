"""Claims of two things about one object: false where one of the two is."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from affidavit.training.pairs.made.case import Fact, Fields
from affidavit.training.pairs.made.words import PERSON_KINDS


def two_of(facts: Sequence[Callable[[random.Random], Fact]]) -> Callable[[random.Random], Fact]:
    """Two facts told in one claim."""

    def both_of_two(rng: random.Random) -> Fact:
        """Two facts about one object, against records in which one of them is otherwise."""
        first, second = _drawn(rng, facts)
        one, two = first.claim.removesuffix("."), second.claim
        two = two.replace("{it}", "it").replace("{its}", "its")
        claim = one + rng.choice((", and ", " and ", ", but ", "; ", ", while ")) + two
        wrong: Fields = rng.choice((first.holds | second.fails, first.fails | second.holds))
        return Fact(first.kind, first.holds | second.holds, wrong, claim)

    return both_of_two


def _drawn(
    rng: random.Random, facts: Sequence[Callable[[random.Random], Fact]]
) -> tuple[Fact, Fact]:
    while True:
        first, second = (draw(rng) for draw in rng.sample(facts, 2))
        keys = [frozenset(fact.holds) | frozenset(fact.fails) for fact in (first, second)]
        if first.kind != second.kind or first.kind in PERSON_KINDS:
            continue  # the second part speaks of "it"
        named = "{it" in first.claim and "{it" in second.claim
        if named and not keys[0] & keys[1] and first.today is None and second.today is None:
            return first, second
