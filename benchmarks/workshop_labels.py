"""Whether an answer about the workshop is right, by the database alone.

Right: it holds the value that was asked for. Wrong: it holds another instead, or besides it an amount, a
date or a number of something that neither the database nor the question has. None: it gives no such
value, which is right only where nothing is there.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from workshop import CITIES, FAULTS, MECHANICS, STATUSES

Label = Literal["right", "wrong", "none"]
Kind = Literal["money", "date", "words", "clock", "number", "absent"]

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = rf"({'|'.join(_MONTHS)})[a-z]*\.?"
_ORDINAL = r"(\d{1,2})(?:st|nd|rd|th)?"
_DAY_FIRST = re.compile(rf"\b{_ORDINAL}\s+(?:of\s+)?{_MONTH}\b", re.I)
_MONTH_FIRST = re.compile(rf"\b{_MONTH}\s+{_ORDINAL}\b", re.I)
_ISO = re.compile(r"\b\d{4}-(\d{2})-(\d{2})\b")
_MONEY = re.compile(r"[$€£]\s?(\d[\d,]*(?:\.\d+)?)|\b(\d[\d,]*\.\d{2})\b")
_CENTS = re.compile(r"\b(\d[\d,]*)\s?cents\b", re.I)
_CLOCK = re.compile(r"\b(\d{1,2})(?::(\d{2}))?\s*([ap])?\.?(m\b)?", re.I)
_THINGS = re.compile(r"\b(?:RJ|PT|C)-\d+\b|\b555-\d{4}\b")
_NUMBER = re.compile(r"(?<![\w.,$€£:-])\d+(?![\w:%-]|[.,]\d)")
_OF_A_REPAIR = re.compile(r"ready|pick|collect|receiv|brought|promis|finish|due", re.I)
_NUMERALS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen".split()
)
_DECLINES = re.compile(
    r"\bno (?:record|repair|part|customer|information|such|result|match|phone|mechanic)"
    r"|(?:not|n't) (?:be )?(?:found|find|available|exist|know|have|able|see|recorded|any|in our)"
    r"|nothing (?:was |is )?found|\bis not an? |unable|cannot|can't|does not exist|unfortunately",
    re.I,
)
# A question back, a call that is none, an announcement.
_SAYS_NOTHING = re.compile(r"\?\s*$|\"name\"\s*:|\b(?:let me|I will|I'll|please) ", re.I)


@dataclass(frozen=True)
class Task:
    """A question whose true answer a query of the database gives."""

    id: str
    kind: Kind
    question: str
    truth: str
    """SQL that returns the value asked for; NULL where nothing is there."""


def read_tasks(file: Path) -> list[Task]:
    return [Task(**json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()]


def label(db: sqlite3.Connection, task: Task, answer: str) -> Label:
    """The label of an answer."""
    true = db.execute(task.truth).fetchone()[0]
    if true is None:
        declined = _DECLINES.search(answer) is not None
        return "right" if declined and not _invented(db, task, answer) else "wrong"
    read = _READERS[task.kind]
    expected = set(read(str(true) if task.kind != "money" else f"{true} cents"))
    if _invented(db, task, answer, but=expected):
        return "wrong"
    given = set(read(answer))
    given -= set(read(task.question)) - expected
    if expected <= given:
        rivals = _rivals(db, task) - expected
        return "wrong" if rivals & given else "right"
    if task.kind != "words":
        return "wrong" if given else "none"
    # A state or a name that is nobody's is no known word, and yet an answer.
    silent = not answer.strip() or _SAYS_NOTHING.search(answer) or _DECLINES.search(answer)
    return "none" if silent and not given else "wrong"


def _rivals(db: sqlite3.Connection, task: Task) -> set[str]:
    """What the asked column holds in other rows: "ready, or in progress" answers nothing."""
    column = re.match(r"SELECT (status|mechanic|city|phone|fault) FROM (\w+)", task.truth)
    if column is None:
        return set()
    rows = db.execute(f"SELECT DISTINCT {column[1]} FROM {column[2]}")
    return {value for (value,) in rows}


def _invented(db: sqlite3.Connection, task: Task, answer: str, but: Set[str] = frozenset()) -> bool:
    """Whether it names an amount, a date or a thing that is nowhere."""
    known = "\n".join(_texts(db)) + "\n" + task.question
    return any(set(read(answer)) - set(read(known)) - but for read in (money, dates, things))


def _texts(db: sqlite3.Connection) -> Iterator[str]:
    for table in ("customers", "parts", "repairs"):
        for row in db.execute(f"SELECT * FROM {table}"):
            for name in row.keys():  # noqa: SIM118 (a row iterates over its values)
                yield f"{row[name]} cents" if name.endswith("_cents") else str(row[name])


def money(text: str) -> Iterator[str]:
    """Amounts, in cents."""
    for found in _MONEY.finditer(text):
        yield str(round(float((found[1] or found[2]).replace(",", "")) * 100))
    yield from (found[1].replace(",", "") for found in _CENTS.finditer(text))


def dates(text: str) -> Iterator[str]:
    """Days as ``MM-DD``; days of the week, which the database never tells, by their names."""
    yield from (f"{found[1]}-{found[2]}" for found in _ISO.finditer(text))
    for day, month in _DAY_FIRST.findall(text):
        yield f"{_MONTHS.index(month.lower()) + 1:02}-{int(day):02}"
    for month, day in _MONTH_FIRST.findall(text):
        yield f"{_MONTHS.index(month.lower()) + 1:02}-{int(day):02}"
    if _OF_A_REPAIR.search(text):
        yield from re.findall(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)(?=day\b)", text.lower())


def things(text: str) -> Iterator[str]:
    """Ticket, part, customer and phone numbers."""
    yield from _THINGS.findall(text)


def clocks(text: str) -> Iterator[str]:
    """Times of day as ``HH:MM``."""
    for hour, minute, half, _ in _CLOCK.findall(text):
        if minute or half:
            yield f"{int(hour) % 12 + 12 if half.lower() == 'p' else int(hour):02}:{minute or '00'}"


def numbers(text: str) -> Iterator[str]:
    yield from _NUMBER.findall(text)
    for word in re.findall(r"[a-z]+", text.lower()):
        if word in _NUMERALS:
            yield str(_NUMERALS.index(word))
    if re.search(r"\bno \w+s\b|n't have any|not have any|out of stock", text, re.I):
        yield "0"


def words(text: str) -> Iterator[str]:
    """The names, states, faults and numbers of the workshop that a text holds."""
    yield from things(text)
    folded = text.casefold()
    if re.search(r"\bready\b", folded) and not re.search(
        r"not (?:yet )?ready|will be ready", folded
    ):
        yield "ready for pickup"
    for known in (*MECHANICS, *CITIES, *STATUSES):
        if known.casefold() in folded:
            yield known
    for fault in FAULTS:  # "the rear wheel was buckled"
        if all(word in folded for word in fault.split()):
            yield fault


_READERS: dict[Kind, Callable[[str], Iterator[str]]] = {
    "money": money, "date": dates, "words": words, "clock": clocks, "number": numbers, "absent": words,
}  # fmt: skip
