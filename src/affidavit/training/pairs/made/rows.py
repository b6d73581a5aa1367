"""Claims about the rows of a list: the two lists have values exchanged, one value changed, or one row more."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from affidavit.training.pairs.made.case import Call, Case, Fields
from affidavit.training.pairs.made.saying import counted, listed, other, singular
from affidavit.training.pairs.made.words import CITIES, COUNTED, OBJECTS, ORDINALS, PEOPLE

Rows: TypeAlias = list[Fields]

_PERSONS = frozenset({"people", "students", "applicants", "members", "players"})
_PLACES = frozenset({"cities", "stations", "branches"})


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


_COLUMNS = (
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


def _table(rng: random.Random, least: int = 3, most: int = 6, column: Column | None = None) -> Table:
    column = column or rng.choice(_COLUMNS)
    kind = rng.choice(column.kinds)
    pool: Sequence[str] = OBJECTS
    if kind in _PERSONS:
        pool = PEOPLE
    elif kind in _PLACES:
        pool = CITIES
    names = rng.sample(pool, rng.randint(least, most))
    values = rng.sample(range(18 if column.key == "age" else 3, 99), len(names))
    rows: Rows = [{"name": name, column.key: value} for name, value in zip(names, values, strict=True)]
    if rng.random() < 0.4:
        key, choices = rng.choice((("category", ("basic", "standard", "plus")), ("code", ("K1", "K2", "M4", "T7")), ("year", (2024, 2025, 2026))))
        for row in rows:
            row[key] = rng.choice(choices)
    return Table(kind, column, rows)


def _call(rng: random.Random, kind: str) -> tuple[str, Fields]:
    verb = rng.choice(("list", "list", "search", "get", "query", "fetch"))
    arguments: Fields = rng.choice(({}, {}, {"limit": 20}, {"sort": "name"}))
    return f"{verb}_{kind}", arguments


def _case(
    rng: random.Random, kind: str, holds: Rows, fails: Rows, claim: str, keys: Sequence[str]
) -> Case:
    """The two lists in one shape."""
    tool, arguments = _call(rng, kind)
    named = rng.choice(("name", "name", "title", singular(kind)))
    style = rng.choice(("bare", "under", "under", "text", "bare", "keyed"))
    under = rng.choice((kind, "items", "results", "rows"))

    def shape(rows: Rows) -> Any:
        shown = [{named if key == "name" else key: value for key, value in row.items()} for row in rows]
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


def _swapped(rows: Rows, one: int, two: int, key: str) -> Rows:
    changed = [dict(row) for row in rows]
    changed[one][key], changed[two][key] = changed[two][key], changed[one][key]
    return changed


def _with(rows: Rows, at: int, **fields: Any) -> Rows:
    return [row | fields if n == at else row for n, row in enumerate(rows)]


def of_row(rng: random.Random) -> Case:
    """The value of one row, against that of another."""
    table = _table(rng)
    one, two = rng.sample(range(len(table.rows)), 2)
    key = table.column.key
    claim = rng.choice(table.column.value).format(a=table.names[one], v=table.values[one])
    return _case(rng, table.kind, table.rows, _swapped(table.rows, one, two, key), claim, [key])


def by_second_field(rng: random.Random) -> Case:
    """A row named by a second field, against the value of another row."""
    table = _table(rng)
    if table.kind in _PERSONS | _PLACES:
        return by_second_field(rng)
    field, pool, ones = rng.choice((
        ("city", [*CITIES], ("the one in {x}", "the one located in {x}")),
        ("owner", [*PEOPLE], ("the one owned by {x}", "the one that {x} owns")),
        ("colour", ["red", "blue", "green", "black", "white", "yellow"], ("the {x} one",)),
        ("code", [f"{a}{n}" for a in "KMT" for n in range(11, 40)], ("the one with the code {x}",)),
    ))  # fmt: skip
    for row, value in zip(table.rows, rng.sample(pool, len(table.rows)), strict=True):
        row[field] = value
    one, two = rng.sample(range(len(table.rows)), 2)
    key = table.column.key
    said = rng.choice(ones).format(x=table.rows[one][field])
    if rng.random() < 0.3 and field != "colour":
        claim = f"{said} is {table.names[one]}."
        fails = _swapped(table.rows, one, two, field)
    else:
        wording = rng.choice([text for text in table.column.value if text.startswith("{a} ")] or [table.column.value[0]])
        claim = wording.format(a=said, v=table.values[one])
        fails = _swapped(table.rows, one, two, rng.choice((key, field)))
    return _case(rng, table.kind, table.rows, fails, claim, [key, field])


def extreme(rng: random.Random) -> Case:
    """Which row is highest or lowest, against another row."""
    table = _table(rng)
    ranked = table.ranked()
    high = rng.random() < 0.5
    one = ranked[0] if high else ranked[-1]
    two = rng.choice([n for n in ranked if n != one])
    words = table.column.highest if high else table.column.lowest
    claim = rng.choice(words).format(a=table.names[one])
    key = table.column.key
    return _case(rng, table.kind, table.rows, _swapped(table.rows, one, two, key), claim, [key])


def rank(rng: random.Random) -> Case:
    """The second or third highest, against a row of another rank."""
    table = _table(rng, least=4)
    ranked = table.ranked()
    place = rng.choice((1, 1, 2))
    one = ranked[place]
    two = rng.choice([n for n in ranked if n != one])
    claim = table.column.ranked.format(a=table.names[one], r=ORDINALS[place])
    key = table.column.key
    return _case(rng, table.kind, table.rows, _swapped(table.rows, one, two, key), claim, [key])


def sorted_names(rng: random.Random) -> Case:
    """The first three from above or below, against two of them exchanged."""
    table = _table(rng, least=3, most=5)
    ranked = table.ranked()
    down = rng.random() < 0.5
    order = (ranked if down else ranked[::-1])[:3]
    noun = table.column.key.split("_")[0]
    way = "from the highest down" if down else "from the lowest up"
    claim = f"by {noun}, {way}, the first three are {listed([table.names[n] for n in order])}."
    one, two = rng.sample(order, 2)
    key = table.column.key
    return _case(rng, table.kind, table.rows, _swapped(table.rows, one, two, key), claim, [key])


def difference(rng: random.Random) -> Case:
    """By how much one row is above another, or that it is, against the two exchanged or another distance."""
    table = _table(rng)
    one, two = rng.sample(range(len(table.rows)), 2)
    if table.values[one] < table.values[two]:
        one, two = two, one
    gap = table.values[one] - table.values[two]
    words = table.column.more if rng.random() < 0.5 else table.column.ahead
    claim = rng.choice(words).format(a=table.names[one], b=table.names[two], d=gap)
    key = table.column.key
    fails = _swapped(table.rows, one, two, key)
    if words is table.column.more and rng.random() < 0.4:
        fails = _with(table.rows, one, **{key: table.values[one] + rng.choice((2, 3, 5, 10))})
    return _case(rng, table.kind, table.rows, fails, claim, [key])


def total(rng: random.Random) -> Case:
    """The sum of all rows, against one value changed."""
    table = _table(rng, column=rng.choice([column for column in _COLUMNS if column.total]))
    claim = rng.choice(table.column.total).format(v=sum(table.values))
    at = rng.randrange(len(table.rows))
    key = table.column.key
    fails = _with(table.rows, at, **{key: table.values[at] + rng.choice((-2, 3, 5, 10, -1))})
    if rng.random() < 0.3 and len(table.rows) > 3:
        fails = table.rows[:at] + table.rows[at + 1 :]
    return _case(rng, table.kind, table.rows, fails, claim, [key])


def mean(rng: random.Random) -> Case:
    """The average of all rows, against one value changed."""
    table = _table(rng)
    key = table.column.key
    over = sum(table.values) % len(table.rows)
    rows = _with(table.rows, 0, **{key: table.values[0] + (len(table.rows) - over) % len(table.rows)})
    average = sum(row[key] for row in rows) // len(rows)
    claim = rng.choice(table.column.mean).format(v=average)
    at = rng.randrange(len(rows))
    fails = _with(rows, at, **{key: rows[at][key] + len(rows) * rng.choice((2, 3))})
    return _case(rng, table.kind, rows, fails, claim, [key])


def over_limit(rng: random.Random) -> Case:
    """How many rows lie above or below a limit, against one more or fewer."""
    table = _table(rng, least=4)
    ordered = sorted(table.values)
    gaps = [n for n in range(1, len(ordered)) if ordered[n] - ordered[n - 1] > 2]
    if not gaps:
        return over_limit(rng)
    cut = rng.choice(gaps)
    limit = rng.randint(ordered[cut - 1] + 1, ordered[cut] - 1)
    above = rng.random() < 0.5
    count = len(ordered) - cut if above else cut
    words = table.column.over if above else table.column.under
    claim = rng.choice(words).format(q=_count(rng, count), v=limit)
    if count == 1:
        claim = _singular(claim)
    at = rng.randrange(len(table.rows))
    is_above = table.values[at] > limit
    moved = limit - rng.randint(1, 2) if is_above else limit + rng.randint(1, 9)
    key = table.column.key
    return _case(rng, table.kind, table.rows, _with(table.rows, at, **{key: max(moved, 0)}), claim, [key])


_ONE = {"cost": "costs", "are": "is", "have": "has", "take": "takes", "stay": "stays"}


def _singular(claim: str) -> str:
    return " ".join(_ONE.get(word, word) if n < 4 else word for n, word in enumerate(claim.split(" ")))


def _count(rng: random.Random, count: int) -> str:
    return COUNTED[count] if rng.random() < 0.7 else str(count)


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
    if kind in _PERSONS:
        return _OF_ALL + _OF_PEOPLE
    if kind in _PLACES:
        return _OF_ALL
    if kind in ("products", "parts", "books"):
        return _OF_ALL + _OF_GOODS
    if kind in ("servers", "services", "builds"):
        return _OF_ALL + _OF_MACHINES
    return _OF_ALL + _OF_THINGS


def _marked(
    rng: random.Random, least: int = 3, most: int = 6, column: Column | None = None
) -> tuple[Table, str, tuple[Any, Any], tuple[str, str]]:
    table = _table(rng, least, most, column)
    key, values, words = rng.choice(_marks(table.kind))
    for row in table.rows:
        row[key] = rng.choice(values)
    return table, key, values, words


def _turned(rows: Rows, at: int, key: str, values: tuple[Any, Any]) -> Rows:
    return _with(rows, at, **{key: values[1] if rows[at][key] == values[0] else values[0]})


def count(rng: random.Random) -> Case:
    """How many rows are so, against one more or fewer."""
    table, key, values, words = _marked(rng)
    side = rng.randrange(2)
    size = len(table.rows)
    number = sum(row[key] == values[side] for row in table.rows)
    word = words[side]
    are = "is" if number == 1 else "are"
    if key == "result":
        are, word = "have" if number != 1 else "has", word
    if number == 0:
        claim = rng.choice((f"none of them {'has' if key == 'result' else 'is'} {word}.", f"not one of them {'has' if key == 'result' else 'is'} {word}."))
    elif number == size:
        claim = rng.choice((f"all of them {are} {word}.", f"every one of them {'has' if key == 'result' else 'is'} {word}.", f"all {size} {are} {word}."))
    else:
        said = _count(rng, number)
        claim = rng.choice((f"{said} of them {are} {word}.", f"{said} of the {size} {are} {word}.", f"of the {size}, {said} {are} {word}.",
                            f"there {'is' if number == 1 else 'are'} {said} that {are} {word}."))  # fmt: skip
    at = rng.randrange(size)
    return _case(rng, table.kind, table.rows, _turned(table.rows, at, key, values), claim, [key])


def quantified(rng: random.Random) -> Case:
    """Only, both, neither, all but, at least one: against one row turned."""
    table, key, values, words = _marked(rng, 3, 6)
    word = words[0]
    has = key == "result"
    is_, are = ("has", "have") if has else ("is", "are")
    size = len(table.rows)
    one, two, *rest = rng.sample(range(size), size)
    names = table.names

    def marked(so: Sequence[int]) -> Rows:
        return [row | {key: values[0] if n in so else values[1]} for n, row in enumerate(table.rows)]

    style = rng.choice(("only", "all_but", "both", "neither", "some", "only_two", "not_all", "except_two", "which"))
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
            claim, so = f"everything except {names[one]} and {names[two]} {is_} {word}.", rest
            wrong = [*rest, rng.choice((one, two))]
        case _:
            claim, so = f"those that {are} {word}: {listed(sorted(names[n] for n in (one, two)))}.", [one, two]
            wrong = rng.choice(([one, rest[0]], [two], [one, two, rest[0]]))
    return _case(rng, table.kind, marked(so), marked(wrong), claim, [key])


_SUMMED = {"price_eur": "€{}", "guests": "{} guests", "sales": "{} sales", "stock": "{} pieces", "errors": "{} errors",
           "hours": "{} hours"}  # fmt: skip


def some_sum(rng: random.Random) -> Case:
    """The sum of the rows that are so, against a row that is or is not."""
    column = rng.choice([column for column in _COLUMNS if column.key in _SUMMED])
    table, key, values, words = _marked(rng, 3, 5, column)
    rows = table.rows
    one, two, *rest = rng.sample(range(len(rows)), len(rows))
    rows = [row | {key: values[0] if n in (one, two) else values[1]} for n, row in enumerate(rows)]
    value = rows[one][column.key] + rows[two][column.key]
    noun = _SUMMED[column.key].format(value)
    verb = "have" if key == "result" else "are"
    claim = rng.choice((f"those that {verb} {words[0]} come to {noun} together.", f"the two that {verb} {words[0]} add up to {noun}."))
    fails = rng.choice((_turned(rows, one, key, values), _turned(rows, rest[0], key, values),
                        _with(rows, two, **{column.key: rows[two][column.key] + 4})))  # fmt: skip
    return _case(rng, table.kind, rows, fails, claim, [key, column.key])


def position(rng: random.Random) -> Case:
    """First, last, next or before in a list, against two rows exchanged."""
    table = _table(rng, least=4)
    rows = table.rows
    numbered = rng.random() < 0.5
    size = len(rows)
    at = rng.randrange(size - 1)
    names = table.names
    what = rng.choice(("agenda", "queue", "playlist", "route", "waiting_list"))
    lines: Rows = [{"name": row["name"]} for row in rows]
    words = [
        (f"{names[0]} comes first.", 0),
        (f"first on the list is {names[0]}.", 0),
        (f"{names[-1]} comes last.", size - 1),
        (f"{names[at + 1]} comes right after {names[at]}.", at),
        (f"after {names[at]} it's the turn of {names[at + 1]}.", at),
        (f"{names[at]} comes just before {names[at + 1]}.", at + 1),
        (f"{names[2]} is {ORDINALS[2]} on the list.", 2),
        (f"number two is {names[1]}.", 1),
    ]
    claim, one = rng.choice(words)
    two = rng.choice([n for n in range(size) if n != one])
    fails = _swapped(lines, one, two, "name")
    if numbered:
        lines = [{"position": n + 1} | row for n, row in enumerate(lines)]
        fails = [{"position": n + 1} | row for n, row in enumerate(fails)]
    return _listed_case(rng, what, lines, fails, claim)


def _listed_case(rng: random.Random, what: str, holds: Rows, fails: Rows, claim: str) -> Case:
    tool = f"{rng.choice(('get', 'show', 'read'))}_{what}"
    bare = rng.random() < 0.4 and all(len(row) == 1 for row in holds)
    under = rng.choice(("items", "entries", what))

    def shape(rows: Rows) -> Any:
        return {under: [row["name"] for row in rows] if bare else rows}

    return Case((Call(tool, {}, shape(holds)),), (Call(tool, {}, shape(fails)),), claim, keys=frozenset(("name", "position", under)))


def member(rng: random.Random) -> Case:
    """Whether a name is on a list, against a list with or without it; how many there are."""
    what, nouns = rng.choice((("guest_list", "guests"), ("allowlist", "entries"), ("team", "members"), ("shopping_list", "items"), ("watchlist", "titles")))
    people = what in ("guest_list", "team")
    names = rng.sample(PEOPLE if people else OBJECTS, rng.randint(4, 8))
    *inside, beyond = names
    one = rng.choice(inside)
    said = what.replace("_", " ")
    less: Rows = [{"name": name} for name in inside if name != one]
    full: Rows = [{"name": name} for name in inside]
    more: Rows = [{"name": name} for name in rng.sample(names, len(names))]
    size = len(inside)
    claim, holds, fails = rng.choice((
        (f"{one} is on the {said}.", full, less),
        (f"the {said} has {one} on it.", full, less),
        (f"{one} is not on the {said}.", less, full),
        (f"{beyond} isn't on the {said}.", full, more),
        (f"there is no {beyond} on the {said}.", full, more),
        (f"{one} is on the {said}, {beyond} is not.", full, rng.choice((less, more))),
        (f"there are {counted(rng, size)} {nouns} on the {said}.", full, rng.choice((less, more))),
        (f"the {said} has {counted(rng, size)} {nouns}.", full, rng.choice((less, more))),
    ))  # fmt: skip
    return _listed_case(rng, what, holds, fails, claim)


def nested_count(rng: random.Random) -> Case:
    """How many entries lie within each row, against another number of them."""
    kind, key, noun = rng.choice((("orders", "items", "item"), ("teams", "members", "member"), ("albums", "tracks", "track"),
                                  ("houses", "tenants", "tenant"), ("folders", "files", "file")))  # fmt: skip
    names = rng.sample(OBJECTS, rng.randint(2, 3))
    pool = rng.sample(PEOPLE if key in ("members", "tenants") else [f"{noun} {letter}" for letter in "ABCDEFGHKLMN"], 12)
    sizes = rng.sample(range(1, 6), len(names))
    rows: Rows = [{"name": name, key: pool[:size]} for name, size in zip(names, sizes, strict=True)]
    ranked = sorted(range(len(names)), key=lambda n: -sizes[n])
    most, second = ranked[0], ranked[1]
    one = rng.randrange(len(names))
    plural = noun if sizes[one] == 1 else f"{noun}s"
    number = counted(rng, sizes[one])
    two = rng.choice([n for n in range(len(names)) if n != one])
    swapped = _swapped(rows, one, two, key)
    claim, fails = rng.choice((
        (f"{names[one]} has {number} {plural}.", swapped),
        (f"there {'is' if sizes[one] == 1 else 'are'} {number} {plural} in {names[one]}.", swapped),
        (f"{names[most]} has the most {key}.", _swapped(rows, most, second, key)),
        (f"{names[most]} has more {key} than {names[second]}.", _swapped(rows, most, second, key)),
        (f"together they have {sum(sizes)} {key}.", _with(rows, one, **{key: pool[: sizes[one] + rng.choice((1, 2))]})),
    ))  # fmt: skip
    return _case(rng, kind, rows, fails, claim, [key])


def across_calls(rng: random.Random) -> Case:
    """Two objects from a call each, compared or added, against the two values exchanged or one changed."""
    table = _table(rng, 2, 2)
    column, names = table.column, table.names
    one, two = (0, 1) if table.values[0] > table.values[1] else (1, 0)
    key = column.key
    kind = singular(table.kind)
    high, low = table.values[one], table.values[two]
    tool = f"get_{kind}"
    argument = rng.choice(("name", "query", kind))
    style = rng.choice(("more", "ahead", "own", "total") if column.total else ("more", "ahead", "own"))
    match style:
        case "more":
            claim = rng.choice(column.more).format(a=names[one], b=names[two], d=high - low)
        case "ahead":
            claim = rng.choice(column.ahead).format(a=names[one], b=names[two])
        case "own":
            claim = rng.choice(column.value).format(a=names[one], v=high)
        case _:
            claim = rng.choice(column.total).format(v=high + low).replace("all of them together", f"{names[0]} and {names[1]}")
            claim = claim.replace("together they", f"together {names[0]} and {names[1]}")
    echoed = rng.random() < 0.6

    def calls(values: Sequence[int]) -> tuple[Call, ...]:
        return tuple(
            Call(tool, {argument: name}, ({"name": name} if echoed else {}) | {key: value})
            for name, value in zip(names, values, strict=True)
        )

    wrong = table.values[::-1] if style != "total" else [table.values[0] + rng.choice((3, 5, 10)), table.values[1]]
    return Case(calls(table.values), calls(wrong), claim, keys=frozenset((key,)))


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
        (f"{_count(rng, number)} of them {'has' if number == 1 else 'have'} the {key} {group}.",
         _with(rows, at, **{key: other(group, lambda: rng.choice(groups))})),
        (f"the {key} {group} occurs {'once' if number == 1 else 'twice' if number == 2 else 'three times'}.",
         _with(rows, at, **{key: other(group, lambda: rng.choice(groups))})),
        (f"the most common {key} is {most}.", _regrouped(rows, key, most, least)),
        (f"only one has the {key} {least}.", _with(rows, one, **{key: least})),
    ))  # fmt: skip
    return _case(rng, kind, rows, fails, claim, [key])


def _regrouped(rows: Rows, key: str, one: str, two: str) -> Rows:
    turn = {one: two, two: one}
    return [row | {key: turn.get(row[key], row[key])} for row in rows]
