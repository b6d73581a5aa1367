"""More or less, later or sooner: what a tool that changes things did by the values that it was given.

"I've extended your stay" is borne out by ``change_dates(check_out="2026-08-14")`` where the stay ended on the 13th
before, and ``set_price(price=19)`` raised nothing that cost 21.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from affidavit.ledger.ledger import CallEntry
from affidavit.ledger.records import Cell, records_of, words_of
from affidavit.ledger.values import Value, compare, parse_values, read_cell
from affidavit.ledger.words import content_stems
from affidavit.stages.ground.checks.calls.phrasal import SETTERS
from affidavit.stages.ground.finding import GroundContext

_GAP = r"(?: [\w'’#-]+){0,6}?"
_ONE_MORE = r"(?:an?|one|two|three|four|five|\d+|another|an?other \w+|some) (?:extra |more |additional |further )?[a-z]+"
_MORE = re.compile(
    rf"\b(?:extend\w*|prolong\w*|lengthen\w*|rais\w+|increas\w+|upped|boost\w*|postpon\w+|delay\w*|deferr?\w*|"
    rf"(?:turn|bump|push|mov|scal|siz)\w*{_GAP} up|(?:push|put)\w*{_GAP} back|add\w* {_ONE_MORE}|verlängert|erhöht|prolongé\w*|ampliad\w+|aumentad\w+)\b",
    re.I,
)
"""That something was made longer, larger or later."""
_LESS = re.compile(
    rf"\b(?:shorten\w*|reduc\w+|lower\w*|decreas\w+|trimm?\w*|cut|(?:turn|bring|brought|scal|siz)\w*{_GAP} (?:down|forward)|"
    rf"(?:remov|tak|took|drop)\w* {_ONE_MORE}|verkürzt|gesenkt|reduziert|raccourci\w*|réduit\w*|acortad\w+|reducid\w+|bajad\w+)\b",
    re.I,
)
"""That it was made shorter, smaller or sooner."""
_CHANGERS = SETTERS | frozenset(
    "amend reschedule move extend renew resize scale rebook revise alter".split()
)
"""First words of the names of tools that give a thing other values."""
_NEW = content_stems("new to target updated desired requested")


def made_so(entry: CallEntry, text: str, context: GroundContext) -> bool | None:
    """Whether a call made something more or less, as a text says it did; False where it did the opposite, None
    where the text says neither or what was before is not known."""
    more, less = bool(_MORE.search(text)), bool(_LESS.search(text))
    name = words_of(entry.call.name).split()
    if more == less or not name or name[0] not in _CHANGERS:
        return None
    grew = set(_growths(entry, context))
    return more in grew if grew else _is_given(entry, text) or None


def _is_given(entry: CallEntry, text: str) -> bool:
    """Whether a call was given a figure or a time that the text says, where nothing tells what was before."""
    said = [v for v in parse_values(text) if v.number is not None or v.moment is not None]
    return any(
        compare(v, given) == "same"
        for record in records_of(entry.call.arguments)
        for cell in record.cells
        for given in read_cell(cell, record)
        for v in said
        if given.number is not None or given.moment is not None
    )


def _growths(entry: CallEntry, context: GroundContext) -> Iterator[bool]:
    """For each value that the call gave another than before, whether it is the larger or the later one."""
    for record in records_of(entry.call.arguments):
        for cell in record.cells:
            given = list(read_cell(cell, record))
            for held in _before(cell, entry, context):
                grown = next((g for v in given if (g := _grown(v, held)) is not None), None)
                if grown is not None:
                    yield grown
                    break


def _before(cell: Cell, entry: CallEntry, context: GroundContext) -> Iterator[Value]:
    """What the field of an argument held in the results before the call, the last first."""
    key = _plain(cell)
    for passage in reversed(context.search.passages):
        source = passage.source
        if (
            source.kind == "tool_result"
            and source.message < entry.message
            and source.outcome == "ok"
        ):
            for own, value in passage.cell_values:
                if key and _plain(own) == key:
                    yield value


def _plain(cell: Cell) -> frozenset[str]:
    """The words of a field's name, less those by which arguments are told from fields."""
    key = content_stems(cell.key)
    return key - _NEW or key


def _grown(value: Value, before: Value) -> bool | None:
    """Whether a value is larger or later than the one before; None where they are the same or no like values."""
    if value.number is not None and before.number is not None:
        alike = (value.kind, value.unit) == (before.kind, before.unit)
        return value.number > before.number if alike and value.number != before.number else None
    if value.moment is None or before.moment is None:
        return None
    a, b = value.moment, before.moment
    if a.date is not None and b.date is not None and a.date != b.date:
        return a.date > b.date
    if a.date == b.date and a.clock is not None and b.clock is not None and a.clock != b.clock:
        return a.clock > b.clock
    return None
