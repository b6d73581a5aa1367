"""Comparisons: "less than the minimum", "above the 0.5 % limit", "all of them cost over $100"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.values import Value
from affidavit.ledger.words import content_stems, is_negated, named_in
from affidavit.stages.ground.checks.derived.derivation import Operand, same_measure, tables
from affidavit.stages.ground.checks.order.allowances import check_allowance
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext
from affidavit.stages.ground.phrases import NOT_ALL

NAME = "comparisons"

_MORE = re.compile(
    r"\b(more than|above|over|exceeds?|longer than|higher than|greater than|at least)\b", re.I
)
_LESS = re.compile(
    r"\b(less than|below|under|shorter than|lower than|fewer than|within|at most)\b", re.I
)


def check_comparisons(claim: Claim, context: GroundContext) -> Finding:
    """Hold a comparison against its other side: a field, a figure just stated, every row of a list."""
    return (
        _check_every(claim, context)
        or _check_range(claim, context)
        or _check_part(claim)
        or check_allowance(claim, context, NAME)
        or _check_comparison(claim, context)
        or Finding.skip(NAME, "no comparison that a field or a list could decide")
    )


def is_limit(value: Value, claim: Claim) -> bool:
    """Whether a value only bounds what every row of a list has: "all of them cost over $100"."""
    sign, universal = (
        _MORE.search(claim.text) or _LESS.search(claim.text),
        _EVERY.search(claim.text),
    )
    if _TOGETHER.search(claim.text):
        return False
    return bool(sign and universal and sign.end() <= value.start <= sign.end() + 3)


def _check_every(claim: Claim, context: GroundContext) -> Finding | None:
    """ "All available speakers are above $100": each row's price is."""
    more, less = _MORE.search(claim.text), _LESS.search(claim.text)
    sign, universal = more or less, _EVERY.search(claim.text)
    if sign is None or universal is None or (more and less) or _TOGETHER.search(claim.text):
        return None
    limit = next((v for v in claim.values if v.start >= sign.end() and v.number is not None), None)
    if limit is None or limit.number is None:
        return None
    ranging = claim.text[universal.start() : sign.start()]
    said = content_stems(f"{ranging} {claim.context}")
    best: tuple[tuple[int, int], list[Operand]] | None = None
    for table in tables(context):
        rows = table.that_say(ranging)
        named = len(named_in(content_stems(f"{table.name} {rows.rows[0].header}"), said))
        measured = [c for c in rows.columns.values() if len(same_measure(c, limit)) >= 2]
        for column in measured if named else ():
            # "Priced above $537" is said of the prices, not of each row's zoom.
            own = len(named_in(content_stems(column[0].cell.key), said))
            rank = own, named
            if (own or len(measured) == 1) and (best is None or rank > best[0]):
                best = rank, same_measure(column, limit)
    if best is None:
        return None
    beyond = [_holds(o.number, limit.number, sign[0], more is not None) for o in best[1]]
    said_of = "all"
    if is_negated(claim.text):
        said_of = "some not" if NOT_ALL.search(claim.text) else "none"
    holds = {"all": all(beyond), "some not": not all(beyond), "none": not any(beyond)}[said_of]
    if holds:
        spans = tuple(o.span for o in best[1][:4])
        detail = f"{said_of} of {len(best[1])}" if said_of != "all" else f"each of {len(best[1])}"
        return Finding(NAME, "checked", "supports", 0.93, None, detail, spans=spans)
    if said_of == "none" and not all(beyond):
        return None  # "all are not above it" may mean that some are not
    other = best[1][beyond.index(said_of != "all")]
    return Finding(
        NAME, "checked", "contradicts", 0.05, "contradicts_evidence", f"not {other.span.text}" if said_of == "all" else other.span.text,
        spans=(other.span,),
    )  # fmt: skip


def _holds(number: Decimal, limit: Decimal, sign: str, more: bool) -> bool:
    if number == limit:
        return sign.lower() in _INCLUSIVE
    return (number > limit) == more


_TOGETHER = re.compile(r"\b(?:together|altogether|combined|in total|in all|in sum)\b", re.I)
"""What is said of all at once: "all clips together run for over 12 minutes"."""
_EVERY = re.compile(r"\b(?:all|every|each|alle|jede[rsn]?|todos|todas|tous|toutes)\b", re.I)


def _check_comparison(claim: Claim, context: GroundContext) -> Finding | None:
    """ "Less than the minimum connection time": the value before it against the field it names."""
    more, less = _MORE.search(claim.text), _LESS.search(claim.text)
    sign = more or less
    if sign is None:
        return None
    after = claim.text[sign.end() :]
    if any(_BY_SO_MUCH.fullmatch(claim.text, v.end, sign.start()) for v in claim.values):
        return None  # "400 grams over the limit" is how far it is from it
    values = [v for v in claim.values if v.start < sign.start() and v.number is not None]
    given = [v for v in claim.values if v.start >= sign.end() and v.number is not None]
    if given:
        return _against_stated(given[0], values, bool(more), sign[0], claim, context)
    values = values or [
        v for earlier in reversed(context.before) if earlier.sentence >= claim.sentence - _BACK
        for v in reversed(earlier.values) if v.number is not None
    ]  # fmt: skip
    field = _named_field(after, context, values)
    if field is None or not values:
        return None
    passage, cell, other, value = field
    assert value.number is not None and other.number is not None
    above = _holds(value.number, other.number, sign[0], more is not None)
    holds = above != bool(_NOT_SO.search(claim.text[: sign.start()]))
    span = passage.span(cell)
    detail = f"{value.text} against {span.text}"
    if holds:
        return Finding(NAME, "checked", "supports", 0.95, None, detail, spans=(span,))
    return Finding(NAME, "checked", "contradicts", 0.04, "meaning_changed", detail, spans=(span,))


def _against_stated(
    limit: Value,
    values: Sequence[Value],
    more: bool,
    sign: str,
    claim: Claim,
    context: GroundContext,
) -> Finding | None:
    """ "This is above the 0.5 % limit", said of the 0.2 % of the sentence before, or of the claim's own."""
    own = [v for v in values if (v.kind, v.unit) == (limit.kind, limit.unit)]
    if len(own) == 1 and _LIMIT_OF.search(claim.text[: limit.start]):
        return _compared(own[0], limit, more, sign, claim)
    if values or not _REFERS.match(claim.text):
        return None  # "more than 50" is a bound on a value, and the values check reads it
    before = [v for c in context.before[-2:] for v in c.values]
    like = [
        v for v in before if (v.kind, v.unit) == (limit.kind, limit.unit) and v.number is not None
    ]
    if not like or limit.number is None:
        return None
    return _compared(like[-1], limit, more, sign, claim)


_LIMIT_OF = re.compile(
    r"\b(?:limit|maximum|minimum|max\.?|min\.?|cap|threshold|allowance|requirement|quota|target|ceiling|floor) (?:is |of |at |\()?\W*$",
    re.I,
)


def _compared(subject: Value, limit: Value, more: bool, sign: str, claim: Claim) -> Finding | None:
    """Whether a figure is on the side of a limit that the claim says."""
    if subject.number is None or limit.number is None:
        return None
    denied = _NOT_SO.search(
        claim.text[: claim.text.casefold().rfind(sign.casefold(), 0, limit.start)]
    )
    holds = _holds(subject.number, limit.number, sign, more) != bool(denied)
    detail = f"{subject.text} against {limit.text}"
    if holds:
        return Finding(NAME, "checked", "supports", 0.93, None, detail, settles="values")
    return Finding(NAME, "checked", "contradicts", 0.05, "meaning_changed", detail)


_RANGE = re.compile(
    r"\b(?P<where>within|inside|in|outside(?: of)?|out of) (?:(?:the|its|a|their|your) )?(?:[\w-]+ ){0,2}(?:range|band|bounds|limits|interval|window)\b[^;]*?"
    r"\b(?:of|from|between|:|is|is at|are)?\s*$",
    re.I,
)
"""Before the two ends of a range: "within the reference range of"."""


def _check_range(claim: Claim, context: GroundContext) -> Finding | None:
    """ "Which is within the normal range of 15 to 150", said of the 18 just before."""
    ends = [v for v in claim.values if v.number is not None]
    if len(ends) < 2:
        return None
    low, high = ends[-2:]
    where = _RANGE.search(claim.text[: low.start])
    if where is None or low.number is None or high.number is None or low.number > high.number:
        return None
    own = [v for v in ends[:-2] if _as_ends(v, low, high)]
    before = [v for c in context.before[-2:] for v in c.values if _as_ends(v, low, high)]
    subject = next(iter([*reversed(own), *reversed(before)]), None)
    if subject is None or subject.number is None:
        return None
    plain = not high.unit and subject.face is not None
    figure = subject.face if plain and subject.face is not None else subject.number
    inside = low.number <= figure <= high.number
    denied = is_negated(claim.text) or where["where"].lower().startswith("out")
    detail = f"{subject.text} against {low.text} to {high.text}"
    if inside != denied:
        return Finding(NAME, "checked", "supports", 0.93, None, detail, settles="values")
    return Finding(NAME, "checked", "contradicts", 0.05, "meaning_changed", detail)


_OF_WHOLE = re.compile(
    r"\s+(?:out )?of (?:(?:the|your|our|its|his|her|their|a|all)(?: \w+)?? )?", re.I
)


def _check_part(claim: Claim) -> Finding | None:
    """ "10,000 of your 8,450 requests": no part is larger than its whole."""
    figures = [v for v in claim.values if v.number is not None and v.kind in ("number", "money")]
    for part, whole in pairwise(figures):
        assert part.number is not None and whole.number is not None
        of = _OF_WHOLE.fullmatch(claim.text, part.end, whole.start)
        if of and part.kind == whole.kind and part.number > whole.number and not part.bound:
            detail = f"{part.text} is more than the {whole.text} that it is said to be of"
            return Finding(NAME, "checked", "contradicts", 0.04, "meaning_changed", detail)
    return None


def _as_ends(value: Value, low: Value, high: Value) -> bool:
    """Whether a value may lie between the two ends; of "1.1 mg/dL" a range is told without the unit."""
    if value.number is None or value.kind == "percent" != high.kind:
        return False
    units = {v.unit for v in (value, low, high) if v.unit}
    return len(units) <= 1


_BY_SO_MUCH = re.compile(r"\s*(?:too much|more)?\s*", re.I)
_BACK = 2
"""Sentences back in which what is compared was told: the measure, then its limit, then "that's above it"."""
_REFERS = re.compile(r"\W*(?:and |so |which |but )*(?:this|that|it|which|they|these|both)\b", re.I)
_INCLUSIVE = ("within", "at most", "at least")


_NOT_SO = re.compile(r"(?:\b(?:not|never|no|nor)|n['’]t)\s+(?:\w+\s+){0,2}$", re.I)
"""Before a sign that it turns round: "does not exceed the limit", "is no longer than"."""
_ALLOWED = re.compile(
    r"\b(?:allow\w*|permit\w*|limit\w*|max\w*|accept\w*|takes?|holds?|carr(?:y|ies)|may be|can be|capacity|rated|most)\b",
    re.I,
)
_LIMITING = re.compile(
    r"\b(?:limit|max|maximum|allowance|allowed|permitted|capacity|cap|quota|ceiling|upper)\b"
)
"""What is allowed, in the words of claims and of fields: "the weight that the fare allows" is a ``weight_limit``."""


def _named_field(
    words: str, context: GroundContext, values: Sequence[Value]
) -> tuple[Passage, Cell, Value, Value] | None:
    """The field that a comparison is with, and the value that is compared; None where the rows that may be
    meant differ in it."""
    said = content_stems(words)
    allowed = bool(_ALLOWED.search(words))
    found: list[tuple[tuple[bool, int], tuple[Passage, Cell, Value, Value]]] = []
    for passage in context.search.passages:
        for cell, other in passage.cell_values:
            for value in values[:4]:
                if other.number is None or (other.kind, other.unit) != (value.kind, value.unit):
                    continue
                if other.number == value.number and len(values) > 1:
                    continue  # the limit was told as well: it is not what is compared with it
                key = content_stems(cell.key)
                named = len(named_in(key, said))
                limits = allowed and bool(_LIMITING.search(cell.key))
                if key & said and (named >= 2 or limits):
                    own = context.topic.names(context.rows.chain(passage))
                    rank = own, named + (limits and named < len(key))
                    found.append((rank, (passage, cell, other, value)))
    if not found:
        return None
    top = max(rank for rank, _ in found)
    best = [field for rank, field in found if rank == top]
    return best[0] if len({other.number for _, _, other, _ in best}) == 1 else None
