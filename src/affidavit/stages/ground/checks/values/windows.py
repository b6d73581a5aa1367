"""Numbers and dates in the names of fields: the 30 days of ``sales_last_30_days``, the month of ``april``.

They say of what a field's own value is. A claim that gives another field's value with them is not borne
out: the sales of the last 7 days are no sales of the last 30.
"""

from __future__ import annotations

import re
from functools import lru_cache

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell, words_of
from affidavit.ledger.values import Moment, Value, compare, parse_values
from affidavit.ledger.values.calendar_names import calendar_names
from affidavit.stages.ground.checks.values.value_verdict import ValueVerdict
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_MEASURED = frozenset({"number", "percent", "duration", "quantity"})


def in_a_name(value: Value, claim: Claim, context: GroundContext) -> ValueVerdict | None:
    """Where a value stands in the name of a field whose own value the claim gives too, or that the claim
    gives no value of; None where it does not."""
    if value.kind not in _MEASURED | {"moment"}:
        return None
    named = _fields_named(value, context)
    others = [v for v in claim.values if v.kind in _MEASURED | {"money"} and v is not value]
    for passage, cell in named:
        # What is found nowhere is computed, from the fields of that name if from any.
        computed = value.kind == "moment" and not any(context.search.hits(v) for v in others)
        if not others or computed or _holds_one(passage, cell, others):
            return ValueVerdict(value, "found", passage.span(cell), derivable=False)
    return None


def names_a_field(value: Value, context: GroundContext) -> bool:
    """Whether a field is named for a value: the March 2026 of ``usd_2026_03``."""
    return bool(_fields_named(value, context))


def dates_named(cell: Cell) -> list[Moment]:
    """The dates that a field is named for."""
    return [v.moment for v in _of_name(cell.path) if v.moment is not None]


def named_after(cell: Cell, claim: Claim) -> bool:
    """Whether a field is named for a date or a span of time that the claim says."""
    told = [v for v in _of_name(cell.path) if _is_date(v)]
    return any(compare(a, b) == "same" for a in claim.values if _is_date(a) for b in told)


def _is_date(value: Value) -> bool:
    return value.kind == "moment" or bool(_YEAR.fullmatch(value.text))


_YEAR = re.compile(r"(?:19|20)\d\d")


def _fields_named(value: Value, context: GroundContext) -> list[tuple[Passage, Cell]]:
    return [
        (passage, cell)
        for passage, cell, told in _in_names(context)
        if compare(value, told, today=context.today) == "same"
    ]


def _in_names(context: GroundContext) -> list[tuple[Passage, Cell, Value]]:
    def read() -> list[tuple[Passage, Cell, Value]]:
        return [
            (passage, cell, told)
            for passage in context.search.passages
            for cell, _, _ in passage.cells
            for told in _of_name(cell.path)
        ]

    return context.search.once("values in names", read)


@lru_cache(maxsize=4096)
def _of_name(path: tuple[str | int, ...]) -> tuple[Value, ...]:
    """The values in a field's own name, as it is written or in words: "2026-03", "april", "top 10"."""
    steps = [step for step in path if isinstance(step, str)]
    if not steps:
        return ()
    words = words_of(steps[-1])
    written = {steps[-1], words, words.title(), _MONTH.sub(r"\1-\2", words), _in_full(words)}
    found = [value for text in sorted(written) for value in parse_values(text)]
    return tuple(v for v in found if v.kind in _MEASURED | {"moment"})


def _in_full(words: str) -> str:
    """A name of a field with its months in full: of ``mar_sales``, "March sales"."""
    names = calendar_names()
    short = names.short_months["en"]
    if short.keys().isdisjoint(words.split()):
        return words
    full = {number: name.title() for name, number in reversed(names.months.items())}
    return " ".join(full[short[word]] if word in short else word for word in words.split())


_MONTH = re.compile(r"\b((?:19|20)\d\d) (0[1-9]|1[0-2])\b")
"""A month as names of fields have it, in words: ``usd_2026_03``."""


def _holds_one(passage: Passage, cell: Cell, others: list[Value]) -> bool:
    held = [value for own, value in passage.cell_values if own is cell]
    return any(compare(said, own) in ("same", "rounded") for said in others for own in held)
