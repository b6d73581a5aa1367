"""A repair workshop for real models to work in: a SQLite database, made from a seed, and tools over it.

``python benchmarks/workshop.py FILE`` writes the database, for those who want to look.
"""

from __future__ import annotations

import json
import random
import sqlite3
import sys
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

SEED = 20261121
TABLES = """
CREATE TABLE customers (id TEXT PRIMARY KEY, name TEXT, phone TEXT, city TEXT);
CREATE TABLE parts (part_no TEXT PRIMARY KEY, name TEXT, price_cents INTEGER, in_stock INTEGER);
CREATE TABLE repairs (
  ticket TEXT PRIMARY KEY, customer_id TEXT REFERENCES customers, bicycle TEXT, fault TEXT,
  status TEXT, mechanic TEXT, received TEXT, ready_on TEXT, price_cents INTEGER, deposit_cents INTEGER
);
CREATE TABLE repair_parts (ticket TEXT REFERENCES repairs, part_no TEXT REFERENCES parts, quantity INTEGER);
CREATE TABLE hours (day TEXT PRIMARY KEY, opens TEXT, closes TEXT);
"""
NAMES = (
    "Ada Brunner", "Jonas Keller", "Mira Novak", "Tomás Vidal", "Elif Demir", "Piet de Wit",
    "Sofia Lindqvist", "Rahul Menon", "Greta Olsen", "Luca Ferri", "Hanna Virtanen", "Omar Haddad",
)  # fmt: skip
CITIES = ("Brookfield", "Ashton", "Millbrook", "Easton")
BICYCLES = ("Corvo 3", "Tern Verge", "Alpina City", "Gazelle Swift", "Kestrel R2", "Bromley Fold")
FAULTS = (
    "worn brake pads", "buckled rear wheel", "slipping chain", "flat battery", "bent derailleur",
    "loose headset",
)  # fmt: skip
MECHANICS = ("Ingrid", "Bashir", "Noor")
STATUSES = ("waiting for parts", "in progress", "ready for pickup", "collected")
PARTS = (
    "Brake pads", "Rear wheel", "Chain 11-speed", "Battery 400 Wh", "Derailleur hanger",
    "Headset bearing", "Inner tube", "Bottom bracket", "Shift cable", "Pedals",
)  # fmt: skip
OPENING = {
    "Monday": ("09:00", "18:00"), "Tuesday": ("09:00", "18:00"), "Wednesday": ("09:00", "13:00"),
    "Thursday": ("09:00", "18:00"), "Friday": ("09:00", "19:30"), "Saturday": ("10:00", "14:00"),
    "Sunday": (None, None),
}  # fmt: skip


def make(path: str | Path = ":memory:", seed: int = SEED) -> sqlite3.Connection:
    """A workshop with 12 customers, 10 parts and 30 repairs; the same for the same seed."""
    chance = random.Random(seed)
    db = sqlite3.connect(path)
    db.row_factory = sqlite3.Row
    db.executescript(TABLES)
    customers = [
        (f"C-{4100 + 37 * i}", name, f"555-{chance.randint(1000, 9999)}", chance.choice(CITIES))
        for i, name in enumerate(NAMES)
    ]
    db.executemany("INSERT INTO customers VALUES (?, ?, ?, ?)", customers)
    parts = [
        (f"PT-{chance.randint(10000, 99999)}", name, chance.randrange(450, 29900, 5), chance.randint(0, 14))
        for name in PARTS
    ]  # fmt: skip
    db.executemany("INSERT INTO parts VALUES (?, ?, ?, ?)", parts)
    for i in range(30):
        received = date(2026, 9, 1) + timedelta(days=chance.randint(0, 60))
        ready = received + timedelta(days=chance.randint(2, 15))
        ticket, price = f"RJ-{3101 + 17 * i}", chance.randrange(2000, 42000, 5)
        row = (
            ticket, customers[i % len(customers)][0], chance.choice(BICYCLES),
            chance.choice(FAULTS), chance.choice(STATUSES), chance.choice(MECHANICS),
            received.isoformat(), ready.isoformat(), price, chance.choice((0, 1000, 2000)),
        )  # fmt: skip
        db.execute(f"INSERT INTO repairs VALUES ({', '.join('?' * len(row))})", row)
        for part in chance.sample(parts, chance.randint(1, 3)):
            used = (ticket, part[0], chance.randint(1, 2))
            db.execute("INSERT INTO repair_parts VALUES (?, ?, ?)", used)
    db.executemany("INSERT INTO hours VALUES (?, ?, ?)", [(d, *o) for d, o in OPENING.items()])
    db.commit()
    return db


class NotFound(LookupError):
    """Nothing is there under that name; the message is for the model."""


class Tools:
    """What the agent can call. Each returns JSON-like data, or raises :class:`NotFound`."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def get_repair(self, ticket: str) -> dict[str, Any]:
        """Look up one repair by its ticket number."""
        found = self._one("SELECT * FROM repairs WHERE ticket = ?", ticket)
        found["parts"] = self._all(
            "SELECT part_no, quantity FROM repair_parts WHERE ticket = ?", ticket
        )
        return found

    def find_customer(self, name: str) -> list[dict[str, Any]]:
        """Find customers whose name contains the given words."""
        return self._all("SELECT * FROM customers WHERE name LIKE ?", f"%{name}%")

    def list_repairs(self, customer_id: str) -> list[dict[str, Any]]:
        """List the repairs of a customer by the customer's id, which find_customer returns."""
        self._one("SELECT id FROM customers WHERE id = ?", customer_id)
        wanted = "ticket, bicycle, status, ready_on, price_cents"
        return self._all(f"SELECT {wanted} FROM repairs WHERE customer_id = ?", customer_id)

    def get_part(self, part_no: str) -> dict[str, Any]:
        """Look up one spare part by its part number."""
        return self._one("SELECT * FROM parts WHERE part_no = ?", part_no)

    def search_parts(self, words: str) -> list[dict[str, Any]]:
        """Find spare parts whose name contains the given words."""
        return self._all("SELECT * FROM parts WHERE name LIKE ?", f"%{words}%")

    def opening_hours(self, day: str) -> dict[str, Any]:
        """When the workshop is open on a day of the week."""
        return self._one("SELECT * FROM hours WHERE day = ?", day.capitalize())

    def _all(self, query: str, value: str) -> list[dict[str, Any]]:
        return [dict(row) for row in self._db.execute(query, (value,))]

    def _one(self, query: str, value: str) -> dict[str, Any]:
        if not (rows := self._all(query, value)):
            raise NotFound(f"nothing found for {value!r}")
        return rows[0]

    def run(self, name: str, arguments: dict[str, Any]) -> Any:
        """Call a tool by its name."""
        tool: Callable[..., Any] = getattr(self, name)
        return tool(**arguments)


def _declared(name: str, argument: str, what: str) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": {argument: {"type": "string", "description": what}},
        "required": [argument],
        "additionalProperties": False,
    }
    return {"name": name, "description": getattr(Tools, name).__doc__, "parameters": schema}


DECLARATIONS = [
    _declared("get_repair", "ticket", "ticket number"),
    _declared("find_customer", "name", "first or last name"),
    _declared("list_repairs", "customer_id", "id of the customer"),
    _declared("get_part", "part_no", "part number"),
    _declared("search_parts", "words", "a word of the part's name"),
    _declared("opening_hours", "day", "day of the week in English"),
]


if __name__ == "__main__":
    with make(sys.argv[1]) as made:
        print(json.dumps([tuple(row) for row in made.execute("SELECT * FROM repairs")], indent=1))
