"""What a training pair is, and how the files they are made from are read."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

Label: TypeAlias = Literal["entailment", "neutral", "contradiction"]


@dataclass(frozen=True, slots=True)
class Pair:
    """A premise, a hypothesis and how they stand to each other.

    ``origin`` names the source; ``fault`` says how a faulty twin was made from a true claim ("" for
    a claim as it was found).
    """

    premise: str
    hypothesis: str
    label: Label
    origin: str
    fault: str = ""


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Rows of a gzip file of JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


_WORD = re.compile(r"[a-z0-9]+")
_STOP = frozenset(
    "a an and are as at be been but by did do does for from had has have he her his i in is it its "
    "no not of on or she than that the their there they this to was were what when which who will "
    "with you your".split()
)


def content_words(text: str) -> set[str]:
    """Words that can tell which passage a claim speaks about."""
    return {word for word in _WORD.findall(text.lower()) if word not in _STOP}
