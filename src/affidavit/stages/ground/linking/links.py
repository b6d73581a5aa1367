"""Every value that a claim mentions, joined to the places of the evidence that say it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from affidavit.ledger.ledger import Passage
from affidavit.ledger.meaning import Meaning
from affidavit.ledger.records import Cell, Record, scalar_text
from affidavit.ledger.search import PLACES, Hit, counts_time
from affidavit.ledger.values import AMOUNTS, Value, is_by_time, is_count, parse_values, read_cells
from affidavit.ledger.values.value import Moment
from affidavit.ledger.words import content_stems
from affidavit.stages.ground.linking.evidence import Evidence, bears_out, group_of
from affidavit.stages.ground.linking.formula import (
    COUNT,
    FACTOR,
    LEAST,
    RATE,
    SHARE,
    Formula,
    Formulas,
    Operand,
    measure_of,
    size_of,
)
from affidavit.stages.ground.linking.named_field import named_field
from affidavit.stages.ground.linking.times import in_time

_NEAREST = 10
"""Lines, by words, whose numbers a formula may use."""
_FEW, _OPERANDS = 12, 48
"""Operands that are computed with first, and at most."""
_SMALL = 60
"""Lines up to which the numbers and moments of all of them are looked at."""
_SIBLINGS = 12
_TOLD = 12
"""Results of the statements before that a formula may use, the latest ones."""
_BY_MEANING = 4
_COLUMNS = 40
_LONGEST_KIND = 40
"""Characters of a field's text up to which it may be a kind that rows are of."""
_ROWS = 200
"""Rows of a list that are computed with; a longer list is only searched."""
_ALL_PLACES, _LEAST_PLACES = 2_000, 4
"""Lines of evidence too long to be read whole that are read for all values of an answer, and for each at the least."""


@dataclass(frozen=True)
class Link:
    """One mention of a claim, with its span in the claim's statement, and where the evidence says it.

    ``hits`` are places that can bear it out, ``said`` places where only the user says it, ``formula`` how it follows
    from other values where it stands nowhere.
    """

    value: Value
    hits: tuple[Hit, ...] = ()
    said: tuple[Hit, ...] = ()
    formula: Formula | None = None

    @property
    def is_found(self) -> bool:
        return bool(self.hits)


@dataclass(frozen=True)
class Linked:
    """A claim's statement with its links, and the lines that share its words, best first, with their scores."""

    statement: str
    links: tuple[Link, ...]
    near: tuple[tuple[Passage, float], ...] = field(repr=False)


def links_of(
    statement: str,
    evidence: Evidence,
    told: Sequence[Operand] = (),
    meaning: Meaning | None = None,
    places: int = PLACES,
) -> Linked:
    """The links of one statement. ``told`` are results that the answer has worked out before, which it may use; with
    ``meaning``, lines that say the like in other words are near it too. ``places`` bounds the lines that are read for
    each of its values where the evidence is too long to be read whole."""
    near = tuple(evidence.search.by_words(statement, 4 * _NEAREST))
    if meaning is not None:
        chosen = [line for line, _ in near[:_NEAREST]]
        more = meaning.besides(chosen, statement, evidence.search, _BY_MEANING)
        near += tuple((line, near[0][1] / 2 if near else 1.0) for line in more)
    beside = [line for line, _ in near[:_NEAREST]]
    plain = [_found(value, evidence, beside, places) for value in parse_values(statement)]
    if all(
        link.is_found or link.value.number is None and link.value.moment is None for link in plain
    ):
        return Linked(statement, tuple(plain), near)
    own, around, groups = _operands(plain, near, evidence, told)
    # Few operands that a claim names itself, and whole columns, say more than many that stand about.
    pools = (
        Formulas(own, ()), _of_columns(groups, evidence),
        Formulas([*own, *around][:_FEW], ()), Formulas([*own, *around][:_OPERANDS], ()),
    )  # fmt: skip
    days = list(_days(plain, near, evidence))
    spans = [o for o in (*own, *around) if o.measure == "time"]
    values = [link.value for link in plain]
    words = frozenset().union(*(content_stems(value.text) for value in values))

    def worked_out(value: Value) -> Formula | None:
        formula = _derived(value, pools, days, spans, evidence)
        if formula is None:
            return None
        sizes = [operand.size for operand in told]
        field = named_field(value, statement, values, words, near, evidence, sizes)
        return formula if field is None else field.left_of(formula)

    links = tuple(
        link
        if link.is_found
        else replace(link, formula=None if link.said else worked_out(link.value))
        for link in plain
    )
    return Linked(statement, links, near)


def linked_answer(
    statements: Sequence[str], evidence: Evidence, meaning: Meaning | None = None
) -> list[Linked]:
    """The links of an answer's statements in order, each of which may use what those before it worked out."""
    told: dict[tuple[float, str], Operand] = {}
    made: list[Linked] = []
    places = _places(statements, evidence)
    for statement in statements:
        linked = links_of(statement, evidence, list(told.values())[-_TOLD:], meaning, places)
        for link in linked.links:
            if (
                (link.formula is not None or link.said)
                and link.value.kind in AMOUNTS
                and link.value.number is not None
            ):
                operand = Operand(
                    size_of(link.value), measure_of(link.value), link.value.text.strip()
                )
                told.setdefault((operand.size, operand.measure), operand)
        made.append(linked)
    return made


def _places(statements: Sequence[str], evidence: Evidence) -> int:
    """The lines that are read for each value of an answer, so that all of its values together cost no more than so many."""
    if evidence.search.is_whole:
        return PLACES
    values = {value.text for statement in statements for value in parse_values(statement)}
    return max(_LEAST_PLACES, min(PLACES, _ALL_PLACES // max(1, len(values))))


def _found(value: Value, evidence: Evidence, beside: Sequence[Passage], places: int) -> Link:
    hits = evidence.search.hits(value, today=evidence.today, near=beside, most=places)
    sure = tuple(hit for hit in hits if bears_out(hit.passage))
    return Link(value, sure, tuple(hit for hit in hits if hit.passage.source.kind == "user"))


def _derived(
    value: Value,
    pools: Sequence[Formulas],
    days: Sequence[tuple[Moment, str]],
    spans: Sequence[Operand],
    evidence: Evidence,
) -> Formula | None:
    found = [pool.find(value) for pool in pools]
    found += [_counted(value, evidence), in_time(value, days, spans)]
    best = max((f for f in found if f is not None), key=lambda f: f.strength, default=None)
    return best if best is not None and best.strength >= LEAST else None


def _operands(
    links: Sequence[Link],
    near: Sequence[tuple[Passage, float]],
    evidence: Evidence,
    told: Sequence[Operand],
) -> tuple[list[Operand], list[Operand], list[str]]:
    """The numbers that a claim may be computed from: those that it and the statements before it name, those that stand
    around them, and the lists they are in."""
    lines: dict[int, Passage] = {}
    own: dict[tuple[float, str], Operand] = {}
    for link in links:
        for hit in link.hits[:4]:
            lines[id(hit.passage)] = hit.passage
        if link.is_found or link.said:
            for operand in _readings(link.value):
                own.setdefault((operand.size, operand.measure), operand)
    same = (
        operand for link in links for hit in link.hits[:2] for operand in _same_field(hit, evidence)
    )
    for operand in (*told, *same):
        own.setdefault((operand.size, operand.measure), operand)
    few = evidence.lines if len(evidence.lines) <= _SMALL else ()
    for line in (*(line for line, _ in near[:_NEAREST]), *few):
        if line.source.outcome == "ok" and line.source.kind != "tool_definition":
            lines.setdefault(id(line), line)
    around: dict[tuple[float, str], Operand] = {}
    for line in lines.values():
        for operand in _numbers(line, evidence):
            if (operand.size, operand.measure) not in own:
                around.setdefault((operand.size, operand.measure), operand)
    groups = {
        group_of(line) for line in lines.values() if line.record is not None and line.record.group
    }
    return list(own.values())[:_FEW], list(around.values()), sorted(groups)


def _of_columns(groups: Sequence[str], evidence: Evidence) -> Formulas:
    """What the columns of some lists give, computed once for all claims that speak of these lists."""

    def columns_of(group: str) -> list[list[Operand]]:
        return evidence.search.once(
            f"columns {group}", lambda: list(islice(_columns(group, evidence), _COLUMNS))
        )

    return evidence.search.once(
        f"formulas of columns {groups}",
        lambda: Formulas((), [c for group in groups for c in columns_of(group)][:_COLUMNS]),
    )


def _readings(
    value: Value, line: Passage | None = None, cell: Cell | None = None
) -> Iterator[Operand]:
    """A number with its unit, and how many of that unit: 90 minutes at 8 cents are 90 × 8. A share is one of something,
    and its bare number, 0.5 of half a percent, multiplies nothing."""
    if value.kind not in AMOUNTS or value.number is None or value.unit in _SHARED:
        return
    shown = (
        value.text.strip() if cell is None or not cell.key else f"{value.text.strip()} ({cell.key})"
    )
    measure = measure_of(value)
    if measure == SHARE and cell is not None and is_by_time(cell.path):
        measure = RATE
    timed = counts_time(value)
    counts = timed or (value.kind == "number" and _counts(value, cell))
    yield Operand(size_of(value), measure, shown, line, cell, timed, counts)
    if value.kind in ("duration", "quantity"):
        many = float(value.face if value.face is not None else value.number)
        of = COUNT if value.kind == "quantity" else FACTOR
        yield Operand(many, of, shown, line, cell, value.kind == "duration", True)


def _counts(value: Value, cell: Cell | None) -> bool:
    """Whether a bare number counts things: by its field, or in running text by the noun behind it."""
    return is_count(cell.path) if cell is not None and cell.key else bool(value.unit)


_SHARED = ("percent", "bp", "fraction")
"""Units of a bare number beside which the same field is read as a share."""


def _same_field(hit: Hit, evidence: Evidence) -> Iterator[Operand]:
    """What other records say in the field that a value was found in: last year's total beside this year's."""
    if hit.cell is None or hit.cell.key == "":
        return
    for line in evidence.lines_with(hit.cell.key, _SIBLINGS):
        for operand in _numbers(line, evidence):
            if operand.cell is not None and operand.cell.key == hit.cell.key:
                yield operand


def _numbers(line: Passage, evidence: Evidence) -> tuple[Operand, ...]:
    known: dict[int, tuple[Operand, ...]] = evidence.search.once("numbers of lines", dict)
    if id(line) not in known:
        pairs = line.cell_values if line.record is not None else [(None, v) for v in line.values]
        known[id(line)] = tuple(o for cell, value in pairs for o in _readings(value, line, cell))
    return known[id(line)]


def _columns(group: str, evidence: Evidence) -> Iterator[list[Operand]]:
    """Each numeric field of a list over all of its rows, and over the rows that share a text field."""
    rows = evidence.rows.get(group, ())
    if not 1 < len(rows) <= _ROWS:
        return
    fields: dict[tuple[str, str], list[tuple[Record, Operand]]] = {}
    for row in rows:
        line = evidence.line_of[group, row.pointer]
        for cell, value in read_cells(row.cells, row, line.source.declared):
            if value.kind in AMOUNTS and value.number is not None:
                operand = Operand(size_of(value), measure_of(value), value.text.strip(), line, cell)
                fields.setdefault((cell.key, operand.measure), []).append((row, operand))
    for listed in fields.values():
        yield [operand for _, operand in listed]
    for same in _alike(rows).values():
        for listed in fields.values():
            part = [operand for row, operand in listed if id(row) in same]
            if 1 < len(part) < len(listed):
                yield part


def _alike(rows: Sequence[Record]) -> dict[tuple[str, str], set[int]]:
    """Rows by what a text or flag field of theirs says, where several but not all say it."""
    found: dict[tuple[str, str], set[int]] = {}
    for row in rows:
        for key, raw in row.said:
            if isinstance(raw, bool) or (isinstance(raw, str) and len(raw) < _LONGEST_KIND):
                found.setdefault((key, scalar_text(raw).casefold()), set()).add(id(row))
    return {key: ids for key, ids in found.items() if len(ids) < len(rows)}


def _counted(value: Value, evidence: Evidence) -> Formula | None:
    """A number of rows: all of a list, or those that share what a field says."""
    if value.kind != "number" or value.number is None or value.number != int(value.number):
        return None
    count = int(value.number)
    sizes, kinds = evidence.search.once("counts", lambda: _counts_of(evidence))
    if count in sizes and count > 1:
        return Formula(f"count of {count} rows", (), 0.7)
    if count in kinds:
        key, text = kinds[count]
        return Formula(f"count of rows where {key} is {text}", (), 0.6 if count > 1 else 0.3)
    return None


def _counts_of(evidence: Evidence) -> tuple[set[int], dict[int, tuple[str, str]]]:
    """How many rows lists have; and of rows that say the same, how many there are, with the first that are so many."""
    kinds: dict[int, tuple[str, str]] = {}
    for rows in evidence.rows.values():
        if len(rows) <= _ROWS:
            for named, ids in _alike(rows).items():
                kinds.setdefault(len(ids), named)
    return {len(rows) for rows in evidence.rows.values()}, kinds


def _days(
    links: Sequence[Link], near: Sequence[tuple[Passage, float]], evidence: Evidence
) -> Iterator[tuple[Moment, str]]:
    """The moments that a span of time may lie between: today, those a claim names, and those near it."""
    today = evidence.today
    if today is not None:
        yield Moment(year=today.year, month=today.month, day=today.day), "today"
    seen: set[Moment] = set()
    values = [link.value for link in links if link.is_found or link.said]
    lines = (
        [line for line, _ in near]
        if len(evidence.lines) > _SMALL
        else [line for line, _ in near] + list(evidence.lines)
    )
    values += [v for line in lines for v in line.values]
    for value in values:
        if value.moment is not None and value.moment not in seen:
            seen.add(value.moment)
            yield value.moment, value.text.strip()
