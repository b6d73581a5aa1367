"""Attributes: what a row that is named by its own number is said to be is what its own fields say.

"Item 1775591963, size L, red" is of the red one; its number, its size and its colour all stand in the
evidence, of different rows, so that no check of one value finds the fault.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell, Record
from affidavit.ledger.values import fold, parse_values
from affidavit.ledger.words import is_negated
from affidavit.stages.ground.checks.derived.derivation import Table, counts_nothing, tables
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "attributes"

_ITEM_END = re.compile(
    r"[;\n]|\.\s|\bto be exchanged\b|\b(?:to|for|into|with) (?:the |a |an )?new\b|\bto\b(?= [A-Z])"
)


def check_attributes(claim: Claim, context: GroundContext) -> Finding:
    """Hold each word for an attribute against the row whose identifier stands with it."""
    if claim.json_path is not None or claim.cell is not None:
        return Finding.skip(NAME, "a datum: its row and field are given")
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
