"""What may be done so many times more: "the first can be renewed once more" of ``renewals_left: 1``.

No word of the field says that anything can be done; its count does. Of several rows the one that is meant is the one
that the claim names, or the first or second of those that the claim before names.
"""

from __future__ import annotations

import re

from affidavit.ledger.irregular_verbs import base_of
from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.values import fold
from affidavit.ledger.words import content_stems, named_in
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "left_over"

_TIMES = {
    "once": 1,
    "one": 1,
    "another": 1,
    "a": 1,
    "twice": 2,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
}
_CAN = r"\bcan(?P<not>(?: ?not|['’]t))?(?: (?:still|also|now|then|only|no longer))*"
_DEED = r"(?:be (?P<done>\w+)|(?P<do>\w+)(?: (?:it|them|this|that|the \w+|your \w+|one))?)"
_MORE = re.compile(
    rf"{_CAN} {_DEED}(?: up to)? (?:(?P<times>once|twice|(?:one|two|three|four|five|\d+)(?: more)? times?|(?:a|another|one more) (?:second |third )?time)(?: more| again)?"
    r"|(?P<again>again|any ?more|any further|further))\b",
    re.I,
)
_LEFT = re.compile(
    r"(?:^| )(?:left|remaining|available|to go|outstanding)$|^(?:remaining|available) "
)
_ORDINAL = re.compile(
    r"\bthe (?P<which>first|former|second|latter|third|last)(?: one)?\b(?! \w+day)", re.I
)
_PLACE = {"first": 0, "former": 0, "second": 1, "third": 2, "latter": -1, "last": -1}
_SUPPOSED = re.compile(r"\b(?:if|unless|whether|could|(?-i:may)|might|once you|until)\b|\?", re.I)


def check_left_over(claim: Claim, context: GroundContext) -> Finding:
    """Hold how often something can be done again against the count of what is left of it."""
    said = _MORE.search(claim.text)
    if (
        claim.is_datum
        or claim.kind not in ("fact", "absence")
        or said is None
        or _SUPPOSED.search(claim.text)
    ):
        return Finding.skip(NAME, "does not say how often something can be done again")
    verb = (said["done"] or said["do"]).lower()
    deed = frozenset({base_of(verb)})
    fields = _meant(list(_fields(deed, context)), claim, context)
    counts = {cell.raw for _, cell in fields}
    if len(counts) != 1:
        return Finding.skip(NAME, "no count of what is left, or several that may be meant")
    passage, cell = fields[0]
    left = int(str(cell.raw))
    span = passage.span(cell)
    denied = said["not"] is not None or "no longer" in said[0].lower()
    if _holds(left, said["times"], denied=denied):
        return Finding(
            NAME, "checked", "supports", 0.9, None, span.text, spans=(span,), settles="all"
        )
    return Finding(
        NAME, "checked", "contradicts", 0.05, "contradicts_evidence",
        f"the evidence has {span.text}", spans=(span,),
    )  # fmt: skip


def _holds(left: int, times: str | None, *, denied: bool) -> bool:
    """Whether so many are left: "again" asks for one at least."""
    if times is None:
        return (left == 0) == denied
    first = times.split()[0].lower()
    number = int(first) if first.isdigit() else _TIMES[first]
    return left < number if denied else left == number


def _fields(deed: frozenset[str], context: GroundContext) -> list[tuple[Passage, Cell]]:
    return [
        (passage, cell)
        for passage in context.fitting
        if is_result(passage)
        for cell, _, _ in passage.cells
        if isinstance(cell.raw, int)
        and not isinstance(cell.raw, bool)
        and _LEFT.search(cell.key)
        and named_in(deed, content_stems(cell.key))
    ]


def _meant(
    fields: list[tuple[Passage, Cell]], claim: Claim, context: GroundContext
) -> list[tuple[Passage, Cell]]:
    """The fields of the row that is "the first" of those that the claim before names; all where none is counted off."""
    ordinal = _ORDINAL.search(claim.text)
    if ordinal is None or not context.before:
        return fields
    told = f" {fold(context.before[-1].text)} "
    placed = [
        (min(at), passage, cell)
        for passage, cell in fields
        if (
            at := [
                told.find(f" {fold(c.text)} ")
                for c, _, _ in passage.cells
                if isinstance(c.raw, str) and f" {fold(c.text)} " in told
            ]
        )
    ]
    placed.sort(key=lambda item: item[0])
    place = _PLACE[ordinal["which"].lower()]
    if not -len(placed) <= place < len(placed) or len({at for at, _, _ in placed}) != len(placed):
        return []
    return [placed[place][1:]]
