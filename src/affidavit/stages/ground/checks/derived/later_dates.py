"""A day, or a time of day, so long after or before another: the last day of a return, the end of a warranty, a
fifth birthday.

Chance would find some date and some span for any day. So a span goes with the event that it is counted from: the
30 days of a return with the delivery, the 24 months of a warranty with the purchase; with the only date of its
thing; or with the one that the claim itself names.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.values import Moment, Value
from affidavit.ledger.words import words
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.derivation import Derivation, Table, is_result
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_ASKS = re.compile(
    r"\b(?:until|till|by|before|after|from|within|through|ends?|ended|ending|expir\w+|due|valid|arriv\w+|deadline|latest|last day|"
    r"turn(?:s|ed|ing)?|birthday|runs? (?:out|until|to)|over|renew\w*|again|next|ready|back|finish\w*|done|eligible|lasts?|"
    r"opens?|starts?|begins?|closes?|returns?|kept|hold|held|delivered|come|comes|bis|jusqu\w+|hasta|fino|até|tot)\b",
    re.I,
)
"""Words of a claim that gives the end of a span of time, or its beginning."""
_BACKWARD = re.compile(r"notice|advance|before|prior|ahead|cancel|cut-?off|lead|kündigung", re.I)
"""Names of spans that are counted back from an end."""
_COUNTED_FROM: tuple[tuple[str, str], ...] = (
    ("notice cancellation cancel kündigung", "end expir renew until term"),
    ("return refund exchange withdrawal cooling", "deliver receiv arriv pick collect purchas bought order"),
    ("warranty guarantee garantie gewährleistung", "purchas bought sold sale deliver start"),
    ("valid validity expiry expires lifetime", "issu grant activat start creat sign"),
    ("storage keep hold pickup collection held", "arriv ready stor deposit creat receiv"),
    ("payment net due terms pay credit", "issu invoic bill date"),
    ("transit delivery shipping shipment handling lead", "ship dispatch sent post order"),
    ("trial subscription contract term lease rental membership minimum duration period", "start begin sign activat join from"),
    ("loan borrow lending", "borrow loan check issu out lent"),
    ("interval service inspection calibration cycle maintenance", "last service inspect calibrat done"),
    ("retention deletion archive", "creat upload delet clos archiv"),
    ("runtime length running duration minutes film show session lesson dauer duración durée durata", "start begin from at time uhrzeit hora heure ora"),
)  # fmt: skip
"""Words of the names of spans, and the beginnings of words of the dates that they are counted from, best first."""
_TOLD_FROM = re.compile(
    r"\s(?:of|from|after|since|following|upon)\s(?:the |your |its |their )?(?:date of |day of )?(?P<event>[a-z]{4,})",
    re.I,
)
"""In running text what a span is counted from: "within 30 days of delivery"."""
_BIRTH = re.compile(r"\b(?:born|birth\w*|dob|geboren|geburt\w*|née?|nacid\w+|nato|nata)\b", re.I)
_TURNS = re.compile(r"\bturn(?:s|ed|ing)?\s+(?:the age of\s+)?$|\bage of\s+$", re.I)
_BIRTHDAY = re.compile(r"\s?(?:st|nd|rd|th)?\s(?:birthday|years? old)\b", re.I)
_NEAR = 2
_MOST = 24


@dataclass(frozen=True, slots=True)
class _Day:
    """A date that is known, and what it is of."""

    moment: Moment
    of: str
    text: str
    span: EvidenceSpan


@dataclass(frozen=True, slots=True)
class _Span:
    """A span of time that is known, and what it is of or counted from."""

    value: Value
    of: str
    event: str
    span: EvidenceSpan


def later_dates(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The day that a date and a span of one thing come to, or a date of the user's and a span of the claim."""
    if value.moment is None or not _is_told(value.moment) or not _ASKS.search(claim.statement):
        return
    by_source: dict[int, list[Passage]] = {}
    for passage in context.fitting:
        if is_result(passage) or passage.source.kind in ("user", "system"):
            by_source.setdefault(passage.source.id, []).append(passage)
    every = [day for passages in by_source.values() for day in _days(passages)]
    for passages in by_source.values():
        days = list(_days(passages))
        for span in _spans(passages):
            for day in _counted_from(span, days, every, claim):
                yield from _reached(day, span, value)
    for years in _ages(claim):
        for day in every:
            if _BIRTH.search(day.of):
                yield from _reached(day, _Span(years, "", "", day.span), value)


def _is_told(moment: Moment) -> bool:
    return (moment.month is not None and moment.day is not None) or moment.clock is not None


def _days(passages: Sequence[Passage]) -> Iterator[_Day]:
    """The dates and times of some passages, by the names of their fields or the words of their sentence."""
    found = 0
    for passage in passages:
        held: list[tuple[Cell | None, Value]] = [*passage.cell_values]
        if passage.record is None:
            held = [(None, value) for value in passage.values]
        for cell, value in held:
            of = cell.key if cell else passage.text
            at = value.moment
            if at is not None and (at.date is not None or at.clock is not None) and found < _MOST:
                found += 1
                yield _Day(at, of, value.text, passage.span(cell))


def _spans(passages: Sequence[Passage]) -> Iterator[_Span]:
    for passage in passages:
        if passage.record is None:
            for value in passage.values:
                told = _TOLD_FROM.match(passage.text, value.end)
                if value.kind == "duration" and told:
                    yield _Span(value, "", told["event"], passage.span())
            continue
        for cell, value in passage.cell_values:
            if value.kind == "duration" and value.number:
                told = _TOLD_FROM.match(cell.text, value.end)
                yield _Span(value, cell.key, told["event"] if told else "", passage.span(cell))


def _counted_from(
    span: _Span, days: Sequence[_Day], every: Sequence[_Day], claim: Claim
) -> Sequence[_Day]:
    """The dates that a span is counted from: those of the event that it tells, those that the claim names, those
    that go with such a span, or the only one of its thing."""
    if span.event:
        return [day for day in every if _is_of(day, span.event[:_STEM])]
    said = [w for w in words(claim.statement) if len(w) >= _STEM]
    short = span.value.unit == "s" and (span.value.number or 0) < _DAY
    dates = [d for d in days if (d.moment.clock if short else d.moment.date) is not None]
    for day in dates:
        if any(_is_of(day, word[:_STEM]) for word in said) and not _END.search(day.of):
            return [one for one in dates if one.of == day.of]
    own = set(span.of.split())
    for spans, events in _COUNTED_FROM:
        if own & set(spans.split()):
            for event in events.split():
                if named := [day for day in dates if _is_of(day, event)]:
                    return named
    return dates if len({day.of for day in dates}) == 1 else []


_STEM = 5
_DAY = 86400


def _is_of(day: _Day, event: str) -> bool:
    return any(word.startswith(event.lower()) for word in day.of.lower().split())


_END = re.compile(r"\b(?:ends?|until|expir\w*|due|deadline|closes?|till|by)\b", re.I)


def _reached(day: _Day, span: _Span, value: Value) -> Iterator[Derivation]:
    sign = -1 if _BACKWARD.search(f"{span.of} {span.event}") and _END.search(day.of) else 1
    moment = _moved(day.moment, span.value, sign)
    if moment is None:
        return
    text = f"{day.text} {'−' if sign < 0 else '+'} {_in_words(span.value)}"
    shown = moment.date.isoformat() if moment.date else str(moment.clock)
    result = Value("moment", shown, 0, len(shown), moment=moment)
    yield Derivation("date", result, f"{text} = {shown}", (day.span, span.span), exact=True)


def _in_words(span: Value) -> str:
    number = span.number or Decimal(0)
    for size, unit in (
        ((_DAY, "days"), (60, "min")) if span.unit == "s" else ((12, "years"), (1, "months"))
    ):
        if number % size == 0:
            return f"{number / size:f} {unit}"
    return span.text


def _moved(base: Moment, span: Value, sign: int) -> Moment | None:
    """A moment so long after or before another; None where its span is no whole one of what it tells."""
    assert span.number is not None
    if span.unit == "month" and base.date is not None:
        months = sign * int(span.number)
        day = _in_months(base.date, months) if span.number == int(span.number) else None
        return None if day is None else Moment(day.year, day.month, day.day)
    if span.unit != "s":
        return None
    if span.number % _DAY == 0 and base.date is not None:
        day = base.date + timedelta(days=sign * int(span.number) // _DAY)
        return Moment(day.year, day.month, day.day)
    if base.clock is None:
        return None
    start = datetime.combine(base.date or date(2000, 1, 1), base.clock)
    end = start + timedelta(seconds=sign * int(span.number))
    if base.date is None:
        return Moment(clock=end.time())
    return Moment(end.year, end.month, end.day, clock=end.time(), offset=base.offset)


def _in_months(day: date, months: int) -> date | None:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not 1 <= year <= 9999:
        return None
    last = calendar.monthrange(year, month + 1)[1]
    return date(year, month + 1, min(day.day, last))


def _ages(claim: Claim) -> Iterator[Value]:
    """The age that somebody reaches by a claim's words, as a span of years: "turns five", "her 5th birthday"."""
    for said in claim.values:
        before, after = claim.text[: said.start], claim.text[said.end :]
        if said.kind in ("number", "duration") and said.face and said.face == int(said.face):
            if _TURNS.search(before) or _BIRTHDAY.match(after) or said.face_unit == "year":
                number = Decimal(said.face * 12)
                yield Value("duration", said.text, 0, 0, number=number, unit="month")
