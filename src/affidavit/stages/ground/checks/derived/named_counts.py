"""Counts that a name asks for: ``"approvals": 2`` over reviews in a state, "three unresolved threads".

The name says what is counted and in which state; the list, or one word of a column of its own, must say the
same. ``"approvals": 2`` is not the number of comments, nor of all reviews.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal

from affidavit.ledger.records import Cell, words_of
from affidavit.ledger.values import Value, fold
from affidavit.ledger.words import content_stems, stem
from affidavit.stages.ground.checks.derived.derivation import (
    Derivation,
    Table,
    counts_nothing,
    number_like,
)
from affidavit.stages.ground.checks.lists.conditions import rolls
from affidavit.stages.ground.claim import Claim
from affidavit.stages.ground.finding import GroundContext

_COUNTING = content_stems("count counts number num total nr qty quantity amount sum tally size")
_DISTINCT = content_stems("distinct different unique separate individual")
_UNMARKED = re.compile(r"\b(?:un|in|im|non|dis|not)[ -]?(?=[a-z]{3})")
# What is not yet so, by the name of the field that would be true: "open threads" by ``resolved``.
_NOT_YET = {
    "open": "resolved closed done fixed merged answered completed complete settled",
    "outstanding": "resolved paid settled done returned completed answered",
    "remaining": "done completed complete used returned", "pending": "done completed approved processed sent paid",
    "incomplete": "done completed", "unfinished": "done completed finished", "unpaid": "settled",
    "failed": "passed ok success succeeded successful", "failing": "passing passed ok success healthy",
    "absent": "present attended", "missing": "present found", "overdue": "returned paid", "late": "on_time",
    "new": "read seen", "broken": "working ok", "unsent": "delivered", "offline": "online connected up",
    "inactive": "enabled", "disabled": "enabled active", "closed": "open",
}  # fmt: skip
_PERSONS = content_stems("person people contributor author")
_PERSON_FIELDS = frozenset(
    "author user by owner assignee reviewer reporter customer employee member player student contributor name "
    "passenger guest person committer translator driver speaker candidate client".split()
)
_FULL_NAME = re.compile(r"[^\W\d_a-z][\w.'’-]+(?: [^\W\d_][\w.'’-]*){0,2} [^\W\d_a-z][\w'’-]+")
_LONGEST = 40
"""Characters of a cell that gives a state or a name."""


def named_counts(
    claim: Claim, value: Value, context: GroundContext, known: list[Table]
) -> Iterator[Derivation]:
    """How many rows are what a datum's name or a count's noun says, and how many different ones."""
    number = value.number
    if value.kind != "number" or number is None or number != number.to_integral_value():
        return
    name = _name(claim, value)
    if not name:
        return
    for table in known:
        for what, n in (*_rows(name, table, claim, context), *_different(name, table)):
            spans = tuple(p.span() for p in table.passages[:4])
            text = f"count of {table.name or 'results'} ({what}) = {n}"
            yield Derivation("count", number_like(value, Decimal(n)), text, spans, exact=True)


def _name(claim: Claim, value: Value) -> str:
    """What is counted, in words: the key of a datum, the label of a cell, the noun behind a number."""
    if claim.json_path is not None:
        steps = [step for step in claim.json_path if isinstance(step, str)]
        return words_of(steps[-1]) if steps else ""
    if claim.cell is not None:
        return claim.cell.column if len(claim.cell.cells) > 2 else claim.cell.row
    if value.unit:
        return value.unit
    label = _LABEL.fullmatch(claim.text[: value.start])
    return label["label"] if label else ""


_LABEL = re.compile(r"\W*(?P<label>[^\W\d_][^\d:]{2,40})\*{0,2}:\s*\W*")


def _rows(
    name: str, table: Table, claim: Claim, context: GroundContext
) -> Iterator[tuple[str, int]]:
    """The rows of a list that its name names, as a whole or in a state."""
    stems = content_stems(name) - _COUNTING
    thing = content_stems(table.name) & stems
    state = stems - thing
    if thing and not state and claim.is_datum:
        yield "rows", len(table.rows)
    if not state:
        return
    columns: dict[tuple[object, ...], list[Cell]] = {}
    for row in table.rows:
        for cell in row.cells:
            columns.setdefault(cell.path, []).append(cell)
    for cells in columns.values():
        yield from _flagged(name, state, cells) if thing else ()
        yield from _worded(state, cells)
    if thing and len(state) == 1:
        words = [word for word in name.lower().split() if stem(word) in state]
        for roll in rolls(f"are {words[0]}", name, context) if words else ():
            if roll.table is table:
                yield f"{words[0]}", sum(member.holds for member in roll.members)


def _flagged(name: str, state: frozenset[str], cells: list[Cell]) -> Iterator[tuple[str, int]]:
    """Rows of which a yes/no field that the name names is true; false where it names its opposite."""
    flags = [flag for cell in cells if (flag := cell.flag) is not None]
    key = content_stems(cells[0].key)
    if len(flags) < len(cells) or not key:
        return
    if key == state:
        yield f"{cells[0].key}: yes", sum(flags)
    opposed = _UNMARKED.sub("", name.lower())
    told = (word for word in name.lower().split() if stem(word) in state)
    named = {w for word in told for w in _NOT_YET.get(word, "").split()}
    if (opposed != name.lower() and key <= content_stems(opposed)) or {
        stem(w) for w in named
    } & key:
        yield f"{cells[0].key}: no", len(flags) - sum(flags)


def _worded(state: frozenset[str], cells: list[Cell]) -> Iterator[tuple[str, int]]:
    """Rows whose word in a column is the one that the name says: "approvals" of ``state: APPROVED``."""
    texts = Counter(
        fold(c.text) for c in cells if isinstance(c.raw, str) and len(c.text) <= _LONGEST
    )
    for text, n in texts.items():
        if len(cells) > 1 and content_stems(text) == state and len(texts) < max(3, len(cells)):
            yield f"{cells[0].key}: {text}", n


def _different(name: str, table: Table) -> Iterator[tuple[str, int]]:
    """How many different ones a column has, which the name is of: ``author`` for "three authors"."""
    wanted = content_stems(name) - _COUNTING - _DISTINCT
    columns: dict[tuple[object, ...], set[str]] = {}
    keys: dict[tuple[object, ...], str] = {}
    for row in table.rows:
        for cell in row.cells:
            if isinstance(cell.raw, str) and cell.text and not counts_nothing(cell):
                columns.setdefault(cell.path, set()).add(cell.text)
                keys[cell.path] = cell.key
    for path, texts in columns.items():
        persons = bool(wanted) and wanted <= _PERSONS and _of_persons(keys[path], texts)
        if persons or (wanted and content_stems(keys[path]) == wanted):
            yield f"different {keys[path] or 'names'}", len(texts)


def _of_persons(key: str, texts: set[str]) -> bool:
    words = key.split()
    if words[-1:] and words[-1] in _PERSON_FIELDS - {"name"}:
        return True
    return all(_FULL_NAME.fullmatch(text) for text in texts)
