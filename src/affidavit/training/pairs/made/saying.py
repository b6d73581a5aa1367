"""Drawing values, and saying them as people do."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Callable
from typing import TypeVar

from affidavit.training.pairs.made.words import COUNTED

T = TypeVar("T")

YEAR = 2026

_CURRENCIES = {
    "eur": ("€{}", "{} euros", "EUR {}", "{} EUR", "€{}"),
    "usd": ("${}", "{} dollars", "USD {}", "${}", "{} USD"),
    "gbp": ("£{}", "{} pounds", "GBP {}", "£{}"),
    "chf": ("CHF {}", "{} francs", "{} CHF"),
}


def other(value: T, draw: Callable[[], T]) -> T:
    """A draw that is not ``value``."""
    while (found := draw()) == value:
        pass
    return found


def currency(rng: random.Random) -> tuple[str, str]:
    """The code of a currency in lower case, and how an amount in it is said."""
    code = rng.choice(sorted(_CURRENCIES))
    return code, rng.choice(_CURRENCIES[code])


def amount(rng: random.Random, low: int = 5, high: int = 900) -> float:
    """An amount of money, often a round one."""
    cents = rng.choice((0.5, 0.25, 0.9, 0.99, 0.4)) if rng.random() < 0.4 else 0
    whole = rng.randint(low, high) + cents
    return int(whole) if whole == int(whole) else round(whole, 2)


def plain(value: float) -> str:
    """1240 as 1,240, 38.5 as 38.50."""
    return f"{int(value):,}" if value == int(value) else f"{value:,.2f}"


def counted(rng: random.Random, value: int) -> str:
    """A small count in words or figures."""
    return COUNTED[value] if 0 < value < len(COUNTED) and rng.random() < 0.5 else f"{value:,}"


def plural(count: int, noun: str) -> str:
    """``day`` or ``days``, ``copy`` or ``copies``, ``box`` or ``boxes``."""
    if count == 1:
        return noun
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "x", "ch", "sh")) else f"{noun}s"


def singular(noun: str) -> str:
    """The noun of which this is the plural."""
    if noun.endswith("ies"):
        return f"{noun[:-3]}y"
    if noun.endswith(("xes", "ches", "shes")):
        return noun[:-2]
    return {"people": "person"}.get(noun, noun.removesuffix("s"))


def day(rng: random.Random) -> dt.date:
    """A day of the year that all records are of."""
    return dt.date(YEAR, 1, 15) + dt.timedelta(days=rng.randint(0, 330))


def day_said(rng: random.Random, date: dt.date) -> str:
    """3 March, March 3, Tuesday 3 March, 3 March 2026, 2026-03-03."""
    short = f"{date.day} {date:%B}"
    return rng.choice(
        (
            short,
            f"{date:%B} {date.day}",
            f"{date:%A} {short}",
            f"{date:%A}, {date:%B} {date.day}",
            f"{short} {date.year}",
            f"{date.day} {date:%b}",
            f"the {ordinal(date.day)} of {date:%B}",
        )
    )


def ordinal(value: int) -> str:
    """1st, 2nd, 3rd, 4th, 11th."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th") if value // 10 % 10 != 1 else "th"
    return f"{value}{ending}"


def clock(rng: random.Random, time: dt.time) -> str:
    """14:30 or 2:30 pm."""
    if rng.random() < 0.5:
        return f"{time:%H:%M}"
    hour = time.hour % 12 or 12
    half = "am" if time.hour < 12 else "pm"
    minutes = f":{time:%M}" if time.minute or rng.random() < 0.3 else ""
    return f"{hour}{minutes} {half}"


def today_said(rng: random.Random, date: dt.date) -> str:
    """The line of a system message that says which day it is."""
    long = f"{date:%A} {date.day} {date:%B} {date.year}"
    return rng.choice(
        (
            f"Today is {long}.",
            f"Today is {date.isoformat()}.",
            f"Current date: {date.isoformat()}",
            f"You are a helpful assistant. Today's date is {date:%A}, {date:%B} {date.day}, {date.year}.",
            f"It is {long}.",
        )
    )


def listed(names: list[str], word: str = "and") -> str:
    """A, B and C."""
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} {word} {names[-1]}"


def opened(text: str) -> str:
    """A sentence with a capital letter in front."""
    return text[:1].upper() + text[1:]
