"""What so many at a price come to: one position's worth, several together, the gain or loss on them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from affidavit.ledger.ledger import Passage
from affidavit.ledger.values import Value
from affidavit.ledger.words import content_stems
from affidavit.stages.ground.checks.derived.aggregate import SUM
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Operand,
    Table,
    counts_nothing,
    is_result,
    may_be_told,
    number_like,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_COUNTS = content_stems(
    "qty quantity units unit shares pieces pcs count hours stock on hand holding holdings held nights seats persons "
    "tickets licences licenses users copies boxes bottles packs kwh litres liters kg tonnes km miles"
)
_PRICES = content_stems("price rate cost fee tariff wage fare quote close")
_TOTALS = content_stems("total subtotal sum line net gross balance amount revenue")
_BOUGHT = content_stems(
    "cost paid purchase bought buy entry average avg basis acquisition invested"
)
_SINGLE = content_stems("unit per each avg average price rate single hourly")
_AT_COST = re.compile(
    r"\b(?:at cost|cost(?:s)? (?:price|basis)|paid|spent|invested|bought)\b", re.I
)
_NOW = re.compile(r"\b(?:worth|value[ds]?|now|current\w*|today|latest|market)\b", re.I)
_GAIN = re.compile(r"\b(?:up|gain\w*|profit\w*|earn\w*|mak(?:e|ing)|made|ahead|plus|margin|win\w*|rose|higher)\b", re.I)  # fmt: skip
_LOSS = re.compile(r"\b(?:down|los(?:s|ses|e|es|ing|t)|minus|behind|underwater|in the red|lower|fell)\b", re.I)  # fmt: skip
_MOST = 400
"""Positions beyond which none is reckoned: by chance some would come to any figure."""


@dataclass(frozen=True, slots=True)
class _Position:
    """So many of one thing, at its prices."""

    place: tuple[int, str]
    group: str
    passage: Passage
    count: Operand
    prices: tuple[Operand, ...]

    @property
    def size(self) -> Decimal:
        return self.count.value.face or self.count.number

    @property
    def bought(self) -> Operand | None:
        """What one of it was bought for."""
        found = [p for p in self.prices if content_stems(p.cell.key) & _BOUGHT]
        return found[0] if len(found) == 1 and len(self.prices) == 2 else None

    @property
    def stands(self) -> Operand | None:
        """What one of it stands at, beside what it was bought for."""
        return next((p for p in self.prices if self.bought and p is not self.bought), None)


def positions(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """Count times price of a row that is spoken of, or of all rows where a sum is; so with what was gained."""
    if value.number is None or value.kind not in ("money", "number"):
        return
    every = context.search.once("positions", lambda: list(_positions(context)))
    if not every or len(every) > _MOST:
        return
    groups: dict[tuple[int, str], list[_Position]] = defaultdict(list)
    for position in every:
        groups[position.place[0], position.group].append(position)
    sums = SUM.search(claim.statement)
    for rows in groups.values():
        own = _spoken_of(rows, claim, context)
        told = [[row] for row in own or (rows if len(rows) == 1 else ())]
        chosen = [*told, *([own] if len(own) > 1 and sums else []), *([rows] if sums else [])]
        for several in chosen:
            yield from _worth(several, claim, value)
            yield from _gained(several, claim, value)


def _spoken_of(
    rows: Sequence[_Position], claim: Claim, context: GroundContext
) -> Sequence[_Position]:
    """The rows that the claim names, or goes on about; none where it names none."""
    for topic in (context.named, context.topic):  # what it names goes before what it goes on about
        own = [
            row
            for row in rows
            for group, pointer in context.rows.chain(row.passage)[:1]
            if pointer in topic.rows.get(group, ())
        ]
        called = _called(rows, claim)
        if own or called:
            return own or called
    return ()


def _called(rows: Sequence[_Position], claim: Claim) -> list[_Position]:
    """The rows of which the claim has all words of a name, in whatever number ("the oak panels"), or a word
    of one that no other row has ("Nordix")."""
    said = content_stems(claim.statement)
    names = [_names(row) for row in rows]
    shared = Counter(word for own in names for word in frozenset[str]().union(*own))
    whole = [row for row, own in zip(rows, names, strict=True) if any(n <= said for n in own)]
    part = [
        row
        for row, own in zip(rows, names, strict=True)
        if any(shared[word] == 1 and word in said for name in own for word in name)
    ]
    return whole or part


def _names(row: _Position) -> list[frozenset[str]]:
    record = row.passage.record
    texts = [c.text for c in record.cells if isinstance(c.raw, str)] if record else []
    names = (content_stems(text) for text in texts if not any(map(str.isdigit, text)))
    return [name for name in names if name]


def _worth(rows: Sequence[_Position], claim: Claim, value: Value) -> Iterator[Derivation]:
    for at in range(min(len(row.prices) for row in rows)):
        prices = [row.prices[at] for row in rows]
        bought = any(row.bought is price for row, price in zip(rows, prices, strict=True))
        beside = rows[0].bought is not None
        if beside and (_NOW if bought else _AT_COST).search(claim.statement):
            continue  # what it is worth now is not what was paid for it
        yield from _derivation(rows, [(row, p) for row, p in zip(rows, prices, strict=True)], value)


def _gained(rows: Sequence[_Position], claim: Claim, value: Value) -> Iterator[Derivation]:
    up, down = _GAIN.search(claim.statement), _LOSS.search(claim.statement)
    if not up and not down:
        return
    total, parts = Decimal(0), []
    for row in rows:
        if row.bought is None or row.stands is None:
            return
        total += row.size * (row.stands.number - row.bought.number)
        parts.append(f"{row.count} × ({row.stands} − {row.bought})")
    if (
        (total > 0 and not up)
        or (total < 0 and not down)
        or not may_be_told(rows[0].prices[0].value, value)
    ):
        return
    shown = number_like(value, abs(total), rows[0].prices[0].value.unit)
    spans = tuple(o.span for row in rows for o in (row.count, *row.prices))[:8]
    text = f"{' + '.join(parts)} = {total.normalize():f}"
    yield Derivation("gain or loss", shown, text, spans, tuple(row.size for row in rows))


def _derivation(
    rows: Sequence[_Position], pairs: Sequence[tuple[_Position, Operand]], value: Value
) -> Iterator[Derivation]:
    if not all(may_be_told(price.value, value) for _, price in pairs):
        return
    total = sum((row.size * price.number for row, price in pairs), Decimal(0))
    shown = number_like(value, total, pairs[0][1].value.unit)
    text = " + ".join(f"{row.count} × {price}" for row, price in pairs)
    spans = tuple(o.span for row, price in pairs for o in (row.count, price))[:8]
    yield Derivation("product", shown, f"{text} = {shown.text}", spans, tuple(r.size for r in rows))


def _positions(context: GroundContext) -> Iterator[_Position]:
    """The records that have one count and a price for each of what it counts."""
    for passage in context.search.passages:
        record = passage.record
        if record is None or not is_result(passage):
            continue
        operands = [
            Operand(passage, cell, held)
            for cell, held in passage.cell_values
            if held.number is not None and not counts_nothing(cell)
        ]
        counts = [o for o in operands if _is_count(o)]
        if len({id(o.cell) for o in counts}) == 1 and (prices := _prices(operands)):
            place = passage.source.id, record.pointer
            yield _Position(place, record.group, passage, counts[0], tuple(prices))


def _is_count(operand: Operand) -> bool:
    key = content_stems(operand.cell.key)
    counted = operand.value.kind in ("number", "quantity", "duration") and key & _COUNTS
    return bool(counted) and not key & _PRICES and operand.number > 0


def _prices(operands: Sequence[Operand]) -> list[Operand]:
    """The prices of one piece: those that say so, or no total of their own."""
    found: dict[int, Operand] = {}
    for operand in operands:
        key = content_stems(operand.cell.key)
        single = not key & _TOTALS or key & _SINGLE
        if key & _PRICES and single and operand.value.kind in ("money", "number"):
            held = found.get(id(operand.cell))
            if held is None or operand.value.kind == "money":
                found[id(operand.cell)] = operand
    return list(found.values())
