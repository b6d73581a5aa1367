"""Values in running text: whether the sentence that has one says it of what the claim says it of.

A record binds a value to its field. In a text only the words around it do: "28 working days" of the annual
leave is not what another sentence allows for work from abroad.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from affidavit.ledger.ledger import Passage
from affidavit.ledger.passages import sentences
from affidavit.ledger.search import Hit
from affidavit.ledger.values import Value, compare, parse_values
from affidavit.ledger.words import content_stems, is_negated, named_in
from affidavit.stages.ground.claim import Claim, bare_words
from affidavit.stages.ground.finding import GroundContext
from affidavit.stages.ground.phrases import COMPARED

_SEGMENT = re.compile(r",\s+|\s(?:and|but|or|while|whereas)\s|\s\(|\)\s?|;\s+|:\s+")
_NUMERAL = re.compile(r"\S*\d\S*")
_DAYS = re.compile(
    r"\b(?:week-?days?|week-?ends?|(?:public |bank |school )?holidays?|working days)\b", re.I
)
"""Days that are no weekday of their own."""
_FREE = re.compile(
    r"\b(?:free|openings?|availab\w+|vacan\w+|unbooked|slots?|gaps?|windows?|breaks?|spare|in common|"
    r"(?:could|can|might) (?:both |all )?(?:meet|talk|speak|call|join)|any (?:time|hour) (?:between|from|after|before))\b",
    re.I,
)
"""What is said of the time between appointments."""
_SHORT = 60
"""Longest cell, in characters, whose field says what its value is of."""
_LEAD = 2
"""Words by which another sentence has to be nearer to the claim."""
_SHARE = 0.5
"""Share of the claim's words that the other sentence has to have."""
_SHARE_OF_DAYS = 0.99
"""The same, where a day is what the two sentences differ in."""


@dataclass(frozen=True)
class Sentence:
    """A sentence of the evidence, with the words of its heading."""

    text: str
    heading: str
    passage: Passage

    @cached_property
    def stems(self) -> frozenset[str]:
        return content_stems(_NUMERAL.sub(" ", f"{self.heading} {self.text}"))

    @cached_property
    def values(self) -> tuple[Value, ...]:
        return tuple(parse_values(self.text))


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Where a value stands, and the sentence that says another of what the claim speaks of."""

    found: Sentence
    nearer: Sentence
    instead: Value


def said_of_another(
    value: Value, hits: Sequence[Hit], claim: Claim, context: GroundContext
) -> Elsewhere | None:
    """The sentence that speaks of what the claim speaks of and has another value of the same sort, where each
    sentence that has the claim's own speaks of something else; None wherever that is in doubt."""
    if value.number is None and value.moment is None:
        return None
    if not hits or any(not is_running(hit) for hit in hits):
        return None
    if value.moment is not None and _FREE.search(claim.text):
        return None  # what is free lies between what is taken, and each time is said of that
    said = _words_of(claim)
    if len(said) < _LEAD:
        return None
    own = [s for hit in hits for s in sentences_of(hit.passage) if _has(s, value, context)]
    if not own:
        return None
    others = [v for v in claim.values if v is not value and not _same(v, value, context)]
    best = max(own, key=lambda s: _near(s, said, others, context))
    part = _other_part(best, value, claim, context) or _other_clause(best, value, claim, context)
    if part is not None:
        return Elsewhere(best, best, part)
    beside = _line_beside(best, value, claim, context)
    if beside is not None:
        return beside
    reached = _near(best, said, others, context)
    # A key or a column is short: there the other sentence has to have all of its words.
    lead, wanted = (1, len(said)) if claim.is_datum else (_LEAD, len(said) * _SHARE)
    if _is_day(value):  # the day of a plan may be told once for all of its sentences
        lead, wanted = max(lead, _LEAD), len(said) * _SHARE_OF_DAYS
    for sentence in _candidates(hits, context):
        near = _near(sentence, said, others, context)
        if near < reached + lead or near < wanted:
            continue
        rival = _rival(sentence.values, value, claim, context)
        if rival is not None and not _has(sentence, value, context):
            return Elsewhere(best, sentence, rival)
    return None


def _line_beside(
    own: Sentence, value: Value, claim: Claim, context: GroundContext
) -> Elsewhere | None:
    """The line of a list of labels that alone names what the claim speaks of, with its own value: of "Zone 1
    (Aarau, Brugg): 4.40" and "Zone 2 (Olten): 6.80" the second is what Olten costs. None where the claim has a
    word of the value's own label that the other has not: it speaks of both."""
    mine = _label_of(own, value, context)
    if not mine or claim.is_datum or is_negated(claim.text) or COMPARED.search(claim.text):
        return None
    lines = [
        (line, label, rival)
        for passage in context.search.passages
        if passage.source.id == own.passage.source.id and passage.record is None
        for line in sentences_of(passage)
        if line.heading == own.heading
        and (rival := _rival(line.values, value, claim, context)) is not None
        and (label := _label_of(line, rival, context))
    ]
    said = content_stems(bare_words(claim))
    for line, label, rival in lines:
        others = mine.union(*(words for other, words, _ in lines if other is not line))
        if said & label - others and not said & mine - label:
            return Elsewhere(own, line, rival)
    return None


_LABELLED = re.compile(
    r"\W*(?P<label>\w[^:=]*?)\s*(?::|=|\s[–—-]|\.{3,}|\t)\s*(?P<rest>\S.*)", re.S
)


def _label_of(line: Sentence, value: Value, context: GroundContext) -> frozenset[str]:
    """The words of the label of a line that is a label and this value, and little more; nothing of another."""
    match = _LABELLED.fullmatch(line.text)
    if match is None or len(match["rest"].split()) > _BESIDE:
        return frozenset()
    held = [v for v in parse_values(match["rest"]) if v.number is not None or v.moment is not None]
    if len(held) != 1 or not _same(value, held[0], context):
        return frozenset()
    return content_stems(match["label"])


_BESIDE = 5
"""Words behind a label of which its value is all."""


def is_running(hit: Hit) -> bool:
    """Whether a value stands in a text and not in a field of its own."""
    return hit.passage.source.kind in ("tool_result", "system") and (
        hit.cell is None or len(hit.cell.text) > _SHORT
    )


def _words_of(claim: Claim) -> frozenset[str]:
    label = " ".join(map(str, claim.json_path or ()))
    text = label if claim.is_datum and label else f"{bare_words(claim)} {claim.context}"
    return content_stems(_NUMERAL.sub(" ", text)) - _SAY_LITTLE


_SAY_LITTLE = content_stems(
    "up least most per every each only about around total day month year hour minute"
)


def sentences_of(passage: Passage) -> list[Sentence]:
    heading, _, text = passage.text.rpartition(" | ")
    return [Sentence(text[start:end], heading, passage) for start, end in sentences(text)]


def _candidates(hits: Sequence[Hit], context: GroundContext) -> Iterator[Sentence]:
    passages = {p.id: p for p in (*context.passages, *(hit.passage for hit in hits))}
    for passage in passages.values():
        if passage.source.kind in ("tool_result", "system"):
            if passage.record is None or any(len(c.text) > _SHORT for c, _, _ in passage.cells):
                yield from sentences_of(passage)


def _near(
    sentence: Sentence, said: frozenset[str], others: Sequence[Value], context: GroundContext
) -> int:
    """How many words, and how many of its other values, a sentence shares with the claim."""
    measured = (v for v in others if v.number is not None or v.moment is not None)
    held = sum(_has(sentence, v, context) for v in measured)
    return len(named_in(said, sentence.stems)) + held


def _has(sentence: Sentence, value: Value, context: GroundContext) -> bool:
    return any(_same(value, held, context) for held in sentence.values)


def _same(value: Value, held: Value, context: GroundContext) -> bool:
    return compare(value, held, today=context.today) in ("same", "rounded")


def _rival(
    values: Iterable[Value], value: Value, claim: Claim, context: GroundContext
) -> Value | None:
    """A value of the same sort that the claim does not state."""
    for held in values:
        alike = held.kind == value.kind and held.unit == value.unit
        if alike and compare(value, held, today=context.today) == "different":
            if not any(_same(said, held, context) for said in claim.values):
                return held
    return None


def _other_part(
    sentence: Sentence, value: Value, claim: Claim, context: GroundContext
) -> Value | None:
    """The value that the sentence has beside what the claim names with its own, where it has that in another
    part: of "Monday to Saturday until 10:30, Sundays until 11:00" no 10:30 is for Sunday."""
    texts = _SEGMENT.split(sentence.text)
    parts = [list(parse_values(part)) for part in texts]
    mine = [part for part in parts if any(_same(value, v, context) for v in part)]
    of_days = any(
        _DAYS.search(text) for text, part in zip(texts, parts, strict=True) if part in mine
    )
    for anchor in claim.values:
        if anchor is value or anchor.kind == value.kind and anchor.unit == value.unit:
            if not _is_day(anchor) or _is_day(value):
                continue
        theirs = [part for part in parts if any(_same(anchor, v, context) for v in part)]
        if not theirs or any(part in mine for part in theirs):
            continue
        replaced = any(_rival(part, anchor, claim, context) for part in mine)
        replaced = replaced or (_is_day(anchor) and of_days)
        rivals = [r for part in theirs if (r := _rival(part, value, claim, context)) is not None]
        if replaced and rivals:
            return rivals[0]
    return None


def _other_clause(
    sentence: Sentence, value: Value, claim: Claim, context: GroundContext
) -> Value | None:
    """The value of the clause that the claim has the word of, where its own stands in another clause of which it lacks
    one: of "adults pay 9 euros and students 5" students do not pay nine, though the verb is told but once."""
    if is_negated(claim.text) or claim.is_datum or "," in value.text:
        return None
    if value.moment is not None and (value.moment.clock or value.moment.weekday is not None):
        return None  # "on Friday, 10 April 2026 at 19:30" is one moment in two clauses
    said = content_stems(_NUMERAL.sub(" ", bare_words(claim)))
    texts = [text for text in _SEGMENT.split(sentence.text) if text.strip()]
    parts = [(content_stems(_NUMERAL.sub(" ", text)), list(parse_values(text))) for text in texts]
    mine = [part for part in parts if any(_same(value, v, context) for v in part[1])]
    if len(mine) != 1 or len(parts) > _MOST_CLAUSES:
        return None
    ((own, _),) = mine
    lacking = own - named_in(own, said)
    for words, values in parts:
        theirs = words - own
        named = named_in(theirs, said)
        if words is own or not lacking or not named or named != theirs and lacking != own:
            continue
        rivals = [v for v in values if _stands_for(v, value) and not _same(value, v, context)]
        if rivals and not any(_same(v, rivals[0], context) for v in claim.values):
            return rivals[0]
    return None


_MOST_CLAUSES = 6


def _stands_for(held: Value, value: Value) -> bool:
    """Whether a value may be of the same sort, its unit told but once: the 5 of "adults 9 euros and students 5"."""
    if held.moment is not None and (held.moment.clock or held.moment.weekday is not None):
        return False
    if held.kind == value.kind:
        return held.unit == value.unit or not held.unit
    return held.kind == "number" and value.kind in ("money", "quantity", "percent", "duration")


def _is_day(value: Value) -> bool:
    return value.moment is not None and value.moment.clock is None
