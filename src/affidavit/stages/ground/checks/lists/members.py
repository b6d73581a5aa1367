"""Members: what a claim says belongs to a list, "the tyre and the chain were replaced" of ``replaced: [tyre, pads]``.

The list is known by its name, which the claim says, and by a member that the claim names beside. Another thing that
it names with that one is a member as well, or of another list of the same thing, or nowhere told. A word for a member
that the list does not use leaves it open.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from affidavit.ledger.ledger import Passage
from affidavit.ledger.search import Search
from affidavit.ledger.words import content_stems, is_negated, named_in, stem
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.derivation import Table, is_result, tables
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "members"

_BETWEEN = re.compile(
    r",\s*(?:(?:and|und|et|en|y|e|og|och)\s)?|\s(?:and|plus|as well as|along with|together with|und|sowie|et|en|y|e|og|och|&)\s",
    re.I,
)
_PREDICATE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|can|gets?|comes?|does|do)\b(?= \w)", re.I
)
_AUXILIARY = re.compile(
    r"(?:\s(?:have|has|had|been|being|be|will|are|is|was|were|gets?|got|now|already|all|both|also|currently))+\W*$"
    r"|^\W*(?:(?:are|is|were|was)\b|:)",
    re.I,
)
_SET_APART = re.compile(
    r"\b(?:but|except|instead|only|either|or|unless|if|should|would|could|other|others|rest|more|everything|all|not)\b|\?",
    re.I,
)
"""Words of a claim that says more of the list than that things belong to it."""
_WORD = re.compile(r"[^\W\d_]+")
_NO_NAME = content_stems(
    "items item list names name parts part things thing entries entry results result data values value rows"
)
_LONGEST, _MOST_WORDS = 40, 5
_LEAST, _MOST_MEMBERS = 2, 60


@dataclass(frozen=True, slots=True)
class _Collection:
    """A list under a name, with what each of its members is called."""

    name: frozenset[str]
    members: tuple[tuple[frozenset[str], str], ...]
    source: int
    span: EvidenceSpan
    shown: frozenset[int]
    """The passages that show it."""

    def has(self, thing: frozenset[str]) -> bool:
        return any(words <= thing or thing <= words for words, _ in self.members)

    def resembles(self, thing: frozenset[str]) -> bool:
        """Whether a thing may be a member by another name."""
        return any(
            named_in(thing, words) or any(_is_alike(a, b) for a in thing for b in words)
            for words, _ in self.members
        )


def _is_alike(a: str, b: str) -> bool:
    return len(a) > _PREFIX and a[:_PREFIX] == b[:_PREFIX]


_PREFIX = 4


def check_members(claim: Claim, context: GroundContext) -> Finding:
    """Look for each thing that the claim names with a member among the members."""
    skipped = Finding.skip(NAME, "names no members of a list that it calls by its name")
    if claim.is_datum or claim.kind not in ("fact", "action") or is_negated(claim.text):
        return skipped
    if _SET_APART.search(claim.text):
        return skipped
    said = content_stems(claim.text)
    every = context.search.once("lists with names", lambda: list(_collections(context)))
    fitting = {passage.id for passage in context.fitting}
    called = [c for c in every if c.name <= said and c.shown & fitting]
    for own in called:
        things = _things(claim.text, own)
        finding = _judge(things, own, every, context.search) if things else None
        if finding is not None:
            return finding
    return skipped


def _judge(
    named: Sequence[tuple[frozenset[str], str]],
    own: _Collection,
    every: Sequence[_Collection],
    search: Search,
) -> Finding | None:
    strangers = [(thing, text) for thing, text in named if not own.has(thing)]
    if not strangers:
        names = ", ".join(name for _, name in own.members[:_MOST_WORDS])
        return Finding(
            NAME, "checked", "supports", 0.9, None, names, spans=(own.span,), settles="values"
        ) if len(named) > 1 else None  # fmt: skip
    others = [c for c in every if c.source == own.source and not c.name & own.name]
    for thing, text in strangers:
        there = next((c for c in others if c.has(thing)), None)
        if there is not None and not own.resembles(thing):
            return Finding(
                NAME, "checked", "contradicts", 0.05, "contradicts_evidence",
                f"“{text}” is of another list: {there.span.text}", spans=(there.span,),
            )  # fmt: skip
    if (
        len(own.members) < _LEAST
        or len(strangers) == len(named)
        or any(own.resembles(thing) for thing, _ in strangers)
    ):
        return None
    for thing, text in strangers:
        if not any(named_in(thing, p.stems) for p in search.passages if is_result(p)):
            detail = f"“{text}” is not among {own.span.text}"
            return Finding(
                NAME, "checked", "missing", 0.2, "value_not_in_evidence", detail, spans=(own.span,)
            )
    return None


def _things(text: str, own: _Collection) -> list[tuple[frozenset[str], str]]:
    """What the claim names on one side of the list's name; nothing where that is more than names."""
    at = next((m for m in _WORD.finditer(text) if stem(m[0]) in own.name), None)
    if at is None:
        return []
    for region in (text[at.end() :], text[: at.start()]):
        parts = [part for part in _BETWEEN.split(region) if content_stems(part) - own.name]
        plain = all(_is_name(part) for part in parts)
        if parts and plain and len(parts) <= _MOST_MEMBERS:
            return [(content_stems(part) - own.name, part.strip(" .:")) for part in parts]
    return []


def _is_name(part: str) -> bool:
    words = content_stems(part)
    short = len(_WORD.findall(part)) <= _MOST_WORDS + 2 and len(words) <= _MOST_WORDS
    return short and not re.search(r"\d", part) and not _PREDICATE.search(_AUXILIARY.sub("", part))


def _collections(context: GroundContext) -> Iterator[_Collection]:
    for table in tables(context):
        yield from _of_rows(table)
    for passage in context.search.passages:
        if is_result(passage):
            yield from _of_fields(passage)


def _of_rows(table: Table) -> Iterator[_Collection]:
    """A list of records, each called by its first short text."""
    name = content_stems(table.name) - _NO_NAME
    called = []
    for row in table.rows[:_MOST_MEMBERS]:
        first = next(
            (c.text for c in row.cells if isinstance(c.raw, str) and 1 < len(c.text) <= _LONGEST
             and not any(map(str.isdigit, c.text))), None
        )  # fmt: skip
        if first is not None:
            called.append((content_stems(first), first))
    if name and called and len(called) == len(table.rows):
        shown = frozenset(p.id for p in table.passages)
        first_shown = table.passages[0]
        yield _Collection(name, tuple(called), first_shown.source.id, first_shown.span(), shown)


def _of_fields(passage: Passage) -> Iterator[_Collection]:
    """The plain lists among the fields of a record."""
    listed: dict[tuple[str | int, ...], list[int]] = {}
    cells = [cell for cell, _, _ in passage.cells]
    for n, cell in enumerate(cells):
        if cell.path and isinstance(cell.path[-1], int) and isinstance(cell.raw, str):
            listed.setdefault(cell.path[:-1], []).append(n)
    for path, places in listed.items():
        last = next((str(step) for step in reversed(path) if isinstance(step, str)), "")
        name = content_stems(last.replace("_", " ")) - _NO_NAME
        texts = [cells[n].text for n in places]
        if name and all(1 < len(text) <= _LONGEST for text in texts):
            members = tuple((content_stems(text), text) for text in texts)
            yield _Collection(
                name,
                members,
                passage.source.id,
                passage.span(cells[places[0]]),
                frozenset((passage.id,)),
            )
