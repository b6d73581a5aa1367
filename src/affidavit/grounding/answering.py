"""Does a text state the figure that a question asks for? One fitted probability from two readings of it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from affidavit.grounding.asked import Asked, lines_of
from affidavit.ledger.words import STOP_WORDS
from affidavit.models.embedding import Encoder, load_encoder
from affidavit.models.entailment import EntailmentModel, load_entailment_model

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

_LINES, _FIGURES = 4, 2
"""Lines, nearest first, and figures of each that are tried as the answer."""
_NEAREST = 12
"""Lines whose words are set beside those of the question."""
_OF_SUBJECT = 0.75
"""Similarity of a word to one of the text's title from which on it says what the text is about, and not what is asked of it."""
_TITLE = 120
"""Characters of a first line up to which it is a title."""
_SURE = 1e-3
_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class Weights:
    """A logistic function of both readings: ``stated`` are log-odds, ``spoken`` is from 0 to 1."""

    bias: float
    stated: float
    spoken: float

    def chance(self, reading: Reading) -> float:
        at = self.bias + self.stated * reading.stated + self.spoken * reading.spoken
        return 1 / (1 + math.exp(-at))


FITTED = Weights(bias=-9.68, stated=1.1, spoken=10.63)
"""Fitted on 177 questions to pages of a bank by ``python -m affidavit.training.answering``."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text says to a question.

    ``stated`` is how surely the entailment model finds that a line speaks of what was asked, with one of its figures as the
    answer, in log-odds of the best; ``spoken`` how far the words of the question that its title does not say are near to
    words of one line. ``line`` is the one that was found the likeliest to answer.
    """

    stated: float
    spoken: float
    line: str


class AnswerReader:
    """Reads with the two models that ship with the package, which the weights are fitted to."""

    def __init__(
        self, encoder: Encoder | None = None, entailment: EntailmentModel | None = None
    ) -> None:
        self._encoder = load_encoder(encoder)
        self._entailment = load_entailment_model(entailment)

    def read(
        self, question: str, asked: Asked, text: str, understood: Sequence[str] = ()
    ) -> Reading:
        """``understood`` are names of the question that the text takes for granted. Raises EncoderError and ScorerError
        where a model cannot answer."""
        title, lines = ", ".join([*understood, *_title(text)]), lines_of(text)
        if not lines:
            return Reading(_log_odds(0.0), 0.0, "")
        told = [f"{title}: {line}" if title else line for line in lines]
        near = self._encoder.encode_documents(told) @ self._encoder.encode_queries([question])[0]
        order = sorted(range(len(lines)), key=lambda n: -float(near[n]))
        spoken = self._spoken(question, title, [lines[n] for n in order[:_NEAREST]])
        holding = [n for n in order if asked.told_in(lines[n])][:_LINES]
        tried = [(n, f"{question} {t}.") for n in holding for t in asked.told_in(lines[n])[:_FIGURES]]  # fmt: skip
        if not tried:
            return Reading(_log_odds(0.0), spoken, lines[order[0]])
        scores = self._entailment.score([(told[n], statement) for n, statement in tried])
        best = min(range(len(tried)), key=lambda at: scores[at].neutral)
        # A line that denies the figure speaks of the thing: which of its figures is the answer is not for this to say.
        return Reading(_log_odds(1 - scores[best].neutral), spoken, lines[tried[best][0]])

    def _spoken(self, question: str, title: str, lines: Sequence[str]) -> float:
        wanted, subject, said = _words(question), _words(title), [_words(line) for line in lines]
        known = list(dict.fromkeys(word for some in (wanted, subject, *said) for word in some))
        if not wanted:
            return 1.0
        vectors = dict(zip(known, self._encoder.encode_documents(known), strict=True))
        own = _beside(wanted, subject, vectors)
        asked = [word for word, most in zip(wanted, own, strict=True) if most < _OF_SUBJECT]
        if not asked:
            return 1.0
        return max(sum(_beside(asked, some, vectors)) / len(asked) for some in said)


def _beside(words: Sequence[str], others: Sequence[str], vectors: dict[str, Floats]) -> list[float]:
    """How near each word comes to any of the others."""
    import numpy as np

    if not others:
        return [0.0] * len(words)
    both = np.stack([vectors[w] for w in words]) @ np.stack([vectors[w] for w in others]).T
    return [float(most) for most in both.max(axis=1)]


def _words(text: str) -> list[str]:
    found = dict.fromkeys(word.lower() for word in _WORD.findall(text))
    return [word for word in found if word not in STOP_WORDS]


def _title(text: str) -> list[str]:
    """What a text calls itself: its first line, if that is short and there are others."""
    first, _, rest = text.strip().partition("\n")
    return [first.strip("# ").strip()] if rest and len(first) <= _TITLE else []


def _log_odds(p: float) -> float:
    p = min(max(p, _SURE), 1 - _SURE)
    return math.log(p / (1 - p))
