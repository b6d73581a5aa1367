"""What results tell in running text, clause by clause, and what the user told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from affidavit.ledger.ledger import Passage
from affidavit.stages.ground.checks.derived.derivation import is_result

_CLAUSE = re.compile(
    r"[;:\n]|\s\|\s|(?<=[.!?])\s|,\s(?=(?:and|but|or|so|while|which|whereas)\b)|\s(?=(?:but|whereas|although)\b)",
    re.I,
)
_LEAST_WORDS = 4
"""Words from which a field is a sentence, rather than a name or a code."""


def clauses(passages: Iterable[Passage], *, of_user: bool = False) -> Iterator[tuple[Passage, str]]:
    """The clauses of those of the passages that are of results, and of the user's words where asked for."""
    for passage in passages:
        if is_result(passage) or of_user and passage.source.kind == "user":
            for text in _texts(passage):
                yield from ((passage, part.strip()) for part in _CLAUSE.split(text) if part.strip())


def _texts(passage: Passage) -> Iterator[str]:
    if passage.record is None:
        yield passage.text
        return
    for cell, _, _ in passage.cells:
        if isinstance(cell.raw, str) and len(cell.raw.split()) >= _LEAST_WORDS:
            yield cell.raw
