"""Conditions: what a claim says of the rows of a list, read so that each row can be asked whether it holds.

A *roll* is a list with the answer of each of its members: the rows of a table, the parts of a text like
``unit SUCCESS, e2e FAILURE``, or the fields of a record that are all states.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, time
from decimal import Decimal
from typing import TypeAlias

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell, Record
from affidavit.ledger.values import Value, parse_values
from affidavit.ledger.words import STOP_WORDS, content_stems, is_negated, named_in, stem
from affidavit.report import EvidenceSpan
from affidavit.stages.ground.checks.derived.derivation import (
    Table,
    counts_nothing,
    is_result,
    like_measures,
    tables,
)
from affidavit.stages.ground.checks.order.trends import DOWN, UP, changes
from affidavit.stages.ground.checks.states.flags import OPPOSITES
from affidavit.stages.ground.checks.states.held import BETWEEN_STATES
from affidavit.stages.ground.checks.states.vocabulary import states_in
from affidavit.stages.ground.finding import GroundContext

Truth: TypeAlias = Callable[[Cell, Value | None], bool | None]

_ABOVE = (
    r"more than|greater than|higher than|longer than|larger than|bigger than|heavier than|older than|"
    r"warmer than|above|over|exceed(?:s|ed|ing)?|upwards of|after|later than|past|north of"
)
_BELOW = (
    r"less than|fewer than|lower than|shorter than|smaller than|lighter than|younger than|cheaper than|"
    r"colder than|cooler than|below|under|beneath|before|earlier than|short of"
)
_SIGN = re.compile(
    rf"\b(?:(?P<above>{_ABOVE})|(?P<below>{_BELOW})|(?P<least>at least|no less than|not less than|from)|"
    r"(?P<most>at most|no more than|not more than|up to|within))\s+(?:the |a |an |than )?",
    re.I,
)
_OR_MORE = re.compile(
    r"\W*(?:or|and) (?:(?P<least>more|above|over|higher|longer|later|older|up(?:wards)?)|"
    r"(?P<most>less|fewer|below|under|lower|shorter|earlier|younger))\b",
    re.I,
)
_COLOURS = {"green": "passed", "red": "failed"}
"""What a light says of a check or a service: only where the evidence itself tells of no colour."""
_UNTELLING = content_stems("amount value number of per time date at on in")


@dataclass(frozen=True, slots=True)
class Member:
    """One of a list: what it is called by, whether the condition holds of it, and where that stands."""

    name: str
    holds: bool
    span: EvidenceSpan


@dataclass(frozen=True, slots=True)
class Roll:
    """A list under its name, each member asked. ``column`` is the field that was asked."""

    name: str
    column: str
    members: tuple[Member, ...]
    table: Table | None = None

    def only(self, names: str) -> Roll:
        """The members that a text singles out by something they say."""
        if self.table is None:
            return self
        rows = self.table.rows_that_say(names)
        if rows is None:
            return self
        chosen = {row.pointer for row in rows}
        kept = (
            m for m, row in zip(self.members, self.table.rows, strict=True) if row.pointer in chosen
        )
        return replace(self, members=tuple(kept), table=None)

    def unexplained(self, words: str) -> frozenset[str]:
        """The stems of ``words`` that neither the list's name, nor its fields, nor its rows say."""
        own = content_stems(f"{self.name} {self.column} {' '.join(m.name for m in self.members)}")
        return content_stems(words) - named_in(content_stems(words), own) - _NUMBERS


_NUMBERS = content_stems(
    "one two three four five six seven eight nine ten eleven twelve dozen row entry item record result "
    "listed list all every each both"
)


def rolls(condition: str, said: str, context: GroundContext) -> list[Roll]:
    """The lists of which each member can be asked for ``condition``; ``said`` is all that the claim says,
    which names the field."""
    sign = _SIGN.search(condition)
    if sign is not None:
        limit = _limit(condition, sign)
        return [] if limit is None else list(_compared(limit, said, context))
    if any(v.number is not None or v.moment is not None for v in parse_values(condition)):
        return []
    denied = is_negated(condition)
    found = [
        *_flagged(condition, context),
        *_in_state(condition, context),
        *_moved(condition, context),
    ]
    return [_denied(roll) for roll in found] if denied else found


def holds_of(condition: str, value: Value) -> bool | None:
    """Whether "the margin is under 0.5 %" holds of a value of that measure; None of any other."""
    sign = _SIGN.search(condition)
    limit = _limit(condition, sign) if sign is not None else None
    if limit is None or (value.kind, value.unit) != (limit.value.kind, limit.value.unit):
        return None
    return None if value.number == limit.value.number else limit.holds(value)


def _denied(roll: Roll) -> Roll:
    return replace(roll, members=tuple(replace(m, holds=not m.holds) for m in roll.members))


@dataclass(frozen=True, slots=True)
class _Limit:
    value: Value
    above: bool
    inclusive: bool

    def holds(self, value: Value) -> bool | None:
        if self.value.moment is not None:
            return self._is_beyond(*_like_moments(value, self.value))
        if value.number is None or self.value.number is None:
            return None
        return self._is_beyond(value.number, self.value.number)

    def _is_beyond(self, one: object, other: object) -> bool | None:
        match one, other:
            case (Decimal() as a, Decimal() as b):
                return self._sides(a > b, a == b)
            case (time() as a, time() as b):
                return self._sides(a > b, a == b)
            case (date() as a, date() as b):
                return self._sides(a > b, a == b)
        return None

    def _sides(self, above: bool, equal: bool) -> bool:
        return self.inclusive if equal else above == self.above


def _like_moments(a: Value, b: Value) -> tuple[object, object]:
    """The parts of two moments that both of them tell: dates, or times of day where one has no date."""
    one, other = a.moment, b.moment
    if one is None or other is None:
        return None, None
    if other.clock is not None and other.day is None:
        return one.clock, other.clock
    if (
        other.date is None and other.month and other.day and one.year
    ):  # "3 March" is of the row's year
        other = replace(other, year=one.year)
    return one.date, other.date


def _limit(condition: str, sign: re.Match[str]) -> _Limit | None:
    """What stands behind "below": a value, with all of it before anything else."""
    values = [
        v for v in parse_values(condition)
        if v.start >= sign.start() and (v.number is not None or v.moment is not None)
    ]  # fmt: skip
    alike = [v for v in values[1:] if v.kind == values[0].kind]
    if not values or alike or condition[sign.end() : values[0].start].strip(" €$£¥"):
        return None
    above = bool(sign["above"] or sign["least"])
    inclusive = bool(sign["least"] or sign["most"])
    return _Limit(values[0], above, inclusive)


def _compared(limit: _Limit, said: str, context: GroundContext) -> Iterator[Roll]:
    """Tables with one column that the limit is of: named by the claim, or the only one of its measure."""
    words = content_stems(said)
    for table in tables(context):
        if len(table.rows) < 2:
            continue
        columns: dict[tuple[object, ...], dict[str, _Read]] = {}
        for passage in table.passages:
            for cell, value in passage.cell_values:
                if _is_measured_like(value, limit.value, cell):
                    column = columns.setdefault(cell.path, {})
                    if value.kind == limit.value.kind or passage.pointer not in column:
                        column[passage.pointer] = passage, cell, value
        keys = {
            path: next(iter(column.values()))[1].key
            for path, column in columns.items()
            if len(column) == len(table.rows)
        }
        ranked = {
            path: len(named_in(content_stems(key) - _UNTELLING, words))
            for path, key in keys.items()
        }
        best = [path for path, rank in ranked.items() if rank == max(ranked.values())]
        if limit.value.moment is not None and len(best) > 1:
            best = [path for path in best if content_stems(keys[path]) & _STARTS]
        exact = limit.value.kind != "number"
        if len(best) != 1 or not (ranked[best[0]] or exact or len(keys) == 1):
            continue  # a bare number is of the field that is named, or of the only one
        answers = {
            at: (limit.holds(value), passage.span(cell))
            for at, (passage, cell, value) in columns[best[0]].items()
        }
        roll = _roll(table, keys[best[0]], answers)
        if roll is not None:
            yield roll


_STARTS = content_stems(
    "departs departure departing leaves leave dep start starts begin begins opens from sails takeoff"
)
"""What a time is of where a row has two and no word says which: "trains after 17:00" leave after it."""


_Read: TypeAlias = tuple[Passage, Cell, Value]


def _is_measured_like(value: Value, limit: Value, cell: Cell) -> bool:
    if limit.moment is not None:
        return value.moment is not None and None not in _like_moments(value, limit)
    if value.number is None or counts_nothing(cell):
        return False
    if limit.unit and limit.kind != "number" and value.unit != limit.unit:
        return False
    return like_measures(value, limit)


def _roll(
    table: Table, column: str, answers: dict[str, tuple[bool | None, EvidenceSpan]]
) -> Roll | None:
    members: list[Member] = []
    for row in table.rows:
        holds, span = answers.get(row.pointer, (None, None))
        if holds is None or span is None:
            return None  # a row that cannot be asked leaves the count open
        texts = " ".join(cell.text for cell in row.cells if isinstance(cell.raw, str))
        members.append(Member(texts, holds, span))
    tool = (table.passages[0].source.tool or "").replace("_", " ")
    keys = " ".join(dict.fromkeys(cell.key for row in table.rows[:1] for cell in row.cells))
    return Roll(f"{table.name} {tool}", f"{column} {keys}", tuple(members), table)


def _flagged(condition: str, context: GroundContext) -> Iterator[Roll]:
    """Tables with a yes/no column whose name the condition says."""
    said = content_stems(condition)
    folded = f" {' '.join(re.findall(r'[a-z-]+', condition.lower()))} "
    opposed = {
        stem(word): same for name, (same, word) in OPPOSITES.items() if f" {name} " in folded
    }
    for table in tables(context):
        for column in table.flags.values():
            key = content_stems(column[0][1].key)
            same = next((opposed[word] for word in key if word in opposed), None)
            named = bool(key) and len(key & said) == len(key)
            if len(column) != len(table.rows) or not (named or same is not None and len(key) == 1):
                continue
            answers: dict[str, tuple[bool | None, EvidenceSpan]] = {}
            for row, cell in column:
                for passage in table.shown.get(row.pointer, [])[:1]:
                    answers[row.pointer] = cell.flag == (same is not False), passage.span(cell)
            roll = _roll(table, column[0][1].key, answers) if len(table.rows) > 1 else None
            if roll is not None:
                yield roll


def _in_state(condition: str, context: GroundContext) -> Iterator[Roll]:
    told = [_COLOURS.get(word.lower(), word) for word in _WORD.findall(condition)]
    claimed = states_in(" ".join(told))
    each = [states for word in told if (states := states_in(word))]
    if not claimed or each and not frozenset.intersection(*each):
        return  # "passed before the failed deployment" tells of two states
    for table in tables(context):
        yield from _states_of_table(table, claimed, content_stems(condition))
    seen: set[tuple[int, str]] = set()
    for passage in filter(is_result, context.search.passages):
        if passage.record is None or (passage.source.id, passage.record.pointer) in seen:
            continue
        seen.add((passage.source.id, passage.record.pointer))
        yield from _states_of_parts(passage, claimed)
        yield from _states_of_fields(passage, passage.record, claimed)


def _moved(condition: str, context: GroundContext) -> Iterator[Roll]:
    """Tables whose rows have an earlier and a later figure: "grew", "fell"."""
    up, down = bool(UP.search(condition)), bool(DOWN.search(condition))
    for table in tables(context) if up != down else ():
        answers: dict[str, tuple[bool | None, EvidenceSpan]] = {}
        keys: set[tuple[str, str]] = set()
        for change in changes(table):
            keys.add((change.before.cell.key, change.after.cell.key))
            answers[change.row.pointer] = (
                change.ratio != 0 and (change.ratio > 0) == up,
                change.after.span,
            )
        if len(keys) == 1 and len(table.rows) > 1:
            roll = _roll(table, " ".join(*keys), answers)
            if roll is not None:
                yield roll


_WORD = re.compile(r"[\w'’-]+")
_States: TypeAlias = frozenset[tuple[int, int]]


def _states_of_table(table: Table, claimed: _States, told: frozenset[str]) -> Iterator[Roll]:
    """A column that gives every row a state which the claimed one could be."""
    columns: dict[tuple[object, ...], dict[str, tuple[str, EvidenceSpan]]] = {}
    keys: dict[tuple[object, ...], str] = {}
    for row in table.rows if len(table.rows) > 1 else ():
        for passage in table.shown.get(row.pointer, ()):
            for cell, _, _ in passage.cells:
                if isinstance(cell.raw, str) and len(cell.text) <= _SHORT:
                    columns.setdefault(cell.path, {})[row.pointer] = cell.text, passage.span(cell)
                    keys[cell.path] = cell.key
    found = []
    for path, texts in columns.items():
        answers = _answers(texts, claimed, told)
        if (roll := _roll(table, keys[path], answers)) is not None:
            found.append(roll)
    if len(found) == 1:
        yield found[0]


def _answers(
    texts: dict[str, tuple[str, EvidenceSpan]], claimed: _States, told: frozenset[str]
) -> dict[str, tuple[bool | None, EvidenceSpan]]:
    """Whether each text is of the claimed state. Where the state is a word of the column's own, any other
    word of it is another state: of "shipped", "cancelled" and "pending" the claim has said one."""
    literal = {
        text for text, _ in texts.values() if content_stems(text) and content_stems(text) <= told
    }
    answers: dict[str, tuple[bool | None, EvidenceSpan]] = {}
    for at, (text, span) in texts.items():
        held = states_in(text)
        if literal and held and not is_negated(text):
            shares = text not in literal and bool(claimed & held)
            answers[at] = (None if shares else text in literal), span
        else:
            answers[at] = _is_in(text, claimed), span
    return answers


_SHORT = 40
"""Characters of a cell that gives a state, "closed, not merged"; a longer one tells a story."""


def _is_in(text: str, claimed: _States) -> bool | None:
    held = states_in(text)
    if is_negated(text) or not {p for p, _ in claimed} & {p for p, _ in held}:
        return None
    return bool(claimed & held)


def _states_of_parts(passage: Passage, claimed: _States) -> Iterator[Roll]:
    """The parts of one cell: ``checks: unit SUCCESS, lint SUCCESS, e2e FAILURE``."""
    for cell, _, _ in passage.cells:
        parts = BETWEEN_STATES.split(cell.text.strip()) if isinstance(cell.raw, str) else []
        answers = [(part, _is_in(part, claimed)) for part in parts]
        if len(parts) < 2 or any(holds is None or len(part) > _SHORT for part, holds in answers):
            continue
        span = passage.span(cell)
        members = tuple(Member(part, bool(holds), span) for part, holds in answers)
        yield Roll(cell.key, cell.key, members)


def _states_of_fields(passage: Passage, record: Record, claimed: _States) -> Iterator[Roll]:
    """A record of states: ``{"unit": "passed", "lint": "failed"}``."""
    told = [c for c in record.cells if isinstance(c.raw, str) and len(c.text) <= _SHORT]
    states = [(c, _is_in(c.text, claimed)) for c in told]
    if len(states) < 2 or len(told) < len(record.cells) or any(s is None for _, s in states):
        return
    place = record.place.rsplit("›", 1)[-1]
    members = tuple(Member(c.key, bool(holds), passage.span(c)) for c, holds in states)
    yield Roll(place, "", members)


def named_members(text: str, roll: Roll) -> tuple[Member, ...]:
    """The members that a text calls by their names: a row by a text that it holds, a part by its label."""
    if roll.table is not None:
        rows = roll.table.rows_that_say(text) or ()
        chosen = {row.pointer for row in rows}
        pairs = zip(roll.members, roll.table.rows, strict=True)
        return tuple(m for m, row in pairs if row.pointer in chosen)
    said = content_stems(text)
    labels = [_label(m.name) for m in roll.members]
    return tuple(m for m, own in zip(roll.members, labels, strict=True) if own and own <= said)


def _label(name: str) -> frozenset[str]:
    return content_stems(" ".join(word for word in _WORD.findall(name) if not states_in(word)))


def speaks_of_nothing_else(text: str) -> bool:
    """Whether a text has no word of its own: "of them", "of these", "all of its"."""
    return not (content_stems(text) - _NUMBERS - STOP_WORDS)


def without_asides(text: str) -> str:
    """A text without asides and marks."""
    return re.sub(r"\s*\([^()]*\)|[*_`]", "", text)
