"""Seeded faults: an answer that was found grounded, with one thing in it made false.

How many of them are found says what a detector would catch on one's own recorded runs. A fault is
made only in a claim that was supported before, so that finding it is not finding something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from typing import Literal

from affidavit.ledger.ledger import Ledger, Passage
from affidavit.ledger.records import Cell
from affidavit.ledger.search import Search, search_of
from affidavit.ledger.values import Value, fold, parse_values
from affidavit.ledger.words import NEGATIONS, words
from affidavit.report import ClaimVerdict, HallucinationReport
from affidavit.trace import RunTrace

FaultKind = Literal["value", "row", "date", "negation", "action", "absence"]


@dataclass(frozen=True, slots=True)
class Fault:
    """An answer with one fault, which stands in ``answer[start:end]``."""

    kind: FaultKind
    answer: str
    start: int
    end: int
    original: str
    """What stood there before, nothing where the fault was added."""


@dataclass(frozen=True)
class _Place:
    """What the makers of faults work on."""

    trace: RunTrace
    ledger: Ledger
    search: Search
    claims: tuple[ClaimVerdict, ...]
    """The supported claims, in an order of chance."""
    random: Random
    evidence: str
    """Everything that was said and returned, folded."""


def faults_in(trace: RunTrace, report: HallucinationReport, *, seed: int) -> Iterator[Fault]:
    """At most one fault of each kind in the answer that ``report`` judged; none where a kind does
    not apply (no date to move, no list to deny)."""
    random = Random(f"{seed}:{trace.run_id}:{len(trace.answer)}")
    ledger = Ledger.of(trace)
    claims = [c for c in report.claims if c.status == "supported" and (c.score or 0) >= 0.85]
    random.shuffle(claims)
    search = search_of(ledger)
    evidence = fold(" ".join(source.text for source in ledger.sources))
    place = _Place(trace, ledger, search, tuple(claims), random, evidence)
    for maker in _MAKERS:
        fault = next(maker(place), None)
        if fault is not None:
            yield fault


def _replaced(
    place: _Place, kind: FaultKind, claim: ClaimVerdict, start: int, end: int, new: str
) -> Fault:
    """The answer with ``claim.text[start:end]`` replaced."""
    answer, left = place.trace.answer, claim.start + start
    old = answer[left : claim.start + end]
    return Fault(
        kind, answer[:left] + new + answer[claim.start + end :], left, left + len(new), old
    )


def _values_of(claim: ClaimVerdict) -> list[Value]:
    return [v for v in parse_values(claim.text) if claim.text[v.start : v.end] == v.text]


def _wrong_value(place: _Place) -> Iterator[Fault]:
    """Another digit in an amount, a count or an identifier; the new one is nowhere in the run."""
    for claim in place.claims:
        for value in _values_of(claim):
            digits = [m.start() for m in re.finditer(r"\d", value.text)]
            if value.kind == "moment" or value.kind in ("name", "quoted") or len(digits) < 2:
                continue
            at = place.random.choice(digits)
            digit = str((int(value.text[at]) + place.random.randint(1, 8)) % 10 or 3)
            text = value.text[:at] + digit + value.text[at + 1 :]
            if text != value.text and fold(text) not in place.evidence:
                yield _replaced(place, "value", claim, value.start, value.end, text)


def _wrong_row(place: _Place) -> Iterator[Fault]:
    """What the same field holds in another row, unless all else that the claim says of its row is said of
    that one as well: of two green kettles either is "the green kettle"."""
    for claim in place.claims:
        for value in _values_of(claim):
            if value.kind not in ("money", "number", "quantity", "identifier", "moment"):
                continue
            hits = [h for h in place.search.hits(value) if h.cell is not None and h.match == "same"]
            fields = {_field(h.cell) for h in hits if h.cell is not None}
            if len(fields) != 1:
                continue  # of no one field
            told = fold(claim.text)
            own = {said for h in hits if h.cell for said in _said_of(h.passage, h.cell, told)}
            others = sorted(
                {
                    cell.text
                    for passage in place.search.passages
                    for cell, held in passage.cell_values
                    if _field(cell) == next(iter(fields)) and held.kind == hits[0].value.kind
                    if not own or not own <= _said_of(passage, cell, told)
                }
                - {h.cell.text for h in hits if h.cell is not None}
            )
            others = [text for text in others if fold(text) not in fold(place.trace.answer)]
            if others and hits[0].cell is not None and hits[0].cell.text in value.text:
                other = _in_form_of(hits[0].cell, value.text, place.random.choice(others))
                yield _replaced(place, "row", claim, value.start, value.end, other)


def _said_of(passage: Passage, but: Cell, told: str) -> set[tuple[tuple[str, ...], str]]:
    """The fields of a record, and of those it lies in, that a text states, all but one."""
    record, found = passage.record, set[tuple[tuple[str, ...], str]]()
    while record is not None:
        found |= {
            (_field(cell), fold(cell.text))
            for cell in record.cells
            if cell is not but and len(cell.text) > 1 and f" {fold(cell.text)} " in f" {told} "
        }
        record = record.parent
    return found


def _in_form_of(cell: Cell, text: str, other: str) -> str:
    """``text`` with what another cell holds in place of this one's: "$625.60" becomes "$164.28"."""
    decimals = re.search(r"\d\.(\d+)$", text)
    if isinstance(cell.raw, float | int) and decimals and re.fullmatch(r"-?\d+(?:\.\d+)?", other):
        sign = text.replace(decimals[0], "").rstrip("0123456789,")
        return f"{sign}{float(other):,.{len(decimals[1])}f}"
    return text.replace(cell.text, other)


def _field(cell: Cell) -> tuple[str, ...]:
    return tuple(step for step in cell.path if isinstance(step, str))


def _wrong_date(place: _Place) -> Iterator[Fault]:
    """Another day, or another length of time."""
    for claim in place.claims:
        for value in _values_of(claim):
            if value.moment is not None and value.moment.date is not None:
                moved = (value.moment.date + timedelta(days=3)).isoformat()
                if re.fullmatch(r"\d{4}-\d\d-\d\d", value.text):
                    yield _replaced(place, "date", claim, value.start, value.end, moved)
                    continue
            day = re.search(r"\b([1-9]|[12]\d)(?=(?:st|nd|rd|th)?\b)", value.text)
            timed = value.kind in ("moment", "duration") or "day" in value.unit
            if timed and day:
                start = value.start + day.start(1)
                text = str(int(day[1]) + 2)
                yield _replaced(place, "date", claim, start, start + len(day[1]), text)


_VERB = re.compile(
    r"\b(?:is|are|was|were|has been|have been|will be|can be|does|will|can)\b(?! not| only|n?['’]t)",
    re.I,
)
_THERE = re.compile(
    r"\bthere (?:is|are|was|were) (?:an?|some|a few|several|two|three|four|five|\d+)\b", re.I
)
_POINTS = re.compile(r"\W*here\b", re.I)
"""What points and states nothing: "Here are the options"."""
_DENIED = re.compile(
    r"\b(?P<verb>is|are|was|were|will|would|can|could|does|do|did|has|have|had)(?: not(?: yet)?| no longer|n['’]t)\b(?! only)"
    r"|\b(?P<can>cannot|can['’]t)\b|\bwon['’]t\b|\bno (?P<more>further|more|additional)\b",
    re.I,
)


def _negated(place: _Place) -> Iterator[Fault]:
    """A "not" behind the verb, "no" after "there are"; what is denied already is affirmed instead, since
    "no changes can not be made" is no fault that anyone makes."""
    for claim in place.claims:
        if claim.kind != "fact" or "?" in claim.text or _POINTS.match(claim.text):
            continue
        if not NEGATIONS.isdisjoint(words(claim.text)):
            at = _DENIED.search(claim.text)
            new = _affirmed(at) if at else ""
        elif at := _THERE.search(claim.text):
            new = " ".join([*at[0].split()[:2], "no"])
        elif at := _VERB.search(claim.text):
            first = at[0].split(" ", 1)
            new = " not ".join(first) if len(first) > 1 else f"{at[0]} not"
        if at:
            yield _replaced(place, "negation", claim, at.start(), at.end(), new)


def _affirmed(denial: re.Match[str]) -> str:
    if denial["can"]:
        return "can"
    return denial["verb"] or denial["more"] or "will"


_DEEDS = {
    "cancel": "cancelled", "modify": "modified", "return": "returned", "exchange": "exchanged",
    "update": "updated", "book": "booked", "refund": "refunded", "delete": "deleted",
    "create": "created", "send": "sent", "reserve": "reserved",
}  # fmt: skip


def _false_action(place: _Place) -> Iterator[Fault]:
    """A deed of a tool that was not called, in a run that did nothing of the kind: what was exchanged
    may well be called modified."""
    done = {e.call.name for e in place.ledger.calls if e.outcome in ("ok", "empty")}
    tools = [t for t in place.trace.tools or () if t.name not in done]
    place.random.shuffle(tools)
    named = [v.text for c in place.claims for v in _values_of(c) if v.kind == "identifier"]
    for tool in tools:
        verb = _DEEDS.get(tool.name.split("_")[0])
        did = {call.split("_")[0] for call in done}
        if verb and named and did.isdisjoint(_DEEDS):
            thing = "order" if "order" in tool.name else tool.name.split("_")[-1]
            yield _added(place, "action", f"I have also {verb} {thing} {named[0]} for you.")


def _false_absence(place: _Place) -> Iterator[Fault]:
    """That a list which was returned does not exist."""
    seen = {
        (passage.record.pointer.rsplit("/", 1)[0].rsplit("/", 1)[-1])
        for passage in place.search.passages
        if passage.record is not None
        and passage.record.group
        and passage.source.kind == "tool_result"
    }
    names = sorted(name.replace("_", " ") for name in seen if re.fullmatch(r"[a-z_]{4,20}s", name))
    if names and place.claims:
        name = place.random.choice(names)
        yield _added(place, "absence", f"I could not find any {name} in the records.")


def _added(place: _Place, kind: FaultKind, sentence: str) -> Fault:
    """The answer with one more sentence, before it so that no list or JSON is broken."""
    answer = f"{sentence}\n\n{place.trace.answer}"
    return Fault(kind, answer, 0, len(sentence), "")


_MAKERS: tuple[Callable[[_Place], Iterator[Fault]], ...] = (
    _wrong_value, _wrong_row, _wrong_date, _negated, _false_action, _false_absence,
)  # fmt: skip
