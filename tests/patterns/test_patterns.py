"""No regular expression of the package takes more than n log n steps, whatever text it is given.

``FUZZ_HOURS=1 pytest tests/patterns`` goes on for an hour, with new texts.
"""

from __future__ import annotations

import os
import random
import re
import time

import pytest

from .collected import Used, patterns  # noqa: TID252
from .grown import STEEPEST, exponent, texts  # noqa: TID252

HOURS = float(os.environ.get("FUZZ_HOURS", "0"))
OF_EACH = 16
"""Texts of a pattern's own words and characters in one round."""
PARTS = 16
"""How many tests the patterns are tried in. Modules of many tests are begun first where some run side by side, and this one takes long."""


def slow(some: list[Used], seed: int) -> list[str]:
    """Patterns with texts that they take too long for, each once."""
    found = []
    for used in some:
        choice = random.Random(f"{seed} {used.pattern.pattern!r}")
        for text in texts(used, choice, OF_EACH):
            if (steep := exponent(used, text)) > STEEPEST:
                found.append(f"{used.place}: n to the {steep:.1f} for {text}")
                break
    return found


@pytest.fixture(scope="module")
def all_used() -> list[Used]:
    return patterns()


@pytest.mark.parametrize("part", range(PARTS))
def test_no_pattern_takes_time_by_the_square_of_its_text(all_used: list[Used], part: int) -> None:
    own, until = all_used[part::PARTS], time.monotonic() + HOURS * 3600 / PARTS
    assert own
    seed = 0
    while not (found := slow(own, seed)) and time.monotonic() < until:
        seed = random.SystemRandom().randrange(1 << 32)
    assert not found, f"seed {seed}:\n" + "\n".join(found)


@pytest.mark.parametrize(
    "pattern",
    [r"```\s*[\w+-]*\s*\Z", r"\d{1,3}(?:,\d{3})+ EUR", r"\((?:[^()]*?\W)?page \d+[^()]*\)"],
)
def test_the_search_finds_a_pattern_that_does(pattern: str) -> None:
    used = Used("here", re.compile(pattern), frozenset({"search"}))
    assert any(slow([used], seed) for seed in range(5))
