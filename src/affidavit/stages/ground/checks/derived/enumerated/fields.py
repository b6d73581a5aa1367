"""Candidates from the fields of one thing, or from the figures of one text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations

from affidavit.ledger.ledger import Passage
from affidavit.stages.ground.checks.derived.change import ARROW
from affidavit.stages.ground.checks.derived.derivation import (
    Operand,
    counts_nothing,
    is_result,
)
from affidavit.stages.ground.checks.derived.enumerated.asks import Asks
from affidavit.stages.ground.checks.derived.enumerated.candidate import (
    Candidate,
    Figure,
    added,
    made,
    share,
    spoken_of,
    total,
)
from affidavit.stages.ground.checks.derived.field_times import is_earlier
from affidavit.stages.ground.finding import GroundContext

_MOST = 14
"""Figures of one thing beyond which pairs of them are not tried."""
_MOST_PASSAGES = 400
"""Passages beyond which texts are not gone through again for each figure."""
_AROUND = 40
"""Characters on either side of a figure in running text that tell what it is of."""


def of_fields(asks: Asks, context: GroundContext) -> Iterator[Candidate]:
    things = _things(context)
    if not asks.percent:  # a share is of something that need not be named
        things = [spoken_of(thing, asks) for thing in things]
    for thing in (*things, *_texts(context)):
        yield from _pairs(thing, asks)
        yield from _maps(thing, asks)
    for thing in things:
        yield from _times_own(thing, asks)


def _things(context: GroundContext) -> list[list[Figure]]:
    """The measured fields of each record that the claim may speak of, where these are few; of all of them
    together, where they are of a few results."""
    shown = [p for p in context.fitting if p.record is not None and is_result(p)]
    found: dict[tuple[int, str], list[Figure]] = {}
    for passage in shown if len(shown) <= _MOST else ():
        found.setdefault((passage.source.id, passage.pointer), []).extend(_measured(passage))
    things = [own for own in found.values() if _are_few(own)]
    together = [figure for own in things for figure in own]
    alone = all(passage.record is not None and not passage.record.group for passage in shown)
    return [together] if alone and len(things) > 1 and _are_few(together) else things


def _are_few(figures: Sequence[Figure]) -> bool:
    return len({figure.place for figure in figures}) <= _MOST


def _measured(passage: Passage) -> list[Figure]:
    return [
        Figure.of(Operand(passage, cell, value))
        for cell, value in passage.cell_values
        if value.number is not None and not counts_nothing(cell) and not _RATED.search(cell.key)
    ]


_RATED = re.compile(r"\b(?:score|relevance|similarity|confidence|rank|page|version|index)$")
"""Fields whose number says how good or where a result is, and measures nothing."""


def _texts(context: GroundContext) -> list[list[Figure]]:
    """The figures of each text that the claim may speak of, where these are few."""
    found: dict[int, list[Figure]] = {}
    shown = context.fitting if len(context.fitting) <= _MOST_PASSAGES else ()
    for passage in filter(is_result, shown):
        for value in passage.values if passage.record is None else ():
            if value.number is not None and value.kind != "moment":
                around = passage.text[max(0, value.start - _AROUND) : value.end + _AROUND]
                at = (passage.id, value.start)
                figure = Figure(value, around, at, passage.pointer, passage.span())
                found.setdefault(passage.source.id, []).append(figure)
    return [own for own in found.values() if _are_few(own)]


def _pairs(thing: Sequence[Figure], asks: Asks) -> Iterator[Candidate]:
    """Two figures: their difference, sum, product, quotient, or share."""
    for a, b in permutations(thing, 2):
        if a.place == b.place or b.number == 0 or _are_joined(a, b):
            continue
        if asks.percent:
            in_order = not asks.changed or is_earlier(b.key, a.key) is not False
            found = share(asks, a, b) if in_order else None
            yield from (found,) if found is not None else ()
        elif a.may_measure(asks.value):
            yield from _pair(a, b, asks)


def _are_joined(a: Figure, b: Figure) -> bool:
    """Whether an arrow stands between two figures of a text, so that they are read as a change."""
    if a.cell is not None or b.cell is not None:
        return False
    one, other = re.escape(a.value.text), re.escape(b.value.text)
    return bool(re.search(rf"\b(?:{one}{ARROW}{other}|{other}{ARROW}{one})\b", a.key))


def _pair(a: Figure, b: Figure, asks: Asks) -> Iterator[Candidate]:
    alike = a.is_like(b) and b.may_measure(asks.value)
    counted = b.value.kind == "number" and b.number != 1
    if asks.rate:
        if b.number > 1:
            yield made(asks, "rate", a.number / b.number, f"{a} / {b}", a, b)
    elif asks.apart:
        if alike and a.number > b.number:
            yield made(asks, "difference", a.number - b.number, f"{a} − {b}", a, b)
    else:
        if b.value.kind == "percent":
            yield made(asks, "share", a.number * b.number / 100, f"{a} × {b} %", a, b)
        elif counted and a.number != 1:
            yield made(asks, "product", a.number * b.number, f"{a} × {b}", a, b)
        measured = a.value.kind != "number" or asks.summed
        if alike and measured and a.number and str(a.place) < str(b.place):
            yield made(asks, "sum", a.number + b.number, f"{a} + {b}", a, b)


def _maps(thing: Sequence[Figure], asks: Asks) -> Iterator[Candidate]:
    """All figures of one map: what was melted in January, February and March."""
    maps: dict[tuple[object, ...], dict[tuple[object, ...], Figure]] = {}
    for figure in thing if not asks.rate and not asks.percent else ():
        if len(figure.place) > 2 and figure.may_measure(asks.value):
            key = (*figure.place[:-1], figure.value.kind)
            maps.setdefault(key, {})[figure.place] = figure
    for own in maps.values():
        parts = list(own.values())
        if len(parts) > 2:
            yield made(asks, "sum", total(parts), added(parts), *parts)


def _times_own(thing: Sequence[Figure], asks: Asks) -> Iterator[Candidate]:
    """So many times what a field says, by a number that the claim tells itself: "four have paid, so €74 came in"."""
    for said in asks.claim.values if not asks.percent and not asks.rate else ():
        if said is asks.value or said.kind != "number" or not said.number or said.number == 1:
            continue
        own = Figure(said, said.text, ("claim", said.start), "claim")
        for figure in thing:
            if figure.may_measure(asks.value) and figure.number > 1:
                result = figure.number * own.number
                yield made(asks, "product", result, f"{figure} × {own}", figure, own)
