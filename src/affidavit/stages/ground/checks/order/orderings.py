"""Before and after, below and above: two values that a claim sets side by side stand in the order it says.

"€54.30, which is above the €60 minimum", "that is after the deadline of 3 May": both values are in the
evidence, and only their order is wrong.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta

from affidavit.ledger.values import Value, parse_values
from affidavit.ledger.words import is_negated
from affidavit.stages.ground.checks.derived.derivation import like_measures
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

NAME = "orderings"

_MONTHS = {
    name: n
    for n, name in enumerate(
        "january february march april may june july august september october november december".split(),
        1,
    )
}
_EARLIER = r"before|ahead of|earlier than|prior to"
_LATER = r"after|later than|past"
_LOWER = r"less than|fewer than|lower than|below|under|beneath|shorter than|cheaper than|short of"
_HIGHER = r"more than|greater than|higher than|above|over|beyond|longer than|in excess of"
_ORDER = re.compile(
    rf"\b(?:(?P<earlier>{_EARLIER})|(?P<later>{_LATER})|(?P<lower>{_LOWER})|(?P<higher>{_HIGHER}))\s+"
    r"(?:the |your |its |their |our |that |a |an )?",
    re.I,
)
_IS = re.compile(
    r"(?:^|[\s,(–—-])\W*(?:is|are|was|were|falls?|fell|comes?|came|ends?|ended|that['’]s|it['’]s|runs out|expires?|,)\s*"
    r"(?:\w+ ){0,2}$",
    re.I,
)
"""Between a value and "above": nothing but that it is so, "is well", "which is"."""
_REFERS = re.compile(
    r"\W*(?:and |so |which |but |though )*(?:this|that|it|which|they|these)\b", re.I
)
_PART = re.compile(
    r"\b(?:the )?(?:(?P<part>first|second|third|fourth|last|start|beginning|early|middle|mid|end|late)[- ]?"
    rf"(?P<unit>week|half|days?)?(?: (?:of|in))? )?(?P<month>{'|'.join(_MONTHS)})\b(?: (?P<year>\d{{4}}))?",
    re.I,
)
_HEDGED = re.compile(
    r"\b(?:if|unless|would|should|must|could|(?-i:may)|might|can|whether|need)\b", re.I
)


def check_orderings(claim: Claim, context: GroundContext) -> Finding:
    """Compare the value before the word of order with the one behind it."""
    skipped = Finding.skip(NAME, "sets no two values side by side")
    if claim.is_datum or claim.kind in ("restatement", "action") or _HEDGED.search(claim.text):
        return skipped
    orders = list(_ORDER.finditer(claim.text))
    if len(orders) != 1 or is_negated(claim.text):
        return skipped
    order = orders[0]
    outcome = _of_amounts(order, claim, context) if order["lower"] or order["higher"] else None
    if order["earlier"] or order["later"]:
        outcome = _of_days(order, claim, context)
    if outcome is None:
        return skipped
    holds, detail = outcome
    if holds:
        return Finding(NAME, "checked", "supports", 0.92, None, detail, settles="values")
    return Finding(NAME, "checked", "contradicts", 0.05, "meaning_changed", detail)


def _of_amounts(
    order: re.Match[str], claim: Claim, context: GroundContext
) -> tuple[bool, str] | None:
    after = [v for v in claim.values if v.start >= order.end() - 1 and v.number is not None]
    if not after or claim.text[order.end() : after[0].start].strip(" €$£¥"):
        return None
    other = after[0]
    before = [v for v in claim.values if v.end <= order.start() and v.number is not None]
    subject = before[-1] if before else None
    if subject is None or not _IS.search(claim.text[subject.end : order.start()]):
        return None
    same = (subject.kind, subject.unit) == (other.kind, other.unit) or (
        subject.kind == other.kind == "money" and like_measures(subject, other)
    )
    if not same or subject.number is None or other.number is None or subject.number == other.number:
        return None
    holds = (subject.number > other.number) == bool(order["higher"])
    return holds, f"{subject.text} against {other.text}"


def _of_days(order: re.Match[str], claim: Claim, context: GroundContext) -> tuple[bool, str] | None:
    own = [v for v in claim.values if v.end <= order.start() and v.moment and v.moment.date]
    if own and not _IS.search(claim.text[own[-1].end : order.start()]):
        return None
    subject = own[-1] if own else _told_last(claim, context)
    if subject is None or subject.moment is None or subject.moment.date is None:
        return None
    span = _days_of(claim.text[order.end() :], subject.moment.date, context)
    if span is None:
        return None
    first, last = span
    day = subject.moment.date
    detail = f"{day.isoformat()} against {first.isoformat()}" + (
        f" to {last.isoformat()}" if last != first else ""
    )
    if first <= day <= last:
        return None
    return (day < first) == bool(order["earlier"]), detail


def _told_last(claim: Claim, context: GroundContext) -> Value | None:
    """The day that "that is before" takes up: the only one of the claim before."""
    if not _REFERS.match(claim.text) or not context.before:
        return None
    days = [v for v in context.before[-1].values if v.moment is not None and v.moment.date]
    return days[0] if len(days) == 1 else None


def _days_of(text: str, near: date, context: GroundContext) -> tuple[date, date] | None:
    """The days that a text begins with: a date, a month or a part of it, in the year that is meant."""
    part = _PART.match(text)
    if part is not None and (part["part"] or not re.match(r"[^,;.]*?\d", text)):
        return _days_of_month(part, near)
    values = [v for v in parse_values(text) if v.moment is not None]
    if not values or text[: values[0].start].strip():
        return None
    moment = values[0].moment
    if moment is None or not moment.month or not moment.day:
        return None
    year = moment.year or near.year
    day = date(year, moment.month, moment.day)
    return (day, day) if moment.year or abs((day - near).days) < _HALF_A_YEAR else None


_HALF_A_YEAR = 183


def _days_of_month(part: re.Match[str], near: date) -> tuple[date, date] | None:
    month = _MONTHS[part["month"].lower()]
    years: Sequence[int] = (
        [int(part["year"])] if part["year"] else (near.year - 1, near.year, near.year + 1)
    )
    # "Before December", said of a day in November, means the December that comes then.
    first = min((date(year, month, 1) for year in years), key=lambda day: abs((day - near).days))
    length = monthrange(first.year, month)[1]
    match (part["part"] or "").lower(), (part["unit"] or "").lower():
        case "", "":
            days = 0, length - 1
        case "first" | "second" | "third" | "fourth" as nth, "week":
            at = ("first", "second", "third", "fourth").index(nth) * 7
            days = at, at + 6
        case "first", "half":
            days = 0, 14
        case "second", "half":
            days = 15, length - 1
        case (("start" | "beginning" | "early"), _):
            days = 0, 9
        case (("middle" | "mid"), _):
            days = 9, 20
        case ("last", "week") | ("end", _) | ("late", _):
            days = length - 8, length - 1
        case _:
            return None
    return first + timedelta(days=days[0]), first + timedelta(days=days[1])
