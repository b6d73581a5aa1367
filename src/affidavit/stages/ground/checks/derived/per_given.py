"""A rate of the evidence times what the user gives: 15 mg per kg for 24 kg, 6.4 l per 100 km for 350 km.

Rates of fields that are charged by the night or the person, with the counts in the evidence itself, are
the matter of ``rates``; here the rate may stand in running text and the other factor is the user's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell, Record
from affidavit.ledger.values import Value, parse_values
from affidavit.ledger.values.units import is_measure
from affidavit.ledger.words import content_stems, named_in, stem
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.asked import asked_values, people
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Table,
    is_result,
    like_measures,
    number_like,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_PER = re.compile(
    r"\s?(?:/|(?:(?:of [\w ]{2,24} |in (?:petrol|diesel|fuel) )?(?:per|a|an|each|for (?:each|every)|(?:to|for) every)\s))\s?"
    r"(?P<unit>(?:\d[\d.,]*\s?)?[a-zA-Z²³µ]+)"
)
"""Behind an amount, what it is for: " per 100 km", "/kg", " a night", " of water for every 2 kg"."""
_HINT = re.compile(r"\d.*(?:\bper\b|/|\b(?:an?|each|every)\s)|\bper\b.*\d")
"""In a text that may tell a rate; columns have thousands that do not."""
_PER_BEFORE = re.compile(r"\bper (?P<unit>(?:\d+ ?)?[a-zA-Z²³µ]+)[^.;\n\d]{0,12}$")
"""In front of an amount: "price per tin: €28.90"."""
_PER_FIELD = re.compile(r"^(?P<of>.*?)\s?\bper (?P<unit>(?:\d+ ?)?\w+)$")
_SENTENCE = re.compile(r"[;\n]|\.(?:\s|$)")
_HEADS = frozenset(map(stem, "person people head guest adult ticket seat participant passenger visitor".split()))  # fmt: skip
_AMOUNTS = frozenset({"money", "quantity", "number"})
_PLAIN = frozenset(map(stem, "daily weekly monthly yearly second".split()))


@dataclass(frozen=True, slots=True)
class _Rate:
    """So much for so many of a unit, and the words that say what the rate is of."""

    amount: Value
    each: Value
    words: frozenset[str]
    span: EvidenceSpan
    text: str


def per_given(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The rate that the claim or the question speaks of, times so many of its units as the user gives."""
    if value.number is None or value.kind not in _AMOUNTS:
        return
    said, asked = content_stems(claim.statement), content_stems(context.question)
    rates = context.search.once("rates that are told", lambda: list(_rates(context)))
    fitting = [
        ((len(named_in(r.words, said)), len(named_in(r.words, asked))), r)
        for r in rates
        if like_measures(r.amount, value)
    ]
    best = max((named for named, _ in fitting), default=(0, 0))
    for named, rate in fitting:
        if named != best or not rate.amount.number or not rate.each.number:
            continue
        for given in _given(rate.each, value, claim, context):
            assert given.number is not None
            result = rate.amount.number * given.number / rate.each.number
            shown = number_like(value, result, rate.amount.unit)
            text = f"{rate.text} × {given.text} = {shown.text} {shown.unit}".rstrip()
            factors = (given.number,) if given.kind == "number" else ()
            yield Derivation("rate", shown, text, (rate.span,), factors)


def _given(each: Value, value: Value, claim: Claim, context: GroundContext) -> Iterator[Value]:
    """What the user gives in the unit that a rate is by, or the claim itself: "four tins cost"."""
    counted = stem(each.unit.split(" ")[-1])
    own = [v for v in claim.values if v is not value and v.kind == "number" and v.number]
    for told in (*asked_values(context), *own):
        if each.kind != "number" and (told.kind, told.unit) == (each.kind, each.unit):
            yield told
        elif each.kind in ("number", "duration") and told.kind in ("number", "duration"):
            noun = stem((told.unit if told.kind == "number" else told.face_unit).split(" ")[-1])
            same = counted in (noun, stem(each.face_unit)) or counted in _HEADS and noun in _HEADS
            if noun and same and told.kind == each.kind:
                yield told
    for number in people(context) if counted in _HEADS else ():
        yield number_like(each, number)


def _rates(context: GroundContext) -> Iterator[_Rate]:
    for passage in filter(is_result, context.search.passages):
        if passage.record is None:
            yield from _told(passage.text, passage.values, "", frozenset(), passage.span)
            continue
        row = passage.record.once("words", partial(_words_of_row, passage.record))
        for cell, _, _ in passage.cells:
            yield from _of_field(cell, row, passage)
            if isinstance(cell.raw, str) and _HINT.search(cell.text):
                values = parse_values(cell.text)
                yield from _told(cell.text, values, cell.key, row, partial(passage.span, cell))


def _words_of_row(record: Record) -> frozenset[str]:
    texts = [c.text for c in record.cells if not any(map(str.isdigit, c.text))]
    named = content_stems(" ".join(text for text in texts if len(text) <= _LONGEST))
    return content_stems(record.header) | named


_LONGEST = 60


def _told(
    text: str,
    values: Sequence[Value],
    label: str,
    around: frozenset[str],
    span: Callable[[], EvidenceSpan],
) -> Iterator[_Rate]:
    """The rates of a text, with the words of their sentences; a label is of the first of these."""
    cuts = [0, *(m.end() for m in _SENTENCE.finditer(text)), len(text)]
    for value in values:
        if value.number is None or value.kind not in _AMOUNTS:
            continue
        amount, per, end = value, _PER.match(text, value.end), value.end
        if "/" in value.face_unit and value.face is not None:  # "15 mg/kg" is one quantity
            over, _, under = value.face_unit.partition("/")
            read = parse_values(f"{value.face} {over}")
            amount, each, end = read[0] if read else value, _unit(under), value.end
        elif per is not None:
            each, end = _unit(per["unit"]), per.end()
        elif (per := _PER_BEFORE.search(text[: value.start])) is not None:
            each = _unit(per["unit"])
        else:
            continue
        if each is not None:
            left = max(cut for cut in cuts if cut <= value.start)
            right = min(cut for cut in cuts if cut >= value.end)
            words = around | content_stems(f"{text[left:right]} {'' if left else label}")
            yield _Rate(amount, each, _naming(words), span(), text[value.start : end].strip())


def _naming(words: frozenset[str]) -> frozenset[str]:
    """The words that may name a thing: no figures, and no units, which any amount has."""
    return frozenset(word for word in words if word.isalpha() and not is_measure(word))


def _of_field(cell: Cell, row: frozenset[str], passage: Passage) -> Iterator[_Rate]:
    """The rate of a field that is named for one: ``dose_mg_per_kg: 15``, ``litres_per_100_km: 6.4``."""
    per = _PER_FIELD.match(cell.key)
    if per is None or isinstance(cell.raw, bool):
        return
    read = parse_values(f"{cell.text} {per['of'].split(' ')[-1]}") or parse_values(cell.text)
    each = _unit(per["unit"])
    words = _naming(row | content_stems(per["of"]))
    held = [v for c, v in passage.cell_values if c is cell and v.kind == "money"] or read[:1]
    for amount in held:
        if amount.number is not None and each is not None:
            yield _Rate(amount, each, words, passage.span(cell), f"{cell.key}: {cell.text}")


def _unit(text: str) -> Value | None:
    """What one rate is by: "100 km", and of "kg" or "night" one of them."""
    if stem(text) in _PLAIN:
        return None
    read = parse_values(text if text[:1].isdigit() else f"1 {text}")
    return read[0] if read and read[0].number and read[0].kind != "moment" else None
