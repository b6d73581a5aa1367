"""A sentence in its clauses: one that is false in one of them is mostly true, and reads so as a whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from affidavit.stages.ground.linking.evidence import Evidence
from affidavit.stages.ground.linking.links import Linked
from affidavit.stages.ground.split.protect import protect

_CUT = re.compile(
    r"[,;:]\s+|\s[—–-]\s+|\s+(?=(?:and|but|so|because|which|while|with|though|although|after|before)\s)"
)
_LEAST_WORDS = 3
_BEFORE = 160
"""Characters that are read before a clause, to understand it."""


@dataclass(frozen=True)
class Clause:
    """A part of a claim's statement, where it begins there, its links, and what the answer says before it."""

    start: int
    linked: Linked
    before: str


def clauses(linked: Linked, evidence: Evidence, before: str = "") -> list[Clause]:
    """The clauses of a statement, each with those of its links that lie in it; none where it is of one piece. ``before``
    is what the answer says before the statement."""
    spans = list(_spans(linked))
    return [_clause(linked, evidence, before, span) for span in spans] if len(spans) > 1 else []


def _spans(linked: Linked) -> Iterator[tuple[int, int]]:
    statement = linked.statement
    within = [(link.value.start, link.value.end) for link in linked.links]
    start = 0
    for cut in _CUT.finditer(protect(statement)):
        end = cut.end()
        if any(first < end < last for first, last in within):  # "Tuesday, March 3"
            continue
        both = (statement[start:end], statement[end:])
        if all(len(part.split()) >= _LEAST_WORDS for part in both):
            yield start, end
            start = end
    yield start, len(statement)


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
    if len(so_far) > _BEFORE:
        so_far = so_far[-_BEFORE:].partition(" ")[2]
    return Clause(start, Linked(said, links, near), so_far)
