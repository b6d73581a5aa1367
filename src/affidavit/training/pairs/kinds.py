"""Kinds of value: how data holds one, how people write it, and what a near miss of it is."""

# ruff: noqa: ARG002 -- every kind answers the same four questions, some without a chance in it

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Protocol

Data = dict[str, Any]


class Kind(Protocol):
    """One kind of value. A *truth* is the value itself, whatever way it is written."""

    def draw(self, rng: random.Random) -> Any: ...

    def data(self, key: str, truth: Any, rng: random.Random) -> Data:
        """The value as fields of a record: ``{"total_cents": 66899}``."""
        ...

    def say(self, truth: Any, rng: random.Random) -> str:
        """The value as a person writes it: "$668.99"."""
        ...

    def near(self, truth: Any, rng: random.Random) -> Any:
        """Another value, easily taken for this one."""
        ...


_SYMBOLS = {"USD": "$", "EUR": "€", "GBP": "£"}


@dataclass(frozen=True)
class Money:
    low: int = 300
    high: int = 200_000
    cents: bool = True

    def draw(self, rng: random.Random) -> tuple[int, str]:
        # Spread over magnitudes: small sums are as common as large ones.
        top = rng.choice([self.low * 10, self.high // 10, self.high])
        amount = rng.randint(self.low, max(self.low + 1, top))
        if rng.random() < 0.3:
            amount = max(100, amount // 100 * 100)
        return amount, rng.choices(["USD", "EUR", "GBP"], [8, 1, 1])[0]

    def data(self, key: str, truth: tuple[int, str], rng: random.Random) -> Data:
        amount, currency = truth
        plain: Any = amount / 100
        forms: list[Data] = [{key: plain}, {key: plain}, {key: f"{plain:.2f}"}]
        if self.cents:
            forms += [{f"{key}_cents": amount}, {key: {"amount": plain, "currency": currency}}]
            forms += [{key: {"value": amount, "unit": "cents"}}]
        forms += [{key: f"{_SYMBOLS[currency]}{plain:,.2f}"}]
        form = rng.choice(forms)
        shown = str(form)
        if currency != "USD" and currency not in shown and _SYMBOLS[currency] not in shown:
            form["currency"] = currency
        return form

    def say(self, truth: tuple[int, str], rng: random.Random) -> str:
        amount, currency = truth
        number = f"{amount / 100:,.2f}" if rng.random() < 0.8 else f"{amount / 100:.2f}"
        if amount % 100 == 0 and rng.random() < 0.6:
            number = f"{amount // 100:,}"
        word = {"USD": "dollars", "EUR": "euros", "GBP": "pounds"}[currency]
        symbol = f"{_SYMBOLS[currency]}{number}"
        return rng.choices([symbol, f"{number} {word}", f"{number} {currency}"], [8, 1, 1])[0]

    def near(self, truth: tuple[int, str], rng: random.Random) -> tuple[int, str]:
        amount, currency = truth
        moved = rng.choice(
            [
                _other_digit(amount, rng),
                _other_digit(amount, rng),
                amount * 10,
                amount + rng.choice([-1, 1]) * rng.choice([100, 500, 1000, 5000]),
                amount + rng.choice([-1, 1, 9, -10, 50]),
            ]
        )
        return (moved, currency) if moved > 0 and moved != amount else (amount + 1300, currency)


def _other_digit(number: int, rng: random.Random) -> int:
    text = str(number)
    at = rng.randrange(len(text))
    digit = rng.choice([d for d in "123456789" if d != text[at]])
    return int(text[:at] + digit + text[at + 1 :])


@dataclass(frozen=True)
class Day:
    """A date; ``clock`` data carry a time of day that nobody mentions."""

    def draw(self, rng: random.Random) -> date:
        return date(2023, 1, 1) + timedelta(days=rng.randrange(365 * 4))

    def data(self, key: str, truth: date, rng: random.Random) -> Data:
        stamp = f"{truth}T{rng.randint(6, 21):02}:{rng.randint(0, 59):02}:{rng.randint(0, 59):02}Z"
        return {key: rng.choices([str(truth), stamp, f"{truth:%m/%d/%Y}"], [6, 3, 0.5])[0]}

    def say(self, truth: date, rng: random.Random) -> str:
        day, month, year = truth.day, truth.strftime("%B"), truth.year
        forms = [
            f"{month} {day}",
            f"{month} {day}, {year}",
            f"{day} {month} {year}",
            f"{truth:%b} {day}",
            f"{month} {ordinal(day)}",
            f"the {ordinal(day)} of {month}",
            f"{truth:%A}, {month} {day}",
            str(truth),
        ]
        return rng.choices(forms, [8, 5, 2, 2, 3, 1, 1, 2])[0]

    def near(self, truth: date, rng: random.Random) -> date:
        moves = [1, -1, 2, -2, 3, 7, -7, 10, 30, -31, 61]
        return truth + timedelta(days=rng.choice(moves))


def ordinal(n: int) -> str:
    ending = "th" if 10 <= n % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


@dataclass(frozen=True)
class Clock:
    """A time of day."""

    def draw(self, rng: random.Random) -> int:
        return rng.randint(0, 1439) if rng.random() < 0.3 else rng.randrange(0, 1440, 15)

    def data(self, key: str, truth: int, rng: random.Random) -> Data:
        text = f"{truth // 60:02}:{truth % 60:02}"
        return {key: rng.choice([text, text, f"{text}:00"])}

    def say(self, truth: int, rng: random.Random) -> str:
        hour, minute = divmod(truth, 60)
        half, twelve = ("am", "pm")[hour >= 12], hour % 12 or 12
        if minute == 0 and rng.random() < 0.5:
            return f"{twelve} {half}"
        forms = [f"{twelve}:{minute:02} {half}", f"{twelve}:{minute:02}{half.upper()}"]
        return rng.choices([*forms, f"{hour:02}:{minute:02}"], [6, 2, 2])[0]

    def near(self, truth: int, rng: random.Random) -> int:
        return (truth + rng.choice([15, -15, 30, -30, 60, -60, 120, 720])) % 1440


@dataclass(frozen=True)
class Moment:
    """A date with a time of day."""

    def draw(self, rng: random.Random) -> datetime:
        start = datetime(2023, 1, 1)  # noqa: DTZ001 -- what data and claims say names no zone
        return start + timedelta(minutes=15 * rng.randrange(96 * 365 * 4))

    def data(self, key: str, truth: datetime, rng: random.Random) -> Data:
        return {key: rng.choice([f"{truth:%Y-%m-%dT%H:%M:%SZ}", f"{truth:%Y-%m-%d %H:%M}"])}

    def say(self, truth: datetime, rng: random.Random) -> str:
        day = Day().say(truth.date(), rng)
        clock = Clock().say(truth.hour * 60 + truth.minute, rng)
        return rng.choice([f"{day} at {clock}", f"{day} at {clock}", day, f"{clock} on {day}"])

    def near(self, truth: datetime, rng: random.Random) -> datetime:
        # At least a day apart: a claim may mention the day alone.
        return truth + timedelta(days=rng.choice([1, -1, 3, 7, 30, -30]))


@dataclass(frozen=True)
class Duration:
    """Minutes, whatever the unit of the field."""

    step: int = 5
    high: int = 720

    def draw(self, rng: random.Random) -> int:
        return rng.randrange(self.step, self.high, self.step)

    def data(self, key: str, truth: int, rng: random.Random) -> Data:
        hours, rest = divmod(truth, 60)
        forms: list[Data] = [{f"{key}_minutes": truth}, {f"{key}_min": truth}]
        forms += [{f"{key}_seconds": truth * 60}, {key: f"{hours}h {rest:02}m"}]
        forms += [{key: f"PT{hours}H{rest}M"}] if hours and rest else []
        return rng.choice(forms)

    def say(self, truth: int, rng: random.Random) -> str:
        hours, rest = divmod(truth, 60)
        if not hours:
            return f"{rest} minutes"
        if not rest:
            return rng.choice([counted(hours, "hour"), f"{truth} minutes"])
        long = f"{counted(hours, 'hour')} and {counted(rest, 'minute')}"
        forms = [long, long.replace(" and", ""), f"{truth} minutes", f"{hours}h {rest}m"]
        return rng.choice([*forms, f"{hours} and a half hours"] if rest == 30 else forms)

    def near(self, truth: int, rng: random.Random) -> int:
        moved = rng.choice([truth + self.step, truth - self.step, truth + 60, truth * 2])
        return moved if moved > 0 and moved != truth else truth + 45


def counted(n: int, unit: str) -> str:
    return f"{n} {unit}" if n == 1 else f"{n} {unit}s"


@dataclass(frozen=True)
class Share:
    """A percentage, in tenths of a percent."""

    high: int = 1000

    def draw(self, rng: random.Random) -> int:
        return rng.choice([rng.randint(1, self.high), rng.randrange(10, self.high + 1, 10)])

    def data(self, key: str, truth: int, rng: random.Random) -> Data:
        percent = truth / 10
        shown = int(percent) if percent.is_integer() else percent
        forms: list[Data] = [{key: round(truth / 1000, 4)}, {key: f"{shown}%"}]
        return rng.choice([*forms, {f"{key}_percent": shown}, {f"{key}_pct": shown}])

    def say(self, truth: int, rng: random.Random) -> str:
        percent = truth / 10
        shown = f"{int(percent)}" if percent.is_integer() else f"{percent}"
        return rng.choice([f"{shown}%", f"{shown}%", f"{shown} percent"])

    def near(self, truth: int, rng: random.Random) -> int:
        moved = rng.choice(
            [truth * 10, truth + 10, truth - 10, truth + 50, _other_digit(truth, rng)]
        )
        return moved if 0 < moved <= 1000 and moved != truth else (truth + 130) % 1000 + 1


_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()


@dataclass(frozen=True)
class Count:
    low: int = 0
    high: int = 40

    def draw(self, rng: random.Random) -> int:
        return rng.randint(self.low, rng.choice([min(self.high, self.low + 9), self.high]))

    def data(self, key: str, truth: int, rng: random.Random) -> Data:
        return {key: truth if rng.random() < 0.9 else str(truth)}

    def say(self, truth: int, rng: random.Random) -> str:
        if truth == 0:
            return rng.choice(["0", "no", "zero"])
        if truth <= 12 and rng.random() < 0.45:
            return _WORDS[truth]
        return f"{truth:,}"

    def near(self, truth: int, rng: random.Random) -> int:
        moved = truth + rng.choice([1, -1, 2, -2, 10, truth or 3])
        return moved if moved > 0 and moved != truth else truth + 2


@dataclass(frozen=True)
class Measure:
    """A number with a unit, in tenths."""

    key_unit: str
    said: tuple[str, ...]
    low: int = 1
    high: int = 900

    def draw(self, rng: random.Random) -> int:
        number = rng.randint(self.low, self.high)
        return number if rng.random() < 0.5 else max(10, number // 10 * 10)

    def data(self, key: str, truth: int, rng: random.Random) -> Data:
        number = truth // 10 if truth % 10 == 0 else truth / 10
        forms: list[Data] = [{f"{key}_{self.key_unit}": number}] * 2
        return rng.choice([*forms, {key: f"{number} {self.said[0]}"}, {key: number}])

    def say(self, truth: int, rng: random.Random) -> str:
        number = f"{truth // 10}" if truth % 10 == 0 else f"{truth / 10}"
        return f"{number} {rng.choice(self.said)}"

    def near(self, truth: int, rng: random.Random) -> int:
        moved = rng.choice([truth * 10, truth + 10, truth - 10, _other_digit(truth, rng)])
        return moved if moved > 0 and moved != truth else truth + 30


@dataclass(frozen=True)
class Name:
    """One of a list of names: people, cities, carriers, products."""

    options: Sequence[str]

    def draw(self, rng: random.Random) -> str:
        return rng.choice(self.options)

    def data(self, key: str, truth: str, rng: random.Random) -> Data:
        return {key: truth}

    def say(self, truth: str, rng: random.Random) -> str:
        return truth

    def near(self, truth: str, rng: random.Random) -> str:
        return rng.choice([o for o in self.options if o != truth])


@dataclass(frozen=True)
class Person:
    """A person; a near miss keeps the first name or the last."""

    def draw(self, rng: random.Random) -> tuple[str, str]:
        return rng.choice(FIRST), rng.choice(LAST)

    def data(self, key: str, truth: tuple[str, str], rng: random.Random) -> Data:
        first, last = truth
        forms: list[Data] = [
            {key: f"{first} {last}"},
            {key: {"first_name": first, "last_name": last}},
        ]
        return rng.choices(forms, [4, 1])[0]

    def say(self, truth: tuple[str, str], rng: random.Random) -> str:
        return " ".join(truth)

    def near(self, truth: tuple[str, str], rng: random.Random) -> tuple[str, str]:
        first, last = truth
        other_last = rng.choice([name for name in LAST if name != last])
        other_first = rng.choice([name for name in FIRST if name != first])
        return rng.choice([(first, other_last), (other_first, last), (other_first, other_last)])


@dataclass(frozen=True)
class Code:
    """An identifier made after a pattern: ``A`` is a letter, ``9`` a digit, the rest itself."""

    pattern: str

    def draw(self, rng: random.Random) -> str:
        letters = "ABCDEFGHJKLMNPQRSTUVWXYZ"
        made = {"?": lambda: rng.choice(letters), "#": lambda: rng.choice("0123456789")}
        return "".join(made[ch]() if ch in made else ch for ch in self.pattern)

    def data(self, key: str, truth: str, rng: random.Random) -> Data:
        return {key: truth}

    def say(self, truth: str, rng: random.Random) -> str:
        return truth

    def near(self, truth: str, rng: random.Random) -> str:
        spots = [i for i, ch in enumerate(truth) if ch.isdigit()]
        if not spots or rng.random() < 0.3:
            other = self.draw(rng)
            return other if other != truth else other + "1"
        at = rng.choice(spots)
        digit = rng.choice([d for d in "0123456789" if d != truth[at]])
        return truth[:at] + digit + truth[at + 1 :]


@dataclass(frozen=True)
class Flag:
    """Yes or no; what is said of each is the field's own business."""

    def draw(self, rng: random.Random) -> bool:
        return rng.random() < 0.5

    def data(self, key: str, truth: bool, rng: random.Random) -> Data:
        return {key: truth if rng.random() < 0.9 else ("no", "yes")[truth]}

    def say(self, truth: bool, rng: random.Random) -> str:
        return ("no", "yes")[truth]

    def near(self, truth: bool, rng: random.Random) -> bool:
        return not truth


@dataclass(frozen=True)
class State:
    """One of several states, each with its own ways of being told."""

    told: Mapping[str, Sequence[str]]

    def draw(self, rng: random.Random) -> str:
        return rng.choice(list(self.told))

    def data(self, key: str, truth: str, rng: random.Random) -> Data:
        forms = [truth, truth, truth.upper(), truth.replace("_", " ")]
        return {key: rng.choice(forms)}

    def say(self, truth: str, rng: random.Random) -> str:
        return truth.replace("_", " ")

    def near(self, truth: str, rng: random.Random) -> str:
        return rng.choice([o for o in self.told if o != truth])


@dataclass(frozen=True)
class Note:
    """A remark that is often not there."""

    options: Sequence[str]

    def draw(self, rng: random.Random) -> str | None:
        return rng.choice(self.options) if rng.random() < 0.5 else None

    def data(self, key: str, truth: str | None, rng: random.Random) -> Data:
        return {key: truth if truth or rng.random() < 0.8 else ""}

    def say(self, truth: str | None, rng: random.Random) -> str:
        return truth or "none"

    def near(self, truth: str | None, rng: random.Random) -> str | None:
        return rng.choice(self.options) if truth is None else None


@dataclass(frozen=True)
class Several:
    """A few of a list: amenities, line items, attendees. A near miss has one it lacks."""

    options: Sequence[str]

    def draw(self, rng: random.Random) -> tuple[str, ...]:
        return tuple(rng.sample(list(self.options), k=rng.randint(1, 4)))

    def data(self, key: str, truth: tuple[str, ...], rng: random.Random) -> Data:
        return {key: list(truth) if rng.random() < 0.8 else ", ".join(truth)}

    def say(self, truth: tuple[str, ...], rng: random.Random) -> str:
        return rng.choice(truth)

    def near(self, truth: tuple[str, ...], rng: random.Random) -> tuple[str, ...]:
        return tuple(rng.sample([o for o in self.options if o not in truth], k=2))


FIRST = (
    "Maya Jonas Priya Liam Elena Omar Chloe Diego Hannah Kenji Amara Felix Nora Tariq Ingrid Pablo "
    "Sofia Marcus Leila Viktor Grace Hugo Yuki Ruth Samuel Aisha Peter Carmen Oscar Mei"
).split()
LAST = (
    "Okafor Lindgren Patel Moreau Castillo Nguyen Schmidt Rossi Haddad Kowalski Tanaka Brennan "
    "Ferreira Johansson Walsh Adeyemi Novak Carver Iyer Delgado Whitfield Osei Laurent Petrov"
).split()
CITIES = (
    "Lisbon|Denver|Oslo|Nairobi|Chicago|Kyoto|Toronto|Madrid|Austin|Prague|Melbourne|Boston|Vienna|"
    "Seattle|Dublin|Singapore|Cape Town|Montreal|Portland|Helsinki|Mumbai|San Diego|Bristol|Geneva"
).split("|")
