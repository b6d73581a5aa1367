"""Claims whose object stands only in the arguments of a call: the other run asked the same for something else."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from affidavit.training.pairs.made.case import Call, Case, Fields
from affidavit.training.pairs.made.records import number_of
from affidavit.training.pairs.made.saying import day, day_said
from affidavit.training.pairs.made.words import CITIES, OBJECTS, PEOPLE


@dataclass(frozen=True, slots=True)
class _Question:
    """A tool, what it is asked for, what it answers, and how the answer is told of what it was asked for."""

    tool: str
    asked: tuple[str, ...]
    """Its arguments, one or two of a kind."""
    pool: tuple[str, ...]
    answered: str
    low: int
    high: int
    sayings: tuple[str, ...]


_QUESTIONS = (
    _Question("get_weather", ("city",), CITIES, "temperature_c", 2, 33, ("it is {v} degrees in {a}.", "in {a} it's {v}°C.", "{a} has {v} degrees.")),
    _Question("get_balance", ("account",), OBJECTS, "balance_eur", 20, 900, ("there are €{v} on {a}.", "the balance of {a} is €{v}.")),
    _Question("get_stock_level", ("product",), OBJECTS, "available", 2, 90, ("{v} of {a} are available.", "there are {v} of {a} left.")),
    _Question("get_distance", ("from", "to"), CITIES, "km", 90, 990, ("from {a} to {b} it's {v} km.", "{a} and {b} are {v} km apart.")),
    _Question("search_flights", ("origin", "destination"), CITIES, "cheapest_eur", 39, 390, ("the cheapest flight from {a} to {b} costs €{v}.", "you can fly from {a} to {b} for €{v}.")),
    _Question("get_vacation_days", ("employee",), PEOPLE, "days_left", 2, 30, ("{a} has {v} days of leave left.", "{v} days of leave are left for {a}.")),
    _Question("get_open_tickets", ("assignee",), PEOPLE, "count", 2, 40, ("{a} has {v} open tickets.", "{v} tickets of {a} are open.")),
    _Question("get_visitors", ("site",), OBJECTS, "visitors", 40, 900, ("{a} had {v} visitors.", "{v} people visited {a}.")),
    _Question("get_travel_time", ("start", "end"), CITIES, "minutes", 35, 300, ("from {a} to {b} it takes {v} minutes.", "you get from {a} to {b} in {v} minutes.")),
    _Question("get_queue_length", ("queue",), OBJECTS, "waiting", 2, 80, ("{v} are waiting in {a}.", "the queue {a} has {v} waiting.")),
)  # fmt: skip


def by_argument(rng: random.Random) -> Case:
    """An answer told of what was asked for, against the same answer to a question about something else."""
    one = rng.choice(_QUESTIONS)
    names = rng.sample(one.pool, len(one.asked) + 1)
    value = rng.randint(one.low, one.high)
    claim = rng.choice(one.sayings).format(a=names[0], b=names[1], v=value)
    right = dict(zip(one.asked, names, strict=False))
    wrong: Fields = right | {rng.choice(one.asked): names[-1]}
    if one.tool == "search_flights" and rng.random() < 0.5:
        # The way back.
        wrong = dict(zip(one.asked, names[1::-1], strict=True))
    result: Any = rng.choice(
        (
            {one.answered: value},
            {one.answered: value},
            {"result": {one.answered: value}},
            str(value),
        )
    )
    holds = Call(one.tool, right, result)
    fails = Call(one.tool, wrong, result)
    if rng.random() < 0.3:
        # Both were asked, and the answers are the other way round.
        apart: Any = {one.answered: value + rng.randint(5, 30)}
        result = {one.answered: value}
        holds, fails = Call(one.tool, right, result), Call(one.tool, right, apart)
        beside = Call(one.tool, wrong, apart), Call(one.tool, wrong, result)
        return Case(
            (holds, beside[0]),
            (fails, beside[1]),
            claim,
            keys=frozenset((one.answered, *one.asked)),
        )
    return Case((holds,), (fails,), claim, keys=frozenset((one.answered, *one.asked)))


def searched(rng: random.Random) -> Case:
    """What was searched for, against a search with one argument otherwise."""
    kind = rng.choice(("flights", "trains", "buses"))
    start, end, third = rng.sample(CITIES, 3)
    on = day(rng)
    after = day(rng)
    right = {"from": start, "to": end, "date": on.isoformat()}
    wrong = right | rng.choice(
        ({"from": end, "to": start}, {"to": third}, {"from": third}, {"date": after.isoformat()})
    )
    said = f"{kind} from {start} to {end} on {day_said(rng, on)}"
    claim = rng.choice(
        (f"I looked for {said}.", f"I've searched for {said}.", f"I checked {said}.")
    )
    result = {
        "results": [
            {"id": number_of(rng), "seats_left": rng.randint(1, 60)}
            for _ in range(rng.randint(1, 3))
        ]
    }
    return Case(
        (Call(f"search_{kind}", right, result),),
        (Call(f"search_{kind}", wrong, result),),
        claim,
        keys=frozenset(("from", "to", "date")),
    )


def nothing_for(rng: random.Random) -> Case:
    """Nothing free on a day, against nothing free on another, or something free on that one."""
    what, said = rng.choice(
        (("slots", "slot"), ("rooms", "room"), ("tables", "table"), ("courts", "court"))
    )
    place = rng.choice(OBJECTS)
    on, other_day = day(rng), day(rng)
    claim = rng.choice(
        (
            "there is no {s} free at {p} on {d}.",
            "{p} has no {s} left on {d}.",
            "nothing is free at {p} on {d}.",
        )
    )
    claim = claim.format(s=said, p=place, d=day_said(rng, on))
    asked = {"place": place, "date": on.isoformat()}
    empty: Any = rng.choice(([], {what: []}))
    some: Any = [
        {"id": number_of(rng), "from": f"{rng.randint(8, 17):02d}:00"}
        for _ in range(rng.randint(1, 3))
    ]
    fails = rng.choice((
        Call(f"find_{what}", asked, {what: some} if isinstance(empty, dict) else some),
        Call(f"find_{what}", asked | {"date": other_day.isoformat()}, empty),
    ))  # fmt: skip
    return Case(
        (Call(f"find_{what}", asked, empty),),
        (fails,),
        claim,
        (place,),
        keys=frozenset(("place", "date", what)),
    )


def joined(rng: random.Random) -> Case:
    """What follows from two results that share an identifier, against the identifier of another, or values exchanged."""
    kind, other_kind, key, field, pool, sayings = rng.choice((
        ("order", "customers", "customer_id", "city", CITIES, ("{a} goes to a customer in {v}.", "the customer of {a} is in {v}.")),
        ("ticket", "agents", "agent_id", "name", PEOPLE, ("{a} is handled by {v}.", "the agent for {a} is {v}.")),
        ("booking", "hotels", "hotel_id", "city", CITIES, ("{a} is for a hotel in {v}.", "the hotel of {a} is in {v}.")),
        ("invoice", "suppliers", "supplier_id", "name", OBJECTS, ("{a} is from {v}.", "the supplier behind {a} is {v}.")),
        ("shift", "employees", "employee_id", "name", PEOPLE, ("{v} works {a}.", "{a} is taken by {v}.")),
    ))  # fmt: skip
    name = number_of(rng)
    size = rng.randint(2, 4)
    numbers = rng.sample(range(11, 99), size)
    values = rng.sample(pool, size)
    claim = rng.choice(sayings).format(a=name, v=values[0])
    shuffled = rng.sample(range(size), size)

    def calls(number: int, told: list[str]) -> tuple[Call, ...]:
        rows = [{"id": numbers[n], field: told[n]} for n in shuffled]
        return (
            Call(f"get_{kind}", {"id": name}, {"id": name, key: number}),
            Call(f"list_{other_kind}", {}, rows),
        )

    exchanged = [values[1], values[0], *values[2:]]
    fails = rng.choice((calls(numbers[1], values), calls(numbers[0], exchanged)))
    return Case(calls(numbers[0], values), fails, claim, keys=frozenset((key, field)))
