"""What kind of statement a sentence is, and so what it is held to: a small linear model over its words.

Fitted by :mod:`affidavit.training.kinds` on sentences of real answers that were labelled by hand; ``kinds.json`` holds
its weights and says what they were fitted on and how well they do.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Literal

from affidavit.report import ClaimKind

EXEMPT: frozenset[ClaimKind] = frozenset(
    {"greeting", "offer", "question", "opinion", "plan", "creative"}
)
"""Kinds that are held to nothing: they state nothing that evidence could bear out."""
MARKER = re.compile(r"\[\^?\d{1,3}(?:\s*[,;–-]\s*\^?\d{1,3})*\](?!\()|【[^】]{1,60}】")
"""A mark that cites a source by number."""
Performer = Literal["", "agent", "unsaid"]
WEIGHTS = Path(__file__).parent / "kinds.json"

_FIGURE = re.compile(r"\d")
_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?|[^\w\s]")
_READ = 40
"""Tokens of a sentence that are read: its first thirty and its last ten tell what it does."""
_OPENING = 4
_SURE = 0.5
"""Probability of all exempt kinds together from which a sentence is taken for one: in doubt it is judged."""
_SURE_OF_FIGURES = 0.8
"""The same for a sentence with a figure in it: "Good news, only 3 days left!" is small talk that may be false."""


@dataclass(frozen=True, slots=True)
class Kind:
    """The kind, and who is said to have done an action."""

    kind: ClaimKind
    performer: Performer = ""


LABELS: Mapping[str, Kind] = {
    "F": Kind("fact"),
    "A": Kind("action", "agent"),
    "D": Kind("action", "unsaid"),
    "N": Kind("absence"),
    "R": Kind("restatement"),
    "G": Kind("greeting"),
    "O": Kind("offer"),
    "Q": Kind("question"),
    "P": Kind("plan"),
    "V": Kind("opinion"),
    "C": Kind("creative"),
}
"""What the classes of the model stand for."""


def kind_of(said: str) -> Kind:
    """The kind of one sentence, without markup. A sentence that cites a source by number is a ``citation``."""
    return kind_by(load(), said)


def kind_by(model: Linear, said: str) -> Kind:
    """The kind of one sentence by the weights given."""
    odds = model.odds(said)
    exempt = {name: p for name, p in odds.items() if LABELS[name].kind in EXEMPT}
    held = {name: p for name, p in odds.items() if name not in exempt}
    sure = _SURE_OF_FIGURES if _FIGURE.search(said) else _SURE
    chosen = exempt if sum(exempt.values()) >= sure else held
    kind = LABELS[max(chosen, key=lambda name: chosen[name])]
    return Kind("citation") if kind.kind == "fact" and MARKER.search(said) else kind


def features_of(said: str) -> Iterator[str]:
    """The features of a sentence: words and pairs of words, what it opens with and ends in. Numbers are all one."""
    tokens = [_word(token) for token in _TOKEN.findall(said.replace("’", "'").lower())]
    if len(tokens) > _READ:
        tokens = [*tokens[:30], *tokens[-10:]]
    yield from dict.fromkeys(tokens)
    yield from dict.fromkeys(f"{a} {b}" for a, b in pairwise(tokens))
    # "I moved" and "I booked" tell of a deed alike, though one of them was never seen.
    past = ["-ed" if len(token) > 3 and token.endswith("ed") else token for token in tokens]
    yield from dict.fromkeys(f"{a} {b}" for a, b in pairwise(past) if b == "-ed")
    for n in range(1, min(_OPENING, len(tokens)) + 1):
        yield "^" + " ".join(tokens[:n])
        if "-ed" in past[:n]:
            yield "^" + " ".join(past[:n])
    if tokens:
        yield tokens[-1] + "$"
    yield f"words {min(len(tokens), 24).bit_length()}"


def _word(token: str) -> str:
    return "0" if token[0].isdigit() else token


@dataclass(frozen=True, slots=True)
class Linear:
    """A multinomial logistic regression. Holds no state; safe to share by threads."""

    names: tuple[str, ...]
    bias: tuple[float, ...]
    weights: Mapping[str, tuple[float, ...]]

    def odds(self, said: str) -> dict[str, float]:
        """The probability of each class."""
        scores = list(self.bias)
        for feature in features_of(said):
            for n, weight in enumerate(self.weights.get(feature, ())):
                scores[n] += weight
        most = max(scores)
        shares = [math.exp(score - most) for score in scores]
        total = sum(shares)
        return {name: share / total for name, share in zip(self.names, shares, strict=True)}


@lru_cache(maxsize=2)
def load(weights: Path = WEIGHTS) -> Linear:
    """The model of a file, read once: by default the one that ships with the package."""
    raw = json.loads(weights.read_text(encoding="utf-8"))
    rows = {name: tuple(w / 100 for w in row) for name, row in raw["weights"].items()}
    return Linear(tuple(raw["names"]), tuple(raw["bias"]), rows)
