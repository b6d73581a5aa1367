"""Questions to measure a knowledge base with, from a file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from affidavit.errors import KnowledgeError


@dataclass(frozen=True, slots=True)
class Question:
    """``documents`` are the ids of those that answer it, where that was written down."""

    text: str
    answerable: bool
    kind: str = ""
    documents: tuple[str, ...] = ()


def read_questions(path: Path | str) -> list[Question]:
    """JSON Lines: ``{"question": "…", "answerable": true}``; ``kind`` and ``documents`` if wanted.

    Raises KnowledgeError, with the line, for what cannot be read.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise KnowledgeError(f"{path}: cannot be read: {error}") from error
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                found.append(_question(json.loads(line)))
            except (ValueError, TypeError, KeyError) as error:
                raise KnowledgeError(
                    f"{path}:{number}: expected "
                    f'{{"question": "…", "answerable": true or false}}: {error}'
                ) from error
    return found


def _question(said: Any) -> Question:
    text, answerable = said["question"], said["answerable"]
    if not isinstance(text, str) or not isinstance(answerable, bool):
        raise TypeError("the question is text and answerable true or false")
    return Question(text, answerable, str(said.get("kind", "")), tuple(said.get("documents", ())))
