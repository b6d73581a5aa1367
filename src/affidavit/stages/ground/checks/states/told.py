"""What results tell in running text, clause by clause, and what the user told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from affidavit.ledger.ledger import Passage
from affidavit.ledger.search import Search
from affidavit.stages.ground.checks.derived.derivation import is_result

_CLAUSE = re.compile(
    r"[;:\n]|\s\|\s|(?<=[.!?])\s|,\s(?=(?:and|but|or|so|while|which|whereas)\b)|\s(?=(?:but|whereas|although)\b)",
    re.I,
)
_LEAST_WORDS = 4
"""Words from which a field is a sentence, rather than a name or a code."""


def clauses(
    search: Search, passages: Iterable[Passage] | None = None, *, of_user: bool = False
) -> Iterator[tuple[Passage, str]]:
    """The clauses of the passages of results, and of the user's words where asked for; of all the evidence, where
    no passages of it are given. Texts are parted once for all checks."""
    parted = search.once("clauses", lambda: {p.id: _parted(p) for p in search.passages})
    for passage in search.passages if passages is None else passages:
        if is_result(passage) or of_user and passage.source.kind == "user":
            yield from ((passage, part) for part in parted[passage.id])


def told_texts(search: Search) -> Iterator[tuple[Passage, str]]:
    """The running texts of results, for what is told by one sentence after another."""
    for passage in filter(is_result, search.passages):
        yield from ((passage, text) for text in _texts(passage))


def _parted(passage: Passage) -> tuple[str, ...]:
    if not (is_result(passage) or passage.source.kind == "user"):
        return ()
    parts = (part.strip() for text in _texts(passage) for part in _CLAUSE.split(text))
    return tuple(part for part in parts if part)


def _texts(passage: Passage) -> Iterator[str]:
    if passage.record is None:
        yield passage.text
        return
    for cell, _, _ in passage.cells:
        if isinstance(cell.raw, str) and len(cell.raw.split()) >= _LEAST_WORDS:
            yield cell.raw
