"""Limits that the evidence sets, in the rows that a claim speaks of: "weight limit: 8 kg", "up to 115 cm long"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.values import Value
from affidavit.ledger.words import content_stems, named_in, stem
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

Side = Literal["most", "least"]

_MOST = content_stems("limit limits max maximum allowance allowed cap capacity quota permitted holds seats ceiling most")  # fmt: skip
_LEAST = content_stems("min minimum least required requirement requires needed")
_MOST_BEFORE = re.compile(r"\b(?:limit|maximum|max\.?|allowance|capacity|allows?|holds?|takes?)\b[^.;\n\d]{0,24}$", re.I)  # fmt: skip
_LEAST_BEFORE = re.compile(r"\b(?:minimum|min\.?|requires?|required|at least)\b[^.;\n\d]{0,24}$", re.I)  # fmt: skip
_SENTENCE = re.compile(r"[;\n]|\.(?:\s|$)")
_PEOPLE = frozenset(map(stem, "person people guest participant attendee visitor seat head passenger pax delegate member player pupil student".split()))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Allowed:
    """The most or the least that something may be."""

    value: Value
    side: Side
    span: EvidenceSpan


def allowed(claim: Claim, like: Value, context: GroundContext) -> list[Allowed]:
    """The limits of a measure for what the claim names, or goes on about, or in all the evidence where no
    row is meant; in running text those of the sentence that shares most words with the claim."""
    said = content_stems(claim.statement)
    results = [p for p in context.search.passages if is_result(p)]
    for topic in (context.named, context.topic):
        own = [p for p in results if topic.touches(context.rows.chain(p))]
        found = _best([pair for p in own for pair in _of_cells(p, like, said)])
        if found:
            return _one_side(found)
    held = _best([pair for p in results for pair in _of_cells(p, like, said)])
    told = _best([pair for p in results for pair in _told(p, like, said)])
    return _one_side([*held, *told])


def _best(found: Sequence[tuple[int, Allowed]]) -> list[Allowed]:
    """The limits that share most words with the claim: of a file's and of the storage's, the file's."""
    most = max((named for named, _ in found), default=0)
    return [limit for named, limit in found if named == most]


def _one_side(found: Sequence[Allowed]) -> list[Allowed]:
    """The limits, where they are one for each side; of several none is sure to be the one that is meant."""
    sides: dict[Side, set[object]] = {}
    for limit in found:
        sides.setdefault(limit.side, set()).add(limit.value.number)
    return [limit for limit in found if len(sides[limit.side]) == 1]


def _of_cells(passage: Passage, like: Value, said: frozenset[str]) -> Iterator[tuple[int, Allowed]]:
    for cell, value in passage.cell_values:
        if value.number is None or not _measures(like, value, cell):
            continue
        if len(re.findall(r"\d[\d.,]*", cell.text)) > 1:
            continue  # "55 x 40 x 23 cm" is no one limit
        key = content_stems(cell.key)
        side: Side | None = "most" if key & _MOST else "least" if key & _LEAST else None
        if value.bound:
            side = "most" if value.bound == "max" else "least"
        if side is not None:
            named = len(named_in(key - _MOST - _LEAST, said))
            yield named, Allowed(value, side, passage.span(cell))


def _measures(like: Value, held: Value, cell: Cell | None) -> bool:
    """Whether a limit is of what is measured: in its unit, and of plain numbers by what they count."""
    if held.kind != "number" or like.kind != "number":
        return (held.kind, held.unit) == (like.kind, like.unit) and held.kind != "moment"
    counted = content_stems(like.unit)
    named = content_stems(f"{cell.key if cell else ''} {held.unit}")
    return bool(counted & named) or bool(counted & _PEOPLE and named & _PEOPLE)


def _told(passage: Passage, like: Value, said: frozenset[str]) -> Iterator[tuple[int, Allowed]]:
    """The limits of running text, with how many words their sentences share with the claim."""
    if passage.record is not None:
        return
    cuts = [0, *(m.end() for m in _SENTENCE.finditer(passage.text)), len(passage.text)]
    for value in passage.values:
        if value.number is None or not _measures(like, value, None):
            continue
        left = max(cut for cut in cuts if cut <= value.start)
        right = min(cut for cut in cuts if cut >= value.end)
        before = passage.text[left : value.start]
        side: Side | None = None
        if value.bound:
            side = "most" if value.bound == "max" else "least"
        elif _LEAST_BEFORE.search(before):
            side = "least"
        elif _MOST_BEFORE.search(before):
            side = "most"
        if side is not None:
            words = content_stems(passage.text[left:right])
            yield len(named_in(words, said)), Allowed(value, side, passage.span())
