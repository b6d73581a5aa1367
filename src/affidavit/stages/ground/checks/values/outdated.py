"""Outdated values: what a later result of the same run says otherwise of the same thing."""

from __future__ import annotations

import re
from collections.abc import Iterable

from affidavit.ledger.ledger import Passage
from affidavit.ledger.records import Cell, Record, records_of
from affidavit.ledger.search import Hit
from affidavit.ledger.values import Value, compare, fold
from affidavit.ledger.words import content_stems
from affidavit.stages.ground.checks.calls.deeds import writes
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

CODE_CHARS = 5
"""Characters from which on a code names one thing."""


_WORDED = ("name", "quoted", "identifier")


def comparable_cells(
    passages: Iterable[Passage], value: Value
) -> Iterable[tuple[Passage, Cell, Value]]:
    """Cells that hold another value of the same kind."""
    for passage in passages:
        for cell, other in passage.cell_values:
            if other.kind == value.kind or _both_counts(other, value):
                yield passage, cell, other


def _both_counts(a: Value, b: Value) -> bool:
    return {a.kind, b.kind} <= {"number", "quantity", "money"} and not (a.unit and b.unit)


def superseded(hit: Hit, value: Value, context: GroundContext) -> tuple[Passage, Cell] | None:
    """The same field of the same thing in a later result, with another value."""
    if hit.cell is None or not hit.cell.key or hit.passage.source.kind != "tool_result":
        return None
    if value.kind in _WORDED:
        return _as_changed(hit, value, context)
    if value.kind not in ("money", "moment", "percent", "quantity", "duration", "number"):
        return None
    results = context.search.once("results", lambda: _results(context.search.passages))
    if hit.passage.source.id >= max(results):
        return None
    mine = own_identifier(hit.passage)
    told = context.search.once("identified", lambda: _by_identifier(context.search.passages))
    for passage, cell, other in comparable_cells(told.get(mine or "", ()), value):
        later = passage.source.id > hit.passage.source.id
        if later and cell.key == hit.cell.key and _differs(value, other, context):
            return passage, cell
    return (
        _asked_again(hit, value, context)
        or _as_changed(hit, value, context)
        or _what_is_left(hit, value, context)
    )


def _as_changed(hit: Hit, value: Value, context: GroundContext) -> tuple[Passage, Cell] | None:
    """The field as a later call left it that changed the thing, by the name that both calls were given:
    ``next.arrives`` of a container that was put on another ship, whose booking has ``arrives``. Not what only
    another reading says of it, which may be of another day."""
    record, asked = hit.passage.record, context.ledger.call_of(hit.passage.source)
    if record is None or record.group or hit.cell is None or asked is None:
        return None
    mine = _given_name(hit.passage, asked.call.arguments)
    around, field = hit.cell.path[:-1], hit.cell.path[-1:]
    like = {cell.path[-1:] for cell in record.cells if cell.path[:-1] == around}
    for entry in context.ledger.calls if mine else ():
        later = entry.result is not None and entry.result.id > hit.passage.source.id
        if not later or entry.outcome != "ok" or not writes(entry):
            continue
        for passage in context.search.passages:
            if passage.source.call_id != entry.call.id or passage.record is None:
                continue
            whole = like <= {c.path for c in passage.record.cells} and not passage.record.group
            same = whole and _given_name(passage, entry.call.arguments) == mine
            for cell, _, _ in passage.cells if same else ():
                if cell.path == field and _holds_another(passage, cell, value, context):
                    return passage, cell
    return None


def _holds_another(passage: Passage, cell: Cell, value: Value, context: GroundContext) -> bool:
    """Whether a cell holds something else of the sort of a value."""
    if value.kind in _WORDED:
        return isinstance(cell.raw, str) and fold(value.text) not in fold(cell.text)
    alike = comparable_cells((passage,), value)
    return any(c is cell and _differs(value, other, context) for _, c, other in alike)


def _given_name(passage: Passage, arguments: object) -> tuple[str, str] | None:
    """The first argument of a call that its result repeats under the same name, where it names one thing."""
    given = {(cell.key, cell.text) for r in records_of(arguments) for cell in r.cells}
    known = (
        (cell.key, fold(cell.text))
        for cell in (passage.record.cells if passage.record else ())
        if isinstance(cell.raw, str)
        and len(cell.text) >= CODE_CHARS
        and (cell.key, cell.text) in given
    )
    return next(known, None)


def _asked_again(hit: Hit, value: Value, context: GroundContext) -> tuple[Passage, Cell] | None:
    """The field as a later call of the same tool with the same arguments gave it."""
    asked = context.ledger.call_of(hit.passage.source)
    record = hit.passage.record
    if asked is None or record is None or record.group or hit.cell is None:
        return None
    opens = first_cell(record)
    if opens is None or opens is hit.cell:
        return None
    again = [
        e.result.id
        for e in context.ledger.calls
        if e.result is not None and e.outcome == "ok" and e.result.id > hit.passage.source.id
        if (e.call.name, e.call.arguments) == (asked.call.name, asked.call.arguments)
    ]
    if not again:
        return None
    later = (p for p in context.search.passages if p.source.id == again[-1])
    for passage, cell, other in comparable_cells(later, value):
        first = first_cell(passage.record) if passage.record else None
        same_thing = first is not None and (first.path, first.text) == (opens.path, opens.text)
        if same_thing and cell.path == hit.cell.path and _differs(value, other, context):
            return passage, cell
    return None


_LEFT = content_stems("left remaining available balance stock")


def _what_is_left(hit: Hit, value: Value, context: GroundContext) -> tuple[Passage, Cell] | None:
    """What is left of a thing by a later result that names it: ``places_left`` of a purchase of the slot."""
    key = content_stems(hit.cell.key) if hit.cell else frozenset()
    record = hit.passage.record
    if not key & _LEFT or record is None or not (first := first_cell(record)):
        return None
    number = fold(first.text)
    if not any(map(str.isdigit, number)) or len(number) < CODE_CHARS:
        return None
    later = (p for p in context.search.passages if p.source.id > hit.passage.source.id)
    for passage, cell, other in comparable_cells(later, value):
        named = passage.record is not None and any(
            fold(c.text) == number for c in passage.record.cells
        )
        if named and key <= content_stems(cell.key) and _differs(value, other, context):
            return passage, cell
    return None


def _differs(value: Value, other: Value, context: GroundContext) -> bool:
    return compare(value, other, today=context.today) == "different"


def first_cell(record: Record) -> Cell | None:
    """The field that a record opens with."""
    return next((c for c in record.cells if not isinstance(c.raw, bool) and not c.is_blank), None)


def _results(passages: Iterable[Passage]) -> frozenset[int]:
    """The numbers of the results, which are in order of time."""
    return frozenset(p.source.id for p in passages if p.source.kind == "tool_result")


def _by_identifier(passages: Iterable[Passage]) -> dict[str, list[Passage]]:
    found: dict[str, list[Passage]] = {}
    for passage in passages:
        mine = own_identifier(passage) if passage.source.kind == "tool_result" else None
        if mine is not None:
            found.setdefault(mine, []).append(passage)
    return found


def own_identifier(passage: Passage) -> str | None:
    """What a record is filed under: the identifier it opens with. Later ones say what it refers to, so
    two orders of one customer are not one thing, nor are two payments by one card."""
    for cell in passage.record.cells if passage.record else ():
        last = cell.key.split()[-1:]
        if (
            last
            and last[0] in _IDENTIFYING
            and not isinstance(cell.raw, bool)
            and not cell.is_blank
        ):
            return str(cell.raw).casefold()
        if not (cell.is_blank or isinstance(cell.raw, bool) or last and last[0] in _OF_THE_CALL):
            return None
    return None


_IDENTIFYING = frozenset(
    "id number no code ref reference pnr locator key uuid sku nr nummer referenz referencia référence localizador".split()
)
"""Last words of the names of fields that a thing is filed under."""
_OF_THE_CALL = frozenset(
    "status message result success ok outcome type object action updated".split()
)
"""Fields before it that say how the call went."""


def speaks_of_past(claim: Claim, value: Value) -> bool:
    """Whether a claim tells how things were; what a thing was called may linger on, "may still be sent to"."""
    if value.kind in _WORDED and re.search(
        r"\b(?:still|(?-i:may)|might|until|till|cached)\b", claim.text, re.I
    ):
        return True
    return bool(
        re.search(
            r"\b(previous(?:ly)?|before|earlier|was|were|old|original(?:ly)?|from|instead|rather than|no longer|used to|initial(?:ly)?|at first)\b",
            claim.text,
            re.I,
        )
    )
