"""Records of one object in the shapes that tools return them in."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from affidavit.training.pairs.made.case import Call, Case, Fact, Fields
from affidavit.training.pairs.made.saying import day, opened, plural, today_said
from affidavit.training.pairs.made.words import CITIES, OBJECTS, PEOPLE, PERSON_KINDS

_VERBS = ("get", "get", "get", "fetch", "lookup", "read", "show", "find", "load")
_NUMBERED = frozenset(
    {
        "order",
        "invoice",
        "ticket",
        "booking",
        "shipment",
        "request",
        "claim",
        "case",
        "payment",
        "trip",
        "job",
    }
)
"""Kinds of objects that go by a number as often as by a name."""
_INCIDENTAL: dict[str, Callable[[random.Random], Any]] = {
    "created_at": lambda rng: day(rng).isoformat(),
    "region": lambda rng: rng.choice(CITIES),
    "version": lambda rng: rng.randint(1, 9),
    "channel": lambda rng: rng.choice(("web", "phone", "app", "partner")),
    "language": lambda rng: rng.choice(("en", "de", "fr", "pt", "nl")),
    "notes": lambda rng: rng.choice(("", None, "none", "see file")),
    "tags": lambda rng: rng.sample(
        ("priority", "north", "internal", "2026", "pilot", "b2b"), rng.randint(0, 2)
    ),
}
"""Fields that no claim rests on."""


def number_of(rng: random.Random) -> str:
    """An identifier: K-4821."""
    return f"{rng.choice('ABDHKMPRSTVW')}{rng.choice(('-', '', '-'))}{rng.randint(100, 9999)}"


def told(fact: Fact, rng: random.Random) -> Case:
    """A fact as a call that returns the record of its object, in one shape over both states."""
    name = rng.choice(PEOPLE if fact.kind in PERSON_KINDS else OBJECTS)
    number = number_of(rng)
    by_number = fact.kind in _NUMBERED and rng.random() < 0.5
    known: Fields = {}
    if by_number or rng.random() < 0.5:
        known[rng.choice(("id", "ref", "number", f"{fact.kind}_id"))] = number
    if not by_number:
        known[rng.choice(("name", "title", "label", fact.kind, "name"))] = name
    extra = {
        key: draw(rng)
        for key, draw in _INCIDENTAL.items()
        if rng.random() < 0.2 and key not in fact.holds
    }
    order = [*fact.holds, *(key for key in fact.fails if key not in fact.holds), *extra]
    rng.shuffle(order)
    shape = shape_of(rng, fact.kind)

    def record(fields: Fields) -> Fields:
        both = extra | fields
        return known | {key: both[key] for key in order if key in both}

    tool = tool_of(rng, fact.kind)
    called = number if by_number else name
    wanted = {"id" if by_number else rng.choice(("name", "query", fact.kind)): called}
    arguments: Fields = wanted if rng.random() < 0.8 else {}
    about = tuple(known.values())
    given, system = _dated(fact, rng)
    return Case(
        (Call(tool, arguments, shape(record(fact.holds))),),
        (Call(tool, arguments, shape(record(fact.fails))),),
        phrased(fact.claim, called, fact.kind, rng),
        about,
        given,
        system,
        frozenset(fact.holds) | frozenset(fact.fails),
    )


def _dated(fact: Fact, rng: random.Random) -> tuple[tuple[Call, ...], str]:
    """Today's date as the result of a call, or in the system message."""
    if fact.today is None:
        return (), ""
    if rng.random() < 0.3:
        return (), today_said(rng, fact.today)
    tool = rng.choice(("get_current_date", "today", "current_time", "get_date"))
    shown = fact.today.isoformat()
    result: Any = rng.choice(({"today": shown}, {"date": shown}, shown, {"date": shown, "weekday": f"{fact.today:%A}"},
                              {"now": f"{shown}T09:{rng.randint(10, 59)}:00"}))  # fmt: skip
    return (Call(tool, {}, result),), ""


def tool_of(rng: random.Random, kind: str) -> str:
    """get_order, order_details, getOrder, orders.get."""
    verb = rng.choice(_VERBS)
    return rng.choice(
        (
            f"{verb}_{kind}",
            f"{verb}_{kind}",
            f"{kind}_details",
            f"{verb}{kind.title().replace('_', '')}",
            f"{plural(2, kind)}_{verb}",
        )
    )


def phrased(claim: str, name: str, kind: str, rng: random.Random) -> str:
    """A claim with its object named, or spoken of as what it is."""
    kind = kind.replace("_", " ")
    words = [name, name, name, f"the {kind}", f"the {kind} {name}", f"your {kind}", f"this {kind}"]
    if claim.startswith(("{it} ", "{its} ")) and kind not in PERSON_KINDS:
        words += ["it", "it", "it"]
    it = rng.choice(words)
    its = "its" if it == "it" else f"{it}'s"
    return claim.format(it=it, its=its)


def shape_of(rng: random.Random, kind: str) -> Callable[[Fields], Any]:
    """One way of returning a record: plain, nested, alone in a list, or as lines of text."""
    camel = rng.random() < 0.25
    under = rng.choice(("data", "result", kind))
    words = rng.random() < 0.5

    def keyed(record: Any) -> Any:
        return _camel(record) if camel else record

    return rng.choice(
        (
            keyed,
            keyed,
            keyed,
            keyed,
            lambda record: {under: keyed(record)},
            lambda record: {"ok": True, under: keyed(record)},
            lambda record: [keyed(record)],
            lambda record: json.dumps(keyed(record)),
            lambda record: _lines(record, words),
            lambda record: _prose(record, kind),
        )
    )


def _lines(record: Fields, words: bool) -> str:
    return "\n".join(
        f"{opened(key.replace('_', ' ')) if words else key}: {_text(value)}"
        for key, value in _flat(record).items()
    )


def _prose(record: Fields, kind: str) -> str:
    """A record in sentences."""
    told = [
        f"The {key.replace('_', ' ')} is {_text(value)}."
        for key, value in _flat(record).items()
        if value not in ("", [])
    ]
    return f"{opened(kind.replace('_', ' '))} found. {' '.join(told)}"


def _flat(record: Fields) -> Fields:
    """The fields of records within a record beside its own, as text has them: ``hours_sat``."""
    flat: Fields = {}
    for key, value in record.items():
        inner = value if isinstance(value, dict) else {}
        flat |= {f"{key}_{name}": one for name, one in inner.items()} if inner else {key: value}
    return flat


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "-"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_text(one)}" for key, one in value.items())
    if isinstance(value, list):
        between = "; " if any(isinstance(one, dict) for one in value) else ", "
        return between.join(_text(one) for one in value)
    return str(value)


def _camel(value: Any) -> Any:
    if isinstance(value, dict):
        return {_joined(key): _camel(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_camel(inner) for inner in value]
    return value


def _joined(key: str) -> str:
    first, *rest = key.split("_")
    return first + "".join(part.title() for part in rest)
