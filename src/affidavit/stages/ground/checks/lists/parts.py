"""Parts: "the order holds a speaker and a purifier, not two watches", "it does not include a lamp".

What is said or denied to be part of the thing that the claim names can be looked for: its parts are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.words import content_stems, is_negated
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext
from affidavit.stages.ground.topic import Group, Row

NAME = "parts"

_CONTRAST = re.compile(
    r"\b(?:includes?|contains?|has|have|holds?|lists?|shows?|consists? of|comes? with)\b.*\w.*?"
    r"(?:, (?:and |but )?(?:not|no)|,? but (?:not|no)|,? and (?:not|no))\s+"
    r"(?:an?|any|the|your|two|three|four|\d+)?\s*(?P<denied>[\w -]{3,40}?)\W*$",
    re.I,
)
_LISTS = re.compile(
    r"\b(?:includes?|contains?|holds?|consists? of|comprises?|items(?:(?: (?:in|on|of) (?:this|that|the|your) \w+)? (?:are|include))?)\b:? (?P<items>.*(?:[,;]|\band\b).*)",
    re.I,
)
_BETWEEN = re.compile(r"[,;]|\band\b")
_ARTICLE = re.compile(
    r"^(?:(?:plus|along with|together with|as well as|an?|the|your|one|also|both)\s+)+", re.I
)
_ITEM_WORDS = 5
"""The most words of an item of a plain enumeration."""
_LACKS = re.compile(
    r"\b(?:do(?:es)?(?: not|n['’]t) (?:include|contain|have|list|show|hold)|lacks?)\s+(?:an?|any)\s+"
    r"(?P<denied>[\w-]+(?: [\w-]+){0,2}?)\W*$",
    re.I,
)
_HOLDS = re.compile(
    r"\b(?:(?:includes?|contains?)\s+(?:an?|the|your)\s+|(?P<label>items?:)\s+)(?P<held>[\w-]+(?: [\w-]+){0,2}?)\W*$",
    re.I,
)


_SOLE = re.compile(
    r"\b(?:contains?|includes?|has|holds?) (?:only|just|nothing but) (?:the |an? |one |your )?(?P<only>[\w-]+(?: [\w-]+){0,2}?)\W*$",
    re.I,
)


def check_parts(claim: Claim, context: GroundContext) -> Finding:
    """Look for what is said or denied to be there among the parts of the rows that the claim speaks about."""
    if claim.is_datum:
        return Finding.skip(NAME, "a datum")
    if sole := _SOLE.search(claim.text):
        return _only(sole["only"], context)
    denial = _CONTRAST.search(claim.text) or _LACKS.search(claim.text)
    one = _HOLDS.search(claim.statement)
    names = [one["held"]] if one else _enumerated(claim.text)
    if denial is None and (not names or is_negated(claim.text)):
        return Finding.skip(NAME, "says and denies nothing to be part of a thing")
    numbers = [v.text for v in claim.values if v.kind == "identifier"] if denial else []
    parts = _Parts(context, beside=denial is None, within=numbers)
    if not parts:
        return Finding.skip(NAME, "names no thing whose parts are known")
    if denial is not None:
        return _denied(denial["denied"], parts)
    listed = one["label"] if one else any(parts.called(name) for name in names)
    return (_unheard(names, context) if listed else None) or _held(names, parts)


def _only(words: str, context: GroundContext) -> Finding:
    """ "This order holds only the helmet": the one row of a list in the thing that is spoken of."""
    wanted = content_stems(words)
    rows = [p for p in context.fitting if is_result(p) and p.record is not None and p.record.group]
    lists: dict[tuple[int, str], dict[str, Passage]] = {}
    for p in rows:
        if p.record is not None and context.topic.fits(context.rows.chain(p)):
            lists.setdefault((p.source.id, p.record.group), {})[p.record.pointer] = p
    for held in lists.values():
        (passage, *others) = held.values()
        cells = [c for c, _, _ in passage.cells if wanted and wanted <= content_stems(c.text)]
        if cells and not others:
            span = passage.span(cells[0])
            detail = f"it is all that is there: {span.text}"
            return Finding(NAME, "checked", "supports", 0.9, None, detail, spans=(span,))
    return Finding.skip(NAME, "no list of the thing has that alone")


def _enumerated(text: str) -> list[str]:
    """The items of an enumeration; none where one of them is more than a name."""
    said = _LISTS.search(text)
    named = said["items"].rpartition(": ")[2] if said else ""
    listed = _BETWEEN.split(re.sub(r"\([^)]*\)", "", named)) if named else []
    items = [_ARTICLE.sub("", item.strip(" .:*")) for item in listed]
    items = [item for item in items if item]
    plain = all(len(i.split()) <= _ITEM_WORDS and not re.search(r"\d", i) for i in items)
    return items if plain and len(items) > 1 else []


def _denied(words: str, parts: _Parts) -> Finding:
    span = parts.called(words)
    if span is not None:
        detail = f"there is {span.text}"
        return Finding(NAME, "checked", "contradicts", 0.05, "false_absence", detail, spans=(span,))
    detail = f"nothing of it is called {words}"
    return Finding(
        NAME, "checked", "supports", 0.9, None, detail, spans=(parts.whole,), settles="values"
    )


def _unheard(names: Sequence[str], context: GroundContext) -> Finding | None:
    """An item listed among others that are there, and that nothing in the run speaks of."""
    for name in names:
        unseen = sorted(s for s in content_stems(name) if not context.search.has_word(s))
        if unseen:
            detail = f"nothing speaks of “{name}”"
            return Finding(NAME, "checked", "missing", 0.2, "value_not_in_evidence", detail)
    return None


def _held(names: Sequence[str], parts: _Parts) -> Finding:
    """ "It includes a kettle, a torch and a rope": no one row holds all three."""
    found = [parts.called(*_counted(name)) for name in names]
    spans = tuple(span for span in found if span is not None)
    if not spans or len(spans) < len(names):
        return parts.elsewhere(names) or Finding.skip(NAME, "names no parts, or some not known")
    detail = f"{', '.join(names)}: {'parts' if len(names) > 1 else 'a part'} of it"
    return Finding(NAME, "checked", "supports", 0.9, None, detail, spans=spans, settles="values")


def _counted(name: str) -> tuple[str, int]:
    """ "Two kettles": what they are called, and how many there must be."""
    first, _, rest = name.partition(" ")
    number = _NUMBERS.get(first.lower())
    return (rest, number) if rest and number else (name, 1)


_NUMBERS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6}


class _Parts:
    """The short texts in the rows that a claim speaks about, and in those ``beside`` them in one list: of
    "an espresso machine and sneakers" the claim itself names the first row only. With numbers, only what lies
    ``within`` the things that are called so: "order #7 has no laptop", and another order has one."""

    def __init__(self, context: GroundContext, *, beside: bool, within: Sequence[str]) -> None:
        self._context = context
        chain, topic = context.rows.chain, context.topic
        named = [p for p in context.fitting if is_result(p) and topic.names(chain(p))]
        headers = [p.record.header if p.record else "" for p in named]
        numbered = [
            p for p, header in zip(named, headers, strict=True) if any(n in header for n in within)
        ]
        named = numbered or named
        lists = {_list_of(chain(p)) for p in named if beside} - {None}
        like = (p for p in context.search.passages if lists and _list_of(chain(p)) in lists)
        self._passages = list({p.id: p for p in (*named, *like)}.values())

    def __bool__(self) -> bool:
        return bool(self._passages)

    def elsewhere(self, names: Sequence[str]) -> Finding | None:
        """One of the names, where it is not of the thing that the claim calls by its number but of another
        of its kind, in the same field as the rest."""
        chain, named = self._context.rows.chain, self._context.named
        if not any(named.names(chain(p)) for p in self._passages):
            return None
        found = {name: self._cell(name, self._passages) for name in names}
        fields = {(chain(p)[0][0], c.path) for p, c in filter(None, found.values()) if chain(p)}
        for name in (name for name, place in found.items() if place is None):
            other = self._cell(name, self._context.search.passages)
            if other and chain(other[0]) and (chain(other[0])[0][0], other[1].path) in fields:
                detail = (
                    f"“{name}” is part of {other[0].record.place if other[0].record else 'another'}"
                )
                return Finding(
                    NAME, "checked", "contradicts", 0.05, "contradicts_evidence", detail,
                    spans=(other[0].span(other[1]),),
                )  # fmt: skip
        return None

    @property
    def whole(self) -> EvidenceSpan:
        return self._passages[0].span()

    def called(self, words: str, count: int = 1) -> EvidenceSpan | None:
        """The first that is called so, where there are so many of them."""
        places = list(islice(self._cells(words, self._passages), count))
        return places[0][0].span(places[0][1]) if len(places) == count else None

    @classmethod
    def _cell(cls, words: str, passages: Iterable[Passage]) -> tuple[Passage, Cell] | None:
        return next(cls._cells(words, passages), None)

    @staticmethod
    def _cells(words: str, passages: Iterable[Passage]) -> Iterator[tuple[Passage, Cell]]:
        wanted = content_stems(words)
        for passage in passages if wanted else ():
            for cell, _, _ in passage.cells if is_result(passage) else ():
                if isinstance(cell.raw, str) and len(cell.text) <= _NAME_CHARS:
                    if wanted <= content_stems(cell.text):
                        yield passage, cell


def _list_of(chain: Sequence[tuple[Group, Row]]) -> object:
    """The list that a row stands in, of the one thing that it is part of; None for no part."""
    return (chain[0][0], chain[1:]) if len(chain) > 1 else None


_NAME_CHARS = 60
"""The longest text that is taken for the name of a part."""
