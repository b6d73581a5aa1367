"""A day, or a time of day, so long after or before another: the last day of a return, the end of a warranty, the end
of a film.

Chance would find some date and some span for any day. So the span is the one whose words the claim shares, and it
goes with the event that it is counted from: the one that its own words name ("of delivery", "the date of this
letter"); the 24 months of a warranty with the purchase; else the one that the claim names, or the only one there is.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from affidavit.ledger.ledger import Passage
from affidavit.ledger.values import Moment, Value, parse_values
from affidavit.ledger.words import content_stems, named_in, words
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.derivation import Derivation, Table, is_result
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_ASKS = re.compile(
    r"\b(?:until|till|by|before|after|from|within|through|up to|no later than|latest|earliest|last day|deadline|due|ends?|ended|"
    r"ending|expir\w+|valid|arriv\w+|over|renew\w*|again|next|ready|back|finish\w*|done|eligible|lasts?|opens?|starts?|begins?|"
    r"falls?|closes?|lapses?|covers?|covered|runs?|running|available|payable|matur\w+|returns?|kept|hold|held|delivered|"
    r"comes?|bis|jusqu\w+|hasta|fino|até|tot)\b",
    re.I,
)
"""Words of a claim that gives the end of a span of time, or its beginning."""
_COUNTED_FROM = tuple(
    (content_stems(spans), events.split())
    for spans, events in (
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
    )
)  # fmt: skip
"""Words that tell what a span is of, and the beginnings of words of the dates that it is counted from, best first."""
_EVENT = re.compile(
    r"\s?\b(?:of|from|after|since|following|upon|before|prior to|ahead of)\s(?:(?:the|your|its|their|an?)\s)?"
    r"(?:(?:date|day)\sof\s)?(?P<event>[a-z]{4,})",
    re.I,
)
"""Behind a span, the event that it is counted from: "within 30 days of delivery"."""
_COUNTED = re.compile(r"\b(?:days|weeks|months|years|hours|minutes)(?=\s)")
"""What a field counts, in front of more of its name: ``days_before_arrival: 7``."""
_OF_THIS = re.compile(
    r"\bdate (?:of|on|stated (?:in|on)) (?:this|the present)\b|\b(?:of|from|after|following) (?:the date of )?(?:this|the) "
    r"(?:letter|notice|notification|invoice|bill|statement|decision|order|document|e-?mail|message)(?:['’]s)? ?(?:date)?\b|\bhereof\b|\binvoice date\b",
    re.I,
)
"""A span that is counted from the day of the text that tells it."""
_BACKWARD = re.compile(r"\b(?:before|prior|ahead|in advance|preceding|earlier)\b", re.I)
_TO_AN_END = re.compile(r"\b(?:notice|cancel\w*|cut-?off|lead|kündigung\w*)\b", re.I)
"""Spans that are counted back from an end: but notice that is given today runs from today."""
_END = re.compile(r"\b(?:ends?|until|expir\w*|due|deadline|closes?|till|by)\b", re.I)
_WORKING = re.compile(r"\b(?:business|working|week)[ -]?days?$", re.I)
_SENTENCE = re.compile(r"[;\n]|(?<=[.!?])\s")
_GENERIC = content_stems(
    "date day days week weeks month months year years hour hours minute minutes min time at on of from until in start starts "
    "started begin length period term duration window within after before for number value"
)
_LONGEST = 60
_STEM = 5
_DAY = 86400
_LONG, _DAYS = {"s": 500 * 366 * _DAY, "month": 500 * 12}, 1000
_FRONT = 24
"""Characters in front of a date of a text that say whether it is an end."""
_NEAR = 2
_MOST = 8
"""Days, or spans, beyond which none is singled out."""


@dataclass(frozen=True, slots=True)
class _Told:
    """A date, or a span of time, that is known, and the words that tell it."""

    value: Value
    text: str
    event: str
    is_end: bool
    passage: Passage
    span: EvidenceSpan

    @property
    def of(self) -> frozenset[str]:
        return content_stems(self.text) - _GENERIC

    @property
    def moment(self) -> Moment:
        return self.value.moment or Moment()

    def says(self, beginning: str) -> bool:
        return any(word.startswith(beginning) for word in words(self.text))


def later_dates(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The day, or the time, at the end of the span that the claim speaks of."""
    moment = value.moment
    if moment is None or moment.day is None and moment.clock is None:
        return
    if not claim.is_datum and not _ASKS.search(claim.statement):
        return
    fitting = {passage.id for passage in context.fitting}
    every = context.search.once("spans and days", lambda: list(_told(context.search.passages)))
    told = [one for one in every if one.passage.id in fitting]
    days = [one for one in told if one.value.moment is not None]
    near = (*context.before[-_NEAR:], claim)
    said = [v.moment for c in near for v in c.values if v.moment and v is not value]
    for span in _spoken_of(claim, [one for one in told if one.value.moment is None]):
        for day in _counted_from(span, days, claim, context.today, said):
            yield from _reached(day, span)


def _told(passages: Iterable[Passage]) -> Iterator[_Told]:
    """The days, times and spans that results, users and the system tell, each with its field or its sentence."""
    for passage in passages:
        if not (is_result(passage) or passage.source.kind in ("user", "system")):
            continue
        for text, values, key, where in _texts(passage):
            for value in values:
                if _is_span(value) or value.moment and (value.moment.date or value.moment.clock):
                    before, behind = text[: value.start], text[value.end :]
                    event = _EVENT.match(behind) or _EVENT.search(key)
                    named = event["event"].lower() if event else ""
                    of = key if key and value.moment else f"{key} {before} {behind}"
                    is_end = bool(_END.search(key or before[-_FRONT:]))
                    yield _Told(value, of, named, is_end, passage, where)


def _texts(passage: Passage) -> Iterator[tuple[str, Sequence[Value], str, EvidenceSpan]]:
    """The fields of a passage with their names, and its sentences."""
    if passage.record is None:
        for text in _SENTENCE.split(passage.text):
            yield text, parse_values(text), "", passage.span()
    for cell, _, _ in passage.cells:
        if len(cell.text) > _LONGEST:
            for text in _SENTENCE.split(cell.text):
                yield text, parse_values(text), cell.key, passage.span(cell)
        else:
            values = [v for c, v in passage.cell_values if c is cell]
            if unit := _COUNTED.search(cell.key):
                values += parse_values(f"{cell.text} {unit[0]}")
            yield cell.text, values, cell.key, passage.span(cell)


def _is_span(value: Value) -> bool:
    number, is_span = value.number or 0, value.kind == "duration" or _is_working(value)
    return is_span and number == int(number) and 0 < number < _LONG.get(value.unit, _DAYS)


def _is_working(value: Value) -> bool:
    return value.kind == "number" and bool(_WORKING.search(value.unit))


def _spoken_of(claim: Claim, spans: list[_Told]) -> list[_Told]:
    """The spans that share most words with the claim; where none shares any, those of the only field or sentence."""
    said = content_stems(f"{claim.statement} {claim.context}") - _GENERIC
    found = _most(spans, lambda span: len(named_in(span.of, said)))
    if len({span.text for span in found}) == 1:
        found = _most(found, lambda span: len(named_in(span.passage.stems, said)))
    elif not any(named_in(span.of, said) for span in found):
        return []
    return found if len(found) <= _MOST else []


def _most(spans: list[_Told], count: Callable[[_Told], int]) -> list[_Told]:
    counts = [count(span) for span in spans]
    return [span for span, n in zip(spans, counts, strict=True) if n == max(counts)]


def _counted_from(
    span: _Told, days: list[_Told], claim: Claim, today: date | None, said: list[Moment]
) -> list[_Told]:
    """The dates that a span is counted from, in its own record or text if they are there."""
    short = span.value.unit == "s" and (span.value.number or 0) < _DAY
    if short and span.passage.record is None and not span.event:
        return []
    days = [d for d in days if (d.moment.clock if short else d.moment.date) is not None]
    if not days and not short and today is not None:
        now = Value("moment", "today", 0, 5, moment=_moment(today))
        return [replace(span, value=now, text="", event="", is_end=False)]
    its = [day for day in days if day.passage.source.id == span.passage.source.id]
    if _OF_THIS.search(span.text) and its:
        return its[:1]
    own = [day for day in its if day.passage.record and day.passage.record is span.passage.record]
    users = [day for day in days if day.passage.source.kind == "user"]
    pools = (own, days) if span.event else (own, its, days)
    readings = _named_by(span, claim)
    named = next(
        filter(None, ([d for d in p if is_it(d)] for is_it in readings for p in pools)), []
    )
    alone = own or its or days
    if span.event or len({day.text for day in alone}) > 1:
        alone = users
    spoken = [d for d in named or [*alone, *users] if any(_is(m, d.moment) for m in said)]
    found = spoken or named or alone
    sure = named and (span.event or len({day.text for day in found}) == 1)
    return found if len({day.moment for day in found}) <= (_MOST if sure else 1) else []


def _named_by(span: _Told, claim: Claim) -> Iterator[Callable[[_Told], bool]]:
    """What singles out the dates of a span, best first: its event, its own words, its kind, the claim's words."""
    if span.event and content_stems(span.event) - _GENERIC:
        event = content_stems(span.event)
        yield lambda day: day.says(span.event[:_STEM]) or bool(named_in(event, day.of))
        return
    yield lambda day: day.passage.record is not None and _shares(day, span)
    for kinds, events in _COUNTED_FROM:
        if content_stems(span.text) & kinds:
            yield from map(_saying, events)
    yield lambda day: _shares(day, span)
    said = _saying(*(word[:_STEM] for word in words(claim.statement) if len(word) >= _STEM))
    yield lambda day: not day.is_end and said(day)


def _saying(*beginnings: str) -> Callable[[_Told], bool]:
    return lambda day: any(map(day.says, beginnings))


def _shares(day: _Told, span: _Told) -> bool:
    return (_back(day, span) or not day.is_end) and bool(named_in(day.of, span.of))


def _back(day: _Told, span: _Told) -> bool:
    """Whether a span is counted back from a day."""
    to_an_end = day.is_end and _TO_AN_END.search(span.text)
    return bool(_BACKWARD.search(span.text) or to_an_end)


def _is(said: Moment, day: Moment) -> bool:
    if said.day is None or day.day is None:
        return said.clock is not None and said.clock == day.clock
    return (said.month, said.day) == (day.month, day.day) and said.year in (None, day.year)


def _reached(day: _Told, span: _Told) -> Iterator[Derivation]:
    sign, count = ("−", -1) if _back(day, span) else ("+", 1)
    for moment in _moved(day.moment, span.value, count * int(span.value.number or 0)):
        shown = moment.date.isoformat() if moment.date else str(moment.clock)
        result = Value("moment", shown, 0, len(shown), moment=moment)
        unit = span.value.face_unit or span.value.unit if span.value.text.isdigit() else ""
        text = f"{day.value.text} {sign} {span.value.text} {unit}".rstrip()
        yield Derivation("date", result, f"{text} = {shown}", (day.span, span.span), exact=True)


def _moved(base: Moment, span: Value, count: int) -> Iterator[Moment]:
    """The moments so long after or before another; none where its span is no whole one of what it tells."""
    day = base.date
    if day is not None and not _EARLIEST < day.year < _LATEST:
        return
    if day is None or span.unit == "s" and count % _DAY:
        if base.clock is not None and span.unit == "s":
            end = datetime.combine(day or date(2000, 1, 1), base.clock) + timedelta(seconds=count)
            dated = replace(base, year=end.year, month=end.month, day=end.day, weekday=None)
            yield replace(dated if day else Moment(), clock=end.time())
    elif _is_working(span):
        yield _moment(_working_days(day, count))
    elif span.unit == "s":
        yield _moment(day + timedelta(days=count // _DAY))
    else:
        end_day = _in_months(day, count)
        yield _moment(end_day)
        if count > 0:  # a year from 14 March ends on 13 March
            yield _moment(end_day - timedelta(days=1))


def _moment(day: date) -> Moment:
    return Moment(day.year, day.month, day.day)


def _in_months(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def _working_days(day: date, count: int) -> date:
    while count:
        day += timedelta(days=1 if count > 0 else -1)
        if day.weekday() < _SATURDAY:
            count -= 1 if count > 0 else -1
    return day


_SATURDAY = 5
_EARLIEST, _LATEST = 1000, 9000
