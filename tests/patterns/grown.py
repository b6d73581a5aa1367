"""Texts that repeat one fragment, and how the time that a pattern takes for them grows with their length."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from re import _constants as ops  # what a pattern is made of, which nothing public tells
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from .collected import Used  # noqa: TID252
from .stretched import inside, stretched  # noqa: TID252

CORPUS = (
    "a", "A", "1", " ", "\n", ".", ",", "-", "'", '"', "(", "[", "<a", "*", "_", "`", "|", ":", "/", "=", "@", "Ä", "中",
    "1 ", "a ", "A ", "1,", "1.", "a.", "a-", "A1-", "- a\n", "a, ", "Anna ", "$1 ", "2026-01-02 ", "\t", " \n",
)  # fmt: skip
FOUND = (
    ("", '"\\'), (":['", '\\"{}'), ("# x", " "), ("", "\n"), ("@a", "/.-A"), ("v", "1"), ("|+:", " "), ("today", " "), ("<", " "),
    ("aa1", "0"), ("/", "tfsqlmdx"), ("", ".111"), ("", "![]("), ("```", " "), ("1", ",445"), ("(t/ clause", "7"), ("(*)section ", "0"), ("", "[1"),
    ("[9.", "\t"),
)  # fmt: skip
"""What a text began with and repeated when some pattern was once found to take the square of it."""
LENGTHS = (16, 20, 25, 32, 40, 50, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768)
"""Small steps first: what doubles with each character must be noticed before it never ends."""
FLOOR = 0.03
"""Seconds below which nothing is said of how they grow."""
STEEPEST = 1.5
"""The exponent of growth that is no longer n log n, however busy the machine."""


@dataclass(frozen=True)
class Repeated:
    """A text of any length: what it begins with, what it repeats, what it ends with."""

    lead: str
    fragment: str
    tail: str

    def of(self, length: int) -> str:
        times = length // len(self.fragment) + 1
        return self.lead + (self.fragment * times)[:length] + self.tail


def exponent(used: Used, text: Repeated) -> float:
    """The power of its length with which the time of a pattern grows; 0 where it takes no time to speak of."""
    for length in LENGTHS:
        took = _seconds(used, text.of(length))
        if took > FLOOR:
            quarter, whole = (
                min(_seconds(used, text.of(size)) for _ in range(3))
                for size in (length // 4, length)
            )
            return math.log(whole / quarter, 4) if whole > FLOOR else 0.0
    return 0.0


def _seconds(used: Used, text: str) -> float:
    begun = time.process_time()
    used.run(text)
    return time.process_time() - begun


def texts(used: Used, choice: random.Random, count: int) -> Iterator[Repeated]:
    """Of each fragment of the corpus one text, what was found before, what repeats each of the pattern's repetitions, then so
    many of what the pattern itself speaks of."""
    own = pieces(used.pattern.pattern)
    for fragment in CORPUS:
        yield Repeated("", fragment, "\0")
    for lead, fragment in FOUND:
        for tail in ("\0", "\n", ""):
            yield Repeated(lead, fragment, tail)
    for lead, fragment in stretched(used.pattern, choice, 2):
        yield Repeated(lead, fragment, "\0")
    for _ in range(count if own else 0):
        lead, fragment = (
            "".join(choice.choices(own, k=choice.randint(least, 4))) for least in (0, 1)
        )
        yield Repeated(
            lead if choice.random() < 0.5 else "", fragment, choice.choice(("", "\0", "\n"))
        )


def pieces(pattern: str) -> list[str]:
    """Words and characters that a pattern names, in order, each once."""
    return list(dict.fromkeys(piece for piece in _pieces(_parser.parse(pattern)) if piece))


_SAMPLES = {
    ops.CATEGORY_DIGIT: "1", ops.CATEGORY_NOT_DIGIT: "a", ops.CATEGORY_SPACE: " ", ops.CATEGORY_NOT_SPACE: "x",
    ops.CATEGORY_WORD: "b", ops.CATEGORY_NOT_WORD: "-",
}  # fmt: skip


def _pieces(parsed: Any) -> Iterator[str]:
    word = ""
    for op, value in parsed:
        if op is ops.LITERAL:
            word += chr(value)
            continue
        yield word
        word = ""
        match op:
            case ops.IN:
                for kind, inner in value:
                    if kind is ops.LITERAL:
                        yield chr(inner)
                    elif kind is ops.RANGE:
                        yield chr(inner[0])
                    elif kind is ops.CATEGORY:
                        yield _SAMPLES.get(inner, "")
            case ops.ANY | ops.NOT_LITERAL:
                yield "x"
            case _:
                for inner in inside(value):
                    yield from _pieces(inner)
    yield word
