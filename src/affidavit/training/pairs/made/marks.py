"""Claims about which rows of a list are so, and how many: in the other list one row is otherwise."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, TypeAlias

from affidavit.training.pairs.made.case import Case
from affidavit.training.pairs.made.saying import listed, other
from affidavit.training.pairs.made.tables import (
    COLUMNS,
    PERSONS,
    PLACES,
    Column,
    Rows,
    Table,
    changed,
    rows_case,
    said_count,
    table_of,
)
from affidavit.training.pairs.made.words import OBJECTS

_Mark: TypeAlias = tuple[str, tuple[Any, Any], tuple[str, str]]


_OF_ALL: tuple[_Mark, ...] = (
    ("available", (True, False), ("available", "not available")),
    ("verified", (True, False), ("verified", "not verified")),
    ("confirmed", (True, False), ("confirmed", "unconfirmed")),
)


_OF_THINGS: tuple[_Mark, ...] = (
    ("paid", (True, False), ("paid", "not paid")),
    ("status", ("open", "closed"), ("open", "closed")),
    ("published", (True, False), ("published", "not published")),
    ("state", ("active", "inactive"), ("active", "inactive")),
)


_OF_GOODS: tuple[_Mark, ...] = (
    ("in_stock", (True, False), ("in stock", "not in stock")),
    ("condition", ("new", "used"), ("new", "used")),
)


_OF_PEOPLE: tuple[_Mark, ...] = (
    ("result", ("passed", "failed"), ("passed", "failed")),
    ("role", ("trained", "untrained"), ("trained", "untrained")),
    ("remote", (True, False), ("remote", "not remote")),
)


_OF_MACHINES: tuple[_Mark, ...] = (
    ("state", ("running", "stopped"), ("running", "stopped")),
    ("result", ("passed", "failed"), ("passed", "failed")),
)


def _marks(kind: str) -> tuple[_Mark, ...]:
    """What the rows of a kind may be or not be."""
    if kind in PERSONS:
        return _OF_ALL + _OF_PEOPLE
    if kind in PLACES:
        return _OF_ALL
    if kind in ("products", "parts", "books"):
        return _OF_ALL + _OF_GOODS
    if kind in ("servers", "services", "builds"):
        return _OF_ALL + _OF_MACHINES
    return _OF_ALL + _OF_THINGS


def _marked(
    rng: random.Random, least: int = 3, most: int = 6, column: Column | None = None
) -> tuple[Table, str, tuple[Any, Any], tuple[str, str]]:
    table = table_of(rng, least, most, column)
    key, values, words = rng.choice(_marks(table.kind))
    for row in table.rows:
        row[key] = rng.choice(values)
    return table, key, values, words


def _turned(rows: Rows, at: int, key: str, values: tuple[Any, Any]) -> Rows:
    return changed(rows, at, **{key: values[1] if rows[at][key] == values[0] else values[0]})


def _verbs(key: str) -> tuple[str, str]:
    """The verb before the word for a mark, for one row and for several: it is open, it has passed."""
    return ("has", "have") if key == "result" else ("is", "are")


def count(rng: random.Random) -> Case:
    """How many rows are so, against one more or fewer."""
    table, key, values, words = _marked(rng)
    side = rng.randrange(2)
    size = len(table.rows)
    number = sum(row[key] == values[side] for row in table.rows)
    word = words[side]
    one_is, many_are = _verbs(key)
    are = one_is if number == 1 else many_are
    said = said_count(rng, number)
    if number == 0:
        told = (f"none of them {one_is} {word}.", f"not one of them {one_is} {word}.")
    elif number == size:
        told = (f"all of them {are} {word}.", f"every one of them {one_is} {word}.")
    else:
        told = (f"{said} of the {size} {are} {word}.", f"of the {size}, {said} {are} {word}.")
    claim = rng.choice((*told, f"{said} of them {are} {word}.") if 0 < number < size else told)
    at = rng.randrange(size)
    return rows_case(
        rng, table.kind, table.rows, _turned(table.rows, at, key, values), claim, [key]
    )


def quantified(rng: random.Random) -> Case:
    """Only, both, neither, all but, at least one: against one row turned."""
    table, key, values, words = _marked(rng, 3, 6)
    word = words[0]
    is_, are = _verbs(key)
    size = len(table.rows)
    one, two, *rest = rng.sample(range(size), size)
    names = table.names

    def marked(so: Sequence[int]) -> Rows:
        return [
            row | {key: values[0] if n in so else values[1]} for n, row in enumerate(table.rows)
        ]

    style = rng.choice(
        ("only", "all_but", "both", "neither", "some", "only_two", "not_all", "except_two", "which")
    )
    match style:
        case "only":
            claim, so = rng.choice((f"only {names[one]} {is_} {word}.", f"{names[one]} is the only one that {is_} {word}.",
                                    f"apart from {names[one]}, none {is_} {word}.")), [one]  # fmt: skip
            wrong = rng.choice(([one, two], [two], []))
        case "all_but":
            claim, so = rng.choice((f"all but {names[one]} {are} {word}.", f"all of them {are} {word} except {names[one]}.",
                                    f"every one {is_} {word}, with the exception of {names[one]}.")), [two, *rest]  # fmt: skip
            wrong = rng.choice(([one, two, *rest], [one, *rest], rest))
        case "both":
            claim, so = f"both {names[one]} and {names[two]} {are} {word}.", [one, two]
            wrong = rng.choice(([one], [two]))
        case "neither":
            claim, so = f"neither {names[one]} nor {names[two]} {is_} {word}.", rest
            wrong = [*rest, rng.choice((one, two))]
        case "some":
            claim, so = f"at least one of them {is_} {word}.", rng.choice(([one], [one, two]))
            wrong = []
        case "only_two":
            claim, so = f"only {names[one]} and {names[two]} {are} {word}.", [one, two]
            wrong = rng.choice(([one], [two], [one, two, rest[0]]))
        case "not_all":
            claim, so = f"not all of them {are} {word}.", [one, *rest]
            wrong = [one, two, *rest]
        case "except_two":
            claim, so = f"all except {names[one]} and {names[two]} {are} {word}.", rest
            wrong = [*rest, rng.choice((one, two))]
        case _:
            claim, so = (
                f"those that {are} {word}: {listed(sorted(names[n] for n in (one, two)))}.",
                [one, two],
            )
            wrong = rng.choice(([one, rest[0]], [two], [one, two, rest[0]]))
    return rows_case(rng, table.kind, marked(so), marked(wrong), claim, [key])


_SUMMED = {"price_eur": "€{}", "guests": "{} guests", "sales": "{} sales", "stock": "{} pieces", "errors": "{} errors",
           "hours": "{} hours"}  # fmt: skip


def some_sum(rng: random.Random) -> Case:
    """The sum of the rows that are so, against a row that is or is not."""
    column = rng.choice([column for column in COLUMNS if column.key in _SUMMED])
    table, key, values, words = _marked(rng, 3, 5, column)
    rows = table.rows
    one, two, *rest = rng.sample(range(len(rows)), len(rows))
    rows = [row | {key: values[0] if n in (one, two) else values[1]} for n, row in enumerate(rows)]
    value = rows[one][column.key] + rows[two][column.key]
    noun = _SUMMED[column.key].format(value)
    _, verb = _verbs(key)
    claim = rng.choice(
        (
            f"those that {verb} {words[0]} come to {noun} together.",
            f"the two that {verb} {words[0]} add up to {noun}.",
        )
    )
    fails = rng.choice((_turned(rows, one, key, values), _turned(rows, rest[0], key, values),
                        changed(rows, two, **{column.key: rows[two][column.key] + 4})))  # fmt: skip
    return rows_case(rng, table.kind, rows, fails, claim, [key, column.key])


def grouped(rng: random.Random) -> Case:
    """How many rows of each group, and which group is largest, against one row in another group."""
    key, groups = rng.choice((("category", ("books", "games", "tools")), ("priority", ("low", "medium", "high")), ("country", ("Spain", "Norway", "Poland")),
                              ("team", ("North", "South", "West")), ("type", ("bug", "feature", "question"))))  # fmt: skip
    kind = rng.choice(("tickets", "orders", "projects", "entries"))
    sizes = rng.sample((1, 2, 3), 3)
    labels = [group for group, size in zip(groups, sizes, strict=True) for _ in range(size)]
    rng.shuffle(labels)
    names = rng.sample(OBJECTS, len(labels))
    rows: Rows = [{"name": name, key: label} for name, label in zip(names, labels, strict=True)]
    most, least = groups[sizes.index(3)], groups[sizes.index(1)]
    one = rng.choice([n for n, label in enumerate(labels) if label == most])
    group = rng.choice(groups)
    number = labels.count(group)
    at = rng.choice([n for n, label in enumerate(labels) if label == group])
    claim, fails = rng.choice((
        (f"{said_count(rng, number)} of them {'has' if number == 1 else 'have'} the {key} {group}.",
         changed(rows, at, **{key: other(group, lambda: rng.choice(groups))})),
        (f"the {key} {group} occurs {'once' if number == 1 else 'twice' if number == 2 else 'three times'}.",
         changed(rows, at, **{key: other(group, lambda: rng.choice(groups))})),
        (f"the most common {key} is {most}.", _regrouped(rows, key, most, least)),
        (f"only one has the {key} {least}.", changed(rows, one, **{key: least})),
    ))  # fmt: skip
    return rows_case(rng, kind, rows, fails, claim, [key])


def _regrouped(rows: Rows, key: str, one: str, two: str) -> Rows:
    turn = {one: two, two: one}
    return [row | {key: turn.get(row[key], row[key])} for row in rows]
