"""An amount for one period told for another: $120 a year of ``price: 10`` beside ``cycle: monthly``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from affidavit.ledger.values import Value
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Operand,
    Table,
    measured_like,
    same_measure,
    things,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_WORDS = {
    "year": ("years?|yr", "yearly|annual(?:ly)?|annum"),
    "quarter": ("quarters?", "quarterly"),
    "month": ("months?|mo", "monthly"),
    "week": ("weeks?|wk", "weekly"),
    "day": ("days?", "daily"),
}
"""Each period, and what is said to be of it."""
_MANY = {
    ("month", "year"): 12, ("quarter", "year"): 4, ("week", "year"): 52, ("month", "quarter"): 3,
    ("day", "week"): 7, ("day", "year"): 365,
}  # fmt: skip
"""How many of the first make one of the second, where that is a whole number."""
_NAMED = {
    name: re.compile(rf"(?:^|[ /])(?:{noun}|{adverb})(?:$|[ /])")
    for name, (noun, adverb) in _WORDS.items()
}
"""A period in the name of a field, or all that a field says: ``rent_month``, ``cycle: monthly``."""
_TOLD = {
    name: re.compile(
        rf"(?:\b(?:an?|per|each|every|the) |/ ?)(?:whole |full |entire )?(?:{noun})\b|\b(?:{adverb})\b",
        re.I,
    )
    for name, (noun, adverb) in _WORDS.items()
}


def per_period(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """An amount of a period times how many of these the period has that the claim says, or divided by that."""
    wanted = [name for name, said in _TOLD.items() if said.search(claim.text)]
    if value.kind not in ("money", "quantity") or len(wanted) != 1:
        return
    for thing in things(context):
        for amount in same_measure(thing, value):
            held = _period(amount)
            many = _MANY.get((held, wanted[0])) or _MANY.get((wanted[0], held))
            if many is None:
                continue
            times = (held, wanted[0]) in _MANY
            result = amount.number * many if times else amount.number / many
            shown = measured_like(value, round(result, 6), amount)
            text = f"{amount} {'×' if times else '/'} {many} = {shown.text} per {wanted[0]}"
            yield Derivation("rate", shown, text, (amount.span,))


def _period(amount: Operand) -> str:
    """The period that an amount is for, by its field's name or what a field beside it says; "" where none is told."""
    record = amount.passage.record
    said = (
        (cell.text.lower() for cell in record.cells if isinstance(cell.raw, str)) if record else ()
    )
    beside = [text for text in said if len(text.split()) <= 2]
    return _only_period([amount.cell.key]) or _only_period(beside)


def _only_period(texts: Sequence[str]) -> str:
    found = {name for name, word in _NAMED.items() if any(map(word.search, texts))}
    return found.pop() if len(found) == 1 else ""
