"""Works cited by author and year: "Abe et al. (2020)" is right where one record has both.

A record of each alone makes no such work: the year is that of another author's.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from affidavit.ledger.ledger import Passage
from affidavit.ledger.values import fold

_SURNAME = r"[A-ZÀ-Þ][a-zß-ÿ'’]+(?:-[A-ZÀ-Þ]?[a-zß-ÿ]+)?"
_NAMES = rf"(?P<names{{n}}>{_SURNAME}(?:(?:,| and| &|, and|, &) {_SURNAME}){{{{0,3}}}})"
_ET_AL = r"(?:,? (?:et al\.?|and colleagues|and co-?workers|and others))?"
_AUTHOR_YEAR = re.compile(
    rf"\b{_NAMES.format(n=1)}{_ET_AL}(?:['’]s?)? \((?P<year1>(?:19|20)\d\d)[a-z]?\)"
    rf"|\((?:see |e\.g\. |cf\. )?{_NAMES.format(n=2)}{_ET_AL},? (?P<year2>(?:19|20)\d\d)[a-z]?\)"
)
_NO_AUTHORS = frozenset(
    "january february march april may june july august september october november december spring summer autumn fall winter "
    "the in on for since from year edition version figure table chapter section volume budget report".split()
)


@dataclass(frozen=True, slots=True)
class Work:
    """A work as a claim cites it."""

    names: tuple[str, ...]
    year: str

    def __str__(self) -> str:
        return f"{' and '.join(self.names)} ({self.year})"


def works_in(text: str) -> Iterator[Work]:
    """The works that a text cites by author and year."""
    for m in _AUTHOR_YEAR.finditer(text.replace("*", "")):
        names = re.findall(_SURNAME, m["names1"] or m["names2"])
        if not any(name.lower() in _NO_AUTHORS for name in names):
            yield Work(tuple(names), m["year1"] or m["year2"])


def not_retrieved(work: Work, passages: Sequence[Passage]) -> str | None:
    """Why no record is such a work; None where one is, or where nothing could tell."""
    places: dict[tuple[int, str], str] = defaultdict(str)
    for passage in passages:
        places[_place(passage)] += f" {fold(passage.text)} "
    retrieved = {key: text for key, text in places.items() if key[0] >= 0}
    if not retrieved:
        return None
    named = [text for text in places.values() if all(f" {fold(n)} " in text for n in work.names)]
    if any(re.search(rf"\b{work.year}\b", text) for text in named):
        return None
    if not named:
        return f"no record that was retrieved is by {' and '.join(work.names)}"
    dated = [text for text in named if re.search(r"\b(?:19|20)\d\d\b", text)]
    return f"what is by {' and '.join(work.names)} is not of {work.year}" if dated else None


_ROW = re.compile(r"^(.*?/\d+)(?:/|$)")


def _place(passage: Passage) -> tuple[int, str]:
    """The row of a result that a passage is part of, with all that lies in it; what no tool gave is one."""
    if passage.source.kind != "tool_result":
        return -1, ""
    if passage.record is None:
        return passage.source.id, ""
    row = _ROW.match(passage.record.pointer)
    return passage.source.id, row[1] if row else passage.record.pointer
