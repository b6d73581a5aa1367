"""The demo's little world: a bicycle workshop, its data, its tool, and what its model will say."""

from __future__ import annotations

from dataclasses import dataclass, field

from pydantic import JsonValue

from affidavit.trace import ToolDefinition

SYSTEM = "You answer customers of the Cedar Lane bicycle workshop. Today is 2026-05-13."
QUESTION = "Is my green Fuji ready yet, and what do I owe? The ticket is RJ-3107."

_REPAIRS: dict[str, JsonValue] = {
    "RJ-3107": {
        "ticket": "RJ-3107",
        "bike": "Fuji Touring, green",
        "status": "ready",
        "ready_since": "2026-05-12",
        "lines": [
            {"item": "brake pads", "amount_cents": 2450},
            {"item": "brake service", "amount_cents": 3800},
        ],
        "price_cents": 6250,
        "workshop_closes_at": "18:30",
    }
}

TOOLS = (
    ToolDefinition(
        name="get_repair",
        description="Look up a repair by the number of its ticket.",
        input_schema={
            "type": "object",
            "properties": {"ticket": {"type": "string", "description": "such as RJ-0000"}},
            "required": ["ticket"],
            "additionalProperties": False,
        },
    ),
)


def get_repair(ticket: str) -> JsonValue:
    return _REPAIRS.get(ticket, {"found": False})


@dataclass(frozen=True)
class Call:
    """A turn of the model in which it calls the tool."""

    ticket: str


@dataclass(frozen=True)
class Draft:
    """A turn of the model in which it answers."""

    text: str


@dataclass
class WorkshopModel:
    """A model that makes two mistakes and mends each when it is told. Only it is scripted."""

    told: list[str] = field(default_factory=list)

    def next_turn(self, feedback: str | None) -> Call | Draft:
        turn = _TURNS[len(self.told)]
        self.told.append(feedback or "")
        return turn


_TURNS: tuple[Call | Draft, ...] = (
    Call("RJ-3170"),  # nobody ever said this number
    Call("RJ-3107"),
    Draft(
        "Yes, your green Fuji Touring has been ready since May 12. "
        "The repair costs $74.90. "  # nor this price
        "The workshop closes at 18:30."
    ),
    Draft(
        "Yes, your green Fuji Touring has been ready since May 12. "
        "The repair costs $62.50. "
        "The workshop closes at 18:30."
    ),
)

ASKED_AGAIN = (
    "The green Fuji Touring has been ready since May 12. The repair costs $62.50. "
    "The workshop closes at 18:30.\n"
    "The bike, a green Fuji Touring, is ready and has been since May 12. The repair costs them $62.50. "
    "The workshop closes at 18:30.\n"
    "Ready since May 12: the green Fuji Touring. The repair costs $62.50. The workshop closes at 18:30."
).splitlines()
"""What the model says when Stage 3 asks it again, in turn."""
