"""Sums, counts and means over the rows of one list, or the parts of one thing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from affidavit.ledger.records import words_of
from affidavit.ledger.values import Moment, Value, compare
from affidavit.ledger.words import content_stems, named_in, stem
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Operand,
    Table,
    formula,
    measured_like,
    number_like,
    number_lists,
    same_measure,
    things,
)
from affidavit.stages.ground.checks.derived.field_times import without_period
from affidavit.stages.ground.checks.derived.levels import level_noun, logs
from affidavit.stages.ground.checks.derived.lists import lists, picked
from affidavit.stages.ground.checks.derived.logged import logged
from affidavit.stages.ground.checks.values.windows import named_after
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

SUM = re.compile(
    r"\b((?:sub-?)?total\w*|sum|together|altogether|combined|overall|in all|all told|in sum|come[s]? to|came to|add(?:s|ed|ing)? up|"
    r"(?:which|that|this|they|these) makes?|mak(?:es?|ing) up|amount\w*|owed?s?|spent|worth|gesamt|insgesamt|zusammen|suma|en total|somme|totale)\b",
    re.I,
)
_PAID = re.compile(r"\b(?:refund\w*|charged?|costs?|pay|paid)\b", re.I)
"""One amount for the several things that the claim names."""
MEAN = re.compile(
    r"\b(average\w*|mean|avg|on average|durchschnitt\w*|promedio|moyenne|media)\b", re.I
)
_TIMES = content_stems("second minute hour day night week month quarter year")
_COUNTED = frozenset({"number", "quantity"})


def sums(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The sum of a column, over all rows or those the claim singles out; or of one row's list."""
    words = _words(claim)
    summed = SUM.search(words) is not None
    if value.number is not None and not summed:
        yield from _of_so_many(claim, value, (*known, *logged(context)))
        yield from _over_quarter(claim, value, known)
    if value.number is None or not (summed or _PAID.search(words)):
        return
    for table in (*known, *logged(context)):
        chosen = table.where(claim)
        # In order: the first derivation that fits is the one a report shows.
        near = (
            table.that_say(f"{_just_said(claim, context)} {claim.statement}") if summed else table
        )
        for rows in dict.fromkeys((chosen, near, *picked(table, context), table)):
            for column in of_period(rows, claim) if summed or rows is not table else ():
                yield from sum_of(column, value)
    said = content_stems(f"{words} {value.unit}")
    for column in _over_periods(context) if summed else ():
        yield from sum_of(column, value)
    for column in (*_of_maps(said, context), *_of_like_fields(context)) if summed else ():
        yield from sum_of(column, value, said)
    for thing in number_lists(context) if summed else ():
        fields: dict[tuple[object, ...], list[Operand]] = {}
        for operand in thing:
            key = (operand.passage.pointer, *operand.cell.path[:-1], operand.value.kind)
            fields.setdefault(key, []).append(operand)
        for items in fields.values():
            yield from sum_of(items, value)


def of_period(table: Table, claim: Claim) -> Sequence[list[Operand]]:
    """The columns, those alone that are named for the month or the year that the claim says where some are."""
    columns = list(table.columns.values())
    return [c for c in columns if named_after(c[0].cell, claim)] or columns


_SO_MANY = re.compile(
    r"\b(?:the|all|all of the|our|your|his|her|their|its|these|those|both|which|alle|les|los|las) (?:of )?(?:the |our |your )?\Z",
    re.I,
)
"""Before the number of all the things that a claim is about: "the three fields brought in"."""
_BOTH = re.compile(r"\b(?:both|the two of them)\b", re.I)
EACH = re.compile(
    r"\b(?:each|per|every|apiece|a ?piece|jeweils?|chacune?|cada|ciascun[oa])\b", re.I
)
"""What is said of one thing at a time."""
NO_SUM = re.compile(
    r"\b(?:average|mean|median|between(?! (?:them|us|you|the (?:two|three|four|five|six))\b)|most|least|largest|smallest|highest|lowest|up to|range\w*)\b",
    re.I,
)


OF_QUARTER = re.compile(
    r"\b(?:(?P<nth>first|second|third|fourth|last) quarter|Q(?P<q>[1-4])|(?P<half>first|second) half)\b",
    re.I,
)
_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 4}


def _over_quarter(claim: Claim, value: Value, known: list[Table]) -> Iterator[Derivation]:
    """The sum of a column over the months of the quarter that the claim says, where each has its row."""
    said = OF_QUARTER.search(claim.text)
    if said is None or EACH.search(claim.text) or NO_SUM.search(claim.text):
        return
    nth = int(said["q"]) if said["q"] else _NTH[(said["nth"] or said["half"]).lower()]
    size = 6 if said["half"] else 3
    months = set(range((nth - 1) * size + 1, nth * size + 1))
    for table in known:
        rows: dict[str, int] = {}
        for passage in table.passages:
            for _, held in passage.cell_values:
                if held.moment is not None and held.moment.month in months:
                    rows.setdefault(passage.pointer, held.moment.month)
        if set(rows.values()) == months and len(rows) == len(months):
            for column in table.columns.values():
                said_here = content_stems(f"{claim.text} {value.unit}")
                yield from sum_of(
                    [o for o in column if o.passage.pointer in rows], value, said_here
                )


def _of_so_many(claim: Claim, value: Value, known: Sequence[Table]) -> Iterator[Derivation]:
    """The sum over all rows where the claim says of so many things at once what they have: "the three fields
    brought in 289 t". What each of them has is no sum."""
    words = _words(claim)
    if EACH.search(words) or NO_SUM.search(words) or value.kind in ("percent", "moment"):
        return
    told = {
        said.number
        for said in claim.values
        if said is not value and said.kind == "number" and _SO_MANY.search(claim.text[: said.start])
    }
    if _BOTH.search(claim.text):
        told.add(Decimal(2))
    for table in known if told else ():
        for rows in dict.fromkeys((table.where(claim), table)):
            if len(rows.rows) in told and len(rows.rows) > 1:
                for column in of_period(rows, claim):
                    if len(column) == len(rows.rows):
                        yield from sum_of(column, value)


def _just_said(claim: Claim, context: GroundContext) -> str:
    """The claims of this sentence and the one before, of whose things a sum may be: "A has 4, B has 5; that's
    9 in all"."""
    near = (c.text for c in context.before[-_NEAR:] if c.sentence >= claim.sentence - 1)
    return " ".join(near)


_NEAR = 4


def sum_of(
    column: list[Operand], value: Value, said: frozenset[str] = frozenset()
) -> Iterator[Derivation]:
    """The sum of a column of the value's measure; of plain numbers the name of the column is said instead."""
    parts = same_measure(column, value)
    plain = value.kind == "number" and all(o.value.kind == "number" for o in column)
    if plain and len(parts) < len(column) and content_stems(column[0].cell.key) & said:
        parts = column
    if len(parts) < 2:
        return
    result = sum((part.number for part in parts), Decimal(0))
    shown = measured_like(value, result, parts[0])
    yield Derivation(
        "sum", shown, formula(parts, "+", shown.text), tuple(p.span for p in parts[:8])
    )


def means(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """The mean of a column."""
    if value.number is None or not MEAN.search(_words(claim)):
        return
    for table in (*known, *logged(context)):
        for rows in dict.fromkeys((table.where(claim), table)):
            for column in _named_columns(rows, claim):
                parts = same_measure(column, value)
                if len(parts) < 2:
                    continue
                result = sum((p.number for p in parts), Decimal(0)) / len(parts)
                shown = measured_like(value, round(result, 6), parts[0])
                text = f"mean of {len(parts)} values = {shown.text}"
                yield Derivation("mean", shown, text, tuple(p.span for p in parts[:8]))

    for column in _over_periods(context):
        if parts := same_measure(column, value):
            result = sum((p.number for p in parts), Decimal(0)) / len(parts)
            shown = measured_like(value, round(result, 6), parts[0])
            text = f"mean of {len(parts)} values = {shown.text}"
            yield Derivation("mean", shown, text, tuple(p.span for p in parts[:8]))


def _over_periods(context: GroundContext) -> Iterator[list[Operand]]:
    """The fields of one thing that differ only by the time they are of: ``q1_sales`` to ``q4_sales``."""
    for thing in things(context):
        columns: dict[tuple[str, str, str, str], list[Operand]] = {}
        for operand in thing:
            key = operand.cell.key
            plain = without_period(key)
            if plain != key:
                of = plain, operand.value.kind, operand.passage.pointer, _unit_beside(operand)
                columns.setdefault(of, []).append(operand)
        yield from (column for column in columns.values() if len(column) >= _PERIODS)


def _unit_beside(operand: Operand) -> str:
    return operand.value.unit if operand.value.kind != "number" else ""


def _of_maps(said: frozenset[str], context: GroundContext) -> Iterator[list[Operand]]:
    """The fields of one map that the claim names: the regular and the overtime ``hours`` of a month."""
    for thing in things(context):
        maps: dict[tuple[object, ...], list[Operand]] = {}
        for operand in thing:
            path = operand.cell.path
            if len(path) > 1 and all(isinstance(step, str) for step in path[-2:]):
                if named_in(content_stems(words_of(str(path[-2]))), said):
                    of = operand.passage.pointer, path[:-1], operand.value.kind
                    maps.setdefault(of, []).append(operand)
        yield from maps.values()


def _of_like_fields(context: GroundContext) -> Iterator[list[Operand]]:
    """All times or weights of one thing in one unit: ``prep_minutes`` and ``cook_minutes``."""
    for thing in things(context):
        columns: dict[tuple[str, str, str], list[Operand]] = {}
        for operand in thing:
            if operand.value.kind in ("duration", "quantity"):
                last = operand.cell.key.split()[-1]
                columns.setdefault((operand.passage.pointer, operand.value.unit, last), []).append(
                    operand
                )
        yield from (column for column in columns.values() if 1 < len(column) <= _FEW)


_FEW = 4
"""Fields of one unit that are the parts of one thing, and not whatever was measured of it."""
_PERIODS = 3
"""Fields of one measure that are all of its times, and not merely two to compare."""


def _named_columns(table: Table, claim: Claim) -> list[list[Operand]]:
    """The columns that the claim names, else all: the mean of the flow is none of the temperature."""
    columns = list(table.columns.values())
    said = content_stems(_words(claim))
    named = [c for c in columns if named_in(content_stems(c[0].cell.key), said)]
    return named or columns


def counts(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """How many rows there are, all or those the claim singles out, or that share a stated value."""
    if value.face_unit == "day":
        yield from _days_of_rows(value, known)
    if value.kind not in _COUNTED or value.number is None:
        return
    if value.number != value.number.to_integral_value():
        return
    noun = stem(value.unit.split(" ")[-1])
    if noun in _TIMES:
        return  # nine business days are not the nine rows of a list
    if level_noun(value) and logs(context):
        return  # nor are two errors two lines of a log
    for name, cells, passage in lists(context):
        if noun and noun == stem(name.split(" ")[-1]) and " " not in value.unit:
            text = f"count of {name} = {len(cells)}"
            shown = number_like(value, Decimal(len(cells)))
            yield Derivation("count", shown, text, (passage.span(),), exact=True)
    said = content_stems(f"{claim.statement} {context.question} {value.unit}")
    for table in known:
        names = content_stems(table.name) | content_stems(_tool_of(table))
        if value.kind == "quantity" and not named_in(frozenset({noun}), names):
            continue  # one litre is not the one row of a list
        if noun and noun in table.field_words:
            continue  # nor are two goals the two rows of players who have ``goals``
        if len(known) > 1 and not named_in(names, said) and stem(value.unit) not in names:
            continue
        chosen = table.where(claim)
        if (of_day := _of_day(table, claim, context)) is not None:
            for rows in dict.fromkeys((of_day, of_day.where(claim))):
                yield _count(rows, value, "rows of that day")
            continue  # three events are not three today
        one = len(chosen.rows) == 1 and noun and noun not in names | _ROWS
        if one and (chosen is table or _is_named(chosen, context)):
            continue  # nor one policy the one row of a plan, nor the one city that is spoken of its one open slot
        yield _count(chosen, value, "rows the claim names" if chosen is not table else "rows")
        if chosen is not table:
            yield _count(table, value, "rows")
        yield from _count_flags(table, claim, value)


def _is_named(table: Table, context: GroundContext) -> bool:
    return any(context.topic.names(context.rows.chain(passage)) for passage in table.passages)


def _of_day(table: Table, claim: Claim, context: GroundContext) -> Table | None:
    """The rows of the one day that a claim says, where some are and others are of another day."""
    said = [v for v in claim.values if v.moment is not None and v.moment.clock is None]
    if len(said) != 1 or len(table.rows) > _MOST_DATED:
        return None
    rows = {
        passage.pointer
        for passage in table.passages
        for _, held in passage.cell_values
        if held.moment is not None
        and held.moment.date is not None
        and compare(said[0], replace(held, moment=_day_of(held.moment)), today=context.today)
        == "same"
    }
    if not 0 < len(rows) < len(table.rows):
        return None
    return table.of_positions({at for at, row in enumerate(table.rows) if row.pointer in rows})


def _day_of(moment: Moment) -> Moment:
    return replace(moment, clock=None, offset=None, seconds_given=False)


_MOST_DATED = 400
"""Rows beyond which it is not looked which of them are of a day."""
_ROWS = content_stems("result match hit entry item record row line listing option")


def _days_of_rows(value: Value, known: list[Table]) -> Iterator[Derivation]:
    """How many days a list has rows of: "over the three days" of takings by the day."""
    for table in known:
        if len(table.rows) != value.face:
            continue
        days = {
            held.moment.date
            for passage in table.passages
            for _, held in passage.cell_values
            if held.moment is not None and held.moment.date is not None
        }
        if len(days) == value.face and value.face > 1:
            text = f"count of {table.name or 'results'} (a day each) = {len(days)}"
            yield Derivation("count", value, text, tuple(p.span() for p in table.passages[:4]))


def _count(table: Table, value: Value, what: str) -> Derivation:
    n = len(table.rows)
    spans = tuple(p.span() for p in table.passages[:4])
    text = f"count of {table.name or 'results'} ({what}) = {n}"
    return Derivation("count", number_like(value, Decimal(n)), text, spans)


def _count_flags(table: Table, claim: Claim, value: Value) -> Iterator[Derivation]:
    """Rows of which a field that the claim names is true or above zero (or is not)."""
    said = content_stems(claim.statement)
    keys = {cell.key for row in table.rows for cell in row.cells}
    stems = {key: content_stems(key) for key in keys}
    named = {key for key, own in stems.items() if own and named_in(own, said) == own}
    flags: Counter[tuple[str, bool]] = Counter()
    for row in table.rows if named else ():
        for cell in row.cells:
            if cell.key not in named:
                continue
            if cell.flag is not None:
                flags[cell.key, cell.flag] += 1
            elif isinstance(cell.raw, int | float):
                flags[cell.key, cell.raw > 0] += 1
    spans = tuple(p.span() for p in table.passages[:1])
    for (key, flag), n in flags.items():
        if claim.is_datum and not flag:
            continue  # ``"grounded": 2`` counts those that are
        text = f"count of {table.name} with {key}: {'yes' if flag else 'no'} = {n}"
        yield Derivation("count", number_like(value, Decimal(n)), text, spans)


def _tool_of(table: Table) -> str:
    tool = table.passages[0].source.tool if table.passages else None
    return (tool or "").replace("_", " ")


def _words(claim: Claim) -> str:
    column = claim.cell.column if claim.cell else ""
    path = " ".join(str(step) for step in claim.json_path or ()).replace("_", " ")
    return f"{claim.statement} {column} {path}"
