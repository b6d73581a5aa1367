"""Rules with two sides: "by 31 August: this September; after that date: the next". A conclusion takes the outcome
of the side that its own case is on.

Only a case that the answer itself has told, and a rule whose two outcomes are of one sort, decide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from affidavit.ledger.passages import sentences
from affidavit.ledger.search import Hit
from affidavit.ledger.values import Value, compare, parse_values
from affidavit.stages.ground.checks.derived.derivation import like_measures
from affidavit.stages.ground.checks.values.value_verdict import ValueVerdict
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_BOUNDED = (
    r"\b(?:by|on or before|until|till|before|up to|under|below|at most|no (?:later|more) than|not more than|less than|within|bis|avant|hasta)\s"
    r"(?:the |a |an )?"
)
_PAST = (
    r"\b(?:after|later than|over|above|more than|exceeding|beyond|past|heavier than|older than|longer than|larger than|ab|nach|après|después de)\s"
    r"(?:the |a |an )?"
)
_UP_TO = re.compile(rf"{_BOUNDED}$", re.I)
_BEYOND = re.compile(rf"{_PAST}$", re.I)
_BEYOND_IT = re.compile(
    r"\b(?:after|beyond|above|over|past) (?:that|this|it|then|which)\b|\b(?:afterwards?|thereafter|later ones?|from then on|"
    r"otherwise|anyone (?:else|later|older)|anything (?:else|more|heavier|larger|longer|above|over))\b",
    re.I,
)
"""What is past the limit that the clause before tells."""
_MAY_BOUND = re.compile(_BOUNDED, re.I)
_MAY_GO_BEYOND = re.compile(rf"{_PAST}|{_BEYOND_IT.pattern}", re.I)
"""A word of each side, without which no values need be read: most clauses have none."""
_CONCLUDES = re.compile(
    r"\A\W*(?:and |but )?(?:so|then|(?:which|that|this) means|meaning|as a result|that['’]s why)\b"
    r"|\b(?:therefore|thus|hence|accordingly|consequently)\b",
    re.I,
)
_CLAUSE = re.compile(
    r";\s+|,\s+(?:and |but |while |whereas )?(?=(?:after|over|above|beyond|from|until|up to|under|those|anything|otherwise)\b)",
    re.I,
)
_NEAR = 2
"""Claims back in which the case may have been told."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """A limit with what holds up to it and what holds beyond."""

    limit: Value
    up_to: Sequence[Value]
    beyond: Sequence[Value]


def other_side(
    value: Value, hits: Sequence[Hit], claim: Claim, context: GroundContext
) -> ValueVerdict | None:
    """The outcome of the side that the case is on, where a claim gives that of the other; None in any doubt."""
    if claim.is_datum or any(hit.passage.source.kind == "user" for hit in hits):
        return None
    for hit in hits:
        text = hit.cell.text if hit.cell else hit.passage.text
        for rule in _rules(text):
            case = _case(rule, value, claim, context)
            past = None if case is None else _is_past(case, rule.limit)
            if case is None or past is None:
                continue
            mine, theirs = (rule.beyond, rule.up_to) if past else (rule.up_to, rule.beyond)
            rival = next((v for v in mine if _are_alike(v, value)), None)
            wrongly = any(_is(value, v) for v in theirs) and not any(_is(value, v) for v in mine)
            if wrongly and rival is not None:
                where = "past" if past else "up to"
                detail = (
                    f"“{case.text}” is {where} “{rule.limit.text}”, for which there is {rival.text}"
                )
                span = hit.passage.span(hit.cell)
                return ValueVerdict(
                    value, "contradicted", span, "contradicts_evidence", detail, derivable=False
                )
    return None


def _rules(text: str) -> Iterator[_Rule]:
    """The rules with two sides that a text tells in neighbouring sentences or clauses."""
    clauses = [c for start, end in sentences(text) for c in _CLAUSE.split(text[start:end]) if c]
    for first, second in pairwise(clauses):
        if not (_MAY_BOUND.search(first) and _MAY_GO_BEYOND.search(second)):
            continue
        one, other = parse_values(first), parse_values(second)
        limit = next((v for v in one if _UP_TO.search(first[: v.start])), None)
        if limit is None:
            continue
        past = next((v for v in other if _BEYOND.search(second[: v.start])), None)
        if past is not None and not _is(past, limit):
            continue
        if past is not None or _BEYOND_IT.search(second):
            yield _Rule(
                limit, [v for v in one if v is not limit], [v for v in other if v is not past]
            )


def _case(rule: _Rule, value: Value, claim: Claim, context: GroundContext) -> Value | None:
    """The only measure of the limit's sort that the claim tells, or where it concludes those just before it."""
    if any(_is(v, rule.limit) for v in claim.values):
        return None  # the rule itself is told
    told = [claim]
    if _CONCLUDES.search(claim.text):
        told += context.before[-_NEAR:]
    outcomes = (*rule.up_to, *rule.beyond)
    found = [
        v
        for c in told
        for v in c.values
        if v is not value
        and _measures(v, rule.limit)
        and not _is(v, rule.limit)
        and not any(_is(v, outcome) for outcome in outcomes)
    ]
    return found[0] if len({(v.number, v.moment) for v in found}) == 1 else None


def _measures(value: Value, limit: Value) -> bool:
    """Whether a value is one that a limit may be of: a day of the calendar, or an amount of its unit."""
    if limit.moment is not None:
        return value.moment is not None and value.moment.date is not None
    return (
        value.number is not None
        and value.kind == limit.kind
        and like_measures(value, limit)
        and (value.kind != "number" or value.unit == limit.unit)
    )


def _is_past(case: Value, limit: Value) -> bool | None:
    if case.moment is not None and limit.moment is not None:
        day, last = case.moment.date, limit.moment.date
        return None if day is None or last is None else day > last
    if case.number is None or limit.number is None:
        return None
    return case.number > limit.number


def _are_alike(a: Value, b: Value) -> bool:
    return a.kind == b.kind and a.unit == b.unit


def _is(a: Value, b: Value) -> bool:
    return compare(replace(a, bound=""), replace(b, bound="")) == "same"
