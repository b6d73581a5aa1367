"""Attributes: what a row that is named by its own number is said to be is what its own fields say.

"Item 1775591963, size L, red" is of the red one; its number, its size and its colour all stand in the
evidence, of different rows, so that no check of one value finds the fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell, Record
from affidavit.ledger.search import Search
from affidavit.ledger.values import Value, fold, parse_values
from affidavit.ledger.words import is_negated
from affidavit.stages.ground.checks.derived.derivation import (
    Table,
    counts_nothing,
    is_result,
    tables,
)
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "attributes"

_ITEM_END = re.compile(
    r"[;\n]|\.\s|\bto be exchanged\b|\b(?:to|for|into|with) (?:the |a |an )?new\b|\bto\b(?= [A-Z])"
)


def check_attributes(claim: Claim, context: GroundContext) -> Finding:
    """Hold each word for an attribute against the row whose identifier stands with it."""
    if claim.is_datum:
        return Finding.skip(NAME, "a datum: its row and field are given")
    for value in claim.values:
        other = _other_name(value, claim, context)
        if other is not None:
            return _contradiction(*other)
    for part in _items(claim.text):
        if is_negated(part):
            continue  # "was not approved" does not say that it was
        folded = f" {fold(part)} "
        codes = [fold(v.text) for v in parse_values(part) if any(map(str.isdigit, v.text))]
        for table in tables(context) if codes else ():
            named = [row for code in dict.fromkeys(codes) for row in table.by_code.get(code, ())]
            if len(named) != 1:
                continue
            for cell, said in _other_attributes(table, named[0], folded):
                passage = next(p for p in table.passages if any(c is cell for c, _, _ in p.cells))
                return _contradiction(passage, cell, said)
    return Finding.skip(
        NAME, "names no one row by its number, or nothing that others are and it is not"
    )


def _other_name(
    value: Value, claim: Claim, context: GroundContext
) -> tuple[Passage, Cell, str] | None:
    """The name of a thing by its number, where it stands beside another's: "the kayak (item 4471)" of a
    paddle."""
    beside = _NAME_BEFORE.search(claim.text[: value.start])
    if value.kind != "identifier" or beside is None:
        return None
    named = [
        (hit.passage, cell)
        for hit in context.search.hits(value)
        if hit.cell is not None and is_result(hit.passage) and not _in_list(hit.cell)
        for cell in _names_of(hit.passage, hit.cell)
    ]
    own = {fold(cell.text) for _, cell in named}
    words = fold(beside["name"]).split()
    said = {" ".join(words[-size:]) for size in range(1, min(5, len(words)) + 1)}
    other = said & context.search.once("names of things", lambda: _all_names(context.search))
    if not own or not other or said & own:
        return None
    return *named[0], max(other, key=len)


_NAME_BEFORE = re.compile(
    r"(?P<name>[^(:;.\n]{3,60}?)\s*\((?:\w+\s+){0,2}(?:id|no|number|#)?[:.#\s]*$", re.I
)


def _names_of(passage: Passage, cell: Cell) -> Iterator[Cell]:
    """What the record of a number is called, or the one that it lies in."""
    record, level = passage.record, cell.path[:-1]
    while record is not None:
        yield from (c for c in record.cells if _is_name(c) and c.path[:-1] == level)
        record, level = record.parent, ()


def _all_names(search: Search) -> frozenset[str]:
    cells = (c for p in search.passages if is_result(p) for c, _, _ in p.cells)
    return frozenset(fold(c.text) for c in cells if _is_name(c))


def _is_name(cell: Cell) -> bool:
    return cell.path[-1:] in (("name",), ("title",)) and isinstance(cell.raw, str)


def _in_list(cell: Cell) -> bool:
    return any(isinstance(step, int) for step in cell.path)


def _items(text: str) -> Iterator[str]:
    """The stretches of a claim that speak of one thing each."""
    yield from (part for part in _ITEM_END.split(text) if part.strip())


def _other_attributes(table: Table, row: Record, folded: str) -> Iterator[tuple[Cell, str]]:
    """Fields of a row that hold one thing where the text says what other rows hold in that field."""
    own = {cell.path: cell for cell in row.cells if isinstance(cell.raw, str)}
    said_of_row = f" {fold(' '.join(cell.text for cell in row.cells))} "
    for path, texts in table.texts.items():
        if path not in own or counts_nothing(own[path]) or len(texts) == len(table.rows) > 2:
            continue  # free text, or names: no attribute that rows share
        mine = own[path]
        if f" {fold(mine.text)} " in folded:
            continue
        for text in sorted(texts - {mine.text}, key=len, reverse=True):
            word = fold(text)
            if len(word) < 3 or word in _PLAIN or f" {word} " in said_of_row:
                continue
            if f" {word} " in folded:
                yield mine, text
                break


_PLAIN = frozenset("yes no none true false and the for".split())


def _contradiction(passage: Passage, cell: Cell, said: str) -> Finding:
    span = passage.span(cell)
    detail = f"“{said}” is said of {passage.record.header if passage.record else ''}, which has {span.text}"
    return Finding(
        NAME, "checked", "contradicts", 0.04, "contradicts_evidence", detail, spans=(span,)
    )
