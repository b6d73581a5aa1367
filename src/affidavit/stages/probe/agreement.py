"""Whether a probe's answer says the same as a claim: values exactly, words by entailment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from affidavit.ledger.values import Value, compare, parse_values
from affidavit.models.entailment.protocol import Entailment
from affidavit.stages.probe.align import bearing_on, clauses_of, negated, sentences_of

Reading = Literal["agrees", "differs", "silent", "words"]
"""``silent``: the answer does not address the claim and is not usable. ``words``: the values do not
tell, an entailment model might."""

# A different name or quotation nearby is no contradiction: most sentences hold several.
_SOFT = frozenset({"name", "quoted"})


@dataclass(frozen=True, slots=True)
class Sample:
    """What one probe answer comes to for one claim."""

    reading: Reading
    passage: str
    """The part of the answer that bears on the claim; the whole where none stands out."""


def read_values(statement: str, answer: str, question: str) -> Sample:
    """Compare by values. What the question itself says is no sign of agreement."""
    asked = parse_values(question)
    wanted = [v for v in _hard(statement) if not _among(v, asked)]
    sentences = bearing_on(statement, sentences_of(answer))
    passage = " ".join(sentences) or answer.strip()
    if not wanted:
        return Sample("words", passage)
    # The narrowest passage first: "the tent costs $429 and the pads cost $239".
    for pieces in (bearing_on(statement, clauses_of(answer)), sentences):
        reading = _compare(wanted, pieces, answer, asked)
        if reading != "silent":
            return Sample(_unless_negated(reading, statement, sentences), passage)
    everywhere = _hard(answer)
    if all(_among(v, everywhere) for v in wanted):
        # A terse answer ("$5.") shares the value and no words, and nothing nearer says otherwise.
        return Sample(_unless_negated("agrees", statement, sentences), passage)
    return Sample("words", passage)


def read_words(scores: Entailment) -> Reading:
    """Compare by what an entailment model says of the passage and the claim."""
    if scores.entailment >= 0.5:
        return "agrees"
    return "differs" if scores.contradiction >= 0.5 else "silent"


def tally(readings: Sequence[Reading], asked: int) -> tuple[float | None, bool]:
    """The share of usable answers that agree, and whether less than a majority of them does.

    One for and one against is no majority. None, and no divergence, where fewer than half of the ``asked`` samples are usable: one answer of
    three is one model's slip, whichever way it falls.
    """
    agreeing, differing = readings.count("agrees"), readings.count("differs")
    usable = agreeing + differing
    if usable == 0 or usable * 2 < asked:
        return None, False
    return agreeing / usable, agreeing * 2 <= usable


def _compare(
    wanted: Sequence[Value], pieces: Sequence[str], answer: str, asked: Sequence[Value]
) -> Reading:
    said = [v for piece in pieces for v in _hard(piece)]
    missing = [v for v in wanted if not _among(v, said)]
    found_one = len(missing) < len(wanted)
    if found_one:
        # Part of a claim may be told in another sentence than the rest.
        missing = [v for v in missing if not _among(v, _hard(answer))]
    others = [v for v in said if not _among(v, wanted) and not _among(v, asked)]
    if any(_different(claimed, other) for claimed in missing for other in others):
        return "differs"
    if not found_one:
        return "silent"
    # "The five invoices come to $5,489" is not borne out by "there are five invoices".
    return "words" if missing else "agrees"


def _unless_negated(reading: Reading, statement: str, sentences: Sequence[str]) -> Reading:
    """A refund of $5 that was not paid has all the values of one that was."""
    if reading == "agrees" and any(negated(s) != negated(statement) for s in sentences):
        return "words"
    return reading


@lru_cache(maxsize=2048)
def _hard(text: str) -> tuple[Value, ...]:
    # Kept, since every claim is held against the same few sentences.
    return tuple(value for value in parse_values(text) if value.kind not in _SOFT)


def _among(value: Value, others: Sequence[Value]) -> bool:
    return any(_same(value, other) for other in others)


def _same(a: Value, b: Value) -> bool:
    # Either may be the rounded one.
    return compare(a, b) in ("same", "rounded") or compare(b, a) == "rounded"


def _different(a: Value, b: Value) -> bool:
    # Two counts contradict each other only if they count the same thing.
    if a.kind == "number" and b.kind == "number" and a.unit != b.unit:
        return False
    return compare(a, b) == "different"
