"""Facts strung together by commas behind a label: "departs 7:10, arrives 10:55, €148.20"."""

from __future__ import annotations

import re

from affidavit.stages.ground.split.clauses import Clause
from affidavit.stages.ground.split.protect import protect

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
# A fact after the first: it begins small or with an amount, and holds a number. Not the rest of a date
# or an address, which begin with a capital or a bare number, nor "against 0.2%", which qualifies.
_AMOUNT = re.compile(r"(?:[€$£¥]\s?\d|\d[\d.,]*\s?(?:[€$£¥%]|[a-zA-Z°/]))")
_WORDS = re.compile(r"(?!(?:with|against|from|of|at|for|in|on|by|up|down|after|before|including|incl|plus|less|minus|or|"
                    r"to|per|as|which|who|and|but|so|about|than|until|through|via|under|over|a|an|the)\b)"
                    r"[a-z][^,]*\d")  # fmt: skip
_DATE_REST = re.compile(
    rf"(?:\d{{4}}\b|\d{{1,2}}(?:st|nd|rd|th|\.)?\s+{_MONTH}\b|{_MONTH}\b)", re.IGNORECASE
)


def split_facts(text: str) -> list[Clause] | None:
    """The facts of ``text`` if it is a string of them, None if a comma in it may mean something else."""
    shown = protect(text)
    if re.search(r"[.!?]\s+\w", shown):
        return None
    starts = [0, *(m.end() for m in re.finditer(r",\s+", shown))]
    if len(starts) < 2 or not re.search(r"\d", text[: starts[1]]):
        return None
    if any(not _is_fact(shown[start:]) for start in starts[1:]):
        return None
    ends = [*starts[1:], len(text)]
    return [
        Clause(
            start,
            start + len(text[start:end].rstrip()),
            start + (4 if shown.startswith("and ", start) else 0),
        )
        for start, end in zip(starts, ends, strict=True)
    ]


def _is_fact(rest: str) -> bool:
    rest = rest.removeprefix("and ")
    if _DATE_REST.match(rest):
        return False
    return bool(_AMOUNT.match(rest) or _WORDS.match(rest))
