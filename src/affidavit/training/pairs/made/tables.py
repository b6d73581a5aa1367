"""Lists of named rows with a column of numbers, and how claims about such a column are worded."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from affidavit.training.pairs.made.case import Call, Case, Fields
from affidavit.training.pairs.made.saying import singular
from affidavit.training.pairs.made.words import CITIES, COUNTED, OBJECTS, PEOPLE

Rows: TypeAlias = list[Fields]


PERSONS = frozenset({"people", "students", "applicants", "members", "players"})


PLACES = frozenset({"cities", "stations", "branches"})


@dataclass(frozen=True, slots=True)
class Column:
    """A column of numbers, and how claims about it are worded: ``{a}`` and ``{b}`` are rows, ``{v}`` a value, ``{d}`` a
    difference, ``{q}`` a count."""

    key: str
    kinds: tuple[str, ...]
    value: tuple[str, ...]
    lowest: tuple[str, ...]
    highest: tuple[str, ...]
    ranked: str
    """``{a}`` as the one of a given rank from above."""
    more: tuple[str, ...]
    ahead: tuple[str, ...]
    total: tuple[str, ...]
    mean: tuple[str, ...]
    over: tuple[str, ...]
    under: tuple[str, ...]


COLUMNS = (
    Column("price_eur", ("plans", "rooms", "flights", "products"),
           ("{a} costs €{v}.", "{a} is priced at €{v}.", "€{v} is what {a} costs.", "for {a} you pay €{v}.", "{a}: €{v}."),
           ("{a} is the cheapest.", "the cheapest one is {a}.", "none costs less than {a}.", "{a} has the lowest price."),
           ("{a} is the most expensive.", "the most expensive one is {a}.", "none costs more than {a}.", "{a} has the highest price."),
           "{a} is the {r} most expensive.",
           ("{a} costs €{d} more than {b}.", "{b} is €{d} cheaper than {a}.", "with {b} you save €{d} over {a}."),
           ("{a} is more expensive than {b}.", "{b} is cheaper than {a}.", "{a} costs more than {b}.", "{b} costs less than {a}."),
           ("together they cost €{v}.", "all of them together come to €{v}.", "the total is €{v}."),
           ("they cost €{v} on average.", "the average price is €{v}."),
           ("{q} of them cost more than €{v}.", "{q} cost over €{v}."),
           ("{q} of them cost less than €{v}.", "{q} are under €{v}.")),
    Column("guests", ("weddings", "tours", "hotels", "events"),
           ("{a} has {v} guests.", "there are {v} guests at {a}.", "{v} guests are at {a}."),
           ("{a} has the fewest guests.", "the smallest is {a}.", "no other has as few guests as {a}."),
           ("{a} has the most guests.", "the largest is {a}.", "no other has as many guests as {a}."),
           "{a} has the {r} most guests.",
           ("{a} has {d} more guests than {b}.", "{b} has {d} fewer guests than {a}."),
           ("{a} has more guests than {b}.", "{b} has fewer guests than {a}.", "{a} is larger than {b}."),
           ("together they have {v} guests.", "that makes {v} guests in all."),
           ("they have {v} guests on average.",),
           ("{q} of them have more than {v} guests.",), ("{q} of them have fewer than {v} guests.",)),
    Column("score", ("teams", "people", "students", "applicants"),
           ("{a} scored {v} points.", "{a} has {v} points.", "{a} got {v}."),
           ("{a} is last.", "{a} has the lowest score.", "nobody scored less than {a}."),
           ("{a} is in the lead.", "{a} has the highest score.", "nobody scored more than {a}.", "{a} comes out on top."),
           "{a} has the {r} highest score.",
           ("{a} scored {d} points more than {b}.", "{b} is {d} points behind {a}.", "{a} leads {b} by {d} points."),
           ("{a} is ahead of {b}.", "{b} is behind {a}.", "{a} scored more than {b}.", "{b} did worse than {a}."),
           ("together they scored {v} points.",), ("the average score is {v}.", "on average they scored {v} points."),
           ("{q} of them scored more than {v}.", "{q} have over {v} points."), ("{q} of them scored less than {v}.",)),
    Column("sales", ("shops", "people", "products", "branches"),
           ("{a} had {v} sales.", "{v} sales were made by {a}.", "{a} sold {v}."),
           ("{a} had the fewest sales.", "{a} sold the least."),
           ("{a} had the most sales.", "{a} sold the most.", "the best seller is {a}."),
           "{a} had the {r} most sales.",
           ("{a} had {d} more sales than {b}.", "{b} made {d} fewer sales than {a}."),
           ("{a} sold more than {b}.", "{b} sold less than {a}.", "{a} had more sales than {b}."),
           ("all together there were {v} sales.", "sales add up to {v}."), ("on average each had {v} sales.",),
           ("{q} of them had more than {v} sales.",), ("{q} of them had fewer than {v} sales.",)),
    Column("distance_km", ("cities", "hotels", "stations"),
           ("{a} is {v} km away.", "it's {v} km to {a}.", "{v} km: that is {a}."),
           ("{a} is the nearest.", "the closest one is {a}.", "none is nearer than {a}."),
           ("{a} is the farthest.", "the one farthest away is {a}."),
           "{a} is the {r} farthest.",
           ("{a} is {d} km farther than {b}.", "{b} is {d} km closer than {a}."),
           ("{a} is farther away than {b}.", "{b} is nearer than {a}.", "it's farther to {a} than to {b}."),
           ("the distances add up to {v} km.",), ("on average they are {v} km away.",),
           ("{q} of them are more than {v} km away.",), ("{q} of them are less than {v} km away.", "{q} are within {v} km.")),
    Column("hours", ("courses", "tasks", "trips", "shifts"),
           ("{a} takes {v} hours.", "{a} is {v} hours long.", "for {a} it's {v} hours."),
           ("{a} is the shortest.", "the quickest one is {a}."), ("{a} is the longest.", "none takes longer than {a}."),
           "{a} is the {r} longest.",
           ("{a} takes {d} hours more than {b}.", "{b} is {d} hours shorter than {a}."),
           ("{a} takes longer than {b}.", "{b} is shorter than {a}."),
           ("together they take {v} hours.", "that is {v} hours in all."), ("on average they take {v} hours.",),
           ("{q} of them take more than {v} hours.",), ("{q} of them take less than {v} hours.",)),
    Column("stock", ("products", "parts", "books"),
           ("{v} of {a} are in stock.", "there are {v} pieces of {a}.", "{a} has {v} left."),
           ("{a} has the lowest stock.", "there is least of {a}."), ("{a} has the highest stock.", "there is most of {a}."),
           "{a} has the {r} highest stock.",
           ("there are {d} more pieces of {a} than of {b}.", "{b} has {d} fewer pieces than {a}."),
           ("there is more of {a} than of {b}.", "{b} has a lower stock than {a}."),
           ("in all there are {v} pieces.", "the stock adds up to {v} pieces."), ("the average stock is {v}.",),
           ("of {q} there are more than {v} pieces.",), ("of {q} there are fewer than {v} pieces.",)),
    Column("age", ("people", "members", "players"),
           ("{a} is {v} years old.", "{a} is {v}.", "{v} is the age of {a}."),
           ("{a} is the youngest.", "nobody is younger than {a}."), ("{a} is the oldest.", "nobody is older than {a}."),
           "{a} is the {r} oldest.",
           ("{a} is {d} years older than {b}.", "{b} is {d} years younger than {a}."),
           ("{a} is older than {b}.", "{b} is younger than {a}."),
           (), ("their average age is {v}.", "on average they are {v} years old."),
           ("{q} of them are older than {v}.", "{q} are over {v}."), ("{q} of them are younger than {v}.", "{q} are under {v}.")),
    Column("errors", ("services", "files", "builds"),
           ("{a} has {v} errors.", "{v} errors were found in {a}.", "in {a} there are {v} errors."),
           ("{a} has the fewest errors.",), ("{a} has the most errors.", "nothing has more errors than {a}."),
           "{a} has the {r} most errors.",
           ("{a} has {d} more errors than {b}.",), ("{a} has more errors than {b}.", "{b} has fewer errors than {a}."),
           ("there are {v} errors in all.", "altogether {v} errors were found."), ("there are {v} errors each on average.",),
           ("{q} of them have more than {v} errors.",), ("{q} of them have fewer than {v} errors.",)),
    Column("latency_ms", ("servers", "routes", "endpoints"),
           ("{a} answers in {v} ms.", "the latency of {a} is {v} ms.", "{a} is at {v} ms."),
           ("{a} is the fastest.", "none answers faster than {a}."), ("{a} is the slowest.", "none is slower than {a}."),
           "{a} is the {r} slowest.",
           ("{a} is {d} ms slower than {b}.", "{b} is {d} ms faster than {a}."),
           ("{a} is slower than {b}.", "{b} is faster than {a}."),
           (), ("the average latency is {v} ms.",),
           ("{q} of them take more than {v} ms.",), ("{q} of them stay under {v} ms.",)),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of named things with one column of distinct numbers."""

    kind: str
    column: Column
    rows: Rows

    @property
    def names(self) -> list[str]:
        return [str(row["name"]) for row in self.rows]

    @property
    def values(self) -> list[int]:
        return [int(row[self.column.key]) for row in self.rows]

    def ranked(self) -> list[int]:
        """The places of the rows, highest value first."""
        values = self.values
        return sorted(range(len(values)), key=lambda n: -values[n])


def table_of(
    rng: random.Random, least: int = 3, most: int = 6, column: Column | None = None
) -> Table:
    column = column or rng.choice(COLUMNS)
    kind = rng.choice(column.kinds)
    pool: Sequence[str] = OBJECTS
    if kind in PERSONS:
        pool = PEOPLE
    elif kind in PLACES:
        pool = CITIES
    names = rng.sample(pool, rng.randint(least, most))
    values = rng.sample(range(18 if column.key == "age" else 3, 99), len(names))
    rows: Rows = [
        {"name": name, column.key: value} for name, value in zip(names, values, strict=True)
    ]
    if rng.random() < 0.4:
        key, choices = rng.choice(
            (
                ("category", ("basic", "standard", "plus")),
                ("code", ("K1", "K2", "M4", "T7")),
                ("year", (2024, 2025, 2026)),
            )
        )
        for row in rows:
            row[key] = rng.choice(choices)
    return Table(kind, column, rows)


def _call(rng: random.Random, kind: str) -> tuple[str, Fields]:
    verb = rng.choice(("list", "list", "search", "get", "query", "fetch"))
    arguments: Fields = rng.choice(({}, {}, {"limit": 20}, {"sort": "name"}))
    return f"{verb}_{kind}", arguments


def rows_case(
    rng: random.Random, kind: str, holds: Rows, fails: Rows, claim: str, keys: Sequence[str]
) -> Case:
    """The two lists in one shape."""
    tool, arguments = _call(rng, kind)
    named = rng.choice(("name", "name", "title", singular(kind)))
    style = rng.choice(("bare", "under", "under", "text", "bare", "keyed"))
    under = rng.choice((kind, "items", "results", "rows"))

    def shape(rows: Rows) -> Any:
        shown = [
            {named if key == "name" else key: value for key, value in row.items()} for row in rows
        ]
        flat = all(not isinstance(value, (list, dict)) for row in rows for value in row.values())
        if style == "text" and flat:
            head = ",".join(shown[0])
            return "\n".join([head, *(",".join(_cell(v) for v in row.values()) for row in shown)])
        if style == "keyed":
            return {str(row["name"]): {k: v for k, v in row.items() if k != "name"} for row in rows}
        return shown if style == "bare" else {under: shown}

    return Case(
        (Call(tool, arguments, shape(holds)),),
        (Call(tool, arguments, shape(fails)),),
        claim,
        keys=frozenset(keys),
    )


def _cell(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def swapped(rows: Rows, one: int, two: int, key: str) -> Rows:
    changed = [dict(row) for row in rows]
    changed[one][key], changed[two][key] = changed[two][key], changed[one][key]
    return changed


def changed(rows: Rows, at: int, **fields: Any) -> Rows:
    return [row | fields if n == at else row for n, row in enumerate(rows)]


def said_count(rng: random.Random, count: int) -> str:
    return COUNTED[count] if rng.random() < 0.7 else str(count)
