"""Small enough, too heavy: what the user has, or a figure of the claim, against the most that is allowed.

"Your crate is small enough" is told of no figure; the user gave the crate's, and the results the limit. Nothing is
decided where the limits that may be meant differ in the outcome.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from affidavit.ledger.ledger import Passage
from affidavit.ledger.values import parse_values
from affidavit.ledger.words import content_stems, is_negated, named_in
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.derivation import is_result
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "enough"

_FAMILIES = (
    ("m", "short long length"),
    ("m", "low tall high height"),
    ("m", "narrow slim wide broad width"),
    ("m", "thin thick thickness"),
    ("m", "small compact big large size dimensions measurements"),
    ("kg", "light heavy weight weigh weighs payload load"),
)
"""What is measured, by its unit and the words for little and much of it and for the measure."""
_KEEPS = re.compile(r"\b(?P<how>short|low|narrow|slim|thin|small|compact|light) enough\b", re.I)
_EXCEEDS = re.compile(r"\btoo (?P<how>long|tall|high|wide|broad|thick|big|large|heavy)\b", re.I)
_SUPPOSED = re.compile(r"\b(?:if|would|could|might|(?-i:may)|unless|whether|should)\b|\?", re.I)
_MOST = re.compile(
    r"\b(?:up to|at most|max(?:imum)?\.?(?: of)?|no (?:more|longer|heavier|wider|taller|higher|larger|bigger) than|not (?:exceed|over|more than)|"
    r"not exceeding|limit(?:ed to| of)?|under|below)\s*$",
    re.I,
)
_LIMITING = re.compile(r"\b(?:limit|max|maximum|allowed|allowance|permitted|capacity)\b")
_SIZES = re.compile(
    r"\d+(?:[.,]\d+)?(?:\s*(?:mm|cm|m)?\s*[x×]\s*\d+(?:[.,]\d+)?){1,2}\s*(?P<unit>mm|cm|m)\b", re.I
)
_METRES = {"mm": Decimal("0.001"), "cm": Decimal("0.01"), "m": Decimal(1)}
_PART = re.compile(r"(?<=[.!?])\s|[;\n]|,\s(?=and\b)|\band (?=(?:I|it|my|the)\b)")

Sizes = tuple[Decimal, ...]


def check_enough(claim: Claim, context: GroundContext) -> Finding:
    """Compare the measure of the thing with every limit of that measure that may be meant."""
    keeps, exceeds = _KEEPS.search(claim.text), _EXCEEDS.search(claim.text)
    said = keeps or exceeds
    if claim.is_datum or said is None or (keeps and exceeds) or _SUPPOSED.search(claim.text):
        return Finding.skip(NAME, "does not say that something is small enough or too large")
    unit, family = next(
        (u, content_stems(w)) for u, w in _FAMILIES if said["how"].lower() in w.split()
    )
    own = _own(claim, context, unit)
    limits = list(_limits(context, unit, family)) if own else []
    outcomes = {_within(own, limit) for limit, _ in limits if len(limit) == len(own)}
    if len(outcomes) != 1:
        return Finding.skip(NAME, "no limit is told, or limits that differ in the outcome")
    span = next(span for limit, span in limits if len(limit) == len(own))
    within = outcomes.pop()
    claimed = bool(keeps) != is_negated(claim.text)
    detail = f"{_shown(own)} against {span.text}"
    if within == claimed:
        return Finding(NAME, "checked", "supports", 0.9, None, detail, spans=(span,))
    return Finding(NAME, "checked", "contradicts", 0.05, "meaning_changed", detail, spans=(span,))


def _own(claim: Claim, context: GroundContext, unit: str) -> Sizes:
    """The measure of the thing: in the claim, or where the user tells of it; nothing where several may be meant."""
    if found := _measures(claim.text, unit):
        return found[0] if len(found) == 1 else ()
    thing = content_stems(_KEEPS.sub("", _EXCEEDS.sub("", claim.text)))
    parts = [part for part in _PART.split(context.question) if named_in(thing, content_stems(part))]
    told = [sizes for part in parts for sizes in _measures(part, unit)]
    return told[0] if len(set(told)) == 1 else ()


def _limits(
    context: GroundContext, unit: str, family: frozenset[str]
) -> Iterator[tuple[Sizes, EvidenceSpan]]:
    """The limits of that measure: fields called so of the rows spoken of, and the most that a sentence tells."""
    for passage in context.fitting:
        if not is_result(passage):
            continue
        for cell, _, _ in passage.cells:
            if _LIMITING.search(cell.key) and content_stems(cell.key) & family:
                yield from ((sizes, passage.span(cell)) for sizes in _measures(cell.text, unit))
        if passage.record is None:
            yield from _told(passage, unit, family)


def _told(
    passage: Passage, unit: str, family: frozenset[str]
) -> Iterator[tuple[Sizes, EvidenceSpan]]:
    for part in re.split(r"(?<=[.!?])\s|[;\n]", passage.text):
        for value in parse_values(part):
            near = part[value.end : value.end + 12]
            if value.unit != unit or value.number is None or not _MOST.search(part[: value.start]):
                continue
            if content_stems(f"{part[: value.start]} {near}") & family:
                yield (value.number,), passage.span()
        for sides in _SIZES.finditer(part) if "size" in family and unit == "m" else ():
            if _MOST.search(part[: sides.start()]):
                yield from ((sizes, passage.span()) for sizes in _measures(sides[0], unit))


def _measures(text: str, unit: str) -> list[Sizes]:
    """The measures of a text in a unit, the two or three sides of a thing as one."""
    sides: list[Sizes] = []
    if unit == "m":
        for match in _SIZES.finditer(text):
            scale = _METRES[match["unit"].lower()]
            numbers = re.findall(r"\d+(?:[.,]\d+)?", match[0])
            sides.append(tuple(sorted(Decimal(n.replace(",", ".")) * scale for n in numbers)))
        text = _SIZES.sub(" ", text)
    plain = [v for v in parse_values(text) if v.unit == unit and v.number is not None]
    return [*sides, *((v.number,) for v in plain if v.number is not None)]


def _within(own: Sizes, limit: Sizes) -> bool:
    return all(a <= b for a, b in zip(own, limit, strict=True))


def _shown(sizes: Sizes) -> str:
    return " x ".join(f"{n.normalize():f}" for n in sizes)
