"""An amount in another currency, at the rate that the evidence gives: €350 at 0.94 are CHF 329."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from affidavit.ledger.ledger import Passage
from affidavit.ledger.values import Value
from affidavit.ledger.values.currencies import CODES, same_currency
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.asked import asked_values
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Table,
    is_result,
    number_like,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_FROM = re.compile(r"\b(?:base|from|source|sell)\b")
_TO = re.compile(r"\b(?:quote|to|target|counter|buy)\b")
_RATE = re.compile(r"\brates?\b|\bprice\b")
_EQUALS = re.compile(r"\s*(?:=|equals|is|are|buys?|gets? you)\s*$", re.I)
_NEAR = 3


@dataclass(frozen=True, slots=True)
class _Rate:
    """What one of a currency is in another."""

    base: str
    quote: str
    rate: Decimal
    span: EvidenceSpan


def converted(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """An amount that the user or the answer has told, in the currency of the value."""
    if value.number is None or value.kind != "money" or not value.unit:
        return
    rates = context.search.once("exchange rates", lambda: list(_rates(context)))
    near = [v for c in (*context.before[-_NEAR:], claim) for v in c.values]
    told = [v for v in near if v.kind == "money" and v is not value and context.search.hits(v)]
    amounts = [v for v in (*told, *asked_values(context)) if v.kind == "money" and v.number]
    for rate in rates if amounts else ():
        for amount in amounts:
            number = amount.number or Decimal(0)
            if _is(amount.unit, rate.base) and _is(value.unit, rate.quote):
                result, sign = number * rate.rate, "×"
            elif _is(amount.unit, rate.quote) and _is(value.unit, rate.base):
                result, sign = number / rate.rate, "/"
            else:
                continue
            shown = number_like(value, round(result, 4), value.unit)
            text = f"{amount.text} {sign} {rate.rate} = {shown.text} {value.unit}"
            yield Derivation("conversion", shown, text, (rate.span,))


def _is(unit: str, code: str) -> bool:
    return bool(unit) and same_currency(unit, code)


def _rates(context: GroundContext) -> Iterator[_Rate]:
    for passage in filter(is_result, context.search.passages):
        yield from _of_record(passage) if passage.record is not None else _told(passage)


def _of_record(passage: Passage) -> Iterator[_Rate]:
    """``base: EUR, quote: CHF, rate: 0.94``, and ``base: EUR, rates: {CHF: 0.94, …}``."""
    assert passage.record is not None
    cells = [cell for cell, _, _ in passage.cells]
    level = passage.record.parent
    around = [*cells, *(level.cells if level is not None else ())]
    named = {c.text.upper(): c for c in around if c.text.upper() in CODES}
    base = next((code for code, c in named.items() if _FROM.search(c.key)), None)
    quote = next((code for code, c in named.items() if _TO.search(c.key)), None)
    for cell in cells:
        if isinstance(cell.raw, bool) or not re.fullmatch(r"\d+(?:\.\d+)?", cell.text):
            continue
        rate, last = Decimal(cell.text), str(cell.path[-1]).upper()
        if base and rate and last in CODES and last != base:
            yield _Rate(base, last, rate, passage.span(cell))
        elif base and quote and rate and _RATE.search(cell.key):
            yield _Rate(base, quote, rate, passage.span(cell))


def _told(passage: Passage) -> Iterator[_Rate]:
    """ "1 EUR = 0.94 CHF"."""
    money = [v for v in passage.values if v.kind == "money" and v.number]
    for one, other in pairwise(money):
        if one.number and other.number and one.unit != other.unit:
            if _EQUALS.match(passage.text[one.end : other.start]):
                yield _Rate(one.unit, other.unit, other.number / one.number, passage.span())
