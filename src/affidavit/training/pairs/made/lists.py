"""Claims about order, membership, series and nested lists: the other list has entries exchanged, one more or one less."""

from __future__ import annotations

import random
from typing import Any

from affidavit.training.pairs.made.case import Call, Case
from affidavit.training.pairs.made.saying import counted
from affidavit.training.pairs.made.tables import (
    Rows,
    changed,
    rows_case,
    swapped,
    table_of,
)
from affidavit.training.pairs.made.words import CITIES, OBJECTS, ORDINALS, PEOPLE


def position(rng: random.Random) -> Case:
    """First, last, next or before in a list, against two rows exchanged."""
    table = table_of(rng, least=4)
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
    fails = swapped(lines, one, two, "name")
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

    return Case(
        (Call(tool, {}, shape(holds)),),
        (Call(tool, {}, shape(fails)),),
        claim,
        keys=frozenset(("name", "position", under)),
    )


def member(rng: random.Random) -> Case:
    """Whether a name is on a list, against a list with or without it; how many there are."""
    what, nouns = rng.choice(
        (
            ("guest_list", "guests"),
            ("allowlist", "entries"),
            ("team", "members"),
            ("shopping_list", "items"),
            ("watchlist", "titles"),
        )
    )
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
    pool = rng.sample(
        PEOPLE
        if key in ("members", "tenants")
        else [f"{noun} {letter}" for letter in "ABCDEFGHKLMN"],
        12,
    )
    sizes = rng.sample(range(1, 6), len(names))
    rows: Rows = [{"name": name, key: pool[:size]} for name, size in zip(names, sizes, strict=True)]
    ranked = sorted(range(len(names)), key=lambda n: -sizes[n])
    most, second = ranked[0], ranked[1]
    one = rng.randrange(len(names))
    plural = noun if sizes[one] == 1 else f"{noun}s"
    number = counted(rng, sizes[one])
    two = rng.choice([n for n in range(len(names)) if n != one])
    exchanged = swapped(rows, one, two, key)
    claim, fails = rng.choice((
        (f"{names[one]} has {number} {plural}.", exchanged),
        (f"there {'is' if sizes[one] == 1 else 'are'} {number} {plural} in {names[one]}.", exchanged),
        (f"{names[most]} has the most {key}.", swapped(rows, most, second, key)),
        (f"{names[most]} has more {key} than {names[second]}.", swapped(rows, most, second, key)),
        (f"together they have {sum(sizes)} {key}.", changed(rows, one, **{key: pool[: sizes[one] + rng.choice((1, 2))]})),
    ))  # fmt: skip
    return rows_case(rng, kind, rows, fails, claim, [key])


_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def series(rng: random.Random) -> Case:
    """When a series was highest or lowest, rose or fell, against two of its values exchanged."""
    key, what = rng.choice((("revenue_eur", "revenue"), ("visitors", "the number of visitors"), ("rainfall_mm", "rainfall"), ("orders", "the number of orders"),
                            ("usage_kwh", "consumption"), ("complaints", "the number of complaints")))  # fmt: skip
    size = rng.randint(3, 6)
    first = rng.randint(0, 12 - size)
    months = _MONTHS[first : first + size]
    values = rng.sample(range(20, 400), size)
    rows: Rows = [{"month": month, key: value} for month, value in zip(months, values, strict=True)]
    if rng.random() < 0.4:
        rows = [
            {"month": f"2026-{first + n + 1:02d}", key: value} for n, value in enumerate(values)
        ]
    top, low = values.index(max(values)), values.index(min(values))
    at = rng.randrange(size - 1)
    one, two = rng.sample(range(size), 2)
    if values[one] < values[two]:
        one, two = two, one
    rose = values[at + 1] > values[at]
    claim, places = rng.choice((
        (f"{what} was highest in {months[top]}.", (top, rng.choice([n for n in range(size) if n != top]))),
        (f"{what} peaked in {months[top]}.", (top, rng.choice([n for n in range(size) if n != top]))),
        (f"{what} was lowest in {months[low]}.", (low, rng.choice([n for n in range(size) if n != low]))),
        (f"{what} {'rose' if rose else 'fell'} from {months[at]} to {months[at + 1]}.", (at, at + 1)),
        (f"{months[at + 1]} was {'better' if rose else 'worse'} than {months[at]} as to {what}." if key == "revenue_eur" else
         f"{what} was {'higher' if rose else 'lower'} in {months[at + 1]} than in {months[at]}.", (at, at + 1)),
        (f"in {months[one]}, {what} was {values[one]}.", (one, two)),
        (f"{what} was {values[one] - values[two]} higher in {months[one]} than in {months[two]}.", (one, two)),
    ))  # fmt: skip
    fails = swapped(rows, *places, key)
    tool = rng.choice(("get_monthly_report", "monthly_stats", "query_metrics", "get_history"))
    under = rng.choice(("months", "data", "series"))
    bare = rng.random() < 0.5

    def call(shown: Rows) -> Call:
        return Call(tool, {"metric": key}, shown if bare else {under: shown})

    return Case((call(rows),), (call(fails),), claim, keys=frozenset((key, "month")))


_EVENTS = (
    ("server_log", ("backup", "virus scan", "restart", "update", "disk check")),
    (
        "house_log",
        (
            "front door opened",
            "heating switched on",
            "lights dimmed",
            "blinds lowered",
            "alarm tested",
        ),
    ),
    (
        "ward_log",
        (
            "blood sample taken",
            "temperature measured",
            "visit of a relative",
            "X-ray",
            "change of dressing",
        ),
    ),
    ("match_log", ("yellow card", "substitution", "corner", "goal", "injury")),
    (
        "machine_log",
        ("oil changed", "filter cleaned", "belt tightened", "sensor replaced", "test run"),
    ),
)
"""Logs whose entries may come in any order."""


def log(rng: random.Random) -> Case:
    """What came first, last or before what in a log, and when, against two entries exchanged."""
    tool, pool = rng.choice(_EVENTS)
    size = rng.randint(3, 5)
    names = rng.sample(pool, size)
    minute = rng.randint(420, 700)
    rows: Rows = []
    for name in names:
        rows.append({"time": f"{minute // 60:02d}:{minute % 60:02d}", "event": name})
        minute += rng.randint(3, 95)
    at = rng.randrange(size - 1)
    one, two = rng.sample(range(size), 2)
    late = size - 1
    claim, places = rng.choice((
        (f"\"{names[at]}\" came before \"{names[at + 1]}\".", (at, at + 1)),
        (f"\"{names[at + 1]}\" came after \"{names[at]}\".", (at, at + 1)),
        (f"the last entry is \"{names[late]}\".", (late, rng.randrange(late))),
        (f"the first entry is \"{names[0]}\".", (0, rng.randint(1, late))),
        (f"\"{names[one]}\" was at {rows[one]['time']}.", (one, two)),
        (f"at {rows[one]['time']} the entry is \"{names[one]}\".", (one, two)),
        (f"\"{names[at + 1]}\" is the entry right after \"{names[at]}\".", (at, rng.choice([n for n in range(size) if n not in (at, at + 1)]))),
    ))  # fmt: skip
    fails = swapped(rows, *places, "event")
    style = rng.choice(("rows", "text", "under"))

    def call(shown: Rows) -> Call:
        lines = "\n".join(f"{row['time']} {row['event']}" for row in shown)
        result: Any = lines if style == "text" else shown if style == "rows" else {"entries": shown}
        return Call(f"get_{tool}", {}, result)

    return Case((call(rows),), (call(fails),), claim, keys=frozenset(("time", "event")))


def order_lines(rng: random.Random) -> Case:
    """Number, price and sum of the lines of an order, against number and price exchanged or another line."""
    names = rng.sample(OBJECTS, rng.randint(2, 4))
    numbers = rng.sample(range(2, 9), len(names))
    prices = rng.sample(range(10, 90), len(names))
    number_key, price_key = rng.choice(
        (
            ("quantity", "unit_price_eur"),
            ("qty", "price_each_eur"),
            ("count", "price_per_piece_eur"),
        )
    )
    rows: Rows = [
        {"name": n, number_key: q, price_key: p}
        for n, q, p in zip(names, numbers, prices, strict=True)
    ]
    one, two = rng.sample(range(len(names)), 2)
    name, number, price = names[one], numbers[one], prices[one]
    whole = sum(q * p for q, p in zip(numbers, prices, strict=True))
    exchanged = changed(rows, one, **{number_key: price, price_key: number})
    more = changed(rows, one, **{number_key: number + 1})
    claim, fails = rng.choice((
        (f"{counted(rng, number)} of {name} were ordered.", rng.choice((swapped(rows, one, two, number_key), exchanged))),
        (f"one {name} costs €{price}.", rng.choice((swapped(rows, one, two, price_key), exchanged))),
        (f"for {counted(rng, number)} of {name} that makes €{number * price}.", more),
        (f"the whole order comes to €{whole:,}.", more),
        (f"{sum(numbers)} pieces were ordered in all.", more),
        (f"the order has {counted(rng, len(names))} different items.", rows[:one] + rows[one + 1 :]),
    ))  # fmt: skip
    return rows_case(
        rng,
        rng.choice(("order_lines", "basket_items", "invoice_lines")),
        rows,
        fails,
        claim,
        [number_key, price_key],
    )


def paged(rng: random.Random) -> Case:
    """How many there are in all, and whether all are shown, against another total."""
    kind = rng.choice(("orders", "tickets", "contacts", "invoices", "messages"))
    shown: Rows = [{"name": name} for name in rng.sample(OBJECTS, rng.randint(2, 5))]
    size = len(shown)
    total = rng.randint(size + 3, 90)
    key, more_key = rng.choice(
        (("total", "has_more"), ("total_count", "next_page"), ("count_all", "truncated"))
    )
    claim, holds, fails = rng.choice((
        (f"there are {total} {kind} in all.", total, rng.choice((size, total + 5))),
        (f"these are {counted(rng, size)} out of {total} {kind}.", total, rng.choice((size, total + 7))),
        (f"there are more {kind} than the ones listed here.", total, size),
        (f"not all {kind} are listed here.", total, size),
        (f"there are only these {counted(rng, size)} {kind}.", size, total),
        (f"that is the whole list of {kind}.", size, total),
        (f"there are {counted(rng, size)} {kind} in all.", size, total),
    ))  # fmt: skip

    def call(whole: int) -> Call:
        more: Any = whole > size
        if more_key == "next_page":
            more = 2 if more else None
        return Call(f"list_{kind}", {"limit": 5}, {kind: shown, key: whole, more_key: more})

    return Case((call(holds),), (call(fails),), claim, keys=frozenset((key, kind, more_key)))


_SAID = (
    ("I can come on Thursday.", "can come on Thursday"), ("I need another day.", "needs another day"), ("The figures look fine to me.", "thinks that the figures look fine"),
    ("I'm against moving the date.", "is against moving the date"), ("I'll bring the projector.", "will bring the projector"), ("Please leave me out of this.", "wants to be left out"),
    ("I haven't received the file.", "hasn't received the file"), ("I would take the cheaper offer.", "would take the cheaper offer"), ("I'm on holiday next week.", "is on holiday next week"),
    ("We should ask the bank first.", "wants to ask the bank first"), ("I've signed the form.", "has signed the form"), ("My train is late.", "has a late train"),
)  # fmt: skip


def said_by(rng: random.Random) -> Case:
    """Who wrote what, against two writers exchanged."""
    size = rng.randint(2, 4)
    people = rng.sample(PEOPLE, size)
    said = rng.sample(_SAID, size)
    by, text = rng.choice(
        (("from", "text"), ("author", "body"), ("sender", "message"), ("user", "comment"))
    )
    rows: Rows = [
        {by: person, text: words} for person, (words, _) in zip(people, said, strict=True)
    ]
    one, two = rng.sample(range(size), 2)
    name = rng.choice((people[one], people[one].split()[0]))
    claim = rng.choice(
        (
            f"{name} {said[one][1]}.",
            f'{name} wrote: "{said[one][0]}"',
            f"the one who {said[one][1]} is {name}.",
        )
    )
    if rng.random() < 0.2:
        claim = f"{people[one]} {said[one][1]}, and {people[two]} {said[two][1]}."
    fails = swapped(rows, one, two, by)
    tool = rng.choice(("get_thread", "read_messages", "list_comments", "get_replies"))
    style = rng.choice(("rows", "text", "under"))

    def call(shown: Rows) -> Call:
        lines = "\n".join(f"{row[by]}: {row[text]}" for row in shown)
        result: Any = (
            lines if style == "text" else shown if style == "rows" else {"messages": shown}
        )
        return Call(tool, {}, result)

    return Case((call(rows),), (call(fails),), claim, keys=frozenset((by, text)))


def namesakes(rng: random.Random) -> Case:
    """One of two of the same name, told apart by a second field, against the value of the other."""
    name = rng.choice(OBJECTS)
    key, told = rng.choice(
        (
            ("price_eur", "costs €{}"),
            ("rooms", "has {} rooms"),
            ("members", "has {} members"),
            ("rating", "is rated {}"),
            ("distance_km", "is {} km away"),
        )
    )
    field, pool, said = rng.choice(
        (
            ("city", CITIES, "the {n} in {x}"),
            ("owner", PEOPLE, "the {n} of {x}"),
            ("year", (2021, 2022, 2023, 2024, 2025), "the {n} of {x}"),
        )
    )
    size = rng.randint(2, 4)
    seconds: list[Any] = rng.sample(list(pool), size)
    values = rng.sample(range(3, 99), size)
    names = [name, name, *rng.sample([one for one in OBJECTS if one != name], size - 2)]
    rows: Rows = [
        {"name": n, field: second, key: value}
        for n, second, value in zip(names, seconds, values, strict=True)
    ]
    claim = f"{said.format(n=name, x=seconds[0])} {told.format(values[0])}."
    fails = swapped(rows, 0, 1, rng.choice((key, field)))
    order = rng.sample(range(size), size)
    kind = rng.choice(("places", "entries", "clubs"))
    under = rng.choice((None, "results", kind))

    def call(shown: Rows) -> Call:
        found = [shown[n] for n in order]
        return Call(f"search_{kind}", {"query": name}, found if under is None else {under: found})

    return Case((call(rows),), (call(fails),), claim, keys=frozenset((key, field)))
