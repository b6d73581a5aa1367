"""The rules of a run: what its system prompt and the declarations of its tools say, sentence by sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from affidavit.ledger.ledger import Passage
from affidavit.ledger.passages import sentences
from affidavit.ledger.search import Search
from affidavit.ledger.words import content_stems

RULES = ("system", "tool_definition")
"""The kinds of sources that say what holds in general."""

_OF_CODE = re.compile(r"\b(?:function|tool|call|it) (?:will )?returns?\b", re.I)
"""What a tool gives back is no rule of returns."""


@dataclass(frozen=True, slots=True)
class RuleSentence:
    """One sentence of a system prompt or of a tool's description, and the stems of its words."""

    text: str
    stems: frozenset[str]
    passage: Passage


def rule_sentences(search: Search) -> list[RuleSentence]:
    """Every sentence of the system prompts and the declarations of tools, read once a run."""
    return search.once("sentences of rules", lambda: _read(search))


def _read(search: Search) -> list[RuleSentence]:
    return [
        RuleSentence(text, content_stems(text), passage)
        for passage in search.passages
        if passage.source.kind in RULES and passage.record is None
        for start, end in sentences(passage.text)
        if not _OF_CODE.search(text := passage.text[start:end])
    ]
