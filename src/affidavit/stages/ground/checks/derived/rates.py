"""A rate times what it is charged per: 5 nights at €142, €3.50 per person and night."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from affidavit.ledger.records import Record, words_of
from affidavit.ledger.values import Value, parse_values
from affidavit.ledger.values.field_paths import Path
from affidavit.ledger.words import content_stems, named_in, stem
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.asked import people
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Operand,
    Table,
    number_like,
    same_measure,
    things,
)
from affidavit.stages.ground.checks.derived.elapsed import spans_of_days
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_TIMES = re.compile(
    r"[×x*]\s*[€$£¥]?\d|\d\s*[×x*]|\b(comes? to|came to|adds?|total\w*|altogether|for|in all|cost\w*|pay\w*|"
    r"together|makes?|insgesamt|zusammen|en total|each)\b",
    re.I,
)
_PER = re.compile(r"\bper (\w+)")

# What a "person" or a "night" is counted by in the evidence.
_COUNTED_BY = {
    "person": (
        "adults",
        "children",
        "guests",
        "persons",
        "people",
        "travelers",
        "passengers",
        "party",
        "pax",
        "group",
        "diners",
        "attendees",
        "participants",
        "members",
        "players",
        "students",
        "visitors",
        "heads",
    ),
    "head": (
        "adults",
        "guests",
        "persons",
        "people",
        "party",
        "pax",
        "group",
        "diners",
        "attendees",
        "heads",
    ),
    "guest": ("adults", "children", "guests", "party", "pax", "group"),
    "adult": ("adults",),
    "seat": ("seats", "users", "min seats"),
    "user": ("users", "seats"),
    "unit": ("qty", "quantity", "units", "count"),
    "item": ("qty", "quantity", "items", "count"),
    "": ("qty", "quantity", "units", "count"),
}
_DAYS = frozenset({"night", "day"})
_HEADS = frozenset(
    map(
        stem,
        (
            "person",
            "head",
            "guest",
            "diner",
            "ticket",
            "seat",
            "passenger",
            "traveler",
            "participant",
            "attendee",
            "player",
        ),
    )
)
"""Units that people are counted in, where the user counts them without a noun."""


def rates(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """A rate multiplied by one count for each unit it is charged per, none left out.

    €3.50 per person and night for two people and five nights is €35; €17.50 forgets a guest.
    """
    if value.number is None:
        return
    if _IN_ALL.search(claim.text):
        for thing in things(context):
            yield from _so_often(value, thing)
    if not (_TIMES.search(claim.statement) or _is_line(claim)):
        return
    days_of: dict[int, list[tuple[Decimal, str, tuple[EvidenceSpan, ...]]]] = {}
    for thing in things(context):
        if not thing:
            continue
        source = thing[0].passage.source.id  # every thing of one result has its dates
        if source not in days_of:
            days_of[source] = spans_of_days(thing[0].passage, context)
        days = days_of[source]
        amounts: dict[str, list[tuple[str, Decimal, EvidenceSpan | None]]] = {}
        for rate in same_measure(thing, value):
            units = _charged_per(rate) or [""]
            for unit in units:
                if unit not in amounts:
                    amounts[unit] = _amounts(unit, thing, days, claim, value, context)
            for combination in _combine([amounts[unit] for unit in units]):
                if not combination:
                    continue
                result = rate.number
                for _, number, _ in combination:
                    result *= number
                text = " × ".join(
                    [str(rate), *(f"{n.normalize():f} {u}".strip() for u, n, _ in combination)]
                )
                shown = number_like(value, result, rate.value.unit)
                spans = (rate.span, *(span for _, _, span in combination if span))
                used = tuple(number for _, number, _ in combination)
                yield Derivation("product", shown, f"{text} = {shown.text}", spans, used)


_OFTEN = re.compile(
    r"^(?:times )?per (?:day|week|month|hour)$|^(?:daily|weekly) (?:doses?|times|frequency)$"
)
_IN_ALL = re.compile(
    r"\b(?:in all|in total|total\w*|altogether|a day|per day|daily|each day|a week|per week|weekly|an hour|a month|hourly|monthly)\b",
    re.I,
)


def _so_often(value: Value, thing: list[Operand]) -> Iterator[Derivation]:
    """A measure as often as a field beside it says: 500 mg, twice ``per_day``, 1,000 mg in all."""
    often = [o for o in thing if _is_often(o)]
    if len({o.cell.path for o in often}) != 1:
        return
    for part in same_measure(thing, value):
        if part.cell is not often[0].cell and part.passage.pointer == often[0].passage.pointer:
            shown = number_like(value, part.number * often[0].number, part.value.unit)
            text = f"{part} × {often[0]} = {shown.text}"
            yield Derivation("product", shown, text, (part.span, often[0].span))


def _is_often(operand: Operand) -> bool:
    last = operand.cell.path[-1] if operand.cell.path else ""
    return operand.value.kind == "number" and bool(_OFTEN.search(words_of(str(last))))


_LINE = re.compile(r"\b(?:value|amount|sub-?total|line|sum|charge)s?\b", re.I)


def _is_line(claim: Claim) -> bool:
    """Whether a datum is by its name what a line of a bill comes to: ``"qty": 6, "value": 84.00``."""
    steps = [step for step in claim.json_path or () if isinstance(step, str)]
    label = claim.cell.column if claim.cell else " ".join(steps[-1:])
    return claim.is_datum and bool(_LINE.search(label.replace("_", " ")))


def _charged_per(rate: Operand) -> list[str]:
    """The units a rate is per: from its own name, else from the words beside it in its record."""
    own = _PER.findall(rate.cell.key)
    if own or rate.passage.record is None:
        return [stem(unit) for unit in own]
    record = rate.passage.record
    return record.once("charged per", lambda: _told_beside(record)).get(rate.cell.path[:-1], [])


def _told_beside(record: Record) -> dict[Path, list[str]]:
    """The units that the texts of each object of a record say something is charged per."""
    words: dict[Path, list[str]] = {}
    for cell in record.cells:
        if isinstance(cell.raw, str):
            words.setdefault(cell.path[:-1], []).append(words_of(cell.raw))
    return {
        path: [stem(unit) for unit in _PER.findall(" ".join(said))] for path, said in words.items()
    }


def _amounts(
    unit: str,
    thing: list[Operand],
    days: list[tuple[Decimal, str, tuple[EvidenceSpan, ...]]],
    claim: Claim,
    value: Value,
    context: GroundContext,
) -> list[tuple[str, Decimal, EvidenceSpan | None]]:
    found: list[tuple[str, Decimal, EvidenceSpan | None]] = []
    if unit in {stem(day) for day in _DAYS}:
        found += [(unit, number, spans[0]) for number, _, spans in days]
    names = content_stems(" ".join(_COUNTED_BY.get(unit, (unit,)))) | ({unit} if unit else set())
    counted = [
        o for o in thing
        if o.value.kind == "number" and o.number > 0 and named_in(content_stems(o.cell.key), frozenset(names))
    ]  # fmt: skip
    found += [(unit or o.cell.key, o.number, o.span) for o in counted]
    if len(counted) > 1:
        found.append((unit, sum((o.number for o in counted), Decimal(0)), counted[0].span))
    if unit in _HEADS:
        found += [(unit, number, None) for number in people(context)]
    for said in (*parse_values(context.question), *claim.values):
        if (said.number, said.unit) == (value.number, value.unit):
            continue  # what is to be proven is no factor of it
        if said.kind in ("number", "quantity") and said.number is not None and said.number > 1:
            if unit and stem(said.unit.split(" ")[-1]) == unit or not unit and said.unit:
                found.append((said.unit, said.number, None))
    return found


def _combine(
    factors: list[list[tuple[str, Decimal, EvidenceSpan | None]]],
) -> Iterator[list[tuple[str, Decimal, EvidenceSpan | None]]]:
    if not factors:
        yield []
        return
    for head in factors[0]:
        for rest in _combine(factors[1:]):
            yield [head, *rest]
