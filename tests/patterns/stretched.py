"""Texts that lead a pattern to each of its repetitions, and then repeat what that one takes.

A pattern takes the square of a text where a repetition has more than one way to divide it with its neighbours. Fragments
taken at random seldom get as far as a repetition in the middle of a pattern; these begin with a sample of all that stands
before it.
"""

from __future__ import annotations

import random
import re
import string
from collections.abc import Iterator
from re import _compiler, _parser  # type: ignore[attr-defined]  # what a pattern is made of, which nothing public tells
from re import _constants as ops
from typing import Any

CHARACTERS = string.printable + "Ä中—–“”’„«»€×…"
OFTEN = 50
"""A repetition that may be made so often is unbounded for this purpose."""
_REPEATS = (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT)


def stretched(
    pattern: re.Pattern[str], choice: random.Random, each: int
) -> Iterator[tuple[str, str]]:
    """For every repetition of a pattern, ``each`` times what leads to it and what it takes once: the latter to be repeated
    behind the former, and both together, over and over, which begins a match at many places."""
    sampler = _Sampler(pattern, choice)
    parsed = _parser.parse(pattern.pattern, pattern.flags)
    for _ in range(each):
        for lead, body in sampler.repeats(parsed, ""):
            if fragment := sampler.of(body):
                yield lead, fragment
                yield "", lead + fragment


class _Sampler:
    """Texts that parts of one pattern match, look-arounds and references left out of account."""

    def __init__(self, pattern: re.Pattern[str], choice: random.Random) -> None:
        self._flags, self._choice = pattern.flags, choice
        self._taken: dict[str, str] = {}

    def repeats(self, parsed: Any, lead: str) -> Iterator[tuple[str, Any]]:
        """Every unbounded repetition within a part of the pattern, with a text that leads to it."""
        for op, value in parsed:
            if op in _REPEATS:
                _, most, body = value
                if most >= OFTEN:
                    yield lead, body
                yield from self.repeats(body, lead)
            else:
                for inner in inside(value):
                    yield from self.repeats(inner, lead)
            lead += self._one(op, value)

    def of(self, parsed: Any) -> str:
        return "".join(self._one(op, value) for op, value in parsed)

    def _one(self, op: Any, value: Any) -> str:
        match op:
            case ops.LITERAL:
                return chr(value)
            case ops.IN | ops.ANY | ops.NOT_LITERAL | ops.CATEGORY:
                return self._character(op, value)
            case _ if op in _REPEATS:
                least, most, body = value
                times = max(least, min(most, self._choice.randint(0, 2)))
                return "".join(self.of(body) for _ in range(times))
            case ops.SUBPATTERN | ops.ATOMIC_GROUP | ops.BRANCH:
                return self.of(self._choice.choice(list(inside(value))))
        return ""

    def _character(self, op: Any, value: Any) -> str:
        one = repr((op, value))
        if one not in self._taken:
            part = _parser.SubPattern(_parser.State(), [(op, value)])
            takes = _compiler.compile(part, self._flags).fullmatch
            self._taken[one] = "".join(c for c in CHARACTERS if takes(c))
        return self._choice.choice(self._taken[one] or "\0")


def inside(value: Any) -> Iterator[Any]:
    """The patterns that stand within a part of one."""
    if isinstance(value, _parser.SubPattern):
        yield value
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from inside(inner)
