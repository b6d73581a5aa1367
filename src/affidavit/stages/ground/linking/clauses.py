"""A sentence in its clauses: one that is false in one of them is mostly true, and reads so as a whole."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from affidavit.stages.ground.claim import BEFORE, Claim
from affidavit.stages.ground.linking.evidence import Evidence
from affidavit.stages.ground.linking.links import Linked
from affidavit.stages.ground.split.protect import protect

_CUT = re.compile(
    r"[,;:]\s+|\s[—–-]\s+|(?<!\s)\s++(?=(?:and|but|so|because|which|while|with|though|although|after|before)\s)"
)
_LEAST_WORDS = 3
_MOST = 8
"""Clauses of a statement, each of which the model is asked about; of more, neighbours are read together."""


@dataclass(frozen=True)
class Clause:
    """A part of a claim's statement, where it begins there, its links, and what the answer says before it."""

    start: int
    linked: Linked
    before: str


def clauses(claim: Claim, linked: Linked, evidence: Evidence) -> list[Clause]:
    """The clauses of a claim's statement, each with those of its links that lie in it; none where it is of one piece, as
    cells of tables and leaves of JSON are."""
    if claim.cell is not None or claim.json_path is not None:
        return []
    spans = _spans(linked)
    if len(spans) < 2:
        return []
    return [_clause(linked, evidence, claim.before, span) for span in spans]


def _spans(linked: Linked) -> list[tuple[int, int]]:
    statement = linked.statement
    within = bytearray(len(statement) + 1)
    for link in linked.links:  # "Tuesday, March 3" is of one piece
        for at in range(link.value.start + 1, link.value.end):
            within[at] = 1
    cuts = [cut.end() for cut in _CUT.finditer(protect(statement)) if not within[cut.end()]]
    spans: list[tuple[int, int]] = []
    start = 0
    for end in (*cuts, len(statement)):
        if len(statement[start:end].split()) >= _LEAST_WORDS:
            spans.append((start, end))
            start = end
    if spans:  # what is left over goes with the last
        spans[-1] = (spans[-1][0], len(statement))
    each = -(-len(spans) // _MOST)
    some = [spans[n : n + each] for n in range(0, len(spans), each)] if spans else []
    return [(part[0][0], part[-1][1]) for part in some]


def _clause(linked: Linked, evidence: Evidence, before: str, span: tuple[int, int]) -> Clause:
    start, end = span
    said = linked.statement[start:end].rstrip(" ,;:—–-")
    links = tuple(
        replace(
            link,
            value=replace(link.value, start=link.value.start - start, end=link.value.end - start),
        )
        for link in linked.links
        if start <= link.value.start and link.value.end <= start + len(said)
    )
    near = tuple(evidence.search.by_words(said, len(linked.near)))
    so_far = f"{before} {linked.statement[:start]}".strip()
    if len(so_far) > BEFORE:
        so_far = so_far[-BEFORE:].partition(" ")[2]
    return Clause(start, Linked(said, links, near), so_far)
