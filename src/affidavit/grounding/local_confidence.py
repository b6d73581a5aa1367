"""Confidence without a key: names, the kind of answer asked for, and the embedded encoder."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from affidavit.errors import EncoderError, ScorerError
from affidavit.grounding.answering import FITTED, AnswerReader
from affidavit.grounding.asked import MONEY, TIME, Asked, asked_for
from affidavit.grounding.confidence import NOTHING, Confidence, ConfidenceLevel
from affidavit.grounding.query_kinds import QueryKind, query_kind
from affidavit.ledger.passages import PASSAGE_CHARS, split_prose
from affidavit.ledger.values import Value, ValueKind, fold, parse_values
from affidavit.ledger.words import content_stems, stem, words
from affidavit.models.embedding import Encoder, load_encoder

# What the answer to a search for prices or dates must hold, where it is put in no form that can be read.
_OF_KIND: dict[QueryKind, Asked] = {"price": Asked(MONEY), "date": Asked(TIME)}
_ONE_THING: frozenset[ValueKind] = frozenset(
    {"name", "identifier", "quoted", "email", "url", "handle"}
)

_ANSWERS, _SURELY = 0.5, 0.7
"""Probabilities that the figure asked for is stated from which on a result can answer, and answers fully."""

# What a thing is, said after its name.
_NOUNS = content_stems(
    "account card plan contract agreement policy client customer company corporation corp inc llc ltd "
    "gmbh tier package"
)

# Words that say what kind of answer is wanted and need not stand in it.
_OF_QUERIES = content_stems(
    "price cost fee charge much many long often when date time tell show find give explain information "
    "details question know need want please help happen work"
)


@dataclass(frozen=True, slots=True)
class Cuts:
    """From these similarities on a passage counts as HIGH, MEDIUM or LOW; below, as NOT_RELEVANT.

    A similarity is half the cosine of the embedded encoder and half the share of the query's words.
    """

    high: float = 0.62
    medium: float = 0.5
    low: float = 0.3

    def level(self, similarity: float) -> ConfidenceLevel:
        if similarity >= self.high:
            return "HIGH"
        if similarity >= self.medium:
            return "MEDIUM"
        return "LOW" if similarity >= self.low else "NOT_RELEVANT"


class LocalConfidence:
    """Reads the result itself, with no language model.

    It knows when a result is about somebody else (a name or number of the query is not in it), when it
    lacks the kind of answer asked for (a price without an amount), and how close its best passage is to the query. Where a
    query asks for a figure, the embedded models read whether one of the result's is stated of what was asked (the notice
    period is not, where the penalty was asked for). For what matters, ask a language model: one such question in six
    comes out wrong (``benchmarks/right_document.py``).
    ``understood`` are names that queries mention and documents take for granted, such as one's own.
    """

    def __init__(
        self,
        *,
        encoder: Encoder | str | None = None,
        cuts: Cuts | None = None,
        understood: Collection[str] = (),
    ) -> None:
        self._encoder = load_encoder(encoder)
        self._reader = AnswerReader(self._encoder if encoder in (None, "embedded") else None)
        self._cuts = cuts or Cuts()
        self._understood = frozenset(fold(name) for name in understood)

    async def evaluate(self, query: str, content: str) -> Confidence:
        if not content.strip():
            return NOTHING
        try:
            return await asyncio.to_thread(self._evaluate, query, content)
        except (EncoderError, ScorerError) as error:
            why = f"the result could not be assessed: {error}"
            return Confidence("LOW", False, why, checked=False, produced_by=self._encoder.name)

    def _evaluate(self, query: str, content: str) -> Confidence:
        if absent := [v.text for v in self._things(query) if not _says(v, content)]:
            told = ", ".join(f"“{text}”" for text in absent)
            return self._verdict("NOT_RELEVANT", f"the result does not speak of {told}")
        similarity, passage = self._best(query, content)
        level = self._cuts.level(similarity)
        asked = asked_for(query)
        if asked is not None and level != "NOT_RELEVANT":
            return self._read(query, asked, content)
        kind = query_kind(query)
        if asked is None and kind in _OF_KIND and not _OF_KIND[kind].told_in(content):
            level = "LOW" if level in ("HIGH", "MEDIUM") else level
            return self._verdict(level, f"the result holds no {kind}")
        return self._verdict(level, f"closest passage, {similarity:.2f}: {passage[:120]}")

    def _read(self, query: str, asked: Asked, content: str) -> Confidence:
        known = [
            value.text for value in parse_values(query) if fold(value.text) in self._understood
        ]
        reading = self._reader.read(query, asked, content, known)
        chance = FITTED.chance(reading)
        if chance < _ANSWERS:
            why = "it is about the subject, and what was asked for is not stated; closest"
            return self._verdict("LOW", f"{why}, {chance:.2f}: {reading.line[:120]}")
        level: ConfidenceLevel = "HIGH" if chance >= _SURELY else "MEDIUM"
        return self._verdict(level, f"the answer is stated, {chance:.2f}: {reading.line[:120]}")

    def _things(self, query: str) -> Iterator[Value]:
        """The particular things that a query is about."""
        for value in parse_values(query):
            if value.kind in _ONE_THING and fold(value.text) not in self._understood:
                yield value

    def _best(self, query: str, content: str) -> tuple[float, str]:
        passages = [
            content[start:end] for start, end in split_prose(content, limit=PASSAGE_CHARS)
        ] or [content]
        vectors = self._encoder.encode_documents(passages)
        cosines = vectors @ self._encoder.encode_queries([query])[0]
        asked = content_stems(query) - _OF_QUERIES
        similar = [
            0.5 * float(cosine) + 0.5 * _covered(asked, passage)
            for cosine, passage in zip(cosines, passages, strict=True)
        ]
        best = max(range(len(passages)), key=similar.__getitem__)
        return similar[best], " ".join(passages[best].split())

    def _verdict(self, level: ConfidenceLevel, reason: str) -> Confidence:
        can_answer = level in ("HIGH", "MEDIUM")
        return Confidence(level, can_answer, reason, produced_by=self._encoder.name)


def _covered(asked: frozenset[str], passage: str) -> float:
    return len(asked & content_stems(passage)) / len(asked) if asked else 1.0


def _says(value: Value, content: str) -> bool:
    """Whether a text names the thing: its words one after the other, in any inflection, with or without
    the noun at their end (the "Silver Years Account" is "Silver Years", and not silver, years and
    accounts here and there)."""
    name, text = [stem(word) for word in words(value.text)], [stem(word) for word in words(content)]
    if len(name) > 1 and "".join(name) in text:  # "Everyone Pay" is written "EveryonePay" as well
        return True
    shorter = name[:-1] if len(name) > 1 and name[-1] in _NOUNS else name
    return any(text[at : at + len(shorter)] == shorter for at in range(len(text)))
