"""Is a value said of what the claim speaks of, or of another row or field?

A claim names its row and its field in words. Each place that holds a value is scored by how many of these words,
by weight, stand with it; a place of the same kind that holds another value and fits the words better is a better
home, and says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import fsum

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell, Record
from affidavit.ledger.search import Hit
from affidavit.ledger.words import content_stems
from affidavit.stages.ground.case import Case
from affidavit.stages.ground.linking import Link
from affidavit.stages.ground.linking.evidence import is_call
from affidavit.stages.ground.linking.named_field import says_only_its_kind
from affidavit.stages.ground.signal import Relation, Signal

_MOST = 24
_NEAREST = 8
"""Places of a value, and rival places of its field, that are looked at."""
_SHOWN = 3
"""Places that fit equally well, and are named."""
_CLEARLY = 0.15
_BINDS = frozenset({"number", "money", "percent", "quantity", "duration", "moment", "identifier"})


def rows(case: Case) -> Iterator[Signal]:
    """One signal for each value that is found in a record: how well its best place fits, or a better one."""
    words = _words(case)
    if not words:
        return
    bound = [link for link in case.linked.links if link.value.kind in _BINDS]
    spoken = {id(hit.cell) for link in bound for hit in link.hits}
    for link in bound:
        homes = [hit for hit in link.hits if hit.cell is not None and not is_call(hit.passage)]
        if homes:
            yield from _judge(link, homes[:_MOST], words, spoken, case)
        elif not link.hits:
            yield from _otherwise(link, words, case)


def _otherwise(link: Link, words: dict[str, float], case: Case) -> Iterator[Signal]:
    """The field that a claim names, where it holds another value than the claim's: whatever formula may fit by chance,
    "the notice period is 30 days" is not so beside ``notice_days: 60``."""
    total = 2 * sum(words.values()) or 1.0
    best, places = 0.0, dict[int, tuple[Passage, Cell]]()
    for line, _ in case.linked.near[:_NEAREST]:
        for cell, _, _ in line.cells if not is_call(line) else ():
            if cell.is_blank or not _alike(link, line, cell):
                continue
            spoken = words.keys() & content_stems(cell.key)
            by_kind = says_only_its_kind(cell, line, link.value.kind)
            if spoken or by_kind:
                # What names the row of a field that has no name of its own names the field.
                fit = _fit(line, cell, words) * (2 if by_kind and not spoken else 1)
                if fit > best:
                    best, places = fit, {}
                if fit == best:
                    places[id(cell)] = line, cell
    if places:
        # A claim that names no row is held against each row it may be about, and each is shown; where its value was
        # worked out, one place says what it was worked out from.
        shown = list(places.values())[: _SHOWN if link.formula is None else 1]
        said = (
            "is not what its field says" if link.formula is None else "may be worked out by chance"
        )
        told = ", ".join(
            dict.fromkeys(f"{cell.key}: {cell.text} ({_row(line)})" for line, cell in shown)
        )
        more = f", and {len(places) - len(shown)} more" if len(places) > len(shown) else ""
        # Where a formula gives the value, what a field says of its own is mostly what it was worked out from.
        open_to = 1.0 if link.formula is None else 1 - link.formula.strength
        yield Signal(
            "rows",
            "opposed",
            min(1.0, best / total) * open_to,
            "figure",
            f"“{link.value.text.strip()}” {said}: {told}{more}",
            spans=tuple(line.span(cell) for line, cell in shown),
        )


def _words(case: Case) -> dict[str, float]:
    """The words of a claim that tell places of the evidence apart, with their weights; not those of its values."""
    search = case.evidence.search
    own = frozenset().union(
        *(content_stems(link.value.text) for link in case.linked.links if link.value.kind in _BINDS)
    )
    return {w: search.weight(w) for w in sorted(case.stems - own) if search.has_word(w)}


def _judge(
    link: Link, homes: list[Hit], words: dict[str, float], spoken: set[int], case: Case
) -> Iterator[Signal]:
    total = sum(words.values()) or 1.0
    scored = [(_fit(hit.passage, hit.cell, words) / total, hit) for hit in homes]
    own, home = max(scored, key=lambda pair: pair[0])
    assert home.cell is not None
    rival = _rival(link, home, words, spoken, case)
    span = home.passage.span(home.cell)
    if rival is None or rival[0] / total <= own + _CLEARLY:
        yield Signal("rows", "same", min(1.0, own), "figure", span.text, spans=(span,))
        return
    margin, line, cell = rival[0] / total - own, rival[1], rival[2]
    other = line.span(cell)
    same_record = line.record is home.passage.record
    detail = f"“{link.value.text.strip()}” is {_place(home.passage, home.cell)}; {_place(line, cell)} is {cell.text}"
    relation: Relation = "other_field" if same_record else "other_row"
    yield Signal("rows", relation, min(1.0, margin), "figure", detail, spans=(other, span))


def _rival(
    link: Link, home: Hit, words: dict[str, float], spoken: set[int], case: Case
) -> tuple[float, Passage, Cell] | None:
    """The place of another value of this kind that fits best: the same field of other rows, other fields of its row.
    Places that a value of the claim stands in (``spoken``) are none: the words that fit them are that value's own."""
    assert home.cell is not None
    lines = case.evidence.lines_with(home.cell.key, _MOST)
    places = [(line, c) for line in lines for c, _, _ in line.cells if c.key == home.cell.key]
    places += [(home.passage, c) for c, _, _ in home.passage.cells]
    best: tuple[float, Passage, Cell] | None = None
    for line, cell in places:
        if id(cell) in spoken or cell.is_blank or is_call(line) or not _alike(link, line, cell):
            continue
        fit = _fit(line, cell, words)
        if best is None or fit > best[0]:
            best = fit, line, cell
    return best


def _alike(link: Link, line: Passage, cell: Cell) -> bool:
    kinds = {value.kind for own, value in line.cell_values if own is cell}
    return link.value.kind in kinds


def _fit(line: Passage, cell: Cell | None, words: dict[str, float]) -> float:
    """The weight of the words that stand with a place: twice in its own field's name, once in its row or above it."""
    key = content_stems(cell.key) if cell is not None else frozenset()
    around = line.stems | _above(line.record)
    near, far = words.keys() & key, words.keys() & around
    # The same to the last bit in whatever order a set gives its words: equal places must stay equal.
    return fsum(words[w] for w in near) + fsum(words[w] for w in far)


def _above(record: Record | None) -> frozenset[str]:
    """The words of the records that a record lies in."""
    found: frozenset[str] = frozenset()
    while record is not None and record.parent is not None:
        record = record.parent
        found |= content_stems(f"{record.identity} {record.place}")
    return found


def _place(line: Passage, cell: Cell) -> str:
    return f"{cell.key or 'the value'} of {_row(line)}"


def _row(line: Passage) -> str:
    identity = line.record.identity if line.record is not None else ""
    return identity or line.source.tool or "the result"
