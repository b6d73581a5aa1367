"""Lettered places and classes: "stand D", "category B", "grade C", held against the field of that name.

One capital letter is no value that could be looked up by itself: it stands all over any text.
"""

from __future__ import annotations

import re

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.words import is_negated, stem
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "lettered"

_LETTERED = re.compile(
    r"\b(?P<field>[a-z]{3,})(?:\s+is|:|,)?\s+[*_`]*(?P<letter>[A-Z]{1,2})\b(?![-\d'’])"
)
_LETTERS = re.compile(r"[A-Z]{1,2}")
_OF_MANY = re.compile(r"\b(?:or|than|instead|unlike|not|before|after|other|each|both|all)\b", re.I)
"""Words of a claim that may speak of another row's letter."""


def check_lettered(claim: Claim, context: GroundContext) -> Finding:
    """Find the letter in the field that its noun names, of the row that the claim speaks about."""
    skipped = Finding.skip(NAME, "calls no field by its name and a letter")
    if claim.is_datum or is_negated(claim.text):
        return skipped
    for said in _LETTERED.finditer(claim.text):
        own = [
            (passage, cell)
            for passage, cell in _called(said["field"], context)
            if context.topic.names(context.rows.chain(passage)) or _is_sole(passage, context)
        ]
        same = next(((p, c) for p, c in own if c.text == said["letter"]), None)
        if same is not None:
            span = same[0].span(same[1])
            return Finding(
                NAME, "checked", "supports", 0.92, None, span.text, spans=(span,), settles="values"
            )
        if own and not _OF_MANY.search(claim.text) and not _with_the_rest(said, claim, context):
            span = own[0][0].span(own[0][1])
            return Finding(
                NAME, "checked", "contradicts", 0.05, "contradicts_evidence",
                f"“{said[0]}”, the evidence has {span.text}", spans=(span,),
            )  # fmt: skip
    return skipped


def _with_the_rest(said: re.Match[str], claim: Claim, context: GroundContext) -> bool:
    """Whether a row with this letter has the claim's values as well: then that row is meant."""
    rows = {
        passage.id
        for passage, cell in _called(said["field"], context)
        if cell.text == said["letter"]
    }
    return any(
        hit.passage.id in rows for value in claim.values for hit in context.search.hits(value)
    )


def _called(name: str, context: GroundContext) -> list[tuple[Passage, Cell]]:
    """The fields of results that are called so and hold a letter."""
    wanted = stem(name)
    lettered = context.search.once("lettered", lambda: _lettered(context))
    return [(passage, cell) for field, passage, cell in lettered if field == wanted]


def _lettered(context: GroundContext) -> list[tuple[str, Passage, Cell]]:
    return [
        (stem(cell.key.split()[-1].lower()), passage, cell)
        for passage in context.search.passages
        if is_result(passage)
        for cell, _, _ in passage.cells
        if isinstance(cell.raw, str) and cell.key and _LETTERS.fullmatch(cell.raw)
    ]


def _is_sole(passage: Passage, context: GroundContext) -> bool:
    chain = context.rows.chain(passage)
    return bool(chain) and all(context.rows.is_sole(group) for group, _ in chain)
