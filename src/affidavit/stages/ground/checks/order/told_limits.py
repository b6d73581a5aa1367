"""Limits and measures as an answer tells them: "at least 120 credits" is a limit, "114 credits" a measure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import Literal

from affidavit.ledger.values import Value, parse_values
from affidavit.ledger.words import content_stems
from affidavit.stages.ground.checks.derived.derivation import like_measures
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_LEAST = re.compile(
    r"\b(?:at least|minimum(?: of)?|min\.?|requir\w+|needs?|starts? (?:at|from)|starting (?:at|from)|from|upwards of|"
    r"must (?:be|have|spend|reach)|asks? for|(?:hardy|resistant|rated|tolerat\w+|withstands?|survives?|works?|usable|safe|operat\w+)(?: \w+)? down to|threshold(?: (?:is|of))?|begins? at|kicks? in at|no less than)\W*(?:\w+\W+){0,3}$",
    re.I,
)
_OVER = re.compile(r"\b(?:over|above|more than|exceed\w*|greater than)\W*(?:\w+\W+){0,1}$", re.I)
_MOST = re.compile(
    r"\b(?:at most|up to|not? (?:over|above|beyond)|must not exceed|maximum(?: of)?|max\.?|limit(?:ed to)?|cap(?:ped at)?|no more than|allowance|interval|every|quota|within)"
    r"\W*(?:(?:is|of|at|to|are|the|a)\W+){0,2}$",
    re.I,
)
_UNDER = re.compile(r"\b(?:under|below|less than|fewer than)\W*(?:\w+\W+){0,1}$", re.I)
_LEAST_AFTER = re.compile(
    r"\W*(?:(?:\w+ ){0,2}(?:required|needed|minimum|threshold|or (?:more|better|above|higher|over))\b)",
    re.I,
)
_MOST_AFTER = re.compile(
    r"\W*(?:(?:\w+ ){0,2}(?:limit|maximum|cap|allowance|or (?:less|fewer|under|below))\b)", re.I
)
_RANGE = re.compile(r"\b(?:ages?|aged|between|from|range(?: is| of)?|for|within)\W*$", re.I)
_TO = re.compile(r"\s*(?:to|through|–|—|-)\s*", re.I)
_AND = re.compile(r"\s*and\s*", re.I)
"""What a range opens with, and what stands between its ends."""
_OF_AGES = re.compile(r"\b(?:ages?|aged|old|children|kids|teens|adults|youths?|born)\b", re.I)
_AGE = re.compile(
    r"\b(?:is|are|am|be|was|were|turns?|turned|aged|['’](?:s|re|m))(?: (?:only|just|already|still|now))*\s*$",
    re.I,
)
"""In front of somebody's age."""
_JOINED = re.compile(r"\s*(?:or|and|/|,)\s*", re.I)
_DIFFERENCE = re.compile(
    r"\b(?:short|shy|more|less|left|remain\w*|missing|away|to go|difference|another|extra|fee|deposit)\b",
    re.I,
)
"""Beside a figure that is no measure of the thing itself: "6 credits short", "€5.70 more"."""
_GONE = re.compile(
    r"\b(?:since|so far|to date|already|until now|up to now|used|elapsed|altogether|in total)\b",
    re.I,
)
"""Beside what has gone into a limit."""
_NEAR = 6
"""Claims back in which a limit or a measure still counts."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A value that something is to reach or to keep to. ``inclusive`` is None where that is not said."""

    value: Value
    kind: Literal["least", "most"]
    inclusive: bool | None
    claim: Claim

    def is_met(self, number: Decimal) -> bool | None:
        """Whether a measure reaches a least, or keeps to a most."""
        if self.value.number is None:
            return None
        if number == self.value.number:
            return self.inclusive
        return (number > self.value.number) == (self.kind == "least")

    def is_reached(self, number: Decimal) -> bool | None:
        if self.value.number is None or number == self.value.number:
            return None
        return number > self.value.number


def limits_near(claim: Claim, context: GroundContext) -> list[Limit]:
    """The limits of the nearest claim that tells any: this one, or one shortly before."""
    for told in (claim, *reversed(context.before[-_NEAR:])):
        found = list(_limits_in(told))
        if found:
            return found
    return []


def _limits_in(claim: Claim) -> Iterator[Limit]:
    before: Limit | None = None
    ends = _ends_of_ranges(claim)
    for value in claim.values:
        if value.number is None:
            continue
        if value in ends:
            before = Limit(value, ends[value], True, claim)
            yield before
            continue
        limit = _read(value, claim)
        joined = before is not None and _JOINED.fullmatch(
            claim.text[before.value.end : value.start]
        )
        if limit is None and before is not None and joined:
            limit = Limit(value, before.kind, before.inclusive, claim)
        if limit is not None:
            yield limit
        before = limit


def _ends_of_ranges(claim: Claim) -> dict[Value, Literal["least", "most"]]:
    """The two ends of each range that a claim tells: "ages 10 to 13", "between 2 and 8 °C"."""
    found: dict[Value, Literal["least", "most"]] = {}
    for low, high in pairwise(v for v in claim.values if v.number is not None):
        assert low.number is not None and high.number is not None
        opened = _RANGE.search(claim.text[: low.start])
        between = claim.text[low.end : high.start]
        joined = _TO.fullmatch(between) or opened and _AND.fullmatch(between)
        if opened and joined and low.kind == high.kind and low.number < high.number:
            found |= {low: "least", high: "most"}
    return found


def _read(value: Value, claim: Claim) -> Limit | None:
    left, right = claim.text[: value.start], claim.text[value.end :]
    # "€60.00" begins at its sign, "at least" stands before that
    table: tuple[tuple[re.Pattern[str], Literal["least", "most"], bool | None], ...] = (
        (_LEAST, "least", True), (_OVER, "least", False), (_MOST, "most", True), (_UNDER, "most", False),
    )  # fmt: skip
    for words, kind, inclusive in table:
        if words.search(left):
            return Limit(value, kind, inclusive, claim)
    if _LEAST_AFTER.match(right):
        return Limit(value, "least", True, claim)
    if _MOST_AFTER.match(right):
        return Limit(value, "most", True, claim)
    return None


def measures_near(limit: Limit, claim: Claim, context: GroundContext) -> list[Decimal]:
    """What the answer has told of the measure that a limit is of; of a span of time also how long ago the
    day is that it told last."""
    told = [*context.before[-_NEAR:], claim]
    alike = [
        (v.number, bool(_GONE.search(c.text)))
        for c in told
        for v in c.values
        if v.number is not None
        and not (c is limit.claim and v is limit.value)
        and (_alike(v, limit.value) or _is_age(v, c) and _OF_AGES.search(limit.claim.text))
        and _read(v, c) is None
        and v not in _ends_of_ranges(c)
        and not _DIFFERENCE.search(c.text[max(0, v.start - 12) : v.end + 24])
    ]
    # Of 48,900 km at the last service and 12,340 km since, the second is what an interval is for.
    gone = [number for number, is_gone in alike if is_gone]
    found = gone or [number for number, _ in alike]
    if not found and limit.value.kind == "duration":
        return _since(limit, told, context.today)
    return found or [v.number for v in _asked(limit, context) if v.number is not None]


def _is_age(value: Value, claim: Claim) -> bool:
    """Whether a bare number is an age: "she will be 13 then"."""
    return (
        value.kind == "number" and not value.unit and bool(_AGE.search(claim.text[: value.start]))
    )


def _asked(limit: Limit, context: GroundContext) -> list[Value]:
    """What the user told of the measure in so many words, with its unit."""
    alike = [v for v in parse_values(context.question) if v.unit and _alike(v, limit.value)]
    return alike if len(alike) == 1 else []


def _alike(a: Value, limit: Value) -> bool:
    if a.kind == "number" == limit.kind:
        ends = {v.unit.split(" ")[-1] for v in (a, limit)}
        ratios = all(v.number is not None and v.number % 1 for v in (a, limit))  # 3.12 against 3.5
        return len(ends) == 1 and (ends != {""} or ratios)
    return a.kind == limit.kind and like_measures(a, limit)


def _since(limit: Limit, told: Sequence[Claim], today: date | None) -> list[Decimal]:
    """How long ago the last day is that was told, in the unit of the limit."""
    days = [v.moment.date for c in told for v in c.values if v.moment is not None and v.moment.date]
    past = [day for day in days if today is not None and day <= today]
    if not past or today is None:
        return []
    gone = (today - past[-1]).days
    if limit.value.unit == "month":
        return [round(Decimal(gone) / Decimal("30.44"), 2)]
    return [Decimal(gone) * 86400]


def topic_of(limits: Sequence[Limit]) -> frozenset[str]:
    """The stems of what the limits are said to be of."""
    return frozenset(word for limit in limits for word in content_stems(limit.claim.statement))
