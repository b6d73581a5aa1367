"""Claims about the numbers of a list: the two lists have values exchanged, one value changed, or one row more."""

from __future__ import annotations

import random
from collections.abc import Sequence

from affidavit.training.pairs.made.case import Call, Case
from affidavit.training.pairs.made.saying import listed, singular
from affidavit.training.pairs.made.tables import (
    COLUMNS,
    PERSONS,
    PLACES,
    changed,
    rows_case,
    said_count,
    swapped,
    table_of,
)
from affidavit.training.pairs.made.words import CITIES, ORDINALS, PEOPLE


def of_row(rng: random.Random) -> Case:
    """The value of one row, against that of another."""
    table = table_of(rng)
    one, two = rng.sample(range(len(table.rows)), 2)
    key = table.column.key
    claim = rng.choice(table.column.value).format(a=table.names[one], v=table.values[one])
    return rows_case(rng, table.kind, table.rows, swapped(table.rows, one, two, key), claim, [key])


def by_second_field(rng: random.Random) -> Case:
    """A row named by a second field, against the value of another row."""
    table = table_of(rng)
    if table.kind in PERSONS | PLACES:
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
        fails = swapped(table.rows, one, two, field)
    else:
        wording = rng.choice(
            [text for text in table.column.value if text.startswith("{a} ")]
            or [table.column.value[0]]
        )
        claim = wording.format(a=said, v=table.values[one])
        fails = swapped(table.rows, one, two, rng.choice((key, field)))
    return rows_case(rng, table.kind, table.rows, fails, claim, [key, field])


def extreme(rng: random.Random) -> Case:
    """Which row is highest or lowest, against another row."""
    table = table_of(rng)
    ranked = table.ranked()
    high = rng.random() < 0.5
    one = ranked[0] if high else ranked[-1]
    two = rng.choice([n for n in ranked if n != one])
    words = table.column.highest if high else table.column.lowest
    claim = rng.choice(words).format(a=table.names[one])
    key = table.column.key
    return rows_case(rng, table.kind, table.rows, swapped(table.rows, one, two, key), claim, [key])


def rank(rng: random.Random) -> Case:
    """The second or third highest, against a row of another rank."""
    table = table_of(rng, least=4)
    ranked = table.ranked()
    place = rng.choice((1, 1, 2))
    one = ranked[place]
    two = rng.choice([n for n in ranked if n != one])
    claim = table.column.ranked.format(a=table.names[one], r=ORDINALS[place])
    key = table.column.key
    return rows_case(rng, table.kind, table.rows, swapped(table.rows, one, two, key), claim, [key])


def sorted_names(rng: random.Random) -> Case:
    """The first three from above or below, against two of them exchanged."""
    table = table_of(rng, least=3, most=5)
    ranked = table.ranked()
    down = rng.random() < 0.5
    order = (ranked if down else ranked[::-1])[:3]
    noun = table.column.key.split("_")[0]
    way = "from the highest down" if down else "from the lowest up"
    claim = f"by {noun}, {way}, the first three are {listed([table.names[n] for n in order])}."
    one, two = rng.sample(order, 2)
    key = table.column.key
    return rows_case(rng, table.kind, table.rows, swapped(table.rows, one, two, key), claim, [key])


def difference(rng: random.Random) -> Case:
    """By how much one row is above another, or that it is, against the two exchanged or another distance."""
    table = table_of(rng)
    one, two = rng.sample(range(len(table.rows)), 2)
    if table.values[one] < table.values[two]:
        one, two = two, one
    gap = table.values[one] - table.values[two]
    if gap == 1:
        return difference(rng)  # the wordings are for several
    words = table.column.more if rng.random() < 0.5 else table.column.ahead
    claim = rng.choice(words).format(a=table.names[one], b=table.names[two], d=gap)
    key = table.column.key
    fails = swapped(table.rows, one, two, key)
    if words is table.column.more and rng.random() < 0.4:
        fails = changed(table.rows, one, **{key: table.values[one] + rng.choice((2, 3, 5, 10))})
    return rows_case(rng, table.kind, table.rows, fails, claim, [key])


def total(rng: random.Random) -> Case:
    """The sum of all rows, against one value changed."""
    table = table_of(rng, column=rng.choice([column for column in COLUMNS if column.total]))
    claim = rng.choice(table.column.total).format(v=sum(table.values))
    at = rng.randrange(len(table.rows))
    key = table.column.key
    fails = changed(table.rows, at, **{key: table.values[at] + rng.choice((-2, 3, 5, 10, -1))})
    if rng.random() < 0.3 and len(table.rows) > 3:
        fails = table.rows[:at] + table.rows[at + 1 :]
    return rows_case(rng, table.kind, table.rows, fails, claim, [key])


def mean(rng: random.Random) -> Case:
    """The average of all rows, against one value changed."""
    table = table_of(rng)
    key = table.column.key
    over = sum(table.values) % len(table.rows)
    rows = changed(
        table.rows, 0, **{key: table.values[0] + (len(table.rows) - over) % len(table.rows)}
    )
    average = sum(row[key] for row in rows) // len(rows)
    claim = rng.choice(table.column.mean).format(v=average)
    at = rng.randrange(len(rows))
    fails = changed(rows, at, **{key: rows[at][key] + len(rows) * rng.choice((2, 3))})
    return rows_case(rng, table.kind, rows, fails, claim, [key])


def over_limit(rng: random.Random) -> Case:
    """How many rows lie above or below a limit, against one more or fewer."""
    table = table_of(rng, least=4)
    ordered = sorted(table.values)
    gaps = [n for n in range(1, len(ordered)) if ordered[n] - ordered[n - 1] > 2]
    if not gaps:
        return over_limit(rng)
    cut = rng.choice(gaps)
    limit = rng.randint(ordered[cut - 1] + 1, ordered[cut] - 1)
    above = rng.random() < 0.5
    count = len(ordered) - cut if above else cut
    words = table.column.over if above else table.column.under
    claim = rng.choice(words).format(q=said_count(rng, count), v=limit)
    if count == 1:
        claim = _singular(claim)
    at = rng.randrange(len(table.rows))
    is_above = table.values[at] > limit
    moved = limit - rng.randint(1, 2) if is_above else limit + rng.randint(1, 9)
    key = table.column.key
    return rows_case(
        rng, table.kind, table.rows, changed(table.rows, at, **{key: max(moved, 0)}), claim, [key]
    )


_ONE = {"cost": "costs", "are": "is", "have": "has", "take": "takes", "stay": "stays"}


def _singular(claim: str) -> str:
    return " ".join(
        _ONE.get(word, word) if n < 4 else word for n, word in enumerate(claim.split(" "))
    )


def across_calls(rng: random.Random) -> Case:
    """Two objects from a call each, compared or added, against the two values exchanged or one changed."""
    table = table_of(rng, 2, 2)
    column, names = table.column, table.names
    one, two = (0, 1) if table.values[0] > table.values[1] else (1, 0)
    key = column.key
    kind = singular(table.kind)
    high, low = table.values[one], table.values[two]
    tool = f"get_{kind}"
    argument = rng.choice(("name", "query", kind))
    style = rng.choice(
        ("more", "ahead", "own", "total") if column.total else ("more", "ahead", "own")
    )
    match style:
        case "more":
            claim = rng.choice(column.more).format(a=names[one], b=names[two], d=high - low)
        case "ahead":
            claim = rng.choice(column.ahead).format(a=names[one], b=names[two])
        case "own":
            claim = rng.choice(column.value).format(a=names[one], v=high)
        case _:
            claim = (
                rng.choice(column.total)
                .format(v=high + low)
                .replace("all of them together", f"{names[0]} and {names[1]}")
            )
            claim = claim.replace("together they", f"together {names[0]} and {names[1]}")
    echoed = rng.random() < 0.6

    def calls(values: Sequence[int]) -> tuple[Call, ...]:
        return tuple(
            Call(tool, {argument: name}, ({"name": name} if echoed else {}) | {key: value})
            for name, value in zip(names, values, strict=True)
        )

    wrong = (
        table.values[::-1]
        if style != "total"
        else [table.values[0] + rng.choice((3, 5, 10)), table.values[1]]
    )
    return Case(calls(table.values), calls(wrong), claim, keys=frozenset((key,)))


def ratio(rng: random.Random) -> Case:
    """So many times another row, against the two exchanged or another multiple."""
    table = table_of(rng)
    key = table.column.key
    one, two = rng.sample(range(len(table.rows)), 2)
    factor, words = rng.choice(((2, "twice"), (3, "three times"), (4, "four times")))
    base = rng.randint(3, 24)
    rows = changed(changed(table.rows, two, **{key: base}), one, **{key: base * factor})
    noun = key.removesuffix("_eur").removesuffix("_km").removesuffix("_ms")
    noun = f"number of {noun}" if noun.endswith("s") else noun
    claim = rng.choice((f"the {noun} of {table.names[one]} is {words} that of {table.names[two]}.",
                        f"as to {noun}, {table.names[one]} has {words} what {table.names[two]} has."))  # fmt: skip
    if factor == 2 and rng.random() < 0.4:
        claim = f"the {noun} of {table.names[two]} is half that of {table.names[one]}."
    fails = rng.choice(
        (
            swapped(rows, one, two, key),
            changed(rows, one, **{key: base * factor + rng.randint(2, base)}),
        )
    )
    return rows_case(rng, table.kind, rows, fails, claim, [key])
