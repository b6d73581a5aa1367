"""A day that is a span of time after another, or before it: delivered on 2 May, 30 days to return it, so until 1 June.

The span is the one whose words the claim shares, and runs from the day that its own words name: "of delivery", "the
date of this letter". Only where they name none is it any day that stands with it or that the user gave.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from affidavit.ledger.ledger import Passage
from affidavit.ledger.values import Moment, Value, parse_values
from affidavit.ledger.words import content_stems, named_in
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.derivation import Derivation, Table, is_result
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_ASKS = re.compile(
    r"\b(?:until|till|by|before|through|up to|no later than|latest|earliest|ends?|ended|ending|expir\w+|due|deadline|from|again|"
    r"renew\w*|valid|runs?|running|starts?|ready|back|next|available|payable|matur\w+|arriv\w+|falls?|closes?|lapses?|covers?|covered)\b",
    re.I,
)
"""What a claim says of a day that was reckoned."""
_BACKWARD = re.compile(r"\b(?:before|prior|ahead|in advance|preceding|earlier)\b", re.I)
_EITHER_WAY = re.compile(r"\bnotice\b", re.I)
"""Notice is given before the end, and runs from when it is given."""
_OF_THIS = re.compile(
    r"\bdate (?:of|on|stated (?:in|on)) (?:this|the present)\b|\b(?:of|from|after|following) (?:the date of )?(?:this|the) "
    r"(?:letter|notice|notification|invoice|bill|statement|decision|order|document|e-?mail|message)(?:['’]s)? ?(?:date)?\b|\bhereof\b|\binvoice date\b",
    re.I,
)
"""A span that runs from the day of the text that tells it."""
_WORKING = re.compile(r"\b(?:business|working|week)[ -]?days?$", re.I)
_SENTENCE = re.compile(r"[;\n]|(?<=[.!?])\s")
_GENERIC = content_stems(
    "date day days week weeks month months year years time at on of from until in start starts started begin length period term "
    "duration window within after before for number value"
)
_COUNTED = re.compile(
    r"\b(?:days|weeks|months|years)\b(?= (?:before|prior|ahead|in advance|after|from|since|of|notice))"
)
"""What a field counts: ``days_before_arrival: 7``."""
_LONGEST = 60
_NEAR = 2
_MOST = 8
"""Days, or spans, beyond which none is singled out."""


@dataclass(frozen=True, slots=True)
class _Span:
    """So long, and the words that tell it."""

    value: Value
    words: frozenset[str]
    text: str
    source: int
    span: EvidenceSpan


@dataclass(frozen=True, slots=True)
class _Day:
    """A day that a span may run from, and the words that tell it."""

    day: date
    words: frozenset[str]
    source: int
    span: EvidenceSpan | None


def days_after(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The day at the end of the span that the claim speaks of."""
    moment = value.moment
    if moment is None or moment.month is None or moment.clock is not None:
        return
    if not claim.is_datum and not _ASKS.search(claim.text):
        return
    spans = _spoken_of(claim, context)
    days = _days(context) if spans else []
    for span in spans:
        for base in _bases(span, days, claim, context):
            for end in _ends(base.day, span):
                told = f"{base.day.isoformat()}, {span.value.text} = {end.isoformat()}"
                shown = Value(
                    kind="moment", text=end.isoformat(), start=0, end=10,
                    moment=Moment(year=end.year, month=end.month, day=end.day),
                )  # fmt: skip
                spans_of = tuple(s for s in (base.span, span.span) if s is not None)
                yield Derivation("day", shown, told, spans_of)


def _spoken_of(claim: Claim, context: GroundContext) -> list[_Span]:
    """The spans that share most words with the claim; the only one there is, where none shares any."""
    fitting = {passage.id for passage in context.fitting}
    every = [
        span
        for passage, span in context.search.once("spans of time", lambda: list(_spans(context)))
        if passage.id in fitting
    ]
    said = content_stems(f"{claim.statement} {claim.context}") - _GENERIC
    ranked = [(len(named_in(span.words, said)), span) for span in every]
    best = max((named for named, _ in ranked), default=0)
    found = [span for named, span in ranked if named == best]
    return found if best and len(found) <= _MOST or len(found) == 1 else []


def _spans(context: GroundContext) -> Iterator[tuple[Passage, _Span]]:
    for passage in filter(is_result, context.search.passages):
        for text, values, key, where in _texts(passage):
            for value in values:
                if _is_span(value):
                    words = content_stems(f"{key} {text}") - _GENERIC
                    yield passage, _Span(value, words, f"{key} {text}", passage.source.id, where)


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
    if value.number is None or value.face is None or value.face != value.face.to_integral_value():
        return False
    if value.kind == "duration":
        return value.face_unit in ("day", "week", "month", "year") and 0 < value.face < _LONG
    return value.kind == "number" and bool(_WORKING.search(value.unit)) and 0 < value.face < _LONG


_LONG = 1000


def _days(context: GroundContext) -> list[_Day]:
    """The days that results and the user tell, with the words around each."""
    found = []
    for passage in context.fitting:
        of_user = passage.source.kind == "user"
        if not (of_user or is_result(passage)):
            continue
        for text, values, key, where in _texts(passage):
            for value in values:
                day = value.moment.date if value.moment is not None else None
                if day is not None:
                    around = key or f"{text[: value.start]} {text[value.end :]}"
                    words = content_stems(around) - _GENERIC
                    found.append(_Day(day, words, -1 if of_user else passage.source.id, where))
    return found


def _bases(span: _Span, days: Sequence[_Day], claim: Claim, context: GroundContext) -> list[_Day]:
    """The days that a span may run from."""
    here = [day for day in days if day.source == span.source]
    if _OF_THIS.search(span.text) and here:
        return here[:1]
    named = [day for day in days if named_in(day.words, span.words)]
    told = [*context.before[-_NEAR:], claim]
    said = [v.moment for c in told for v in c.values if v.moment is not None]
    open_ = named or [day for day in days if day.source in (span.source, -1)] or days
    spoken = [day for day in open_ if any(_is(moment, day.day) for moment in said)]
    found = list({day.day: day for day in (spoken or open_)}.values())
    if not found and context.today is not None:
        return [_Day(context.today, frozenset(), -1, None)]
    return found if len(found) <= _MOST else []


def _is(moment: Moment, day: date) -> bool:
    return (moment.month, moment.day) == (day.month, day.day) and moment.year in (None, day.year)


def _ends(start: date, span: _Span) -> Iterable[date]:
    assert span.value.face is not None
    count = int(span.value.face)
    back = bool(_BACKWARD.search(span.text))
    for sign in (1, -1) if _EITHER_WAY.search(span.text) else (-1,) if back else (1,):
        try:
            end = _moved(start, count * sign, span.value)
        except (OverflowError, ValueError):
            continue
        yield end
        if span.value.face_unit in ("month", "year"):
            yield end - timedelta(days=sign)  # a year from 14 March ends on 13 March


def _moved(start: date, count: int, value: Value) -> date:
    match value.face_unit:
        case "day":
            return start + timedelta(days=count)
        case "week":
            return start + timedelta(weeks=count)
        case "month" | "year":
            months = start.month - 1 + count * (12 if value.face_unit == "year" else 1)
            year, month = start.year + months // 12, months % 12 + 1
            return date(year, month, min(start.day, monthrange(year, month)[1]))
        case _:
            return _working_days(start, count)


def _working_days(start: date, count: int) -> date:
    step = timedelta(days=1 if count > 0 else -1)
    left = abs(count)
    while left:
        start += step
        left -= start.weekday() < _SATURDAY
    return start


_SATURDAY = 5
