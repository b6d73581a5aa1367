"""Free hours: "nothing between 1 and 5 PM", "you're free from 15:30 on", held against the events of a plan.

Each event lies in its hours, so that neither end of what is free stands anywhere in the evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, time

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import words_of
from affidavit.ledger.values import Value, fold
from affidavit.ledger.words import content_stems
from affidavit.stages.ground.checks.derived.derivation import Table, is_result, tables
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import Finding, GroundContext

_FREE = re.compile(
    r"\bnothing (?:is |was |else )?(?:scheduled|planned|booked|on|happening|in (?:the|your) (?:calendar|diary|plan)|entered|going on)\b"
    r"|\b(?:have|has|had|is|are|was|there['’]s|there is) nothing\b"
    r"|\b(?:are|is|am|['’]re|['’]s|['’]m|was|were|be|stays?|remains?) (?:(?:completely|entirely|also|then|all|still|both|all of you) )*(?:free|available|unbooked|vacant)\b"
    r"|\b(?:free|open|empty|unbooked) (?:slots?|windows?|gaps?|time|hours?|block)\b|\bno(?:t any)? (?:events?|appointments?|entries|commitments?|bookings?|plans?)\b"
    r"|n['’]t (?:have )?(?:any|an) (?:events?|appointments?|entries|commitments?|bookings?|plans?)\b",
    re.I,
)
"""That some hours have nothing on them."""
_NOT_SO = re.compile(r"\b(?:not|isn['’]t|aren['’]t|never) (?:\w+ )?(?:free|available|open)\b", re.I)
_LINK = re.compile(r"\s?(?:-|–|—|and|to|till|until|through|bis|und)\s?", re.I)
_AFTER = re.compile(r"\b(?:after|from|since|as of|starting(?: at)?|ab|nach)\s$", re.I)
_BEFORE = re.compile(r"\b(?:before|until|till|up to|by|vor|bis)\s$", re.I)
_ON = re.compile(r"\s?(?:on(?:wards?)?|or later)\b", re.I)
_PARTS: dict[str, tuple[tuple[int, int], tuple[int, int]]] = {
    "morning": ((6, 12), (5, 12)),
    "afternoon": ((13, 17), (12, 18)),
    "evening": ((18, 22), (17, 24)),
}
"""Hours that surely are of a part of the day, and those that may be."""
_PART = re.compile(
    r"\b(?:in the|this|that|the(?: whole| entire)?|all|tomorrow|every|\w+day) (morning|afternoon|evening)\b",
    re.I,
)
_NONE_OF = re.compile(
    r"(?:\bno|n['’]t (?:\w+ )?any|\bnot any|\bwithout any)(?: more| other| further| later| earlier)? (?P<noun>[a-z]+s)\b",
    re.I,
)
"""What there is said to be none of then: "no trains after 6 PM", each of which is there when it starts."""
_STARTS = frozenset(
    "start starts starting begin begins from departure departs departing leaves at time when kickoff".split()
)
_ENDS = frozenset("end ends ending finish finishes to until till".split())
_OPEN = content_stems("free open available availability opening vacancy gap")
"""Words of the names of lists and tools that tell of free hours and not of taken ones."""
_OFF = re.compile(r"\b(?:cancell?ed|free|declined|tentative|transparent|deleted)\b", re.I)
_DAY = 24 * 60


@dataclass(frozen=True, slots=True)
class _Window:
    """Minutes of a day that are said to be free: ``sure`` lies in them, ``whole`` is all they may be."""

    sure: tuple[int, int]
    whole: tuple[int, int]


def free_hours(claim: Claim, context: GroundContext) -> Finding | None:
    """Hold what is said to be free against the events of a day; None where no such hours are told, or no
    list of events shows what is on then."""
    none = _NONE_OF.search(claim.text)
    noun = content_stems(none["noun"]) if none else frozenset()
    is_free = _FREE.search(claim.text) and not _NOT_SO.search(claim.text)
    window = window_of(claim) if not claim.is_datum and (is_free or noun) else None
    if window is None:
        return None
    for table in tables(context):
        if not is_free and not noun & _called(table):
            continue
        events = list(_events(table, claim, context))
        if not events or len({day for _, day, _, _ in events if day is not None}) > 1:
            continue
        if not is_free:  # a train that left before is none of these
            events = [(passage, day, start, start + 1) for passage, day, start, _ in events]
        for passage, _, start, end in events:
            if start < window.sure[1] and max(end, start + 1) > window.sure[0]:
                detail = f"there is {passage.text[:120]}"
                return Finding(
                    "absence", "checked", "contradicts", 0.05, "false_absence", detail,
                    spans=(passage.span(),),
                )  # fmt: skip
        if any(start < window.whole[1] and end > window.whole[0] for _, _, start, end in events):
            return None
        detail = f"none of {len(events)} events is in these hours"
        spans = tuple(p.span() for p, *_ in events[:4])
        return Finding("absence", "checked", "supports", 0.93, None, detail, spans=spans)
    return None


def window_of(claim: Claim) -> _Window | None:
    """The hours that a claim speaks of, of one day."""
    clocks = [v for v in claim.values if v.moment is not None and v.moment.clock is not None]
    if len(clocks) == 2 and _LINK.fullmatch(claim.text[clocks[0].end : clocks[1].start]):
        return _exactly(_minutes(clocks[0]), _minutes(clocks[1]))
    if len(clocks) == 1:
        before, at = claim.text[: clocks[0].start], _minutes(clocks[0])
        if _AFTER.search(before) or _ON.match(claim.text, clocks[0].end):
            return _exactly(at, _DAY)
        return _exactly(0, at) if _BEFORE.search(before) else None
    part = _PART.search(claim.text) if not clocks else None
    if part is None:
        return None
    sure, whole = _PARTS[part[1].lower()]
    return _Window((sure[0] * 60, sure[1] * 60), (whole[0] * 60, whole[1] * 60))


def _exactly(start: int, end: int) -> _Window | None:
    return _Window((start, end), (start, end)) if start < end else None


def _minutes(value: Value) -> int:
    clock = value.moment.clock if value.moment else None
    return _of(clock) if clock else 0


def _of(clock: time) -> int:
    return clock.hour * 60 + clock.minute


def _events(
    table: Table, claim: Claim, context: GroundContext
) -> Iterator[tuple[Passage, date | None, int, int]]:
    """The events of a list, of the day and the thing that the claim names, each with its day and its ends."""
    if _called(table) & _OPEN:
        return
    days = {
        v.moment.date for v in claim.values if v.moment is not None and v.moment.date is not None
    }
    said = f" {fold(claim.text)} "
    named = [p for p in table.passages if any(f" {text} " in said for text in _names(p))]
    if not named and any(v.kind == "name" for v in claim.values):
        return  # of a room that the list does not have, it shows nothing
    for passage in named or table.passages:
        ends = _ends(passage)
        if ends is None or not is_result(passage):
            continue
        day, start, end = ends
        if day is not None and days and day not in days:
            continue
        if not any(_OFF.fullmatch(cell.text) for cell, _, _ in passage.cells):
            yield passage, day, start, end


def _names(passage: Passage) -> Iterator[str]:
    """The texts by which a row may be named: no times, no numbers."""
    for cell, _, _ in passage.cells:
        if isinstance(cell.raw, str) and cell.raw and not any(map(str.isdigit, cell.raw)):
            yield fold(cell.raw)


def _called(table: Table) -> frozenset[str]:
    """The words of the names of a list and of the tool that gave it."""
    tool = table.passages[0].source.tool if table.passages else None
    return content_stems(f"{table.name} {words_of(tool or '')}")


def _ends(passage: Passage) -> tuple[date | None, int, int] | None:
    """When what a row is of begins and ends; an end that no field tells is the beginning."""
    starts, ends = list[Value](), list[Value]()
    for cell, value in passage.cell_values:
        if value.moment is None or value.moment.clock is None:
            continue
        words = set(cell.key.split())
        if words & _ENDS:
            ends.append(value)
        elif words & _STARTS or not words:
            starts.append(value)
    if not starts:
        return None
    days = [v.moment.date for v in starts if v.moment is not None and v.moment.date is not None]
    last = ends[0] if ends else starts[-1]
    start, end = _minutes(starts[0]), _minutes(last)
    return days[0] if days else None, start, end if end >= start else _DAY
